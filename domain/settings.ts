import type { ShippingPolicy } from "./shipping-policy.ts";
import type { TaxPolicy } from "./tax.ts";

/** The settings that pages and checkout work from. */
export type ShopSettings = {
  brandName: string;
  shipping: ShippingPolicy;
  tax: TaxPolicy;
  returns: { days: number; minimumRemainingPercent: number };
  contact: { email: string | null; phone: string | null; location: string | null };
  social: { instagram: string | null; facebook: string | null; tiktok: string | null; x: string | null };
  givingPercent: number;
  reviews: {
    /** `hold`: a new review waits for the owner's approval. */
    publish: "at_once" | "hold";
    /** Days after which a buyer is asked for a review. */
    requestAfterDeliveredDays: number;
    requestAfterShippedDays: number;
  };
};
