import { asc, eq } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import { orderLines } from "../../orders/tables.ts";
import type { Actor } from "../../orders/transition.ts";
import type { Db } from "../../platform/database/database.ts";
import type { refunds } from "../tables.ts";

type RefundRow = typeof refunds.$inferSelect;

/** What an order's history says of refunds that have just succeeded: by whom, how much, and of what. Names nobody. */
export async function refundNews(
  tx: Db,
  given: readonly RefundRow[],
): Promise<{ by: Actor; personId: string | null; note: string }> {
  const [first] = given;
  const names = new Map<number, string>();
  if (first && given.some(({ lines }) => lines.length > 0)) {
    const lines = await tx
      .select({ productId: orderLines.productId, name: orderLines.name })
      .from(orderLines)
      .where(eq(orderLines.orderId, first.orderId))
      .orderBy(asc(orderLines.position));
    for (const { productId, name } of lines) names.set(productId, name);
  }
  // Whoever of the panel asked for it as the buyer is named.
  const asked = first?.personId ? "owner" : (first?.actor ?? "owner");
  const by = first?.origin === "provider" ? "provider" : asked;
  return {
    by,
    personId: first?.personId ?? null,
    note: given.map((refund) => wordsOf(refund, names)).join("; "),
  };
}

/** "$24.90 refunded: 1 × Pure Batana Oil, shipping $5.95, tax $2.00" */
function wordsOf(refund: RefundRow, names: ReadonlyMap<number, string>): string {
  const { amountCents, goodsCents, shippingCents, taxCents, lines } = refund;
  const parts = [
    ...lines.map(({ productId, quantity }) => `${quantity} × ${names.get(productId) ?? "a product"}`),
    ...(lines.length === 0 && goodsCents !== 0 ? [`goods ${formatCents(goodsCents)}`] : []),
    ...(shippingCents === 0 ? [] : [`shipping ${formatCents(shippingCents)}`]),
    ...(taxCents === 0 ? [] : [`tax ${formatCents(taxCents)}`]),
  ];
  return `${formatCents(amountCents)} refunded: ${parts.join(", ")}`;
}
