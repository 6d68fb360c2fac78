import { useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { callApi } from "../api.ts";
import { useCart } from "./cart-store.ts";
import { fetchProduct } from "./product-call.ts";

export type EmailedCart = "none" | "opening" | "opened" | "gone" | "unreachable";

/**
 * Opens the cart that a reminder's link (`/cart?restore=`) brings: what is missing here is added, and of what is here
 * already the larger number counts, so that nothing is lost and a second click changes nothing.
 */
export function useEmailedCart(): EmailedCart {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { items, ready, add, setQuantity } = useCart();
  const restore = search.get("restore");
  const [state, setState] = useState<EmailedCart>(restore === null ? "none" : "opening");
  const isBegun = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as this browser's own cart is read
  useEffect(() => {
    if (restore === null || !ready || isBegun.current) return;
    isBegun.current = true;
    void open(restore).then((opened) => {
      if (typeof opened === "string") setState(opened);
      else {
        for (const { product, quantity } of opened) {
          const present = items.find((item) => item.product.id === product.id);
          if (!present) add(product, quantity);
          else if (present.quantity < quantity) setQuantity(product.id, quantity);
        }
        setState("opened");
      }
      // The link's proof has done its work: it shall not be copied from the address bar.
      if (opened !== "unreachable") navigate("/cart", { replace: true, preventScrollReset: true });
    });
  }, [restore, ready]);
  return state;
}

async function open(restore: string) {
  const answer = await callApi("GET /api/checkout/reminder", { query: { restore } });
  if (!answer.ok) {
    const { status } = answer.problem;
    return status === 404 || status === 422 ? ("gone" as const) : ("unreachable" as const);
  }
  const lines = await Promise.all(
    answer.body.data.items.map(async ({ slug, quantity }) => ({
      product: await fetchProduct(slug),
      quantity,
    })),
  );
  const found = lines.flatMap(({ product, quantity }) =>
    typeof product === "string" ? [] : [{ product, quantity }],
  );
  if (found.length > 0) return found;
  return lines.some(({ product }) => product === "unknown") ? ("unreachable" as const) : ("gone" as const);
}
