import type { Feature } from "../feature.ts";
import { syncDisputesJob } from "../payments/job-kinds.ts";
import { task } from "../platform/jobs/jobs.ts";
import { syncDisputesOf, syncDisputesSince } from "./disputes.ts";
import { handleDisputeEvent, handleFraudWarning, handlePaymentReview } from "./events.ts";
import { evidenceApi } from "./evidence/api.ts";
import { purgeDisputeEvidence, remindOfDisputes } from "./evidence/remind.ts";
import { sendEvidence } from "./evidence/send.ts";
import { remindOfDisputesJob, sendEvidenceJob } from "./jobs.ts";
import { disputesPersonalData } from "./personal-data.ts";

const remindEverySeconds = 60 * 60;

/** Disputes, fraud warnings, reviews of payments, and evidence for banks. */
export const disputesFeature = {
  api: evidenceApi,
  tasks: (ctx) => [
    task(syncDisputesJob, ({ intentId }) => syncDisputesOf(ctx, intentId)),
    task(sendEvidenceJob, ({ disputeId }) => sendEvidence(ctx, disputeId)),
  ],
  cron: (ctx) => [
    { task: task(remindOfDisputesJob, () => remindOfDisputes(ctx)), everySeconds: remindEverySeconds },
  ],
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
  personalData: disputesPersonalData,
} satisfies Feature;
