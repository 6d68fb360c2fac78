import * as v from "valibot";
import type { PostedReview } from "../../../../domain/reviews/review.ts";
import { reviewFormSchema } from "../../../../domain/reviews/review-form.ts";
import type { HairType, SkinType } from "../../../../domain/reviews/writer-traits.ts";

export type ReviewEntries = {
  rating: number | null;
  comment: string;
  customerName: string;
  hair: HairType | null;
  skin: SkinType | null;
};
type ReviewField = "rating" | "comment" | "customerName";
export type ReviewProblems = Partial<Record<ReviewField, string>>;

export const noEntries: ReviewEntries = {
  rating: null,
  comment: "",
  customerName: "",
  hair: null,
  skin: null,
};

/** The form's entries for an existing review. */
export function reviewEntries({ rating, comment, customerName, hair, skin }: PostedReview): ReviewEntries {
  return { rating, comment, customerName: customerName ?? "", hair, skin };
}

/** In the order of the form. */
export const reviewFields = ["rating", "comment", "customerName"] as const;

/** Id of the control that a problem's link leads to. */
export const controlIds: Record<ReviewField, string> = {
  rating: "review-rating-5",
  comment: "review-comment",
  customerName: "review-name",
};

/** One message for each invalid field. */
export function reviewProblems(entries: ReviewEntries): ReviewProblems {
  const { issues } = v.safeParse(reviewFormSchema, entries);
  if (!issues) return {};
  const { nested } = v.flatten<typeof reviewFormSchema>(issues);
  const problems: ReviewProblems = {};
  for (const field of reviewFields) {
    const sentence = nested?.[field]?.[0];
    if (sentence !== undefined) problems[field] = sentence;
  }
  return problems;
}
