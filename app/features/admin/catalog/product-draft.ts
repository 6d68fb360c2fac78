import {
  type AdminProduct,
  type ProductTexts,
  productTextFields,
} from "../../../../domain/catalog/product-admin.ts";

/** What the form edits; being on show has buttons of its own. */
export type DraftTexts = Omit<ProductTexts, "published">;
export type DraftField = keyof DraftTexts;
const draftFields = productTextFields.filter((field) => field !== "published");

/** What is typed, and what it began from. */
export type ProductDraft = { revision: number; base: DraftTexts; texts: DraftTexts };

/** A field that somebody else saved otherwise while it was being changed here. */
export type Conflict = { field: DraftField; theirs: DraftTexts[DraftField]; mine: DraftTexts[DraftField] };

function textsOf(product: DraftTexts): DraftTexts {
  return Object.fromEntries(draftFields.map((field) => [field, product[field]])) as DraftTexts;
}

/** A size is written under the name of the product, which all of its sizes have. */
export function asWritten(product: AdminProduct): AdminProduct {
  return product.family === null ? product : { ...product, name: product.family.name };
}

export function draftOf(product: AdminProduct): ProductDraft {
  return { revision: product.revision, base: textsOf(product), texts: textsOf(product) };
}

/**
 * A draft on top of what is saved now. Fields that were not touched here follow; one that both have changed is a
 * conflict, and stays as typed until it is decided.
 */
export function rebase(
  draft: ProductDraft,
  product: DraftTexts & { revision: number },
): { draft: ProductDraft; conflicts: Conflict[] } {
  if (product.revision <= draft.revision) return { draft, conflicts: [] };
  const conflicts: Conflict[] = [];
  let { base, texts } = draft;
  for (const field of draftFields) {
    const theirs = product[field];
    const mine = draft.texts[field];
    if (isSame(theirs, draft.base[field])) continue;
    const isTouched = !isSame(mine, draft.base[field]);
    if (isTouched && !isSame(mine, theirs)) {
      conflicts.push({ field, theirs, mine });
      continue;
    }
    base = { ...base, [field]: theirs };
    texts = { ...texts, [field]: theirs };
  }
  return {
    draft: { revision: conflicts.length > 0 ? draft.revision : product.revision, base, texts },
    conflicts,
  };
}

/** What to save. */
export function changesOf({ base, texts }: ProductDraft): Partial<DraftTexts> {
  return Object.fromEntries(
    draftFields.filter((field) => !isSame(base[field], texts[field])).map((field) => [field, texts[field]]),
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
