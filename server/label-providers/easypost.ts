import * as v from "valibot";
import type { TrackingState } from "../../domain/orders/tracking.ts";
import { gramsPerOunce } from "../../domain/shared/measures.ts";
import { businessDaysLater } from "../../domain/shared/zoned-days.ts";
import { addressFields, carrierAddress, nullableText, suggestedCorrection } from "./address.ts";
import {
  callProvider,
  carrierName,
  loadPicture,
  type ProviderAccess,
  ProviderRefusal,
  parseCents,
  rethrowRefusal,
  toSentence,
} from "./call.ts";
import {
  CarrierRefused,
  type CustomsItem,
  type LabelCarrier,
  type ParcelToSend,
  type Purchase,
  type RefundState,
} from "./carrier.ts";

const shipmentSchema = v.object({
  id: v.string(),
  tracking_code: nullableText,
  status: nullableText,
  refund_status: nullableText,
  postage_label: v.nullish(v.object({ label_url: v.string() }), null),
  rates: v.array(
    v.object({
      id: v.string(),
      carrier: v.string(),
      service: v.string(),
      rate: v.string(),
      currency: v.string(),
      delivery_days: v.nullish(v.number(), null),
      delivery_date: nullableText,
    }),
  ),
  messages: v.optional(v.array(v.object({ message: v.nullish(v.unknown()) })), []),
});
type Shipment = v.InferOutput<typeof shipmentSchema>;

const addressSchema = v.object({
  ...addressFields,
  verifications: v.object({
    delivery: v.optional(
      v.object({ success: v.boolean(), errors: v.optional(v.array(v.object({ message: v.string() })), []) }),
    ),
  }),
});

const trackingStates: Record<string, TrackingState> = {
  in_transit: "on_the_way",
  out_for_delivery: "on_the_way",
  available_for_pickup: "on_the_way",
  delivered: "delivered",
  return_to_sender: "exception",
  failure: "exception",
  cancelled: "exception",
};
/** The other statuses, `rejected` and `not_applicable`, are refusals. */
const refundStates: Record<string, RefundState> = { submitted: "pending", refunded: "refunded" };
const toRefundState = ({ refund_status: status }: Shipment) => refundStates[status ?? ""] ?? "rejected";

export function easypostAccess(apiKey: string, apiBase: string | null): ProviderAccess {
  return {
    title: "EasyPost",
    apiKey,
    base: apiBase ?? "https://api.easypost.com",
    authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
  };
}

