import type { ProductDraft } from "./product-draft.ts";

const keyOf = (productId: number) => `admin-product-draft-${productId}`;

/** What was typed in this browser and not saved: a reload, a crash or another tab does not lose it. */
export function readKeptDraft(productId: number): ProductDraft | null {
  try {
    const kept = localStorage.getItem(keyOf(productId));
    const draft: unknown = kept === null ? null : JSON.parse(kept);
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

/** Null: there is nothing to keep. */
export function keepDraft(productId: number, draft: ProductDraft | null): void {
  try {
    if (draft) localStorage.setItem(keyOf(productId), JSON.stringify(draft));
    else localStorage.removeItem(keyOf(productId));
  } catch {
    // Forbidden or full storage: leaving the page asks first all the same.
  }
}

function isDraft(draft: unknown): draft is ProductDraft {
  return (
    typeof draft === "object" && draft !== null && "revision" in draft && "base" in draft && "texts" in draft
  );
}
