import RefreshCw from "lucide-react/icons/refresh-cw";
import { useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { useCart } from "./cart-store.ts";
import { fetchProduct } from "./product-call.ts";

/** Asks the shop about every line; a line it gets no answer for keeps its old price. Stands in a wrapping flex row, whose last line says how it went. */
export function RefreshPrices() {
  const { items, updateProduct } = useCart();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState("");

  const refresh = async () => {
    setBusy(true);
    setOutcome("");
    const known = await Promise.all(
      items.map(async ({ product: { id, slug } }) => {
        const product = await fetchProduct(slug);
        if (product === "unknown") return false;
        updateProduct(id, product === "gone" ? null : product);
        return true;
      }),
    );
    setBusy(false);
    setOutcome(
      known.every(Boolean)
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
