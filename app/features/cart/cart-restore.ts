import { callApi } from "../api.ts";
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
