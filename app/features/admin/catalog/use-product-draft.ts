import { useEffect, useRef, useState } from "react";
import type { AdminProduct } from "../../../../domain/catalog/product-admin.ts";
import { asWritten, changesOf, type DraftField, type DraftTexts, draftOf, rebase } from "./product-draft.ts";
import { readSavedDraft, saveDraft } from "./saved-draft.ts";

/** The words of a product as they are being written, on top of what is saved, whoever saved it. */
export function useProductDraft(saved: AdminProduct) {
  const product = asWritten(saved);
  const [stored, setStored] = useState(() => draftOf(product));
  const [isRestored, setRestored] = useState(false);
  const { draft, conflicts } = rebase(stored, product);
  const changes = changesOf(draft);
  const isDirty = Object.keys(changes).length > 0;
  const isReady = useRef(false);

  // After the first render, which is the server's: it knows nothing of what this browser has kept.
  useEffect(() => {
    const kept = readSavedDraft(product.id);
    if (kept) {
      setStored(kept);
      setRestored(true);
    }
    isReady.current = true;
  }, [product.id]);
  useEffect(() => {
    if (isReady.current) saveDraft(product.id, isDirty ? draft : null);
  }, [product.id, isDirty, draft]);

  return {
    draft,
    texts: draft.texts,
    revision: draft.revision,
    changes,
    isDirty,
    /** Whether it was typed before a reload and is back. */
    isRestored: isRestored && isDirty,
    conflicts,
    change(change: Partial<DraftTexts>) {
      setStored({ ...draft, texts: { ...draft.texts, ...change } });
    },
    /** Decides a conflict: what was saved meanwhile stands, or is known and overwritten with the next save. */
    settle(field: DraftField, choice: "mine" | "theirs") {
      const theirs = { [field]: product[field] };
      setStored({
        ...draft,
        base: { ...draft.base, ...theirs },
        texts: choice === "theirs" ? { ...draft.texts, ...theirs } : draft.texts,
      });
    },
    /** What is saved now is what there is. */
    reset(now: AdminProduct = saved) {
      setStored(draftOf(asWritten(now)));
      setRestored(false);
    },
  };
}
