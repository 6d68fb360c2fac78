import * as v from "valibot";
import type { ReviewEntries } from "./review-entries.ts";

/** `token`: of the e-mailed link that the writer came with, so that a reload does not cost the badge. */
export type ReviewDraft = ReviewEntries & { token: string | null };

const draftSchema = v.object({
  rating: v.nullable(v.picklist([1, 2, 3, 4, 5])),
  comment: v.string(),
  customerName: v.string(),
  token: v.nullable(v.string()),
});

/** What was written about a product in this tab and not sent; kept when the dialog closes and over reloads. */
export function readDraft(productId: number): ReviewDraft | null {
  try {
    const draft = v.safeParse(draftSchema, JSON.parse(sessionStorage.getItem(keyOf(productId)) ?? "null"));
    return draft.success ? draft.output : null;
  } catch {
    return null;
  }
}

export function keepDraft(productId: number, draft: ReviewDraft): void {
  try {
    sessionStorage.setItem(keyOf(productId), JSON.stringify(draft));
  } catch {
    // Full or forbidden storage: the text lasts as long as the dialog.
  }
}

export function dropDraft(productId: number): void {
  try {
    sessionStorage.removeItem(keyOf(productId));
  } catch {
    // Then nothing was kept either.
  }
}

function keyOf(productId: number): string {
  return `review-draft:${productId}`;
}
