import { arrivalsOf, arrivalText } from "../../domain/shipping/arrival.ts";
import { keptCart } from "../features/cart/cart-action.ts";
import { useCart } from "../features/cart/cart-store.ts";
import { CheckoutFrame } from "../features/checkout/checkout-frame.tsx";
import { CheckoutSkeleton } from "../features/checkout/checkout-skeleton.tsx";
import { CheckoutSteps } from "../features/checkout/checkout-steps.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { shopContext } from "../shop-context.ts";
import { LinkArrow } from "../ui/link-arrow.tsx";
import type { Route } from "./+types/checkout";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Checkout");

export async function loader(args: Route.LoaderArgs) {
  const shop = args.context.get(shopContext);
  const [settings, orderDay] = await Promise.all([shop.settings(), shop.orderDay()]);
  const { calendar, shipping, tax, wallets } = settings;
  const arrivals = Object.entries(arrivalsOf(shipping, calendar, orderDay));
  return {
    shipping,
    tax,
    /** Option -> "Arrives Nov 27 - Dec 2" */
    arrivals: Object.fromEntries(arrivals.map(([id, arrival]) => [id, arrivalText(arrival)])),
    hasWallets: wallets.checkout,
    kept: await keptCart(args),
  };
}

export default function CheckoutPage({ loaderData: { kept, ...policies } }: Route.ComponentProps) {
  const { ready } = useCart();
  // The form waits for the browser: cart and entries live in its storage.
  return ready ? (
    <CheckoutSteps policies={policies} hasWallets={policies.hasWallets} />
  ) : (
    <CheckoutFrame
      back={
        <LinkArrow to="/cart" back>
          Back to cart
        </LinkArrow>
      }
    >
      <CheckoutSkeleton kept={kept} />
    </CheckoutFrame>
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
      <PageProblem awayTitle="Checkout is paused for a moment" />
    </CheckoutFrame>
  );
}
