import { maxCartLines } from "../../../domain/cart/cart-limits.ts";
import { expiredPostedCookie, type PostedEdit, readPosted } from "../../../domain/cart/posted-edits.ts";
import { callApi } from "../api.ts";
import { withAdded, withBuyNow, withoutBuyNowUnits, withoutLine, withQuantity } from "./cart-edits.ts";
import { type CartItem, toCartProduct } from "./cart-storage.ts";
import { fetchProduct } from "./product-call.ts";

/** The server's cart of this visitor; null on failure. */
export async function restoreCart(): Promise<CartItem[] | null> {
  const response = await callApi("GET /api/cart", { timeoutMs: 5000 });
  if (!response.ok) return null;
  const lines = await Promise.all(
    response.body.data.items.map(async ({ slug, quantity }): Promise<CartItem[]> => {
      const product = await fetchProduct(slug);
      return typeof product === "string" ? [] : [{ product: toCartProduct(product), quantity }];
    }),
  );
  return lines.flat();
}

/**
 * The cart to show: in a browser without a cart, the server's; otherwise the browser's, with the edits that forms made in the
 * server's cart (see `posted-edits.ts`). Deletes the cookie of these edits, so that they are repeated only once.
 */
export function restoredItems(
  currentItems: readonly CartItem[],
  serverItems: readonly CartItem[],
  hadCart: boolean,
): readonly CartItem[] {
  const postedEdits = readPosted(document.cookie);
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = expiredPostedCookie;
  if (hadCart) return withPostedEdits(currentItems, postedEdits, serverItems);
  const missingItems = serverItems.filter(
    (line) => !currentItems.some(({ product }) => product.id === line.product.id),
  );
  return withLastBuyNow([...currentItems, ...missingItems].slice(0, maxCartLines), postedEdits);
}

/**
 * Repeats in the browser's cart (`items`) the edits that forms made in the server's. `serverItems`, the server's current
 * cart, describes added products; a product in neither cart has been removed since.
 */
export function withPostedEdits(
  items: readonly CartItem[],
  edits: readonly PostedEdit[],
  serverItems: readonly CartItem[],
): readonly CartItem[] {
  return edits.reduce((cart, edit) => {
    if (edit.kind === "clear") return [];
    const { kind, productId, quantity } = edit;
    if (kind === "set") {
      return quantity === 0 ? withoutLine(cart, productId) : withQuantity(cart, productId, quantity);
    }
    const isProduct = ({ product }: CartItem) => product.id === productId;
    const line = serverItems.find(isProduct) ?? cart.find(isProduct);
    // Even an edit that cannot be repeated ends the last Buy Now.
    if (!line) return kind === "buyNow" ? cart : withoutBuyNowUnits(cart);
    if (kind === "atLeast") {
      const missing = quantity - (cart.find(isProduct)?.quantity ?? 0);
      return missing > 0 ? withAdded(cart, line.product, missing) : cart;
    }
    return (kind === "add" ? withAdded : withBuyNow)(cart, line.product, quantity);
  }, items);
}

/** Marks the units that a Buy Now form added, if that was the last edit; for a cart taken from the server. */
export function withLastBuyNow(
  items: readonly CartItem[],
  edits: readonly PostedEdit[],
): readonly CartItem[] {
  const lastEdit = edits.at(-1);
  if (lastEdit?.kind !== "buyNow") return items;
  return items.map((item) =>
    item.product.id === lastEdit.productId
      ? { ...item, buyNowUnits: Math.min(lastEdit.quantity, item.quantity) }
      : item,
  );
}
