import { eq, inArray, sql } from "drizzle-orm";
import type { Feature } from "../feature.ts";
import { syncDisputesJob } from "../payments/job-kinds.ts";
import type { Db } from "../platform/database/database.ts";
import { recurring, task } from "../platform/jobs/jobs.ts";
import { syncDisputesOf, syncDisputesSince } from "./disputes.ts";
import { handleDisputeEvent, handleFraudWarning, handlePaymentReview } from "./events.ts";
import { evidenceApi } from "./evidence/api.ts";
import { purgeDisputeEvidence, remindOfDisputes } from "./evidence/remind.ts";
import { sendEvidence, sendEvidenceJob } from "./evidence/send.ts";
import { disputeEvidence, disputeFiles, disputes } from "./tables.ts";

const remindJob = { name: "remind_of_disputes", lane: "upkeep", priority: 0, everySeconds: 3600 } as const;

/** Disputes, fraud warnings, reviews of payments, and evidence for banks. */
export const disputesFeature = {
  api: evidenceApi,
  tasks: (ctx) => [
    task(syncDisputesJob, ({ intentId }) => syncDisputesOf(ctx, intentId)),
    task(sendEvidenceJob, ({ disputeId }) => sendEvidence(ctx, disputeId)),
  ],
  cron: (ctx) => [recurring(remindJob, () => remindOfDisputes(ctx))],
  purges: [purgeDisputeEvidence],
  paymentHooks: {
    events: {
      dispute_changed: handleDisputeEvent,
      dispute_closed: handleDisputeEvent,
      fraud_warning: handleFraudWarning,
      review_opened: handlePaymentReview,
      review_closed: handlePaymentReview,
    },
    syncMadeSince: syncDisputesSince,
  },
  personalData: {
    ofOrder: async (db, orderId) => ({ disputes: await exportDisputes(db, orderId) }),
    /** Deletes the evidence, but not the fact that a dispute was answered. */
    async eraseOrders(tx, orderIds) {
      const ofOrders = tx
        .select({ id: disputes.id })
        .from(disputes)
        .where(inArray(disputes.orderId, orderIds));
      await tx.delete(disputeEvidence).where(inArray(disputeEvidence.disputeId, ofOrders));
    },
  },
} satisfies Feature;

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
