import {
  type AdminProduct,
  type ProductTexts,
  productTextFields,
} from "../../../../domain/catalog/product-admin.ts";

/** The texts in the form; `published` has its own buttons. */
export type EditedTexts = Omit<ProductTexts, "published">;

/** The saved texts. The name of a size is edited as the product name, which all its sizes share. */
export function savedTexts(product: AdminProduct): { revision: number; values: EditedTexts } {
  const written = product.family === null ? product : { ...product, name: product.family.name };
  const names = productTextFields.filter((name) => name !== "published");
  return {
    revision: product.revision,
    values: Object.fromEntries(names.map((name) => [name, written[name]])) as EditedTexts,
  };
}

/** Storage key of the unsaved texts in this browser. */
export const draftKey = (productId: number) => `admin-product-draft-${productId}`;

/** Labels of the fields, in the order of the form. */
export const fieldNames: Record<keyof EditedTexts, string> = {
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

/** A field's content as text, for a comparison with another version. */
export function inWords(value: EditedTexts[keyof EditedTexts]): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "On" : "Off";
  return typeof value === "string" ? value : value.join("\n");
}
