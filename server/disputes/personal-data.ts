import { eq, inArray, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { PersonalDataOf } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { disputeEvidence, disputeFiles, disputes } from "./tables.ts";

/** An order's disputes with the evidence sent, including the names of its files. */
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
  /** Deletes the evidence, but not the fact that a dispute was answered. */
  async eraseOrders(tx, orderIds) {
    const ofOrders = tx.select({ id: disputes.id }).from(disputes).where(inArray(disputes.orderId, orderIds));
    await tx.delete(disputeEvidence).where(inArray(disputeEvidence.disputeId, ofOrders));
  },
};
