import { eq, inArray, sql } from "drizzle-orm";
import { disputeEvidence, disputeFiles, disputes } from "../disputes/tables.ts";
import { eraseResolutions } from "../issues/issues.ts";
import type { Db } from "../platform/database/database.ts";
import { payments, refunds } from "./tables.ts";

/**
 * Takes out what the owner wrote about the payments of these orders, what their disputes were answered with, and with which card;
 * amounts, states and dates stay.
 */
export async function erasePaymentTexts(tx: Db, orderIds: string[]): Promise<void> {
  await tx.update(payments).set({ paidWith: null }).where(inArray(payments.orderId, orderIds));
  await tx.update(refunds).set({ reason: null }).where(inArray(refunds.orderId, orderIds));
  await tx
    .delete(disputeEvidence)
    .where(
      inArray(
        disputeEvidence.disputeId,
        tx.select({ id: disputes.id }).from(disputes).where(inArray(disputes.orderId, orderIds)),
      ),
    );
  await eraseResolutions(tx, orderIds);
}

/** An order's disputes and what they were answered with; of its files their names. */
export async function exportDisputes(db: Db, orderId: string) {
  return db
    .select({
      reference: disputes.id,
      status: disputes.status,
      reason: disputes.reason,
      amountCents: disputes.amountCents,
      createdAt: disputes.createdAt,
      closedAt: disputes.closedAt,
      answer: disputeEvidence.texts,
      answeredAt: disputeEvidence.sentAt,
      files: sql<string[]>`(select coalesce(json_agg(name order by slot), '[]') from ${disputeFiles}
        where dispute_files.dispute_id = ${disputes.id})`,
    })
    .from(disputes)
    .leftJoin(disputeEvidence, eq(disputeEvidence.disputeId, disputes.id))
    .where(eq(disputes.orderId, orderId))
    .orderBy(disputes.createdAt, disputes.id);
}
