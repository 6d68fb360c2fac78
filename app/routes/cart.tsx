import ShoppingBag from "lucide-react/icons/shopping-bag";
import { lazy, Suspense, useRef, useState } from "react";
import { useLocation } from "react-router";
import { arrivalTexts } from "../../domain/shipping/arrival.ts";
import { editFromForm, readServerCart } from "../features/cart/cart-action.ts";
import { useCart } from "../features/cart/cart-store.ts";
import { CartSummary, CheckoutBar } from "../features/cart/cart-summary.tsx";
import { CartTable, RefreshPrices } from "../features/cart/cart-table.tsx";
import { EmailedCartNotice, useEmailedCart } from "../features/cart/emailed-cart.tsx";
import { useCartQuote } from "../features/cart/use-cart-quote.ts";
import { useCountedView } from "../features/catalog/use-counted-view.ts";
import { TwoColumns } from "../features/checkout/two-columns.tsx";
import type { BoughtAgain } from "../features/orders/buy-again.tsx";
import { useCountryFromRoot } from "../features/shipping/frame-country.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { shopContext } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Panel } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import { PageLink } from "../ui/page-link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TextButton, textLinkClass } from "../ui/text-button.tsx";
import type { Route } from "./+types/cart";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Your Cart");

export async function loader(args: Route.LoaderArgs) {
  const shop = args.context.get(shopContext);
  const [{ calendar, shipping, tax, wallets }, orderDay, automatic] = await Promise.all([
    shop.settings(),
    shop.orderDay(),
    shop.automaticDiscounts(),
  ]);
  const problem = new URL(args.request.url).searchParams.get("problem");
  return {
    shipping,
    tax,
    automatic,
    /** Arrival text by option id: "Arrives Nov 27 – Dec 2". */
    arrivals: arrivalTexts(shipping, calendar, orderDay),
    hasWallets: wallets.cart,
    serverCart: await readServerCart(args),
    problem,
  };
}

export function action(args: Route.ActionArgs) {
  return editFromForm(args);
}

// For browsers without JavaScript; other browsers show it only until their scripts are loaded.
const ServerCart = lazy(() =>
  import("../features/cart/server-cart.tsx").then(({ ServerCart: component }) => ({ default: component })),
);

export default function CartPage({ loaderData }: Route.ComponentProps) {
  const { serverCart, problem, ...policies } = loaderData;
  const emailedCart = useEmailedCart();
  const { items, clear, ...cart } = useCart();
  useCartQuote(useCountryFromRoot());
  useCountedView(items[0]?.product.slug ?? null);
  const ready = cart.ready && emailedCart !== "opening";
  const [announcement, setAnnouncement] = useState("");
  /** Names of the unavailable products that the last removal on this page removed; null before the first removal. */
  const [removedNames, setRemovedNames] = useState<string[] | null>(null);
  const { state } = useLocation();
  // Checkout may have removed unavailable products before it opened this page.
  const unavailableNames: string[] = removedNames ?? state?.unavailable ?? [];
  const heading = useRef<HTMLHeadingElement>(null);
  const checkoutButton = useRef<HTMLDivElement>(null);

  // The pressed button is removed with its line, so the heading is focused.
  const announce = (text: string) => {
    setAnnouncement(text);
    heading.current?.focus();
  };
  // The cart is not called empty if an e-mailed cart could not be fetched.
  const isEmpty = ready
    ? items.length === 0 && emailedCart !== "unreachable"
    : serverCart?.items.length === 0;

  return (
    // At least as high as the screen, so that nothing below moves when the browser has read its cart.
    <div className={`wrap min-h-[calc(100svh-var(--header-h))] ${isEmpty ? "grid content-center" : ""}`}>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <div className={isEmpty ? "sr-only" : "page-head"}>
        <h1 ref={heading} tabIndex={-1}>
          Your Cart
        </h1>
      </div>
      <EmailedCartNotice state={emailedCart} />
      <BoughtAgainNotice />
      {!ready && serverCart === null && <CartSkeleton />}
      {!ready && serverCart !== null && (
        <Suspense fallback={<CartSkeleton />}>
          <ServerCart cart={serverCart} policies={policies} problem={problem} />
        </Suspense>
      )}
      {isEmpty && (
        <EmptyState
          heading="h2"
          glyph={ShoppingBag}
          title="Your cart is empty"
          action={<ButtonLink to="/">Continue Shopping</ButtonLink>}
        >
          {unavailableNames.length > 0
            ? unavailableText(unavailableNames)
            : "Looks like you haven’t added any products to your cart yet."}
        </EmptyState>
      )}
      {ready && items.length > 0 && (
        <TwoColumns className="pb-(--section-y) max-md:gap-5 lg:grid-rows-[auto_1fr]">
          <section aria-label="Items in your cart">
            <CartTable
              onRemoved={(name) => {
                setRemovedNames([]);
                announce(`${name} removed.`);
              }}
            />
          </section>
          <CartSummary
            policies={policies}
            hasWallets={policies.hasWallets}
            endRef={checkoutButton}
            onFixed={(names) => {
              setRemovedNames(names);
              announce("Cart updated.");
            }}
          />
          <div className="flex flex-wrap items-center justify-between gap-x-4 max-md:border-t max-md:border-line lg:row-start-2 lg:-mt-8">
            <PageLink to="/" className={`${textLinkClass} md:mr-auto`}>
              Continue Shopping
            </PageLink>
            <RefreshPrices />
            <TextButton
              onClick={() => {
                clear();
                setRemovedNames([]);
                announce("Everything removed.");
              }}
            >
              Clear Cart
            </TextButton>
          </div>
          <CheckoutBar policies={policies} until={checkoutButton} />
        </TwoColumns>
      )}
    </div>
  );
}

const list = new Intl.ListFormat("en-US");

function unavailableText(names: readonly string[]): string {
  return names.length === 1
    ? `${names[0]} isn’t available right now, so it’s no longer in your cart.`
    : `${list.format(names)} aren’t available right now, so they’re no longer in your cart.`;
}

/** Reports that an order's items were added to the cart again, and which items could not be added. */
function BoughtAgainNotice() {
  const boughtAgain: BoughtAgain | undefined = useLocation().state?.boughtAgain;
  if (!boughtAgain) return null;
  const { number, problems } = boughtAgain;
  return (
    <Banner
      tone={problems.length > 0 ? "warning" : "success"}
      role="status"
      title={`${problems.length > 0 ? "What’s still available from order" : "Order"} #${number} is in your cart, at today’s prices.`}
      className="mb-8"
    >
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </Banner>
  );
}

/** Placeholder until the browser has read its cart. */
function CartSkeleton() {
  return (
    <TwoColumns aria-busy="true">
      <span role="status" className="sr-only">
        Loading your cart
      </span>
      <div className="grid grid-cols-[92px_1fr] gap-4 border-y border-line py-5 md:grid-cols-[104px_1fr_8rem] md:py-12">
        <Skeleton className="aspect-4/5" />
        <div className="grid content-start gap-3">
          <Skeleton className="h-5 w-3/5" />
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="mt-2 h-11 w-32" />
        </div>
      </div>
      <Panel className="grid gap-4">
        <Skeleton className="h-7 w-1/2" />
        <Skeleton className="h-16" />
        <Skeleton className="h-5" />
        <Skeleton className="h-5" />
        <Skeleton className="h-5" />
        <Skeleton className="h-13" />
      </Panel>
    </TwoColumns>
  );
}
