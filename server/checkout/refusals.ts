import { discountSentences } from "../../domain/discount-terms.ts";
import { findSellable } from "../catalog/queries.ts";
import type { UseResult } from "../discounts/uses.ts";
import type { CheckoutRefusal } from "./input.ts";
import type { CheckoutParts } from "./parts.ts";

/** Its last use went to somebody else between the pricing and the writing, or this buyer has had theirs. */
export function discountRefused(reason: Exclude<UseResult, "taken">): CheckoutRefusal {
  const sentences = {
    gone: discountSentences.unknown,
    used_up: discountSentences.usedUp,
    used_by_customer: discountSentences.usedByCustomer,
  };
  return { ok: false, reason: "invalid", fields: { discountCode: sentences[reason] } };
}

/** How many units are left of each product of the order. */
export async function outOfStock(
  parts: CheckoutParts,
  lines: readonly { productId: number }[],
): Promise<CheckoutRefusal> {
  const productIds = lines.map(({ productId }) => productId);
  const left = await findSellable(parts.db, productIds);
  const available = Object.fromEntries(
    productIds.map((id) => [String(id), Math.max(0, left.get(id)?.free ?? 0)]),
  );
  return { ok: false, reason: "out_of_stock", available };
}
