import { useCallback, useEffect, useRef, useState } from "react";
import type { Quote } from "../../../domain/cart/cart.ts";
import { type Bundle, priceUnits } from "../../../domain/catalog/bundles.ts";
import type { Totals } from "../../../domain/checkout/totals.ts";
import type { AppliedDiscount } from "../../../domain/discounts/discount.ts";
import type { ShippingAddress } from "../../../domain/orders/order.ts";
import type { LiveRates } from "../../../domain/shipping/shipping-policy.ts";
import { toast } from "../../ui/toast.tsx";
import { type ApiProblem, callApi } from "../api.ts";
import { useApiResult } from "../use-api-result.ts";
import type { CartItem } from "./cart-storage.ts";
import { useCart } from "./cart-store.ts";
import type { Destination } from "./cart-totals.ts";

/**
 * `shipping`: the whole address, for carriers' prices. `withoutDiscounts`: automatic discounts that this buyer cannot
 * have.
 */
type QuoteDestination = Destination & {
  discountCode?: string | null;
  withoutDiscounts?: string[];
  shipping?: ShippingAddress;
};

/** An outdated quote was not written into the cart, because a later request had been sent. */
type RequestedQuote = Quote & { isOutdated: boolean };

/**
 * Asks the server to price the lines, and writes its prices and available units into the cart. On failure the prices stay and
 * availability becomes unknown; placing the order checks it. A response that comes after a later request changes nothing.
 */
export function useRequestQuote() {
  const { updateProduct, setAvailable } = useCart();
  const requestCount = useRef(0);
  return useCallback(
    async (
      items: readonly CartItem[],
      destination: QuoteDestination = {},
      signal?: AbortSignal,
    ): Promise<RequestedQuote | ApiProblem> => {
      requestCount.current += 1;
      const requestNumber = requestCount.current;
      const isOutdated = () => signal?.aborted || requestNumber !== requestCount.current;
      const lines = items.map(({ product, quantity }) => ({ productId: product.id, quantity }));
      const response = await callApi("POST /api/cart/quote", {
        body: { items: lines, ...destination },
        timeoutMs: 5000,
        ...(signal && { signal }),
      });
      if (!response.ok) {
        if (!isOutdated()) setAvailable(new Map());
        return response.problem;
      }
      const quote = response.body.data;
      if (isOutdated()) return { ...quote, isOutdated: true };
      const quotedLines = new Map(quote.items.map((line) => [line.productId, line]));
      setAvailable(new Map(items.map(({ product: { id } }) => [id, quotedLines.get(id)?.available ?? null])));
      for (const { product } of items) {
        const line = quotedLines.get(product.id);
        if (!line) continue;
        const { price, bundleOffers: bundles } = line;
        if (price !== product.price || !isEqual(bundles, product.bundles)) {
          updateProduct(product.id, { ...product, price, bundles });
        }
      }
      return { ...quote, isOutdated: false };
    },
    [updateProduct, setAvailable],
  );
}

/**
 * The server's quote of the cart for a country, requested when the cart is loaded, after every edit, and when the shopper
 * returns to the page. The previous quote stays until the next one arrives.
 */
export function useCartQuote(country: string): Quote | null {
  const { items, ready } = useCart();
  const requestQuote = useRequestQuote();
  const pageReturnCount = usePageReturnCount();
  const lines = items.map(({ product, quantity }) => [product.id, quantity]);
  const { body } = useApiResult(
    ready && items.length > 0 ? { lines, country, pageReturnCount } : null,
    async ({ country }, signal) => {
      const quote = await requestQuote(items, { country }, signal);
      if (!("items" in quote)) return { ok: false, problem: quote };
      // The cart has the new price now, so checkout will find no difference to report.
      if (!quote.isOutdated && hasOtherPrice(quote, items))
        toast({ title: "A price has changed.", description: "Your cart shows the new price." });
      return { ok: true, body: quote };
    },
    // Waits for further presses of the stepper.
    150,
  );
  return body;
}

/** Whether all items are available in their quantities. */
function isAvailable(quote: Quote, items: readonly CartItem[]): boolean {
  return items.every(({ product, quantity }) =>
    quote.items.some((line) => line.productId === product.id && line.available >= quantity),
  );
}

/** Whether the price of a line has changed. A change of bundles counts only if it affects the line's total. */
function hasOtherPrice(quote: Quote, items: readonly CartItem[]): boolean {
  return items.some(({ product }) => {
    const line = quote.items.find(({ productId }) => productId === product.id);
    if (!line) return false;
    const oldTotal = priceUnits(product.price, line.quantity, product.bundles).total;
    return line.price !== product.price || line.total !== oldTotal;
  });
}

function isEqual(a: readonly Bundle[], b: readonly Bundle[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Counts how often the user has returned to this page from another tab, window or program. */
export function usePageReturnCount(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const onReturn = () => {
      if (document.visibilityState === "visible") setCount((previous) => previous + 1);
    };
    window.addEventListener("focus", onReturn);
    // On phones, changing tabs does not focus the window.
    document.addEventListener("visibilitychange", onReturn);
    return () => {
      window.removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
    };
  }, []);
  return count;
}

export type QuoteSummary = {
  totals: Totals;
  hasChanged: boolean;
  /** Whether all lines are available. */
  isAvailable: boolean;
  isOutdated: boolean;
  discount: AppliedDiscount | null;
  discountProblem: string | null;
  liveRates: QuotedRates | null;
};

/** Carriers' prices by option id, as the server quoted them. */
export type QuotedRates = { rateQuoteId: string; rates: LiveRates };

/** Null if the quote has the shop's own prices. */
export function quotedRates({ rateQuoteId, shippingOptions }: Quote): QuotedRates | null {
  if (rateQuoteId === undefined) return null;
  return { rateQuoteId, rates: Object.fromEntries(shippingOptions.map(({ id, price }) => [id, price])) };
}

/**
 * Requests the price of the lines. The call also gives a new browser the visitor cookie by which the server recognizes a
 * repeated checkout. Returns the server's totals and whether any price has changed. A failure is harmless: the server
 * prices again when the order is made.
 */
export function useQuote(): (
  items: readonly CartItem[],
  destination?: QuoteDestination,
) => Promise<QuoteSummary | ApiProblem> {
  const requestQuote = useRequestQuote();
  return useCallback(
    async (items, destination = {}) => {
      const quote = await requestQuote(items, destination);
      if (!("totals" in quote)) return quote;
      const { totals, discount, discountProblem } = quote;
      return {
        totals,
        hasChanged: hasOtherPrice(quote, items),
        isAvailable: isAvailable(quote, items),
        isOutdated: quote.isOutdated,
        discount,
        discountProblem,
        liveRates: quotedRates(quote),
      };
    },
    [requestQuote],
  );
}
