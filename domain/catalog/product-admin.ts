import type { Product, ProductImage } from "./product.ts";

/** Most of what each field of a product holds: characters, or entries. The database has the same limits. */
export const productLimits = {
  name: 120,
  slug: 80,
  shortDescription: 300,
  description: 5000,
  size: 60,
  benefits: 12,
  benefit: 200,
  usage: 5000,
  /** Cents. */
  price: 99_999_999,
  stock: 1_000_000,
  images: 20,
  alt: 300,
} as const;

/** What an uploaded picture must be. Sides in pixels. */
export const uploadLimits = {
  bytes: 10 * 1024 * 1024,
  /** What is narrower is enlarged, and looks soft. */
  widthMin: 480,
  sideMax: 8000,
  types: ["image/jpeg", "image/png", "image/webp", "image/avif"],
} as const;

/** Shoppers see pictures that are `ready`; `problem` says why one is `failed`. */
export type PictureStatus = "processing" | "ready" | "failed";

/** A picture as the owner sees it. `width` and `height` are those of its JPEG. */
export type AdminProductImage = ProductImage & {
  id: number;
  /** Its place in the gallery, from 0; the first is the thumbnail. */
  position: number;
  status: PictureStatus;
  problem: string | null;
};

/** A product as the owner sees it, on show or not. */
export type AdminProduct = Omit<Product, "images" | "stock"> & {
  images: AdminProductImage[];
  published: boolean;
  /** Counts the changes of its words and price. Whoever saves may name the one they began from. */
  revision: number;
  /** Units free to sell: `onHand` less `reserved`. */
  stock: number;
  onHand: number;
  reserved: number;
  /** Addresses it had before, which lead to today's. */
  formerSlugs: string[];
  createdAt: string;
  updatedAt: string;
};

/** What the owner writes of a product, apart from its price and stock. */
export const productTextFields = [
  "name",
  "slug",
  "size",
  "shortDescription",
  "description",
  "benefits",
  "usage",
  "isBestseller",
  "isNew",
  "published",
] as const;
export type ProductTexts = Pick<AdminProduct, (typeof productTextFields)[number]>;

/** What a shopper would miss on the product's page, in words for the owner; empty: nothing. */
export function missingForShow(
  product: Pick<AdminProduct, "shortDescription" | "description" | "size"> & {
    images: readonly Pick<AdminProductImage, "status">[];
  },
): string[] {
  const hasPicture = product.images.some(({ status }) => status !== "failed");
  return [
    ...(hasPicture ? [] : ["a picture"]),
    ...(product.shortDescription === "" ? ["a short description"] : []),
    ...(product.description === "" ? ["a description"] : []),
    ...(product.size === "" ? ["a size"] : []),
  ];
}

/** `Café Balm & Oil` -> `cafe-balm-oil`; empty where nothing of the name can stand in an address. */
export function slugFrom(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, productLimits.slug)
    .replace(/^-+|-+$/g, "");
}
