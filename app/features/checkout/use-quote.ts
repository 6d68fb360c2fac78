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
  /** Whether all lines are available. */
  isAvailable: boolean;
  discount: AppliedDiscount | null;
  discountProblem: string | null;
};

/**
 * Requests the price of the lines. The call also gives a new browser the visitor cookie by which the server recognizes a
 * repeated checkout. Returns the server's totals and whether any price has changed. A failure is harmless: the server
 * prices again when the order is made.
 */
export function useQuote(): (
  items: readonly CartItem[],
  destination?: Destination & { discountCode?: string | null },
) => Promise<Quoted | ApiProblem> {
  const requestQuote = useRequestQuote();
  return useCallback(
    async (items, destination = {}) => {
      const quote = await requestQuote(items, destination);
      if (!("totals" in quote)) return quote;
      const hasChanged = items.some(({ product }) => {
        const line = quote.items.find(({ productId }) => productId === product.id);
        if (!line) return false;
        // A change of bundles that this line does not reach does not count.
        const oldTotal = priceUnits(product.price, line.quantity, product.bundles).total;
        return line.price !== product.price || line.total !== oldTotal;
      });
      const { totals, discount, discountProblem } = quote;
      return { totals, hasChanged, isAvailable: isAvailable(quote, items), discount, discountProblem };
    },
    [requestQuote],
  );
}
