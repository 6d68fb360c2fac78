import type { LabelParcel, LabelSettings } from "../../domain/labels/label-settings.ts";
import type { ShippingAddress } from "../../domain/orders/order.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { CarrierName } from "./tables.ts";

/** A parcel to be priced. `weightGrams` includes its contents; `today` is the date in the shop's time zone. */
export type ParcelToSend = {
  sender: LabelSettings["sender"];
  recipient: { name: string; phone: string | null; address: ShippingAddress };
  parcel: LabelParcel;
  weightGrams: number;
  today: string;
};

/** A service for a parcel. `arrivesOn` null: not known. */
export type CarrierRate = {
  rateRef: string;
  carrier: string;
  service: string;
  amountCents: number;
  arrivesOn: string | null;
};

/** `picture`: PNG of 4 x 6 inches; null: the shop draws it. */
export type Purchase = { trackingNumber: string; picture: Buffer | null; isScanned: boolean };

/**
 * Sells labels. Each method throws `CarrierRefused` if the answer is final, and any other error if the outcome is unknown. A parcel
 * is bought at most once, however often `buy` is called.
 */
export type LabelCarrier = {
  name: CarrierName;
  /** Labels of `test` and `sandbox` cost nothing and are not accepted by any carrier. */
  mode: PaymentMode;
  quote(parcel: ParcelToSend): Promise<{ parcelRef: string; rates: CarrierRate[] }>;
  buy(of: { parcelRef: string; rateRef: string }): Promise<Purchase>;
  /** Looks up a purchase; null: it was not bought. */
  find(parcelRef: string): Promise<Purchase | null>;
  void(parcelRef: string): Promise<void>;
};

/** The provider's final "no". The message is a sentence for people. */
export class CarrierRefused extends Error {
  override name = "CarrierRefused";
}
