import { eq, inArray, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { PersonalDataOf } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { disputeEvidence, disputeFiles, disputes } from "./tables.ts";

/** An order's disputes and what they were answered with; of its files their names. */
async function exportDisputes(db: Db, orderId: string) {
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

export const disputesPersonalData: PersonalDataOf<ShopContext> = {
  ofOrder: async (db, orderId) => ({ disputes: await exportDisputes(db, orderId) }),
  /** Deletes the evidence; that a dispute was answered stays known. */
  async eraseOrders(tx, orderIds) {
    const ofOrders = tx.select({ id: disputes.id }).from(disputes).where(inArray(disputes.orderId, orderIds));
    await tx.delete(disputeEvidence).where(inArray(disputeEvidence.disputeId, ofOrders));
  },
};
