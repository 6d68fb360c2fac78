import RefreshCw from "lucide-react/icons/refresh-cw";
import { useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { useCart } from "./cart-store.ts";
import { fetchProduct } from "./product-call.ts";
import { useRequestQuote } from "./use-cart-quote.ts";

/** Fetches the current price of every line; after a failed request the old price stays. For a wrapping flex row, whose last line shows the outcome. */
export function RefreshPrices() {
  const { items, updateProduct, setAvailable } = useCart();
  const requestQuote = useRequestQuote();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState("");

  const refresh = async () => {
    setBusy(true);
    setOutcome("");
    const answers = await Promise.all(
      items.map(async ({ product: { id, slug } }) => {
        const product = await fetchProduct(slug);
        if (typeof product !== "string") updateProduct(id, product);
        return { id, product };
      }),
    );
    // Only the quote counts units that this shopper's own unpaid order has reserved.
    await requestQuote(items);
    for (const { id, product } of answers) if (product === "gone") setAvailable(new Map([[id, null]]));
    setBusy(false);
    setOutcome(
      answers.every(({ product }) => product !== "unknown")
        ? "Prices are up to date."
        : "Some prices could not be checked and were kept. Please try again.",
    );
  };

  return (
    <>
      <TextButton disabled={isBusy} onClick={refresh}>
        <Icon glyph={RefreshCw} size="small" className={isBusy ? "animate-spin" : ""} />
        {isBusy ? "Refreshing..." : "Refresh Prices"}
      </TextButton>
      <p role="status" className="order-last basis-full text-right text-small text-ink-muted">
        {outcome}
      </p>
    </>
  );
}
