import type { PostedChange } from "../../../domain/cart/posted-changes.ts";
import { callApi } from "../api.ts";
import { withAdded, withBuyNow, withoutLine, withQuantity } from "./cart-edits.ts";
import { type CartItem, toCartProduct } from "./cart-storage.ts";
import { fetchProduct } from "./product-call.ts";

/** The cart that the server keeps for this visitor; null where it did not answer. */
export async function restoreCart(): Promise<CartItem[] | null> {
  const answer = await callApi("GET /api/cart", { timeoutMs: 5000 });
  if (!answer.ok) return null;
  const lines = await Promise.all(
    answer.body.data.items.map(async ({ slug, quantity }): Promise<CartItem[]> => {
      const product = await fetchProduct(slug);
      return typeof product === "string" ? [] : [{ product: toCartProduct(product), quantity }];
    }),
  );
  return lines.flat();
}

/**
 * The browser's cart after what forms have changed in the server's behind its back. What they added is described by
 * `kept`, the server's cart of now; a product that neither knows has gone again.
 */
export function withPosted(
  items: readonly CartItem[],
  changes: readonly PostedChange[],
  kept: readonly CartItem[],
): readonly CartItem[] {
  return changes.reduce((cart, change) => {
    if (change.kind === "clear") return [];
    const { kind, productId, quantity } = change;
    if (kind === "set") {
      return quantity === 0 ? withoutLine(cart, productId) : withQuantity(cart, productId, quantity);
    }
    const isIt = ({ product }: CartItem) => product.id === productId;
    const known = kept.find(isIt) ?? cart.find(isIt);
    if (!known) return cart;
    if (kind === "atLeast") {
      const missing = quantity - (cart.find(isIt)?.quantity ?? 0);
      return missing > 0 ? withAdded(cart, known.product, missing) : cart;
    }
    return (kind === "add" ? withAdded : withBuyNow)(cart, known.product, quantity);
  }, items);
}

/** A cart that is the server's alone: whether its last change was a Buy Now is told by the forms' changes. */
export function withLastBuyNow(
  items: readonly CartItem[],
  changes: readonly PostedChange[],
): readonly CartItem[] {
  const last = changes.at(-1);
  if (last?.kind !== "buyNow") return items;
  return items.map((item) =>
    item.product.id === last.productId
      ? { ...item, buyNowUnits: Math.min(last.quantity, item.quantity) }
      : item,
  );
}
