import { useCallback } from "react";
import { priceUnits } from "../../../domain/catalog/bundles.ts";
import type { Totals } from "../../../domain/checkout/totals.ts";
import type { AppliedDiscount } from "../../../domain/discounts/discount.ts";
import type { ApiProblem } from "../api.ts";
import type { CartItem } from "../cart/cart-storage.ts";
import type { Destination } from "../cart/cart-totals.ts";
import { isAvailable, useRequestQuote } from "../cart/use-cart-quote.ts";

export type Quoted = {
  totals: Totals;
  hasChanged: boolean;
  /** Whether every line can be had as it stands. */
  isAvailable: boolean;
  discount: AppliedDiscount | null;
  discountProblem: string | null;
};

/**
 * Asks what the lines cost. The call also gives a new browser the visitor cookie by which the server knows a repeated
 * checkout again. Answers the server's totals and whether any price had changed; a server that does not answer changes
 * nothing: it prices again when the order is made.
 */
export function useQuote(): (
  items: readonly CartItem[],
  destination?: Destination & { discountCode?: string | null },
) => Promise<Quoted | ApiProblem> {
  const ask = useRequestQuote();
  return useCallback(
    async (items, destination = {}) => {
      const quote = await ask(items, destination);
      if (!("totals" in quote)) return quote;
      const hasChanged = items.some(({ product }) => {
        const line = quote.items.find(({ productId }) => productId === product.id);
        if (!line) return false;
        // Bundles that this line does not reach may come and go unmentioned.
        const hadTotal = priceUnits(product.price, line.quantity, product.bundles).total;
        return line.price !== product.price || line.total !== hadTotal;
      });
      const { totals, discount, discountProblem } = quote;
      return { totals, hasChanged, isAvailable: isAvailable(quote, items), discount, discountProblem };
    },
    [ask],
  );
}
