import { afterBuyNow, clampQuantity, maxCartLines } from "../../../domain/cart/cart-limits.ts";
import { type CartItem, type CartProduct, toCartProduct } from "./cart-storage.ts";

type Items = readonly CartItem[];

/** Adds units to the product's line, or adds a line. A cart that has `maxCartLines` lines stays unchanged. */
export function withAdded(items: Items, product: CartProduct, quantity: number): Items {
  return withLine(withoutBuyNowUnits(items), product, (units) => ({ quantity: units + quantity }));
}

/** Like `withAdded`, but repeated calls add only once until something else edits the cart: see `afterBuyNow`. */
export function withBuyNow(items: Items, product: CartProduct, quantity: number): Items {
  return withLine(items, product, (units, buyNowUnits) =>
    afterBuyNow(units === 0 ? null : { quantity: units, buyNowUnits }, quantity),
  );
}

export function withQuantity(items: Items, productId: number, quantity: number): Items {
  return withoutBuyNowUnits(items).map((item) =>
    item.product.id === productId ? { ...item, quantity: clampQuantity(quantity) } : item,
  );
}

export function withoutLine(items: Items, productId: number): Items {
  return withoutBuyNowUnits(items.filter(({ product }) => product.id !== productId));
}

/** Edits a product's line; a missing line starts with no units, and is added unless the cart has `maxCartLines` lines. */
function withLine(
  items: Items,
  product: CartProduct,
  edit: (quantity: number, buyNowUnits: number) => { quantity: number; buyNowUnits?: number },
): Items {
  const line = items.find((item) => item.product.id === product.id);
  if (!line && items.length >= maxCartLines) return items;
  const { quantity, buyNowUnits = 0 } = edit(line?.quantity ?? 0, line?.buyNowUnits ?? 0);
  const newLine: CartItem = { product: toCartProduct(product), quantity: clampQuantity(quantity) };
  if (buyNowUnits > 0) newLine.buyNowUnits = buyNowUnits;
  return line ? items.map((item) => (item === line ? newLine : item)) : [...items, newLine];
}

/** Removes the record of the last Buy Now, as every other edit does, so that the next Buy Now adds units again. */
export function withoutBuyNowUnits(items: Items): Items {
  return items.map(({ buyNowUnits: _, ...item }) => item);
}
