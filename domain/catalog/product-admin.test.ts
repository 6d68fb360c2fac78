import { expect, test } from "vitest";
import { missingForShow, slugFrom } from "./product-admin.ts";

test("an address is made of what a name has of letters and digits", () => {
  expect(slugFrom("Crème & Oil, 60 ml")).toBe("creme-oil-60-ml");
  expect(slugFrom(" --Öl-- ")).toBe("ol");
  expect(slugFrom("油")).toBe("");
  expect(slugFrom(`${"a".repeat(79)} b`)).toBe("a".repeat(79));
});

test("a picture that failed is none, one that is being made is on its way", () => {
  const product = {
    shortDescription: "x",
    description: "",
    size: "x",
    images: [{ status: "failed" as const }],
  };
  expect(missingForShow(product)).toEqual(["a picture", "a description"]);
  expect(missingForShow({ ...product, images: [{ status: "processing" }] })).toEqual(["a description"]);
});
