import * as v from "valibot";
import { bundleSchema } from "../catalog/bundles.ts";

/** An order's products with current prices. Cents. */
export const buyAgainSchema = v.object({
  number: v.number(),
  items: v.array(
    v.object({
      productId: v.number(),
      /** The current name; for products no longer sold, the name in the order. */
      name: v.string(),
      /** Null if it is no longer sold. */
      slug: v.nullable(v.string()),
      image: v.nullable(v.string()),
      ordered: v.number(),
      /** Units that can be bought now. */
      quantity: v.number(),
      /** Current price of one unit. */
      price: v.number(),
      total: v.number(),
      bundles: v.array(bundleSchema),
    }),
  ),
  /** Current price of all units that can be bought. */
  subtotal: v.number(),
});
export type BuyAgain = v.InferOutput<typeof buyAgainSchema>;
export type BuyAgainItem = BuyAgain["items"][number];

/** Why a line cannot be bought again in full; null if it can. */
export function buyAgainProblem({ name, slug, ordered, quantity }: BuyAgainItem): string | null {
  if (slug === null) return `${name} is no longer sold.`;
  if (quantity === 0) return `${name} is sold out.`;
  return quantity < ordered ? `Only ${quantity} of ${ordered} × ${name} are in stock.` : null;
}
