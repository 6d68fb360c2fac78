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
};
