import { clampQuantity, maxCartLines } from "../../../domain/cart/cart-limits.ts";
import type { Bundle } from "../../../domain/catalog/bundles.ts";
import type { Product, ProductImage } from "../../../domain/catalog/product.ts";
import { currency, legacyPriceToCents } from "../../../domain/shared/money.ts";
import { readStored, store } from "../browser-storage.ts";

/** Local storage keys of the cart, and of the last cart that was only partly readable. */
export const cartKey = "cart";
const setAsideCartKey = "cart-set-aside";

/** The fields of a product that the cart stores. `price` in cents. */
export type CartProduct = Pick<
  Product,
  "id" | "slug" | "name" | "price" | "bundles" | "currency" | "size" | "images"
>;

/**
 * `buyNowUnits`: units that the last Buy Now added, if nothing else has changed the cart since. `available`: units that
 * this shopper can buy according to the server's last response; null if the shop no longer has the product, undefined if
 * unknown. It goes out of date quickly, so it is never read from storage.
 */
export type CartItem = {
  product: CartProduct;
  quantity: number;
  buyNowUnits?: number;
  available?: number | null | undefined;
};

/** Reads the stored cart; `complete` is false if any part of it is invalid. */
export function parseCart(text: string): { items: CartItem[]; complete: boolean } {
  const entries = parseJson(text);
  if (!Array.isArray(entries)) return { items: [], complete: false };
  const items: CartItem[] = [];
  let complete = entries.length <= maxCartLines;
  for (const entry of entries.slice(0, maxCartLines)) {
    const item = readItem(entry);
    if (item === null) complete = false;
    else if (items.some(({ product }) => product.id === item.product.id)) complete = false;
    else items.push(item);
  }
  return { items, complete };
}

export function serializeCart(items: readonly CartItem[]): string {
  return JSON.stringify(items);
}

export function toCartProduct(product: CartProduct): CartProduct {
  const { id, slug, name, price, bundles, size, images } = product;
  return {
    id,
    slug,
    name,
    price,
    bundles,
    currency: product.currency,
    size,
    images: images.slice(0, 1),
  };
}

function readItem(entry: unknown): CartItem | null {
  if (!isRecord(entry) || !isRecord(entry.product)) return null;
  const { product } = entry;
  const id = Number(product.id);
  // The shop's former software stored prices in dollars or cents, without a currency; this shop always stores cents.
  const price =
    product.currency === currency && Number.isInteger(product.price) && Number(product.price) >= 0
      ? Number(product.price)
      : legacyPriceToCents(product.price);
  if (!Number.isInteger(id) || id < 1 || price === null) return null;
  if (!isNonEmptyText(product.slug) || !isNonEmptyText(product.name)) return null;
  const quantity = clampQuantity(entry.quantity);
  const buyNowUnits = Number.isInteger(entry.buyNowUnits) ? Number(entry.buyNowUnits) : 0;
  return {
    product: {
      id,
      slug: product.slug,
      name: product.name,
      price,
      bundles: Array.isArray(product.bundles) ? product.bundles.flatMap(readBundle) : [],
      currency,
      size: isNonEmptyText(product.size) ? product.size : "",
      images: Array.isArray(product.images) ? product.images.slice(0, 1).flatMap(readImage) : [],
    },
    quantity,
    ...(buyNowUnits > 0 && buyNowUnits <= quantity ? { buyNowUnits } : {}),
  };
}

function readBundle(bundle: unknown): Bundle[] {
  if (!isRecord(bundle)) return [];
  const { quantity, price } = bundle;
  const areIntegers = Number.isInteger(quantity) && Number.isInteger(price);
  return areIntegers && Number(quantity) > 1 && Number(price) > 0
    ? [{ quantity: Number(quantity), price: Number(price) }]
    : [];
}

/** The shop's former software stored only the image's URL: such lines get the default image. */
function readImage(image: unknown): ProductImage[] {
  if (!isRecord(image) || !isNonEmptyText(image.url) || !isRecord(image.srcset)) return [];
  const { avif, webp } = image.srcset;
  const width = Number(image.width);
  const height = Number(image.height);
  if (typeof avif !== "string" || typeof webp !== "string" || !(width > 0) || !(height > 0)) return [];
  return [
    {
      url: image.url,
      alt: isNonEmptyText(image.alt) ? image.alt : "",
      width,
      height,
      srcset: { avif, webp },
    },
  ];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNonEmptyText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

// False if storage is full or forbidden: the cart is then only in this page's memory, and storage is out of date.
let isUsable = true;

/** The stored cart; null if there is none, undefined if storage is unusable. */
export function readCart(): CartItem[] | null | undefined {
  if (!isUsable) return;
  const text = readStored("local", cartKey);
  isUsable = text !== undefined;
  if (text == null) return text;
  const { items, complete } = parseCart(text);
  if (!complete) {
    // The damaged text is kept, in case the shopper asks for it.
    store("local", setAsideCartKey, text);
    writeCart(items);
  }
  return items;
}

export function writeCart(items: readonly CartItem[]): void {
  isUsable = store("local", cartKey, serializeCart(items));
}

/** Whether a storage event with this key concerns the cart. The key is null when all of storage was cleared. */
export function isCartKey(key: string | null): boolean {
  return key === cartKey || key === null;
}
