import { eq } from "drizzle-orm";
import { shownTotals } from "../../domain/checkout/included-tax.ts";
import type { Totals } from "../../domain/checkout/totals.ts";
import type { ShopContext } from "../context.ts";
import type { PlacedOrder } from "../orders/commands.ts";
import { findOrderByPayment } from "../orders/queries.ts";
import { orders } from "../orders/tables.ts";
import type { Intent } from "../payment-providers/provider.ts";
import { abandonIfUnknown } from "../payments/cancellation/abandon.ts";
import { stateOfPayment } from "../payments/settling/settlement.ts";
import type { VisitorId } from "../platform/http/viewer.ts";

/**
 * The visitor's order with the provider's current state of its payment, by intent id. Null for other visitors, and for an
 * order that ended unpaid, whose payment must not be continued.
 */
export async function findOpenPayment(
  ctx: ShopContext,
  visitorId: VisitorId | null,
  intentId: string,
): Promise<{ order: PlacedOrder; totals: Totals; intent: Intent } | null> {
  const payment = visitorId && (await findOrderByPayment(ctx.db, visitorId, intentId));
  if (!payment || payment.intentId !== intentId) return null;
  const lookup = await abandonIfUnknown(ctx, payment, null, () => ctx.provider.retrieveIntent(intentId));
  if ("abandoned" in lookup) return null;
  const intent = lookup.answer;
  // Read after the provider's answer, which may be older than the order's end.
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, payment.orderId));
  if (!order) return null;
  const isOpen = order.status === "pending" && intent.status !== "canceled";
  return isOpen || stateOfPayment(intent.status) !== "unpaid"
    ? { order, totals: shownTotals(order), intent }
    : null;
}
