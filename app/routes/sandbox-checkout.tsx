import CircleCheck from "lucide-react/icons/circle-check";
import Clock from "lucide-react/icons/clock";
import { Suspense } from "react";
import { data, isRouteErrorResponse } from "react-router";
import { formatCents } from "../../domain/shared/money.ts";
import { CheckoutFrame } from "../features/checkout/checkout-frame.tsx";
import { PreparingPayment } from "../features/checkout/payment/preparing-payment.tsx";
import { paymentForms } from "../features/checkout/payment-forms.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { PageProblem } from "../shell/page-problem.tsx";
import { shopContext } from "../shop-context.ts";
import { buttonClass } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Banner } from "../ui/error-banner.tsx";
import type { Route } from "./+types/sandbox-checkout";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Payment");

export function headers() {
  return { "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer" };
}

/** The sandbox's hosted payment page, which replaces Stripe Checkout. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const session = await context.get(shopContext).sandboxCheckout(params.id);
  if (!session) throw data(null, { status: 404 });
  return session;
}

export default function SandboxCheckoutPage({ loaderData: session }: Route.ComponentProps) {
  const { intentId, clientSecret, amount, status, successUrl, cancelUrl } = session;
  if (status !== "open") {
    const isPaid = status === "complete";
    return (
      <CheckoutFrame>
        <EmptyState
          glyph={isPaid ? CircleCheck : Clock}
          title={isPaid ? "This order is paid" : "This payment page has expired"}
          action={
            <a href={isPaid ? successUrl : cancelUrl} className={buttonClass({})}>
              {isPaid ? "See your order" : "Back to the shop"}
            </a>
          }
        >
          {!isPaid && "You haven’t been charged."}
        </EmptyState>
      </CheckoutFrame>
    );
  }
  const cancel = (
    <a href={cancelUrl} className="inline-flex min-h-11 items-center font-medium link">
      Cancel
    </a>
  );
  return (
    <CheckoutFrame back={cancel}>
      <div className="mx-auto max-w-144 py-[clamp(1.5rem,1rem+2vw,3rem)]">
        <h1 className="mb-6 text-[clamp(2rem,1.6rem+1.6vw,3rem)]">Pay {formatCents(amount)}</h1>
        <noscript>
          <Banner tone="info" title="Simulated payments need JavaScript.">
            <p>Turn it on and load this page again.</p>
          </Banner>
        </noscript>
        <div className="noscript:hidden">
          <Suspense fallback={<PreparingPayment />}>
            <paymentForms.sandbox
              payment={{ intentId, clientSecret, amountCents: amount }}
              publishableKey={null}
              buyer={null}
              onPaid={() => window.location.assign(successUrl)}
              onProcessing={() => window.location.assign(successUrl)}
              onBusy={() => undefined}
              onStartAgain={() => window.location.assign(cancelUrl)}
            />
          </Suspense>
        </div>
      </div>
    </CheckoutFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <CheckoutFrame>
      <PageProblem isMissing={isRouteErrorResponse(error) && error.status === 404} />
    </CheckoutFrame>
  );
}
