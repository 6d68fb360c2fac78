import * as v from "valibot";
import { readStoredJson, store, storeJson } from "../../browser-storage.ts";
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
  const draft = v.safeParse(draftSchema, readStoredJson("session", keyOf(productId)));
  return draft.success ? draft.output : null;
}

export function saveDraft(productId: number, draft: ReviewDraft): void {
  storeJson("session", keyOf(productId), draft);
}

export function discardDraft(productId: number): void {
  store("session", keyOf(productId), null);
}

function keyOf(productId: number): string {
  return `review-draft:${productId}`;
}
