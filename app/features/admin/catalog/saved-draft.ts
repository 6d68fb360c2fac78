import { readStoredJson, storeJson } from "../../browser-storage.ts";
import type { ProductDraft } from "./product-draft.ts";

const keyOf = (productId: number) => `admin-product-draft-${productId}`;

/** What was typed in this browser and not saved: a reload, a crash or another tab does not lose it. */
export function readSavedDraft(productId: number): ProductDraft | null {
  const draft = readStoredJson("local", keyOf(productId));
  return isDraft(draft) ? draft : null;
}

/** Null: there is nothing to save. Leaving the page asks first where storage is forbidden. */
export function saveDraft(productId: number, draft: ProductDraft | null): void {
  storeJson("local", keyOf(productId), draft);
}

function isDraft(draft: unknown): draft is ProductDraft {
  return (
    typeof draft === "object" && draft !== null && "revision" in draft && "base" in draft && "texts" in draft
  );
}
