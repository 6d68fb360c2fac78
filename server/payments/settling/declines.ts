import { and, eq, gt, lt, min, or, type SQL, sql } from "drizzle-orm";
import { declinedCardDays } from "../../../domain/privacy/retention.ts";
import type { ShopContext } from "../../context.ts";
import { orders } from "../../orders/tables.ts";
import type { Intent } from "../../payment-providers/provider.ts";
import { deleteInBatches } from "../../platform/database/in-batches.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { closeDeclinedJob } from "../job-kinds.ts";
import { paymentDeclines, payments } from "../tables.ts";

/** Number of declined cards after which an order's payment is closed, to prevent card testing. */
export const maxDeclines = 5;
/** Number of declined cards within an hour after which a visitor, or a network that many visitors may share, must wait. */
const maxVisitorDeclines = 10;
const maxNetworkDeclines = 20;
const windowMs = 60 * 60 * 1000;

/**
 * Counts a declined card once. If `isTooMany` is true, the order, visitor or network has reached its limit, and the caller must
 * close the payment. Payments of other programs are not counted.
 */
export async function countDecline(
  ctx: ShopContext,
  { id, intentId, at }: { id: string; intentId: string; at: Date },
): Promise<{ isNew: boolean; isTooMany: boolean }> {
  const { rowCount } = await ctx.db.execute(sql`
    insert into ${paymentDeclines} (id, order_id, network, declined_at)
    select ${id}, ${orders.id}, ${orders.buyerNetwork}, ${at.toISOString()}::timestamptz
    from ${payments} join ${orders} on ${orders.id} = ${payments.orderId}
    where ${payments.intentId} = ${intentId}
    on conflict do nothing`);
  const [order] = await ctx.db
    .select({ orderId: orders.id, visitorId: orders.visitorId, network: paymentDeclines.network })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .leftJoin(paymentDeclines, eq(paymentDeclines.id, id))
    .where(eq(payments.intentId, intentId));
  if (!order) return { isNew: false, isTooMany: false };
  const orderDeclines = await ctx.db.$count(paymentDeclines, eq(paymentDeclines.orderId, order.orderId));
  const isTooMany = orderDeclines >= maxDeclines || (await declineCooldownSeconds(ctx, order)) !== null;
  return { isNew: rowCount === 1, isTooMany };
}

/** Counts a decline from the provider's response, because its event may be lost. If there are too many, a job ends the payment. */
export async function recordDecline(ctx: ShopContext, intent: Intent): Promise<void> {
  const { intentId, declinedChargeId: id, status } = intent;
  if (!id || status !== "requires_payment") return;
  const decline = await countDecline(ctx, { id, intentId, at: ctx.now() });
  if (decline.isNew && decline.isTooMany) await addJob(ctx.db, closeDeclinedJob, { intentId });
}

/**
 * Seconds that a visitor or network with too many declined cards must wait before the next payment. Null for all other visitors,
 * and for the sandbox, whose test cards are declined on purpose.
 */
export async function declineCooldownSeconds(
  { db, provider, now }: Pick<ShopContext, "db" | "provider" | "now">,
  { visitorId, network }: { visitorId: string | null; network: string | null },
): Promise<number | null> {
  if (provider.mode === "sandbox") return null;
  const isOfVisitor = visitorId === null ? sql`false` : eq(orders.visitorId, visitorId);
  const isOfNetwork = network === null ? sql`false` : eq(paymentDeclines.network, network);
  const count = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`;
  const [recent] = await db
    .select({
      visitor: count(isOfVisitor),
      network: count(isOfNetwork),
      oldest: min(paymentDeclines.declinedAt),
    })
    .from(paymentDeclines)
    .innerJoin(orders, eq(orders.id, paymentDeclines.orderId))
    .where(
      and(gt(paymentDeclines.declinedAt, new Date(now().getTime() - windowMs)), or(isOfVisitor, isOfNetwork)),
    );
  if (!recent?.oldest) return null;
  if (recent.visitor < maxVisitorDeclines && recent.network < maxNetworkDeclines) return null;
  return Math.max(1, Math.ceil((recent.oldest.getTime() + windowMs - now().getTime()) / 1000));
}

export async function purgeDeclines({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - declinedCardDays * 24 * 60 * 60 * 1000);
  await deleteInBatches(db, paymentDeclines, lt(paymentDeclines.declinedAt, before));
}
