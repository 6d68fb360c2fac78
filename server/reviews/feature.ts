import type { Feature } from "../feature.ts";
import { reviewsApi } from "./api.ts";
import { reviewTasks } from "./jobs.ts";
import { listReviews } from "./queries.ts";

export const reviewsFeature = {
  api: ({ db, limits, now, provider, secret, settings }) =>
    reviewsApi({
      db,
      now,
      settings,
      reviews: (listing) => listReviews(db, listing),
      secret,
      mode: provider.mode,
      takeReviewTurn: (visitorId) => limits.take("reviewer", visitorId),
    }),
  tasks: ({ db, provider }) => reviewTasks(db, provider.mode),
} satisfies Feature;
