import type { ProductDraft } from "./product-draft.ts";

const keyOf = (productId: number) => `admin-product-draft-${productId}`;

/** What was typed and not saved, for as long as this tab of the browser is open. */
export function readKeptDraft(productId: number): ProductDraft | null {
  try {
    const kept = sessionStorage.getItem(keyOf(productId));
    const draft: unknown = kept === null ? null : JSON.parse(kept);
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

/** Null: there is nothing to keep. */
export function keepDraft(productId: number, draft: ProductDraft | null): void {
  try {
    if (draft) sessionStorage.setItem(keyOf(productId), JSON.stringify(draft));
    else sessionStorage.removeItem(keyOf(productId));
  } catch {
    // Forbidden or full storage: leaving the page asks first all the same.
  }
}

function isDraft(draft: unknown): draft is ProductDraft {
  return (
    typeof draft === "object" && draft !== null && "revision" in draft && "base" in draft && "texts" in draft
  );
}
