import type { Feature } from "../feature.ts";
import { task } from "../platform/jobs/jobs.ts";
import { reviewsApi } from "./api.ts";
import { reviewsMail } from "./mail.ts";
import { eraseReviews, exportReviews, exportVotes } from "./personal-data.ts";
import { purgeUnsentPhotos } from "./photos/commands.ts";
import { requestReview, requestReviewJob } from "./request.ts";

export const reviewsFeature = {
  api: reviewsApi,
  tasks: (ctx) => [task(requestReviewJob, ({ orderId }) => requestReview(ctx, orderId))],
  mail: reviewsMail,
  purges: [purgeUnsentPhotos],
  personalData: {
    lists: { reviews: exportReviews, helpfulVotes: exportVotes },
    erase: eraseReviews,
  },
} satisfies Feature;
