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

export async function loader({ context }: Route.LoaderArgs) {
  const { shipping, tax, wallets } = await context.get(shopContext).settings();
  return { shipping, tax, hasWallets: wallets.checkout };
}

export default function CheckoutPage({ loaderData: policies }: Route.ComponentProps) {
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
      <CheckoutSkeleton />
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
