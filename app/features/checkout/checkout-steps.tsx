import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { PageProblem } from "../../shell/page-problem.tsx";
import { Announcement } from "../../ui/announcement.tsx";
import { useLive } from "../../ui/browser-state.ts";
import { LinkArrow } from "../../ui/link-arrow.tsx";
import type { CartItem } from "../cart/cart-storage.ts";
import { useCart } from "../cart/cart-store.ts";
import { walletItems } from "../cart/cart-summary.tsx";
import { lineProblem } from "../cart/line-problem.ts";
import { useCountedView } from "../catalog/use-counted-view.ts";
import { discardDraft } from "./address/address-draft.ts";
import type { AddressField } from "./address/address-form.ts";
import { AddressStep, type CheckoutPolicies } from "./address/address-step.tsx";
import type { ReturnedForm } from "./checkout-action.ts";
import { CheckoutFrame } from "./checkout-frame.tsx";
import { CheckoutHead } from "./checkout-head.tsx";
import { giftText } from "./checkout-request.ts";
import { saveDiscount } from "./discount/saved-discount.ts";
import { keepOrder } from "./open-order.ts";
import { SummaryAside, SummaryStrip, shownTotal } from "./order-summary.tsx";
import { PreparingPayment } from "./payment/preparing-payment.tsx";
import { saveReminderWish } from "./reminder/reminder-wish.ts";
import { TwoColumns } from "./two-columns.tsx";
import { useCheckout } from "./use-checkout.ts";
import { useTotalText } from "./use-total-text.ts";
import { ExpressCheckout } from "./wallets/express-checkout.tsx";

// Comes while the form is being filled in. Without a connection by then, a reload leads to the same payment.
const loadPaymentStep = () =>
  import("./payment/payment-step.tsx").then(
    ({ PaymentStep: one }) => ({ default: one }),
    () => ({ default: () => <PageProblem awayTitle="Checkout is paused for a moment" /> }),
  );
const PaymentStep = lazy(loadPaymentStep);

/** Time between the payment and the success page (ms). */
const successDelay = 2000;

/**
 * Both steps of checkout. The payment step is a place in the browser's history (`#payment`), so that its back button
 * leads to the form, and a reload stays there. The server renders the form, which also works without JavaScript:
 * `returned` is what it then came back with.
 */
export function CheckoutSteps({
  policies,
  hasWallets,
  kept,
  returned,
}: {
  policies: CheckoutPolicies;
  hasWallets: boolean;
  /** The cart that the shop keeps for a browser without scripts. */
  kept: readonly CartItem[] | null;
  returned: ReturnedForm | undefined;
}) {
  const { clear } = useCart();
  const checkout = useCheckout(policies, kept, returned);
  const isLive = useLive();
  const totalText = useTotalText();
  const { items, order, isStarting, isReady, isPriced } = checkout;
  useCountedView(items[0]?.product.slug ?? null);
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [isPaid, setPaid] = useState(false);
  const [step, setStep] = useState<"address" | "payment">("address");
  const [isResuming, setResuming] = useState(false);
  const isAtPayment = isStarting || isResuming || (order !== null && step === "payment");
  const fieldToFocus = useRef<AddressField | null>(null);

  useEffect(() => void loadPaymentStep(), []);

  const isEmpty = isReady && items.length === 0 && !isAtPayment;
  useEffect(() => {
    if (isEmpty) navigate("/cart", { replace: true });
  }, [isEmpty, navigate]);

  const successPage = successPageOf(order?.started.paymentIntentId ?? "");
  useEffect(() => {
    if (!isPaid) return;
    const timer = setTimeout(() => {
      keepOrder(null);
      navigate(successPage, { replace: true });
    }, successDelay);
    return () => clearTimeout(timer);
  }, [isPaid, successPage, navigate]);

  const resume = async () => {
    setResuming(true);
    const started = await checkout.resume();
    if (started && started.payment !== "unpaid") {
      return navigate(successPageOf(started.paymentIntentId), { replace: true });
    }
    setResuming(false);
    if (!started) navigate({ hash: "" }, { replace: true });
  };

  // Before the first paint: after a reload, the server's form would be seen in between.
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the browser's back and forward, nothing else
  useLayoutEffect(() => {
    setStep(hash === "#payment" ? "payment" : "address");
    if (hash === "#payment" && !order) void resume();
  }, [hash]);

  useEffect(() => {
    if (isAtPayment || !fieldToFocus.current) return;
    document.getElementById(fieldToFocus.current)?.focus();
    fieldToFocus.current = null;
  }, [isAtPayment]);

  if (isEmpty) return null;
  const { priced } = checkout;
  const summary =
    isAtPayment && order
      ? {
          items: order.items,
          totals: order.started.totals,
          taxPending: null,
          discountCode: order.discountCode,
          gift: giftText(order.form),
        }
      : isPriced
        ? {
            items,
            totals: priced.totals,
            taxPending: checkout.isStateAwaited ? "depends on your state" : null,
            discountCode: priced.discount?.code ?? null,
            gift: giftText(checkout.form),
          }
        : null;

  return (
    <CheckoutFrame
      summary={<SummaryStrip content={summary} />}
      back={
        !isPaid && (
          <LinkArrow to="/cart" back>
            Back to cart
          </LinkArrow>
        )
      }
    >
      <CheckoutHead step={isAtPayment ? 2 : 1} />
      <Announcement
        text={
          summary && `${summary.taxPending ? "Total before tax" : "Total"} ${totalText(shownTotal(summary))}`
        }
      />
      <TwoColumns className="pb-16">
        <div className="w-full max-w-(--container-form)">
          {!isLive && !isAtPayment && (
            // A reload of the payment step: its address shows this instead of the form until the scripts have come.
            <div id="payment" className="peer hidden scroll-mt-6 target:block">
              <PreparingPayment />
            </div>
          )}
          {isAtPayment ? (
            <Suspense fallback={<PreparingPayment />}>
              <PaymentStep
                order={isStarting || isResuming ? null : order}
                isPaid={isPaid}
                onPaid={() => {
                  // The order stays kept until the success page comes: a reload before that leads there.
                  setPaid(true);
                  clear();
                  discardDraft();
                  saveDiscount(null);
                  saveReminderWish(false);
                }}
                onProcessing={() => navigate(successPage, { replace: true })}
                onLeave={(field) => {
                  fieldToFocus.current = field ?? null;
                  navigate(-1);
                }}
                onStartAgain={() => {
                  navigate(-1);
                  checkout.forgetOrder();
                }}
              />
            </Suspense>
          ) : (
            <div className={isLive ? undefined : "peer-target:hidden"}>
              {hasWallets && !items.some(lineProblem) && <ExpressCheckout items={walletItems(items)} />}
              <AddressStep
                checkout={checkout}
                policies={policies}
                discountCode={returned?.discountCode ?? ""}
                onSubmit={async () => {
                  const started = await checkout.submit();
                  if (!started) return;
                  // Paid in another tab, or before the shopper came back: no card is asked for twice.
                  if (["succeeded", "processing"].includes(started.status)) {
                    return navigate(successPageOf(started.paymentIntentId), { replace: true });
                  }
                  setStep("payment");
                  navigate({ hash: "payment" });
                }}
              />
            </div>
          )}
        </div>
        <SummaryAside content={summary} />
      </TwoColumns>
    </CheckoutFrame>
  );
}

function successPageOf(intentId: string): string {
  return `/checkout/success?session_id=${encodeURIComponent(intentId)}`;
}
