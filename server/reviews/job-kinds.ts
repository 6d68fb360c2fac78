import * as v from "valibot";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { defineJob } from "../platform/jobs.ts";

/** Ask the buyer of one order for a review. There is no hurry: everything else in its lane goes first. */
export const requestReviewJob = defineJob({
  name: "request_review",
  payload: v.object({ orderId: uuidSchema }),
  lane: "mail",
  priority: 20,
  maxAttempts: 12,
});
