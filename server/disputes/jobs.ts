import * as v from "valibot";
import { defineJob } from "../platform/jobs/jobs.ts";

/** Sends the answer to a dispute to the bank. 25 attempts span about five days. */
export const sendEvidenceJob = defineJob({
  name: "send_evidence",
  payload: v.object({ disputeId: v.string() }),
  lane: "money",
  priority: 0,
  maxAttempts: 25,
});

/** Allows one waiting job per dispute. */
export function sendEvidenceKey(disputeId: string): string {
  return `send_evidence:${disputeId}`;
}
