import * as v from "valibot";
import { defineJob } from "../platform/jobs/jobs.ts";

/** Send the answer to a dispute to the bank. 25 tries reach over about five days. */
export const sendEvidenceJob = defineJob({
  name: "send_evidence",
  payload: v.object({ disputeId: v.string() }),
  lane: "money",
  priority: 0,
  maxAttempts: 25,
});

/** One waiting job for each dispute. */
export function sendEvidenceKey(disputeId: string): string {
  return `send_evidence:${disputeId}`;
}

/** Tell the owner of deadlines that come near. */
export const remindOfDisputesJob = defineJob({
  name: "remind_of_disputes",
  payload: v.object({}),
  lane: "upkeep",
  priority: 0,
  maxAttempts: 1,
});
