import { useCallback } from "react";
import type { Quote } from "../../../domain/cart/cart.ts";
import type { Bundle } from "../../../domain/catalog/bundles.ts";
import { useReturn } from "../../ui/use-return.ts";
import { type ApiProblem, callApi } from "../api.ts";
import { useAnswer } from "../use-answer.ts";
import type { CartItem } from "./cart-storage.ts";
import { useCart } from "./cart-store.ts";
import type { Destination } from "./cart-totals.ts";

/**
 * Has the server price the lines, and puts its prices and what is left of each product into the cart. Without an answer the
 * prices stay, and nothing is said of what is left: the order's own check decides then.
 */
export function useAskQuote() {
  const { updateProduct, setAvailable } = useCart();
  return useCallback(
    async (
      items: readonly CartItem[],
      destination: Destination & { discountCode?: string | null } = {},
      signal?: AbortSignal,
    ): Promise<Quote | ApiProblem> => {
      const lines = items.map(({ product, quantity }) => ({ productId: product.id, quantity }));
      const answer = await callApi("POST /api/cart/quote", {
        body: { items: lines, ...destination },
        timeoutMs: 5000,
        ...(signal && { signal }),
      });
      if (!answer.ok) {
        if (!signal?.aborted) setAvailable(new Map());
        return answer.problem;
      }
      const quote = answer.body.data;
      if (signal?.aborted) return quote;
      const priced = new Map(quote.items.map((line) => [line.productId, line]));
      setAvailable(new Map(items.map(({ product: { id } }) => [id, priced.get(id)?.available ?? null])));
      for (const { product } of items) {
        const line = priced.get(product.id);
        if (!line) continue;
        const { price, bundleOffers: bundles } = line;
        if (price !== product.price || !isSame(bundles, product.bundles)) {
          updateProduct(product.id, { ...product, price, bundles });
        }
      }
      return quote;
    },
    [updateProduct, setAvailable],
  );
}

/**
 * What the server says the cart costs, sent to a country: asked as this is shown, with every change, and when the shopper comes back to the
 * page. The answer before stays until the next is there.
 */
export function useCartQuote(country: string): Quote | null {
  const { items, ready } = useCart();
  const ask = useAskQuote();
  const returns = useReturn();
  const lines = items.map(({ product, quantity }) => [product.id, quantity]);
  const { body } = useAnswer(
    ready && items.length > 0 ? { lines, country, returns } : null,
    async ({ country }, signal) => {
      const quote = await ask(items, { country }, signal);
      return "items" in quote ? { ok: true, body: quote } : { ok: false, problem: quote };
    },
    // Presses on a stepper come in a row.
    150,
  );
  return body;
}

/** Whether everything that was asked about can be had as it stands. */
export function isAvailable(quote: Quote, items: readonly CartItem[]): boolean {
  return items.every(({ product, quantity }) =>
    quote.items.some((line) => line.productId === product.id && line.available >= quantity),
  );
}

function isSame(a: readonly Bundle[], b: readonly Bundle[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
