import { cartLinesMax, clampQuantity } from "../../../domain/cart/cart-limits.ts";
import type { Bundle } from "../../../domain/catalog/bundles.ts";
import type { Product, ProductImage } from "../../../domain/catalog/product.ts";
import { currency, legacyPriceToCents } from "../../../domain/shared/money.ts";

/** Local storage key of the cart, and of the last cart that could not be read whole. */
export const cartKey = "cart";
export const setAsideCartKey = "cart-set-aside";

/** What the cart keeps of a product. `price` in cents. */
export type CartProduct = Pick<
  Product,
  "id" | "slug" | "name" | "price" | "bundles" | "currency" | "size" | "images"
>;

/**
 * `buyNowUnits`: how many of its units the last Buy Now put there, if nothing else has changed the cart since. `available`:
 * units that this shopper could have by the shop's last answer; null: its product is no longer in the shop; missing: not
 * known. It is never read from storage, because it is true for a moment only.
 */
export type CartItem = {
  product: CartProduct;
  quantity: number;
  buyNowUnits?: number;
  available?: number | null | undefined;
};

/** The stored cart. `complete` is false where anything in it could not be read. */
export function parseCart(text: string): { items: CartItem[]; complete: boolean } {
  const stored = parseJson(text);
  if (!Array.isArray(stored)) return { items: [], complete: false };
  const items: CartItem[] = [];
  let complete = stored.length <= cartLinesMax;
  for (const entry of stored.slice(0, cartLinesMax)) {
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

/** The parts of a product that the cart keeps. */
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
  // Prices without a currency are the older shop's, in dollars or cents; ours are always cents.
  const price =
    product.currency === currency && Number.isInteger(product.price) && Number(product.price) >= 0
      ? Number(product.price)
      : legacyPriceToCents(product.price);
  if (!Number.isInteger(id) || id < 1 || price === null) return null;
  if (!isText(product.slug) || !isText(product.name)) return null;
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
      size: isText(product.size) ? product.size : "",
      images: Array.isArray(product.images) ? product.images.slice(0, 1).flatMap(readImage) : [],
    },
    quantity,
    ...(buyNowUnits > 0 && buyNowUnits <= quantity ? { buyNowUnits } : {}),
  };
}

function readBundle(bundle: unknown): Bundle[] {
  if (!isRecord(bundle)) return [];
  const { quantity, price } = bundle;
  const isWhole = Number.isInteger(quantity) && Number.isInteger(price);
  return isWhole && Number(quantity) > 1 && Number(price) > 0
    ? [{ quantity: Number(quantity), price: Number(price) }]
    : [];
}

/** The older shop kept bare addresses; those of other kinds are left to the default image. */
function readImage(image: unknown): ProductImage[] {
  if (!isRecord(image) || !isText(image.url) || !isRecord(image.srcset)) return [];
  const { avif, webp } = image.srcset;
  const width = Number(image.width);
  const height = Number(image.height);
  if (typeof avif !== "string" || typeof webp !== "string" || !(width > 0) || !(height > 0)) return [];
  return [{ url: image.url, alt: isText(image.alt) ? image.alt : "", width, height, srcset: { avif, webp } }];
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

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