/** EasyPost, https://docs.easypost.com: a shipment can be bought once, so that its id is enough to find a purchase again. */
export function easypost(access: ProviderAccess): LabelCarrier {
  const read = (id: string) =>
    callProvider(access, "GET", `/v2/shipments/${encodeURIComponent(id)}`, { schema: shipmentSchema });
  const toPurchase = (shipment: Shipment): Purchase | null => {
    const { tracking_code: trackingNumber, postage_label: label, status } = shipment;
    if (label === null || trackingNumber === null) return null;
    return {
      trackingNumber,
      picture: () => loadPicture(access, label.label_url),
      tracking: trackingStates[status ?? ""] ?? "announced",
    };
  };
  return {
    name: "easypost",
    mode: access.apiKey.startsWith("EZTK") ? "test" : "live",
    sellsOnce: true,
    async checkAddress(recipient) {
      const verifiedAddress = await rethrowRefusal(
        callProvider(access, "POST", "/v2/addresses", {
          body: { verify: true, address: carrierAddress(recipient) },
          schema: addressSchema,
        }),
      );
      const { delivery } = verifiedAddress.verifications;
      // Addresses in some countries cannot be verified.
      if (!delivery) return { problem: null, correction: null };
      const problem = delivery.success
        ? null
        : delivery.errors.map(({ message }) => toSentence(message)).join(" ");
      return {
        problem,
        correction: delivery.success ? suggestedCorrection(recipient.address, verifiedAddress) : null,
      };
    },
    async quote(parcel, signal) {
      const shipment = await rethrowRefusal(
        callProvider(access, "POST", "/v2/shipments", {
          body: { shipment: shipmentRequest(parcel) },
          schema: shipmentSchema,
          signal,
        }),
      );
      const rates = shipment.rates.flatMap((rate) => {
        const amountCents = parseCents(rate.rate, rate.currency);
        if (amountCents === null) return [];
        const { delivery_days: days, delivery_date: date } = rate;
        return [
          {
            rateRef: rate.id,
            carrier: carrierName(rate.carrier),
            // "GroundAdvantage"
            service: rate.service.replace(/([a-z])([A-Z])/g, "$1 $2"),
            amountCents,
            arrivesOn: date?.slice(0, 10) ?? (days === null ? null : businessDaysLater(parcel.today, days)),
          },
        ];
      });
      const carrierMessages = shipment.messages.flatMap(({ message }) =>
        typeof message === "string" ? message : [],
      );
      if (rates.length === 0 && carrierMessages.length > 0)
        throw new CarrierRefused(`EasyPost: ${toSentence(carrierMessages.slice(0, 2).join(" "))}`);
      return { parcelRef: shipment.id, rates };
    },
    async buy({ parcelRef, rateRef }) {
      try {
        const body = { rate: { id: rateRef } };
        const path = `/v2/shipments/${encodeURIComponent(parcelRef)}/buy`;
        const purchase = toPurchase(
          await callProvider(access, "POST", path, { body, schema: shipmentSchema, always: true }),
        );
        if (purchase) return purchase;
        throw new Error("EasyPost sold a label without naming it");
      } catch (error) {
        if (!(error instanceof ProviderRefusal)) throw error;
        // EasyPost also refuses a shipment that an earlier call has bought.
        const earlierPurchase = error.isKeyAtFault ? null : toPurchase(await read(parcelRef));
        if (earlierPurchase) return earlierPurchase;
        throw new CarrierRefused(toSentence(error.message));
      }
    },
    find: async ({ parcelRef }) => toPurchase(await read(parcelRef)),
    async void({ parcelRef }) {
      const path = `/v2/shipments/${encodeURIComponent(parcelRef)}/refund`;
      const shipment = await callProvider(access, "POST", path, {
        body: {},
        schema: shipmentSchema,
        always: true,
      }).catch(async (error: unknown) => {
        // If the key is not accepted, the outcome is unknown.
        if (!(error instanceof ProviderRefusal) || error.isKeyAtFault) throw error;
        const current = await read(parcelRef);
        if (toRefundState(current) !== "rejected") return current;
        throw new CarrierRefused(toSentence(error.message));
      });
      if (toRefundState(shipment) === "rejected")
        throw new CarrierRefused("EasyPost says that this label can no longer be refunded.");
    },
    readRefund: async ({ parcelRef }) => toRefundState(await read(parcelRef)),
  };
}

/** Weight in ounces, with one decimal, which EasyPost accepts. */
const toOunces = (grams: number) => Math.max(0.1, Math.round((grams / gramsPerOunce) * 10) / 10);

function shipmentRequest({ sender, recipient, parcel, weightGrams, customs }: ParcelToSend) {
  const { length, width, height } = parcel;
  return {
    to_address: carrierAddress(recipient),
    from_address: carrierAddress({ name: sender.name, phone: sender.phone, address: sender }),
    parcel: { length, width, height, weight: toOunces(weightGrams) },
    options: { label_format: "PNG", label_size: "4x6" },
    ...(customs && { customs_info: customsInfo(customs, sender) }),
  };
}

function customsInfo(items: readonly CustomsItem[], { name, country }: ParcelToSend["sender"]) {
  return {
    customs_certify: true,
    customs_signer: name,
    contents_type: "merchandise",
    restriction_type: "none",
    non_delivery_option: "return",
    // Exports from the United States worth at most 2,500 dollars need no filing.
    ...(country === "US" && { eel_pfc: "NOEEI 30.37(a)" }),
    customs_items: items.map(({ description, quantity, valueCents, weightGrams, hsCode, originCountry }) => ({
      description,
      quantity,
      currency: "USD",
      hs_tariff_number: hsCode,
      origin_country: originCountry,
      value: ((valueCents * quantity) / 100).toFixed(2),
      weight: toOunces(weightGrams * quantity),
    })),
  };
}
