import * as v from "valibot";
import { formatCents } from "../shared/money.ts";
import { type Bundle, bundleSchema, maxBundleQuantity, minBundleQuantity } from "./bundles.ts";
import { priceFrom } from "./product-admin.ts";

/** A bundle in the panel; shoppers are offered `active` ones only. */
export const productBundleSchema = v.object({ ...bundleSchema.entries, active: v.boolean() });
export type ProductBundle = v.InferOutput<typeof productBundleSchema>;

export const bundleQuantityText = v.pipe(
  v.string(),
  v.regex(/^\d{1,2}$/, "Must be a number"),
  v.transform(Number),
  v.minValue(minBundleQuantity, `At least ${minBundleQuantity}`),
  v.maxValue(maxBundleQuantity, `At most ${maxBundleQuantity}`),
);

export const bundleFieldsSchema = v.object({
  price: priceFrom(1, "Enter a price above 0"),
  /** If missing, it is unchanged, and a new bundle is active. */
  active: v.optional(v.boolean("Must be true or false")),
});
export type BundleFields = v.InferOutput<typeof bundleFieldsSchema>;

/**
 * A warning for the owner before a bundle is offered at this price; null if there is none. `others` are the product's other active
 * bundles.
 */
export function bundleConcern(
  unitPrice: number,
  { quantity, price }: Bundle,
  others: readonly Bundle[],
): string | null {
  const listTotal = unitPrice * quantity;
  const larger = others.find((other) => other.quantity > quantity && other.price <= price);
  const smaller = others.find((other) => other.quantity < quantity && other.price >= price);
  if (price >= listTotal)
    return `${quantity} one by one cost ${formatCents(listTotal)}: shoppers would save nothing, so it is not offered.`;
  if (2 * price < listTotal)
    return `That is less than half of the ${formatCents(listTotal)} that ${quantity} cost one by one.`;
  if (larger) return `${larger.quantity} cost ${formatCents(larger.price)}: nobody would buy ${quantity}.`;
  if (smaller)
    return `${smaller.quantity} cost ${formatCents(smaller.price)}: nobody would buy ${smaller.quantity}.`;
  return null;
}
