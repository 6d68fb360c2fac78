import { type MouseEvent, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { buyAgainProblem } from "../../../domain/orders/buy-again.ts";
import { Spinner } from "../../ui/button.tsx";
import { callApi } from "../api.ts";
import { useCart } from "../cart/cart-store.ts";
import { fetchProduct } from "../cart/product-call.ts";

/**
 * Adds an order's items to the cart again and opens the cart. Without JavaScript, or in a new tab, the link opens a page that
 * does the same with a button.
 */
export function BuyAgain({
  order: { id, number },
  token = null,
  className = "relative inline-flex min-h-11 items-center link text-small",
}: {
  order: { id: string; number: number };
  token?: string | null;
  className?: string;
}) {
  const { isBusy, buyAgain } = useBuyAgain(id, token);
  return (
    <a
      href={buyAgainPath(id, token)}
      aria-busy={isBusy || undefined}
      className={`group ${className}`}
      onClick={(event) => {
        if (!isUnmodifiedClick(event)) return;
        event.preventDefault();
        void buyAgain();
      }}
    >
      <span className="group-aria-busy:invisible">
        Buy again<span className="sr-only">: order {number}</span>
      </span>
      {isBusy && (
        <span className="absolute">
          <Spinner />
        </span>
      )}
    </a>
  );
}

/** A click that opens the link in this tab. */
function isUnmodifiedClick(event: MouseEvent): boolean {
  return event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
}

/** An order whose items were added to the cart again, for the notice on the cart page. */
export type BoughtAgain = { number: number; problems: string[] };

/** The page that lists an order's items before they are bought again; works without JavaScript. */
export function buyAgainPath(orderId: string, token: string | null): string {
  return `/orders/${orderId}/again${token === null ? "" : `?token=${encodeURIComponent(token)}`}`;
}

/**
 * Adds an order's available items to the cart and opens the cart. Each item gets the larger of the two quantities, so that a
 * second press has no effect. If no item is available or the call fails, the page of `buyAgainPath` opens instead.
 */
export function useBuyAgain(orderId: string, token: string | null) {
  const { items, add, setQuantity } = useCart();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  // A ref, because state would be set too late for the second press of a double click.
  const isRunning = useRef(false);

  const buyAgain = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    const result = await fetchLines(orderId, token);
    if (result) {
      for (const { product, quantity } of result.lines) {
        const cartItem = items.find((item) => item.product.id === product.id);
        if (!cartItem) add(product, quantity);
        else if (cartItem.quantity < quantity) setQuantity(product.id, quantity);
      }
    }
    const state = result && { boughtAgain: result.boughtAgain };
    await navigate(result ? "/cart" : buyAgainPath(orderId, token), { state });
    isRunning.current = false;
    setBusy(false);
  };
  return { isBusy, buyAgain };
}

async function fetchLines(orderId: string, token: string | null) {
  const response = await callApi("GET /api/orders/:id/again", { params: { id: orderId }, query: { token } });
  if (!response.ok) return null;
  const { number, items } = response.body.data;
  const buyableItems = items.filter(({ quantity }) => quantity > 0);
  const products = await Promise.all(buyableItems.map(({ slug }) => fetchProduct(slug ?? "")));
  const lines = buyableItems.flatMap(({ quantity }, index) => {
    const product = products[index];
    return typeof product === "object" ? [{ product, quantity }] : [];
  });
  if (lines.length < buyableItems.length || lines.length === 0) return null;
  const problems = items.flatMap((item) => buyAgainProblem(item) ?? []);
  return { lines, boughtAgain: { number, problems } satisfies BoughtAgain };
}
