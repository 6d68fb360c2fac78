import type { LabelParcel, LabelSettings } from "../../domain/labels/label-settings.ts";
import type { CarrierName, LabelAddress } from "../../domain/labels/labels.ts";
import type { ShippingAddress } from "../../domain/orders/order.ts";
import type { TrackingState } from "../../domain/orders/tracking.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";

export type Recipient = { name: string; phone: string | null; address: ShippingAddress };

/** One line of a customs form. `valueCents` and `weightGrams` are of one unit. */
export type CustomsItem = {
  description: string;
  quantity: number;
  valueCents: number;
  weightGrams: number;
  hsCode: string;
  originCountry: string;
};

/** A parcel to be priced. `weightGrams` includes its contents; `today` is the date in the shop's time zone. */
export type ParcelToSend = {
  sender: LabelSettings["sender"];
  recipient: Recipient;
  parcel: LabelParcel;
  weightGrams: number;
  /** Null if it crosses no border. */
  customs: CustomsItem[] | null;
  today: string;
};

/** A service for a parcel. `arrivesOn` is null if unknown. */
export type CarrierRate = {
  rateRef: string;
  carrier: string;
  service: string;
  amountCents: number;
  arrivesOn: string | null;
};

/** The provider's ids of a parcel and of the service bought for it. */
type PurchaseRef = { parcelRef: string; rateRef: string };

/**
 * `picture` loads a PNG of 4 x 6 inches; it is null if the shop draws the label. `keptDuplicates`: tracking numbers of further
 * labels of the same parcel that the provider does not refund.
 */
export type Purchase = {
  trackingNumber: string;
  keptDuplicates?: string[];
  picture: (() => Promise<Buffer>) | null;
  tracking: TrackingState;
};

export type RefundState = "pending" | "refunded" | "rejected";

/** Sells labels. Each method throws `CarrierRefused` if the response is final, and any other error if the outcome is unknown. */
export type LabelCarrier = {
  name: CarrierName;
  /** Labels of `test` and `sandbox` cost nothing and are not accepted by any carrier. */
  mode: PaymentMode;
  /**
   * Whether the provider itself sells a parcel only once; otherwise a purchase without a response is looked up, never repeated.
   */
  sellsOnce: boolean;
  checkAddress(recipient: Recipient): Promise<Omit<LabelAddress, "entered">>;
  /** `signal`: aborts before the time limit of a call. */
  quote(parcel: ParcelToSend, signal?: AbortSignal): Promise<{ parcelRef: string; rates: CarrierRate[] }>;
  buy(purchase: PurchaseRef): Promise<Purchase>;
  /**
   * Looks up a purchase, and voids duplicates of the same parcel except the label in use; null if it was not bought. Never
   * throws `CarrierRefused`.
   */
  find(purchase: PurchaseRef & { trackingNumber: string | null }): Promise<Purchase | null>;
  /** Also succeeds if it was voided before. Carriers only record the request; days later they refund the price or refuse to. */
  void(purchase: PurchaseRef): Promise<void>;
  /** Whether the price of a voided label was refunded. */
  readRefund(purchase: PurchaseRef): Promise<RefundState>;
};

/** A final refusal by the provider. Its message is shown to people. */
export class CarrierRefused extends Error {
  override name = "CarrierRefused";
}
