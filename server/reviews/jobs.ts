import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { Database } from "../platform/database.ts";
import { type Task, task } from "../platform/jobs.ts";
import { requestReviewJob } from "./job-kinds.ts";
import { requestReview } from "./request.ts";

export function reviewTasks(db: Database, shop: PaymentMode): Task[] {
  return [task(requestReviewJob, ({ orderId }) => requestReview(db, orderId, shop))];
}
