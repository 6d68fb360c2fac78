import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { buyAgainProblem } from "../../../domain/orders/buy-again.ts";
import { callApi } from "../api.ts";
import { useCart } from "../cart/cart-store.ts";
import { fetchProduct } from "../cart/product-call.ts";

/** What the cart page says of an order that was put into the cart again. */
export type BoughtAgain = { number: number; problems: string[] };

/** Where an order can be looked through before it is bought again; also what works without JavaScript. */
export function buyAgainPath(orderId: string, token: string | null): string {
  return `/orders/${orderId}/again${token === null ? "" : `?token=${encodeURIComponent(token)}`}`;
}

/**
 * Puts what can be had of an order into the cart, and opens it. Of what is there already the larger number counts, so
 * that a second press changes nothing. Where nothing can be had, or nobody answers, the order's own page says more.
 */
export function useBuyAgain(orderId: string, token: string | null) {
  const { items, add, setQuantity } = useCart();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  // State comes a render too late for the second press of a double click.
  const isRunning = useRef(false);

  const buyAgain = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    const found = await read(orderId, token);
    if (found) {
      for (const { product, quantity } of found.lines) {
        const present = items.find((item) => item.product.id === product.id);
        if (!present) add(product, quantity);
        else if (present.quantity < quantity) setQuantity(product.id, quantity);
      }
    }
    const state = found && { again: found.again };
    await navigate(found ? "/cart" : buyAgainPath(orderId, token), { state });
    isRunning.current = false;
    setBusy(false);
  };
  return { isBusy, buyAgain };
}

async function read(orderId: string, token: string | null) {
  const answer = await callApi("GET /api/orders/:id/again", { params: { id: orderId }, query: { token } });
  if (!answer.ok) return null;
  const { number, items } = answer.body.data;
  const wanted = items.filter(({ quantity }) => quantity > 0);
  const products = await Promise.all(wanted.map(({ slug }) => fetchProduct(slug ?? "")));
  const lines = wanted.flatMap(({ quantity }, index) => {
    const product = products[index];
    return typeof product === "object" ? [{ product, quantity }] : [];
  });
  if (lines.length < wanted.length || lines.length === 0) return null;
  const problems = items.flatMap((item) => buyAgainProblem(item) ?? []);
  return { lines, again: { number, problems } satisfies BoughtAgain };
}
