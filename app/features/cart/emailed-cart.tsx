import { useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { callApi } from "../api.ts";
import { useCart } from "./cart-store.ts";
import { fetchProduct } from "./product-call.ts";

type EmailedCartState = "none" | "opening" | "opened" | "gone" | "unreachable";

/**
 * Opens the cart of a reminder link (`/cart?restore=`): adds its products to this browser's cart, each with the larger of
 * the two quantities, so that opening the link twice changes nothing.
 */
export function useEmailedCart(): EmailedCartState {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { items, ready, add, setQuantity } = useCart();
  const token = search.get("restore");
  const [state, setState] = useState<EmailedCartState>(token === null ? "none" : "opening");
  const isStarted = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when this browser's own cart has been read
  useEffect(() => {
    if (token === null || !ready || isStarted.current) return;
    isStarted.current = true;
    void fetchLines(token).then((lines) => {
      if (typeof lines === "string") setState(lines);
      else {
        for (const { product, quantity } of lines) {
          const line = items.find((item) => item.product.id === product.id);
          if (!line) add(product, quantity);
          else if (line.quantity < quantity) setQuantity(product.id, quantity);
        }
        setState("opened");
      }
      // The token must not be copied from the address bar.
      if (lines !== "unreachable") navigate("/cart", { replace: true, preventScrollReset: true });
    });
  }, [token, ready]);
  return state;
}

async function fetchLines(token: string) {
  const response = await callApi("GET /api/checkout/reminder", { query: { restore: token } });
  if (!response.ok) {
    const { status } = response.problem;
    return status === 404 || status === 422 ? ("gone" as const) : ("unreachable" as const);
  }
  const lines = await Promise.all(
    response.body.data.items.map(async ({ slug, quantity }) => ({
      product: await fetchProduct(slug),
      quantity,
    })),
  );
  const availableLines = lines.flatMap(({ product, quantity }) =>
    typeof product === "string" ? [] : [{ product, quantity }],
  );
  if (availableLines.length > 0) return availableLines;
  return lines.some(({ product }) => product === "unknown") ? ("unreachable" as const) : ("gone" as const);
}

export function EmailedCartNotice({ state }: { state: EmailedCartState }) {
  switch (state) {
    case "none":
    case "opening":
      return null;
    case "opened":
      return <Banner tone="success" role="status" title="Your cart is back." className="mb-8" />;
    case "gone":
      return (
        <Banner tone="info" role="status" title="This cart is no longer saved." className="mb-8">
          <p>You’ve already ordered it, it’s more than 30 days old, or what was in it is no longer sold.</p>
        </Banner>
      );
    case "unreachable":
      return (
        <Banner title="Your cart could not be opened." className="mb-8">
          Please check your connection and try again.
          <div className="mt-3">
            <Button size="small" variant="secondary" onClick={() => window.location.reload()}>
              Try Again
            </Button>
          </div>
        </Banner>
      );
  }
}
