import type { Feature } from "../feature.ts";
import { task } from "../platform/jobs/jobs.ts";
import { reviewsApi } from "./api.ts";
import { reviewsMail } from "./mail.ts";
import { purgeUnsentPhotos } from "./photos/commands.ts";
import { requestReview, requestReviewJob } from "./request.ts";

export const reviewsFeature = {
  api: reviewsApi,
  tasks: (ctx) => [task(requestReviewJob, ({ orderId }) => requestReview(ctx, orderId))],
  mail: reviewsMail,
  purges: [purgeUnsentPhotos],
} satisfies Feature;
