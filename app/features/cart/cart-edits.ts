import { afterBuyNow } from "../../../domain/cart/buy-now.ts";
import { cartLinesMax, clampQuantity } from "../../../domain/cart/cart-limits.ts";
import { type CartItem, type CartProduct, toCartProduct } from "./cart-storage.ts";

type Items = readonly CartItem[];

/** The same product again raises its line's quantity. A cart that is full of lines stays as it is. */
export function withAdded(items: Items, product: CartProduct, quantity: number): Items {
  return withLine(withoutMarks(items), product, (units) => ({ quantity: units + quantity }));
}

/** Adds as `withAdded` does, but only once for as long as nothing else changes the cart: see `afterBuyNow`. */
export function withBuyNow(items: Items, product: CartProduct, quantity: number): Items {
  return withLine(items, product, (units, buyNowUnits) =>
    afterBuyNow(units === 0 ? null : { quantity: units, buyNowUnits }, quantity),
  );
}

export function withQuantity(items: Items, productId: number, quantity: number): Items {
  return withoutMarks(items).map((item) =>
    item.product.id === productId ? { ...item, quantity: clampQuantity(quantity) } : item,
  );
}

export function withoutLine(items: Items, productId: number): Items {
  return withoutMarks(items.filter(({ product }) => product.id !== productId));
}

/** The cart with a line's units changed; a line that is not there has none, and is made if the cart has room for it. */
function withLine(
  items: Items,
  product: CartProduct,
  edit: (quantity: number, buyNowUnits: number) => { quantity: number; buyNowUnits?: number },
): Items {
  const line = items.find((item) => item.product.id === product.id);
  if (!line && items.length >= cartLinesMax) return items;
  const { quantity, buyNowUnits = 0 } = edit(line?.quantity ?? 0, line?.buyNowUnits ?? 0);
  const changed: CartItem = { product: toCartProduct(product), quantity: clampQuantity(quantity) };
  if (buyNowUnits > 0) changed.buyNowUnits = buyNowUnits;
  return line ? items.map((item) => (item === line ? changed : item)) : [...items, changed];
}

/** Whatever is not Buy Now ends what the last one has put into the cart: the next one adds again. */
function withoutMarks(items: Items): Items {
  return items.map(({ buyNowUnits: _, ...item }) => item);
}
