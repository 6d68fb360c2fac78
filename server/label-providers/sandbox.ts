import { createHash, randomUUID } from "node:crypto";
import { businessDaysLater } from "../../domain/shared/zoned-days.ts";
import {
  type CarrierRate,
  CarrierRefused,
  type LabelCarrier,
  type ParcelToSend,
  type Purchase,
} from "./carrier.ts";

/** `cents` for the first kilogram, `perKilogram` for each further one; `days`: business days until delivery. */
const services = {
  home: [
    { service: "Ground", cents: 520, perKilogram: 140, days: 3 },
    { service: "Priority", cents: 840, perKilogram: 210, days: 2 },
    { service: "Express", cents: 2650, perKilogram: 480, days: 1 },
  ],
  abroad: [
    { service: "International", cents: 1580, perKilogram: 620, days: 9 },
    { service: "International Express", cents: 4290, perKilogram: 990, days: 4 },
  ],
};

/**
 * A carrier whose labels say "TEST" and cost nothing, for trying out the shop. It stores nothing: everything is derived from
 * the parcel's id.
 */
export const sandboxCarrier: LabelCarrier = {
  name: "sandbox",
  mode: "sandbox",
  sellsOnce: true,
  checkAddress: async () => ({ problem: null, correction: null }),
  quote: async (parcel) => ({ parcelRef: randomUUID(), rates: parcelRates(parcel) }),
  buy: async ({ parcelRef }) => toPurchase(parcelRef),
  find: async ({ parcelRef }) => toPurchase(parcelRef),
  void: async () => {},
  readRefund: async () => "refunded",
};

function parcelRates({ sender, recipient, weightGrams, today }: ParcelToSend): CarrierRate[] {
  if (weightGrams > 30_000) throw new CarrierRefused("The sandbox carrier takes parcels of up to 30 kg.");
  const isHome = recipient.address.country === sender.country;
  const furtherKilograms = Math.max(0, Math.ceil(weightGrams / 1000) - 1);
  return services[isHome ? "home" : "abroad"].map(({ service, cents, perKilogram, days }) => ({
    rateRef: service,
    carrier: "Sandbox carrier",
    service,
    amountCents: cents + furtherKilograms * perKilogram,
    arrivesOn: businessDaysLater(today, days),
  }));
}

function toPurchase(parcelRef: string): Purchase {
  const digits = BigInt(`0x${createHash("sha256").update(parcelRef).digest("hex").slice(0, 15)}`);
  const trackingNumber = `TEST${String(digits).padStart(18, "0").slice(-18)}`;
  return { trackingNumber, picture: null, tracking: "announced" };
}
