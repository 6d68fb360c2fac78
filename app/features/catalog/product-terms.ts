import type { ShopSettings } from "../../../domain/settings/settings.ts";
import { freeShippingNote } from "../../../domain/shipping/shipping-policy.ts";
import { type DeliveryFact, deliveryFacts } from "../shipping/delivery-facts.ts";

/** What a product's page says of delivery and returns. */
export type ProductTerms = Pick<ShopSettings, "returns"> & {
  delivery: DeliveryFact[];
  shippingNote: string | null;
};

export function productTerms({ shipping, returns }: ShopSettings): ProductTerms {
  return { delivery: deliveryFacts(shipping), returns, shippingNote: freeShippingNote(shipping) };
}
