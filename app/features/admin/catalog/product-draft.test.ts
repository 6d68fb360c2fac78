import { expect, test } from "vitest";
import { changesOf, type DraftTexts, type ProductDraft, rebase } from "./product-draft.ts";

const texts: DraftTexts = {
  name: "Oil",
  slug: "oil",
  size: "60 ml",
  gtin: null,
  mpn: null,
  scent: null,
  lasts: null,
  videoUrl: null,
  shortDescription: "",
  description: "",
  benefits: ["Soft"],
  usage: "",
  isBestseller: false,
  isNew: true,
};
const draft = (changes: Partial<DraftTexts>): ProductDraft => ({
  revision: 3,
  base: texts,
  texts: { ...texts, ...changes },
});

test("what others saved is taken over where nothing was changed here, and what was changed here stays", () => {
  const { draft: next, conflicts } = rebase(draft({ name: "My Oil" }), {
    ...texts,
    size: "90 ml",
    revision: 5,
  });
  expect(conflicts).toEqual([]);
  expect(next.revision).toBe(5);
  expect(next.texts).toMatchObject({ name: "My Oil", size: "90 ml" });
  expect(changesOf(next)).toEqual({ name: "My Oil" });
});

test("a field that both have changed waits for a decision, and stays as typed", () => {
  const saved = { ...texts, benefits: ["Shiny"], size: "90 ml", revision: 4 };
  const { draft: next, conflicts } = rebase(draft({ benefits: ["Soft", "Smooth"] }), saved);
  expect(conflicts).toEqual([{ field: "benefits", theirs: ["Shiny"], mine: ["Soft", "Smooth"] }]);
  expect(next.texts).toMatchObject({ benefits: ["Soft", "Smooth"], size: "90 ml" });
  // Not yet current: a save now would be refused.
  expect(next.revision).toBe(3);
});

test("the same change by both is none, and what was saved from here is no news", () => {
  const same = rebase(draft({ name: "New" }), { ...texts, name: "New", revision: 4 });
  expect(same.conflicts).toEqual([]);
  expect(changesOf(same.draft)).toEqual({});
  const own = draft({ name: "New" });
  expect(rebase(own, { ...texts, revision: 3 }).draft).toBe(own);
});
