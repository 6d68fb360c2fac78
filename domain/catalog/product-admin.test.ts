import { expect, test } from "vitest";
import { missingPageParts, priceConcern, slugFrom } from "./product-admin.ts";

test("a slug consists of the name's letters and digits", () => {
  expect(slugFrom("Crème & Oil, 60 ml")).toBe("creme-oil-60-ml");
  expect(slugFrom(" --Öl-- ")).toBe("ol");
  expect(slugFrom("油")).toBe("");
  expect(slugFrom(`${"a".repeat(79)} b`)).toBe("a".repeat(79));
});

test("a product cannot be published with only a failed picture; one still being processed is enough", () => {
  const product = {
    shortDescription: "x",
    description: "",
    size: "x",
    images: [{ status: "failed" as const }],
  };
  expect(missingPageParts(product)).toEqual(["a picture", "a description"]);
  expect(missingPageParts({ ...product, images: [{ status: "processing" }] })).toEqual(["a description"]);
});

test.each([
  [2995, 3195, null],
  [3000, 4500, null],
  [3000, 1500, null],
  [0, 0, null],
  [3000, 4501, "raises it by more than half"],
  [3000, 1499, "less than half"],
  [3000, 0, "pays nothing"],
  [0, 3000, "costs nothing so far"],
])("a price change from %i to %i cents has the warning: %s", (before, after, words) => {
  const concern = priceConcern(before, after);
  if (words === null) expect(concern).toBeNull();
  else expect(concern).toContain(words);
});
