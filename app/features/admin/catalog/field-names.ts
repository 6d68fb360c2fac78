import type { DraftField, DraftTexts } from "./product-draft.ts";

/** What the fields are called, in the order of the form. */
export const fieldNames: Record<DraftField, string> = {
  name: "Name",
  slug: "Address",
  size: "Size",
  gtin: "Bar code number (GTIN)",
  mpn: "Part number (MPN)",
  scent: "Scent",
  lasts: "How long it lasts",
  videoUrl: "Video",
  shortDescription: "Short description",
  description: "Description",
  benefits: "Key benefits",
  usage: "How to use",
  isBestseller: "Bestseller badge",
  isNew: "New badge",
};

/** A field's content as text, to be read beside another version of it. */
export function inWords(value: DraftTexts[DraftField]): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "On" : "Off";
  return typeof value === "string" ? value : value.join("\n");
}
