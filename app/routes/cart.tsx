import ShoppingBag from "lucide-react/icons/shopping-bag";
import { useRef, useState } from "react";
import { AgainNotice } from "../features/cart/again-notice.tsx";
import { CartSkeleton } from "../features/cart/cart-skeleton.tsx";
import { useCart } from "../features/cart/cart-store.ts";
import { CartSummary } from "../features/cart/cart-summary.tsx";
import { CartTable } from "../features/cart/cart-table.tsx";
import { CheckoutBar } from "../features/cart/checkout-bar.tsx";
import { EmailedCartNotice } from "../features/cart/emailed-cart-notice.tsx";
import { RefreshPrices } from "../features/cart/refresh-prices.tsx";
import { useEmailedCart } from "../features/cart/use-emailed-cart.ts";
import { TwoColumns } from "../features/checkout/two-columns.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { shopContext } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import { TextButton } from "../ui/text-button.tsx";
import type { Route } from "./+types/cart";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Your Cart");

export async function loader({ context }: Route.LoaderArgs) {
  const { shipping, tax, wallets } = await context.get(shopContext).settings();
  return { shipping, tax, hasWallets: wallets.cart };
}

export default function CartPage({ loaderData: policies }: Route.ComponentProps) {
  const emailed = useEmailedCart();
  const { items, clear, ...cart } = useCart();
  const ready = cart.ready && emailed !== "opening";
  const [removed, setRemoved] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  const checkoutButton = useRef<HTMLDivElement>(null);

  // The pressed button is gone with its line: focus goes to the heading, not to nowhere.
  const announce = (what: string) => {
    setRemoved(`${what} removed.`);
    heading.current?.focus();
  };
  // What the e-mailed cart holds is not known while it cannot be fetched.
  const isEmpty = ready && items.length === 0 && emailed !== "unreachable";

  return (
    <div className="wrap">
      <p role="status" className="sr-only">
        {removed}
      </p>
      <div
        className={
          isEmpty ? "sr-only" : "page-head flex flex-wrap items-center justify-between gap-x-6 gap-y-2"
        }
      >
        <h1 ref={heading} tabIndex={-1}>
          Your Cart
        </h1>
        {ready && items.length > 0 && <RefreshPrices />}
      </div>
      <EmailedCartNotice state={emailed} />
      <AgainNotice />
      {!ready && <CartSkeleton />}
      {isEmpty && (
        <EmptyState
          glyph={ShoppingBag}
          title="Your cart is empty"
          action={<ButtonLink to="/">Continue Shopping</ButtonLink>}
        >
          Looks like you haven't added any products to your cart yet.
        </EmptyState>
      )}
      {ready && items.length > 0 && (
        <TwoColumns className="pb-(--section-y)">
          <section aria-label="Items in your cart">
            <CartTable onRemoved={announce} />
            <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6">
              <LinkArrow to="/" back>
                Continue Shopping
              </LinkArrow>
              <TextButton
                onClick={() => {
                  clear();
                  announce("Everything");
                }}
              >
                Clear Cart
              </TextButton>
            </div>
          </section>
          <CartSummary policies={policies} hasWallets={policies.hasWallets} endRef={checkoutButton} />
          <CheckoutBar policies={policies} until={checkoutButton} />
        </TwoColumns>
      )}
    </div>
  );
}
