import type { AskedDiscount } from "../../domain/discounts/discount-terms.ts";
import type { ShopContext } from "../context.ts";
import type { VisitorId } from "../platform/viewer.ts";

export type CheckoutParts = ShopContext;

/** What checkout and the actions on orders take from the context beside what is plain there; see open-parts.ts. */
export type OpenParts = {
  /** Address of a small picture of an image file. */
  thumbnail(file: string): string;
  /** A discount code, as it stands now; its `id` is null where there is none. */
  askForDiscount(ask: {
    code: string;
    visitorId: VisitorId | null;
  }): Promise<AskedDiscount & { id: number | null }>;
  reservationSeconds: number;
};
