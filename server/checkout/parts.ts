import type { AskedDiscount } from "../../domain/discounts/discount-terms.ts";
import type { CancelParts } from "../payments/cancel-order.ts";
import type { VisitorId } from "../platform/viewer.ts";

/** What checkout works with; checkout/open-parts.ts puts it together. */
export type CheckoutParts = CancelParts & {
  /** Address of a small picture of an image file. */
  thumbnail(file: string): string;
  /** A discount code, as it stands now; its `id` is null where there is none. */
  askForDiscount(ask: {
    code: string;
    visitorId: VisitorId | null;
  }): Promise<AskedDiscount & { id: number | null }>;
  reservationSeconds: number;
};
