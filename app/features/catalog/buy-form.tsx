import { lazy, type ReactNode, type SubmitEvent, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { clampQuantity } from "../../../domain/cart/cart-limits.ts";
import type { Product } from "../../../domain/catalog/product.ts";
import { preloadRoute } from "../../ui/browser/preload-route.ts";
import { Button, Spinner } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { useCart } from "../cart/cart-store.ts";

// Loaded after the first view.
const loadDrawer = () => import("../cart/cart-drawer.tsx");
const CartDrawer = lazy(() => loadDrawer().then(({ CartDrawer: component }) => ({ default: component })));

/**
 * The form to buy a product, around `AddToCartButton` and `BuyNowButton`. It works from the first paint on: without
 * scripts it is sent to `/cart/add`, and a press before they are loaded is repeated by `early-press.ts`. Without the property
 * `quantity`, the children must contain a field of that name.
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
  const [addition, setAddition] = useState<{ units: number; button: HTMLButtonElement } | null>(null);

  useEffect(() => {
    if (!form.current) return;
    form.current.dataset.buy = "live";
    const earlyPress = window.earlyPress;
    if (earlyPress?.form !== form.current) return;
    window.earlyPress = null;
    earlyPress.removeAttribute("aria-busy");
    form.current.requestSubmit(earlyPress);
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
        () => setAddition({ units, button: submitter }),
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
    // On another path, the shopper has navigated away in the meantime.
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
        onPointerEnter={preload}
        onPointerDown={preload}
        onFocus={preload}
      >
        <input type="hidden" name="productId" value={product.id} />
        {quantity !== undefined && <input type="hidden" name="quantity" value={quantity} />}
        {children}
      </form>
      {addition !== null && (
        <Suspense>
          <CartDrawer
            quantity={addition.units}
            name={product.name}
            pressedButton={addition.button}
            onClose={() => setAddition(null)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Preloads the code of the drawer and of checkout, but not checkout's data, which must be fresh. */
function preload(): void {
  loadDrawer().catch(() => {});
  preloadRoute(window.__reactRouterManifest.routes["routes/checkout"]);
}

type BuyButtonProps = { inStock: boolean; className?: string; block?: boolean };

/** A double or triple click adds once; separate presses add each time. */
export function AddToCartButton({ inStock, ...buttonProps }: BuyButtonProps) {
  return (
    <Button
      type="submit"
      name="then"
      value="cart"
      variant="secondary"
      disabled={!inStock}
      onClick={(event) => event.detail > 1 && event.preventDefault()}
      {...buttonProps}
    >
      {inStock ? "Add to Cart" : "Sold out"}
    </Button>
  );
}

/** Busy from the press until checkout is open, with the same name and width. */
export function BuyNowButton({ inStock, className = "", ...buttonProps }: BuyButtonProps) {
  return (
    <Button
      type="submit"
      name="then"
      value="checkout"
      disabled={!inStock}
      className={`group ${className}`}
      {...buttonProps}
    >
      <span className="group-aria-busy:opacity-0">{inStock ? "Buy Now" : "Sold out"}</span>
      <span className="absolute hidden group-aria-busy:block">
        <Spinner />
      </span>
    </Button>
  );
}
