import {
  type AdminProduct,
  type ProductTexts,
  productTextFields,
  type StockKeeping,
} from "../../../../domain/catalog/product-admin.ts";
import { formatCents } from "../../../../domain/shared/money.ts";

/** The texts in the form; `published` has its own buttons. */
export type EditedTexts = Omit<ProductTexts, "published">;

/** All fields that one Save writes. SKU, weight and customs details are stored as typed; an empty text means no value. */
export type ProductValues = EditedTexts &
  Pick<StockKeeping, "cost" | "compareAtPrice"> & {
    sku: string;
    weightGrams: string;
    hsCode: string;
    originCountry: string;
  };

/** The saved values. The name of a size is edited as the product name, which all its sizes share. */
export function savedValues(product: AdminProduct): { revision: number; values: ProductValues } {
  const { cost, compareAtPrice, sku, weightGrams, hsCode, originCountry, revision } = product;
  return {
    revision,
    values: {
      ...productTexts(product.family === null ? product : { ...product, name: product.family.name }),
      sku: sku ?? "",
      weightGrams: String(weightGrams ?? ""),
      hsCode: hsCode ?? "",
      originCountry: originCountry ?? "",
      cost,
      compareAtPrice,
    },
  };
}

/** Only the texts that shoppers read. */
export function productTexts(texts: EditedTexts): EditedTexts {
  const names = productTextFields.filter((name) => name !== "published");
  return Object.fromEntries(names.map((name) => [name, texts[name]])) as EditedTexts;
}

/** The changes in the API's format. */
export function requestBody({ sku, weightGrams, hsCode, originCountry, ...rest }: Partial<ProductValues>) {
  return {
    ...rest,
    ...(sku !== undefined && { sku: sku.trim() || null }),
    ...(hsCode !== undefined && { hsCode: hsCode.trim() || null }),
    ...(originCountry !== undefined && { originCountry: originCountry || null }),
    ...(weightGrams !== undefined && { weightGrams: parseGrams(weightGrams) }),
  };
}

/** Null if the field is empty, NaN if it is not a whole number. */
export function parseGrams(weight: string): number | null {
  const text = weight.trim();
  if (text === "") return null;
  return /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
}

/** The first field whose text is not a valid number or amount, or null. */
export function unreadableField({
  weightGrams,
  cost,
  compareAtPrice,
}: ProductValues): keyof ProductValues | null {
  const amounts = { weightGrams: parseGrams(weightGrams), cost, compareAtPrice };
  const [invalid] = Object.entries(amounts).filter(([, value]) => Number.isNaN(value));
  return invalid ? (invalid[0] as keyof ProductValues) : null;
}

/** Storage key of the unsaved values in this browser. */
export const draftKey = (productId: number) => `admin-product-changes-${productId}`;

/** Tabs of a product's page in the panel, by their value of `?tab=`. Without it, the first one is open. */
export const productTabs = {
  texts: "Texts",
  pictures: "Pictures",
  price: "Price and stock",
  sizes: "Sizes and bundles",
  search: "Search engines",
} as const;
export type ProductTab = keyof typeof productTabs;

/** Labels of the fields in the order of the form, and the tab that contains each. */
export const productFields: Record<keyof ProductValues, { label: string; tab: ProductTab }> = {
  name: { label: "Name", tab: "texts" },
  size: { label: "Size", tab: "texts" },
  shortDescription: { label: "Short description", tab: "texts" },
  description: { label: "Description", tab: "texts" },
  scent: { label: "Scent", tab: "texts" },
  lasts: { label: "How long it lasts", tab: "texts" },
  benefits: { label: "Key benefits", tab: "texts" },
  usage: { label: "How to use", tab: "texts" },
  isBestseller: { label: "Bestseller badge", tab: "texts" },
  isNew: { label: "New badge", tab: "texts" },
  videoUrl: { label: "Video", tab: "pictures" },
  sku: { label: "SKU", tab: "price" },
  weightGrams: { label: "Weight (g)", tab: "price" },
  hsCode: { label: "HS code", tab: "price" },
  originCountry: { label: "Made in", tab: "price" },
  cost: { label: "Cost (USD)", tab: "price" },
  compareAtPrice: { label: "Compare-at (USD)", tab: "price" },
  slug: { label: "Address", tab: "search" },
  gtin: { label: "Bar code number (GTIN)", tab: "search" },
  mpn: { label: "Part number (MPN)", tab: "search" },
};

/** A field's content as text, for a comparison with another version. */
export function displayText(value: ProductValues[keyof ProductValues]): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "On" : "Off";
  if (typeof value === "number") return Number.isNaN(value) ? "" : formatCents(value);
  return typeof value === "string" ? value : value.join("\n");
}
