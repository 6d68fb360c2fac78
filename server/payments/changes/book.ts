import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { RefundSplit } from "../../../domain/orders/line-refund.ts";
import type { ShopContext } from "../../context.ts";
import type { orderEdits } from "../../order-desk/tables.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import type { Db } from "../../platform/database/database.ts";
import { nextRevision } from "../opening/revision.ts";
import { elsewhereText, reachableCents, readOrderMoney, refundSources } from "../refunds/refundable.ts";
import { refundLocked } from "../refunds/refunds.ts";
import { payments } from "../tables.ts";

type ChangeRecord = typeof orderEdits.$inferSelect;
type OfChange = { order: LockedOrder; change: ChangeRecord };

/** Asks for the difference of a change to be given back. Answers why it cannot be, as a sentence; null: it was asked for. */
export async function refundOfChange(
  ctx: ShopContext,
  tx: Db,
  { order, change, split }: OfChange & { split: RefundSplit },
): Promise<string | null> {
  const written = await refundLocked(ctx, tx, {
    orderId: order.id,
    amountCents: split.amount,
    reason: change.note ?? "Taken out of the order",
    actor: "owner",
    split,
    orderEditId: change.id,
    from: "reachable",
  });
  return written.ok ? null : notGivenBack(written.reason === "too_much" ? written.elsewhere : null);
}

/** Why the difference of a change cannot be given back now, as a sentence; null: it can. */
export async function refundProblem(
  ctx: ShopContext,
  tx: Db,
  { orderId, cents }: { orderId: string; cents: number },
): Promise<string | null> {
  const sources = refundSources(ctx.provider, await readOrderMoney(tx, orderId));
  if (reachableCents(sources) >= cents) return null;
  return notGivenBack(elsewhereText(ctx.provider, sources));
}

function notGivenBack(elsewhere: string | null): string {
  return `The difference cannot be given back: ${elsewhere ?? "a dispute holds the money."}`;
}

/** Books the difference of a change as paid outside the shop, as its order was. */
export async function bookPaidOutside(tx: Db, { order, change }: OfChange): Promise<void> {
  const [first] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, order.id), eq(payments.provider, "manual")));
  await tx.insert(payments).values({
    ...{ orderId: order.id, orderEditId: change.id, provider: "manual", mode: order.mode },
    revision: await nextRevision(tx, order.id),
    intentId: `manual_${randomUUID()}`,
    ...{ status: "succeeded", amountCents: change.differenceCents, currency: order.currency },
    paidWith: first?.paidWith ?? null,
  });
}
