import { computeTotals } from "../checkout/totals.ts";
import { minOrderTotalCents } from "../shared/money.ts";
import type { Discount } from "./discount.ts";
import { type AutomaticDiscount, meetsConditions } from "./discount-terms.ts";

type Goods = Omit<Parameters<typeof computeTotals>[0], "discount">;
type Priced = ReturnType<typeof computeTotals>;

/**
 * Prices goods with the one discount that leaves the least to pay: the shopper's code, which has been checked, or an automatic
 * one whose conditions the goods meet. On a tie the earliest automatic one applies, so that no use of the code is counted.
 */
export function priceWithBestDiscount(
  goods: Goods,
  { code, automatic }: { code: Discount | null; automatic: readonly AutomaticDiscount[] },
): Priced & { discount: Discount | null; automatic: AutomaticDiscount | null } {
  const withoutDiscount = computeTotals(goods);
  const { subtotal } = withoutDiscount.totals;
  let best: (Priced & { automatic: AutomaticDiscount }) | null = null;
  for (const discount of automatic) {
    if (!meetsConditions(discount, { subtotal, lines: goods.lines })) continue;
    const result = computeTotals({ ...goods, discount });
    const { total } = result.totals;
    if (total < minOrderTotalCents || total >= (best ?? withoutDiscount).totals.total) continue;
    best = { ...result, automatic: discount };
  }
  const pricedWithCode = code === null ? withoutDiscount : computeTotals({ ...goods, discount: code });
  if (best === null || (code !== null && pricedWithCode.totals.total < best.totals.total)) {
    return { ...pricedWithCode, discount: code, automatic: null };
  }
  return { ...best, discount: best.automatic };
}
