import { redirect } from "react-router";
import { arrivalTexts } from "../../domain/shipping/arrival.ts";
import { readServerCart } from "../features/cart/cart-action.ts";
import { orderByForm, toCartItems } from "../features/checkout/checkout-action.ts";
import { CheckoutFrame } from "../features/checkout/checkout-frame.tsx";
import { CheckoutSteps } from "../features/checkout/checkout-steps.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { apiContext, shopContext } from "../shop-context.ts";
import { LinkArrow } from "../ui/link-arrow.tsx";
import type { Route } from "./+types/checkout";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Checkout");

export async function loader(args: Route.LoaderArgs) {
  const shop = args.context.get(shopContext);
  const [settings, orderDay, automatic] = await Promise.all([
    shop.settings(),
    shop.orderDay(),
    shop.automaticDiscounts(),
  ]);
  const { calendar, shipping, tax, wallets } = settings;
  const serverCart = await readServerCart(args);
  // Unavailable items are shown in the cart, before the shopper fills in the form.
  const hasUnavailable = serverCart?.items.some(({ available, quantity }) => available < quantity);
  if (serverCart?.items.length === 0 || hasUnavailable) throw redirect("/cart?kept=1");
  return {
    shipping,
    tax,
    automatic,
    /** Arrival text by option id: "Arrives Nov 27 – Dec 2". */
    arrivals: arrivalTexts(shipping, calendar, orderDay),
    hasWallets: wallets.checkout,
    hasAddressLookup: shop.addressLookup !== null,
    /** The server's cart, for a browser without scripts. */
    serverItems: serverCart && toCartItems(serverCart, await shop.products()),
  };
}

export function action({ request, context }: Route.ActionArgs) {
  return orderByForm(request, context.get(apiContext), context.get(shopContext).products);
}

export default function CheckoutPage({ loaderData: policies, actionData }: Route.ComponentProps) {
  return (
    <CheckoutSteps
      policies={policies}
      hasWallets={policies.hasWallets}
      serverItems={policies.serverItems}
      refusedForm={actionData}
    />
  );
}

export function ErrorBoundary() {
  return (
    <CheckoutFrame
      back={
        <LinkArrow to="/cart" back>
          Back to cart
        </LinkArrow>
      }
    >
      <PageProblem unavailableTitle="Checkout is paused for a moment" />
    </CheckoutFrame>
  );
}
