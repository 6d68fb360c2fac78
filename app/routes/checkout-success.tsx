import SearchX from "lucide-react/icons/search-x";
import { useEffect } from "react";
import { data, isRouteErrorResponse, redirect } from "react-router";
import type { Product } from "../../domain/catalog/product.ts";
import { sizeBeside } from "../../domain/catalog/size-name.ts";
import { consentText, welcomeText } from "../../domain/newsletter/consent-text.ts";
import { type Order, paidBackCents } from "../../domain/orders/order.ts";
import { useCart } from "../features/cart/cart-store.ts";
import { usageSteps } from "../features/catalog/usage-text.ts";
import { isCartClearedFor, markCartClearedFor } from "../features/checkout/success/cleared-orders.ts";
import { PaymentFailed, WaitingForPayment } from "../features/checkout/success/payment-states.tsx";
import { type BoughtProduct, SuccessDetails } from "../features/checkout/success/success-details.tsx";
import { NewsletterBox, RefillBox } from "../features/orders/stay-in-touch.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { shopContext, viewerContext } from "../shop-context.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import type { Route } from "./+types/checkout-success";

export const meta: Route.MetaFunction = (args) =>
  privatePageMeta(args, args.loaderData?.payment === "paid" ? "Thank you" : "Your payment");

export function headers() {
  return { "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer" };
}

/** The provider decides whether the order is paid; the URL only identifies the payment. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const shop = context.get(shopContext);
  const sessionId = new URL(request.url).searchParams.get("session_id") ?? "";
  const purchase = sessionId && (await shop.paidOrder(context.get(viewerContext), sessionId));
  if (!purchase) throw data(null, { status: 404 });
  if (purchase.payment === "paid" && areNextStepsOutdated(purchase.order))
    throw redirect(`/orders/${purchase.order.id}`);
  const [{ shipping, newsletter, brandName }, refill, welcome, products] = await Promise.all([
    shop.settings(),
    shop.refillChoice(purchase.order),
    shop.welcome(),
    shop.products(),
  ]);
  const product = products.find(({ id }) => id === purchase.order.items[0]?.productId);
  const newsletterTerms = newsletter
    ? [consentText(brandName), welcome && welcomeText(welcome)].filter(Boolean).join(" ")
    : null;
  return {
    ...purchase,
    sessionId,
    shipping,
    newsletterTerms,
    refill,
    boughtProduct: toBoughtProduct(product),
  };
}

/** Null if the product is no longer sold. */
function toBoughtProduct(product: Product | undefined): BoughtProduct | null {
  return product
    ? { picture: product.images[0], size: sizeBeside(product), usage: usageSteps(product.usage) }
    : null;
}

/** Whether the order has shipped or been refunded or cancelled, so that "What happens next" is out of date. */
function areNextStepsOutdated(order: Order): boolean {
  const { cancelledAt, fulfilment, totals } = order;
  return cancelledAt !== null || fulfilment !== null || paidBackCents(order) > 0 || totals.chargedBack > 0;
}

export default function SuccessPage({ loaderData }: Route.ComponentProps) {
  const { order, payment, sessionId, shipping, newsletterTerms, refill, boughtProduct } = loaderData;
  useClearedCart(payment === "paid" ? order.id : null);
  if (payment === "paid") {
    return (
      <SuccessDetails order={order} policy={shipping} boughtProduct={boughtProduct}>
        {refill && <RefillBox orderId={order.id} refill={refill} />}
        {newsletterTerms && <NewsletterBox email={order.email} terms={newsletterTerms} />}
      </SuccessDetails>
    );
  }
  return (
    <div className="wrap">
      {payment === "processing" && <WaitingForPayment sessionId={sessionId} />}
      {payment === "unpaid" && <PaymentFailed order={order} />}
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <PageProblem />;
  return (
    <EmptyState
      glyph={SearchX}
      title="We couldn’t find this order"
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <ButtonLink to="/account/orders">View My Orders</ButtonLink>
          <ButtonLink to="/" variant="secondary">
            Continue Shopping
          </ButtonLink>
        </div>
      }
    >
      It opens only in the browser that placed it. If you have paid, the confirmation email has a link to your
      order.
    </EmptyState>
  );
}

/** Empties the cart once for each paid order: a reload must not empty the next cart. */
function useClearedCart(paidOrderId: string | null): void {
  const { clear } = useCart();
  useEffect(() => {
    if (paidOrderId === null || isCartClearedFor(paidOrderId)) return;
    clear();
    markCartClearedFor(paidOrderId);
  }, [paidOrderId, clear]);
}
