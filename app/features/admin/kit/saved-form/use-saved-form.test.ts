import { expect, test, vi } from "vitest";
import { readUnsaved, storeUnsaved } from "../unsaved.ts";
import { changedValues, type EditedValues, readEdits, rebase, withLaterEdits } from "./use-saved-form.ts";

const texts = { name: "Oil", size: "60 ml", gtin: null as string | null, benefits: ["Soft"], isNew: true };
const withChanges = (changes: Partial<typeof texts>): EditedValues<typeof texts> => ({
  revision: 3,
  base: texts,
  values: { ...texts, ...changes },
});

test("newer saved values replace unedited fields, and edited fields keep what the user typed", () => {
  const { edits: next, conflicts } = rebase(withChanges({ name: "My Oil" }), {
    revision: 5,
    values: { ...texts, size: "90 ml" },
  });
  expect(conflicts).toEqual([]);
  expect(next.revision).toBe(5);
  expect(next.values).toMatchObject({ name: "My Oil", size: "90 ml" });
  expect(changedValues(next)).toEqual({ name: "My Oil" });
});

test("a field changed both by the user and by another save is a conflict, and keeps what the user typed", () => {
  const saved = { revision: 4, values: { ...texts, benefits: ["Shiny"], size: "90 ml" } };
  const { edits: next, conflicts } = rebase(withChanges({ benefits: ["Soft", "Smooth"] }), saved);
  expect(conflicts).toEqual([{ name: "benefits", theirs: ["Shiny"], mine: ["Soft", "Smooth"] }]);
  expect(next.values).toMatchObject({ benefits: ["Soft", "Smooth"], size: "90 ml" });
  // The form does not have the current revision yet, so a save would be refused.
  expect(next.revision).toBe(3);
});

test("an identical change by another save is not a conflict, and an equal revision changes nothing", () => {
  const same = rebase(withChanges({ name: "New" }), { revision: 4, values: { ...texts, name: "New" } });
  expect(same.conflicts).toEqual([]);
  expect(changedValues(same.edits)).toEqual({});
  const unchanged = withChanges({ name: "New" });
  expect(rebase(unchanged, { revision: 3, values: texts }).edits).toBe(unchanged);
});

test("text typed during a save is kept as an unsaved change of the saved version", () => {
  const sent = withChanges({ name: "My Oil" });
  const current = { ...sent, values: { ...sent.values, size: "90 ml" } };
  const response = { revision: 4, values: { ...texts, name: "My Oil" } };
  const next = withLaterEdits(sent.values, current, response);
  expect(next).toEqual({ revision: 4, base: response.values, values: { ...response.values, size: "90 ml" } });
  expect(changedValues(next)).toEqual({ size: "90 ml" });
});

test("unsaved values stored by an older version get the fields that are new, and lose those that were removed", () => {
  const { isNew: _, ...olderTexts } = { ...texts, color: "Brown" };
  const storedDraft = {
    revision: 2,
    base: olderTexts,
    values: { ...olderTexts, name: "My Oil", color: "Black" },
  };
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("localStorage", { getItem: () => JSON.stringify(storedDraft) });
  const restored = readEdits("key", texts);
  vi.unstubAllGlobals();
  expect(restored).toEqual({ revision: 2, base: texts, values: { ...texts, name: "My Oil" } });
});

test("two tabs that edit the same record keep their own text, and a new tab starts with the text typed last", () => {
  const storage = () => {
    const texts = new Map<string, string>();
    return {
      getItem: (key: string) => texts.get(key) ?? null,
      setItem: (key: string, text: string) => void texts.set(key, text),
      removeItem: (key: string) => void texts.delete(key),
    };
  };
  const [one, other] = [storage(), storage()];
  const openTab = (tab: typeof one) => vi.stubGlobal("sessionStorage", tab);
  vi.stubGlobal("localStorage", storage());
  openTab(one);
  storeUnsaved("key", "One");
  openTab(other);
  storeUnsaved("key", "Other");
  openTab(one);
  expect(readUnsaved("key")).toBe("One");
  openTab(storage());
  expect(readUnsaved("key")).toBe("Other");
  // The first tab saves: the other one's text is not lost.
  openTab(one);
  storeUnsaved("key", null);
  openTab(storage());
  expect(readUnsaved("key")).toBe("Other");
  openTab(other);
  storeUnsaved("key", null);
  expect(readUnsaved("key")).toBe(null);
  vi.unstubAllGlobals();
});
