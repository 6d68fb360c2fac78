import { discountSentences } from "../../domain/discounts/discount-terms.ts";
import { findSellable } from "../catalog/queries.ts";
import type { ShopContext } from "../context.ts";
import type { UseResult } from "../discounts/uses.ts";
import { availableUnitsFor } from "../inventory/commands.ts";
import type { CheckoutInput, CheckoutRefusal } from "./input.ts";

/** The refusal if another order took the discount's last use after pricing, or this buyer has used the discount before. */
export function discountRefusal(reason: Exclude<UseResult, "taken">): CheckoutRefusal {
  const sentences = {
    gone: discountSentences.unknown,
    used_up: discountSentences.usedUp,
    used_by_customer: discountSentences.usedByCustomer,
    not_first_order: discountSentences.notFirstOrder,
  };
  return { ok: false, reason: "invalid", fields: { discountCode: sentences[reason] } };
}

/** The refusal with the number of units of each product that this buyer can order; 0 for unpublished products. */
export async function outOfStockRefusal(
  ctx: ShopContext,
  { visitorId, buyerNetwork: network }: Pick<CheckoutInput, "visitorId" | "buyerNetwork">,
  lines: readonly { productId: number }[],
): Promise<CheckoutRefusal> {
  const productIds = lines.map(({ productId }) => productId);
  const [products, units] = await Promise.all([
    findSellable(ctx.db, productIds),
    availableUnitsFor(ctx.db, { visitorId, network }, productIds),
  ]);
  const available = Object.fromEntries(
    productIds.map((id) => [String(id), products.get(id)?.isPublished ? (units.get(id) ?? 0) : 0]),
  );
  return { ok: false, reason: "out_of_stock", available };
}
