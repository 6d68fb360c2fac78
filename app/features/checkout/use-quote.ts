import { useCallback } from "react";
import { type Bundle, priceUnits } from "../../../domain/catalog/bundles.ts";
import type { Totals } from "../../../domain/checkout/totals.ts";
import type { AppliedDiscount } from "../../../domain/discounts/discount.ts";
import { type ApiProblem, callApi } from "../api.ts";
import type { CartItem } from "../cart/cart-storage.ts";
import { useCart } from "../cart/cart-store.ts";
import type { Destination } from "../cart/cart-totals.ts";

export type Quoted = {
  totals: Totals;
  hasChanged: boolean;
  discount: AppliedDiscount | null;
  discountProblem: string | null;
};

/**
 * Has the server price the lines, and puts its prices into the cart. The call also gives a new browser the visitor
 * cookie by which the server knows a repeated checkout again. Answers the server's totals and whether any price had
 * changed; a server that does not answer changes nothing: it prices again when the order is made.
 */
export function useQuote(): (
  items: readonly CartItem[],
  destination?: Destination & { discountCode?: string | null },
) => Promise<Quoted | ApiProblem> {
  const { updateProduct } = useCart();
  return useCallback(
    async (items, destination = {}) => {
      const lines = items.map(({ product, quantity }) => ({ productId: product.id, quantity }));
      const answer = await callApi("POST /api/cart/quote", {
        body: { items: lines, ...destination },
        timeoutMs: 5000,
      });
      if (!answer.ok) return answer.problem;
      const quote = answer.body.data;
      let hasChanged = false;
      for (const { product, gone } of items) {
        const line = quote.items.find(({ productId }) => productId === product.id);
        if (!line && !gone) updateProduct(product.id, null);
        if (!line) continue;
        const { price, bundleOffers: bundles } = line;
        const hadTotal = priceUnits(product.price, line.quantity, product.bundles).total;
        // Bundles that this line does not reach may come and go unmentioned.
        if (price !== product.price || line.total !== hadTotal) hasChanged = true;
        if (price !== product.price || !isSame(bundles, product.bundles)) {
          updateProduct(product.id, { ...product, price, bundles });
        }
      }
      const { totals, discount, discountProblem } = quote;
      return { totals, hasChanged, discount, discountProblem };
    },
    [updateProduct],
  );
}

function isSame(a: readonly Bundle[], b: readonly Bundle[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
