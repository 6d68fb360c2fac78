import { and, asc, eq } from "drizzle-orm";
import type { DisputePage, Evidence } from "../../../domain/disputes/evidence.ts";
import { buyerName } from "../../../domain/orders/first-name.ts";
import { pick } from "../../../domain/shared/pick.ts";
import type { ShopContext } from "../../context.ts";
import { readAdminOrder } from "../../order-desk/admin/order.ts";
import { isOtherAccount, otherAccountText } from "../../payments/other-account.ts";
import { payments } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { disputeEvidence, disputeFiles, disputes } from "../tables.ts";

/** A dispute with its order and its evidence. Null if there is no such dispute. */
export async function readDisputePage(ctx: ShopContext, disputeId: string): Promise<DisputePage | null> {
  const disputeRow = await findDispute(ctx.db, disputeId);
  const order = disputeRow && (await readAdminOrder(ctx, disputeRow.orderId));
  const dispute = order?.disputes.find(({ id }) => id === disputeId);
  if (!disputeRow || !order || !dispute) return null;
  return {
    dispute,
    order: {
      id: order.id,
      number: order.number,
      totalCents: order.totals.total,
      refundableCents: order.refundableCents,
      hasShipped: order.shipments.length > 0,
    },
    customerName: order.erasedAt === null ? buyerName(order) : "",
    evidence: await readEvidence(ctx.db, disputeId),
    problem: await answerProblem(ctx, ctx.db, disputeRow),
    now: ctx.now().toISOString(),
  };
}

export type DisputeRow = typeof disputes.$inferSelect;

export async function findDispute(db: Db, disputeId: string): Promise<DisputeRow | null> {
  const [row] = await db.select().from(disputes).where(eq(disputes.id, disputeId));
  return row ?? null;
}

/** Why a dispute cannot be answered from the panel now; null if it can. */
export async function answerProblem(
  { provider, now }: ShopContext,
  db: Db,
  { intentId, status, evidenceDueAt }: DisputeRow,
): Promise<string | null> {
  const [payment] = await db.select().from(payments).where(eq(payments.intentId, intentId));
  if (!payment || isOtherAccount(provider, payment)) {
    const where = payment
      ? otherAccountText(provider, payment)
      : "a payment that the shop does not know anymore";
    return `Its payment belongs to ${where}: answer it in the dashboard there.`;
  }
  if (status === "under_review") return "It was answered: the bank decides.";
  if (status !== "needs_response") return "This dispute is over: nothing can be sent anymore.";
  if (evidenceDueAt !== null && evidenceDueAt <= now()) {
    return "The bank’s deadline has passed: nothing can be sent anymore.";
  }
  return null;
}

async function readEvidence(db: Db, disputeId: string): Promise<Evidence | null> {
  const [row] = await db.select().from(disputeEvidence).where(eq(disputeEvidence.disputeId, disputeId));
  if (!row) return null;
  const { id, slot, name, type, size, origin } = disputeFiles;
  const files = await db
    .select({ id, slot, name, type, size, origin })
    .from(disputeFiles)
    .where(eq(disputeFiles.disputeId, disputeId))
    .orderBy(asc(slot));
  return {
    ...pick(row, "status", "revision", "texts", "failure"),
    files,
    changedAt: row.changedAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
  };
}

export async function readFile(db: Db, disputeId: string, fileId: string) {
  const { name, type, bytes } = disputeFiles;
  const [file] = await db
    .select({ name, type, bytes })
    .from(disputeFiles)
    .where(and(eq(disputeFiles.id, fileId), eq(disputeFiles.disputeId, disputeId)));
  return file ?? null;
}
