import { lazy, type ReactNode, type SubmitEvent, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { clampQuantity } from "../../../domain/cart/cart-limits.ts";
import type { Product } from "../../../domain/catalog/product.ts";
import { Button, Spinner } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { useCart } from "../cart/cart-store.ts";

// No first view needs it.
const loadDrawer = () => import("../cart/cart-drawer.tsx");
const CartDrawer = lazy(() => loadDrawer().then(({ CartDrawer: one }) => ({ default: one })));

/**
 * The way to buy a product, on whatever page: a form around `AddToCartButton` and `BuyNowButton`. It works from the first
 * paint on: without scripts it is sent to `/cart/add`, and a press that comes before the scripts is kept by
 * `early-press.ts`. The units are those of its field `quantity`, where it has none of `quantity`.
 */
export function BuyForm({
  product,
  quantity,
  className = "",
  children,
}: {
  product: Product;
  quantity?: number;
  className?: string;
  children: ReactNode;
}) {
  const { add, buyNow } = useCart();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [added, setAdded] = useState<{ units: number; by: HTMLButtonElement } | null>(null);

  useEffect(() => {
    if (!form.current) return;
    form.current.dataset.buy = "live";
    const early = window.earlyPress;
    if (early?.form !== form.current) return;
    window.earlyPress = null;
    early.removeAttribute("aria-busy");
    form.current.requestSubmit(early);
  }, []);

  const buy = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const units = clampQuantity(new FormData(event.currentTarget).get("quantity"));
    const { submitter } = event.nativeEvent;
    if (!(submitter instanceof HTMLButtonElement) || submitter.hasAttribute("aria-busy")) return;
    submitter.setAttribute("aria-busy", "true");
    if (submitter.value !== "checkout") {
      add(product, units);
      return loadDrawer().then(
        () => setAdded({ units, by: submitter }),
        () => {
          toast({
            title: "Added to cart",
            description: `${units} × ${product.name} added to your cart`,
            image: product.images[0],
            action: { label: "View cart", to: "/cart" },
          });
          submitter.removeAttribute("aria-busy");
        },
      );
    }
    buyNow(product, units);
    await navigate("/checkout");
    // There already, the page only has to be drawn; anywhere else the shopper has changed their mind.
    if (window.location.pathname !== "/checkout") submitter.removeAttribute("aria-busy");
  };

  return (
    <>
      <form
        ref={form}
        method="post"
        action="/cart/add"
        data-buy=""
        className={className}
        onSubmit={buy}
        onPointerEnter={prepare}
        onPointerDown={prepare}
        onFocus={prepare}
      >
        <input type="hidden" name="productId" value={product.id} />
        {quantity !== undefined && <input type="hidden" name="quantity" value={quantity} />}
        {children}
      </form>
      {added !== null && (
        <Suspense>
          <CartDrawer
            quantity={added.units}
            name={product.name}
            opener={added.by}
            onClose={() => setAdded(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Fetches the code of what comes next; not checkout's data, which shall not be from before. */
function prepare(): void {
  loadDrawer().catch(() => {});
  const checkout = window.__reactRouterManifest.routes["routes/checkout"];
  for (const href of checkout ? [checkout.module, ...(checkout.imports ?? [])] : []) {
    if (document.querySelector(`link[href="${href}"]`)) continue;
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
}

type BuyButton = { inStock: boolean; className?: string; block?: boolean };

/** A double or triple click is one wish, as it is for Buy Now; presses of their own add each time. */
export function AddToCartButton({ inStock, ...look }: BuyButton) {
  return (
    <Button
      type="submit"
      name="then"
      value="cart"
      variant="secondary"
      disabled={!inStock}
      onClick={(event) => event.detail > 1 && event.preventDefault()}
      {...look}
    >
      {inStock ? "Add to Cart" : "Sold out"}
    </Button>
  );
}

/** Busy from the press until checkout is there; its name and width stay. */
export function BuyNowButton({ inStock, className = "", ...look }: BuyButton) {
  return (
    <Button
      type="submit"
      name="then"
      value="checkout"
      disabled={!inStock}
      className={`group ${className}`}
      {...look}
    >
      <span className="group-aria-busy:opacity-0">{inStock ? "Buy Now" : "Sold out"}</span>
      <span className="absolute hidden group-aria-busy:block">
        <Spinner />
      </span>
    </Button>
  );
}
