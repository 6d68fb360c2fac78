import { data, redirect } from "react-router";
import { hairKeys, skinKeys } from "../../../../domain/reviews/writer-traits.ts";
import type { PageApi } from "../../../shop-context.ts";
import { formEntries } from "../../form-entries.ts";
import type { ReviewEntries, ReviewProblems } from "./review-entries.ts";

/** The answer to a form sent without JavaScript that has errors. */
export type ReviewOutcome = { entries: ReviewEntries; problems: ReviewProblems; failure: string };

/** For a form sent without JavaScript: sends the review and redirects, or answers with the form's errors. */
export async function sendReviewForm(request: Request, api: PageApi) {
  const entry = await formEntries(request);
  const entries: ReviewEntries = {
    rating: /^[1-5]$/.test(entry("rating")) ? Number(entry("rating")) : null,
    comment: entry("comment"),
    customerName: entry("customerName"),
    hair: hairKeys.find((key) => key === entry("hair")) ?? null,
    skin: skinKeys.find((key) => key === entry("skin")) ?? null,
  };
  const answer = await api.call("POST /api/reviews", {
    body: {
      ...entries,
      productId: Number(entry("productId")),
      website: entry("website"),
      token: entry("review") || null,
    },
  });
  if (answer.ok) return redirect(`/reviews?sent=${answer.body.data.productId}`, 303);
  const { status, fields, message } = answer.problem;
  const outcome: ReviewOutcome = { entries, problems: fields, failure: message };
  return data(outcome, { status });
}
