import ShoppingBag from "lucide-react/icons/shopping-bag";
import { lazy, Suspense, useRef, useState } from "react";
import { arrivalTexts } from "../../domain/shipping/arrival.ts";
import { AgainNotice } from "../features/cart/again-notice.tsx";
import { changeFromForm, keptCart } from "../features/cart/cart-action.ts";
import { CartSkeleton } from "../features/cart/cart-skeleton.tsx";
import { useCart } from "../features/cart/cart-store.ts";
import { CartSummary } from "../features/cart/cart-summary.tsx";
import { CartTable } from "../features/cart/cart-table.tsx";
import { CheckoutBar } from "../features/cart/checkout-bar.tsx";
import { EmailedCartNotice } from "../features/cart/emailed-cart-notice.tsx";
import { RefreshPrices } from "../features/cart/refresh-prices.tsx";
import { useCartQuote } from "../features/cart/use-cart-quote.ts";
import { useEmailedCart } from "../features/cart/use-emailed-cart.ts";
import { useCountedView } from "../features/catalog/use-counted-view.ts";
import { TwoColumns } from "../features/checkout/two-columns.tsx";
import { useFrameCountry } from "../features/shipping/frame-country.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { shopContext } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { LinkArrow } from "../ui/link-arrow.tsx";
import { TextButton } from "../ui/text-button.tsx";
import type { Route } from "./+types/cart";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Your Cart");

export async function loader(args: Route.LoaderArgs) {
  const shop = args.context.get(shopContext);
  const [{ calendar, shipping, tax, wallets }, orderDay] = await Promise.all([
    shop.settings(),
    shop.orderDay(),
  ]);
  const problem = new URL(args.request.url).searchParams.get("problem");
  return {
    shipping,
    tax,
    /** Option -> "Arrives Nov 27 - Dec 2" */
    arrivals: arrivalTexts(shipping, calendar, orderDay),
    hasWallets: wallets.cart,
    kept: await keptCart(args),
    problem,
  };
}

export function action(args: Route.ActionArgs) {
  return changeFromForm(args);
}

// For browsers that run no scripts: the others need it at most until theirs have come.
const KeptCart = lazy(() =>
  import("../features/cart/kept-cart.tsx").then(({ KeptCart: one }) => ({ default: one })),
);

export default function CartPage({ loaderData }: Route.ComponentProps) {
  const { kept, problem, ...policies } = loaderData;
  const emailed = useEmailedCart();
  const { items, clear, ...cart } = useCart();
  useCartQuote(useFrameCountry());
  useCountedView(items[0]?.product.slug ?? null);
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
    // As high as the screen, whatever is in it: nothing below moves when the browser has read its cart.
    <div className="wrap min-h-[calc(100svh-var(--header-h))]">
      <p role="status" className="sr-only">
        {removed}
      </p>
      <div className={isEmpty ? "sr-only" : "page-head"}>
        <h1 ref={heading} tabIndex={-1}>
          Your Cart
        </h1>
      </div>
      <EmailedCartNotice state={emailed} />
      <AgainNotice />
      {!ready && kept === null && <CartSkeleton />}
      {!ready && kept !== null && (
        <Suspense fallback={<CartSkeleton />}>
          <KeptCart cart={kept} policies={policies} problem={problem} />
        </Suspense>
      )}
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
              <div className="ml-auto flex flex-wrap items-center justify-end gap-x-6">
                <RefreshPrices />
                <TextButton
                  onClick={() => {
                    clear();
                    announce("Everything");
                  }}
                >
                  Clear Cart
                </TextButton>
              </div>
            </div>
          </section>
          <CartSummary policies={policies} hasWallets={policies.hasWallets} endRef={checkoutButton} />
          <CheckoutBar policies={policies} until={checkoutButton} />
        </TwoColumns>
      )}
    </div>
  );
}
