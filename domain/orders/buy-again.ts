import * as v from "valibot";
import { bundleSchema } from "../catalog/bundles.ts";

/** An order's products as they could be bought today. Cents. */
export const buyAgainSchema = v.object({
  number: v.number(),
  items: v.array(
    v.object({
      productId: v.number(),
      /** As it is called today; of what is no longer sold, as it was. */
      name: v.string(),
      /** Null: no longer sold. */
      slug: v.nullable(v.string()),
      image: v.nullable(v.string()),
      ordered: v.number(),
      /** How many of them can be had now. */
      quantity: v.number(),
      /** Of one unit, today. */
      price: v.number(),
      total: v.number(),
      bundles: v.array(bundleSchema),
    }),
  ),
  /** What those that can be had come to today. */
  subtotal: v.number(),
});
export type BuyAgain = v.InferOutput<typeof buyAgainSchema>;
export type BuyAgainItem = BuyAgain["items"][number];

/** What of a line cannot be had, as a sentence; null: nothing. */
export function buyAgainProblem({ name, slug, ordered, quantity }: BuyAgainItem): string | null {
  if (slug === null) return `${name} is no longer sold.`;
  if (quantity === 0) return `${name} is sold out.`;
  return quantity < ordered ? `Only ${quantity} of ${ordered} × ${name} are in stock.` : null;
}
