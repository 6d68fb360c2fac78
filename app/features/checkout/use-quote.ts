import { useCallback } from "react";
import type { Quote } from "../../../domain/cart.ts";
import type { CartItem } from "../../../domain/cart-storage.ts";
import { callApi } from "../api.ts";
import { useCart } from "../cart/cart-store.ts";

/**
 * Has the server price the lines, and puts its prices into the cart. The call also gives a new browser the visitor
 * cookie by which the server knows a repeated checkout again. Answers whether any price had changed; a server that
 * does not answer changes nothing, for it prices again when the order is made.
 */
export function useQuote(): (items: readonly CartItem[]) => Promise<boolean> {
  const { updateProduct } = useCart();
  return useCallback(
    async (items) => {
      const body = { items: items.map(({ product, quantity }) => ({ productId: product.id, quantity })) };
      const answer = await callApi<{ data: Quote }>("POST", "/api/cart/quote", { body, timeoutMs: 5000 });
      if (!answer.ok) return false;
      let hasChanged = false;
      for (const { product, gone } of items) {
        const line = answer.body.data.items.find(({ productId }) => productId === product.id);
        if (!line && !gone) updateProduct(product.id, null);
        if (line && line.price !== product.price) {
          updateProduct(product.id, { ...product, price: line.price });
          hasChanged = true;
        }
      }
      return hasChanged;
    },
    [updateProduct],
  );
}
