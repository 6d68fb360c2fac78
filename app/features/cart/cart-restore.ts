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
 * The server's copy in a browser without a cart. In a browser with a cart, repeats once the edits that forms made in the server's
 * cart (see `posted-edits.ts`), and deletes their cookie.
 */
export function restoredItems(
  currentItems: readonly CartItem[],
  serverItems: readonly CartItem[],
  hadCart: boolean,
): readonly CartItem[] {
  const posted = readPosted(document.cookie);
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store API
  document.cookie = expiredPostedCookie;
  if (hadCart) return withPostedEdits(currentItems, posted, serverItems);
  const missing = serverItems.filter(
    (line) => !currentItems.some(({ product }) => product.id === line.product.id),
  );
  return withLastBuyNow([...currentItems, ...missing].slice(0, maxCartLines), posted);
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
    // Even unrepeated, an edit ends the last Buy Now.
    if (!line) return kind === "buyNow" ? cart : withoutBuyNowUnits(cart);
    if (kind === "atLeast") {
      const missing = quantity - (cart.find(isProduct)?.quantity ?? 0);
      return missing > 0 ? withAdded(cart, line.product, missing) : cart;
    }
    return (kind === "add" ? withAdded : withBuyNow)(cart, line.product, quantity);
  }, items);
}

/** For a cart that only the server has: marks the units of the Buy Now form, if that was the last edit. */
export function withLastBuyNow(
  items: readonly CartItem[],
  edits: readonly PostedEdit[],
): readonly CartItem[] {
  const last = edits.at(-1);
  if (last?.kind !== "buyNow") return items;
  return items.map((item) =>
    item.product.id === last.productId
      ? { ...item, buyNowUnits: Math.min(last.quantity, item.quantity) }
      : item,
  );
}
