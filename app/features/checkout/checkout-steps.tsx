import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { Announcement } from "../../ui/announcement.tsx";
import { LinkArrow } from "../../ui/link-arrow.tsx";
import { useCart } from "../cart/cart-store.ts";
import { walletItems } from "../cart/cart-summary.tsx";
import { discardDraft } from "./address/address-draft.ts";
import type { AddressField } from "./address/address-form.ts";
import { AddressStep, type CheckoutPolicies } from "./address/address-step.tsx";
import { CheckoutFrame } from "./checkout-frame.tsx";
import { CheckoutHead } from "./checkout-head.tsx";
import { saveDiscount } from "./discount/saved-discount.ts";
import { SummaryAside, SummaryStrip } from "./order-summary.tsx";
import { PaymentStep } from "./payment/payment-step.tsx";
import { saveReminderWish } from "./reminder/reminder-wish.ts";
import { TwoColumns } from "./two-columns.tsx";
import { useCheckout } from "./use-checkout.ts";
import { useTotalText } from "./use-total-text.ts";
import { ExpressCheckout } from "./wallets/express-checkout.tsx";

/** Time between the payment and the success page (ms). */
const successDelay = 2000;

/**
 * Both steps of checkout. The payment step is a place in the browser's history (`#payment`), so that its back button
 * leads to the form; after a reload it holds no secret any more and is the form again.
 */
export function CheckoutSteps({ policies, hasWallets }: { policies: CheckoutPolicies; hasWallets: boolean }) {
  const { items, clear } = useCart();
  const checkout = useCheckout(policies);
  const totalText = useTotalText();
  const { order, isStarting } = checkout;
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [isPaid, setPaid] = useState(false);
  const [step, setStep] = useState<"address" | "payment">("address");
  const isAtPayment = isStarting || (order !== null && step === "payment");
  const fieldToFocus = useRef<AddressField | null>(null);

  const isEmpty = items.length === 0 && !isAtPayment;
  useEffect(() => {
    if (isEmpty) navigate("/cart", { replace: true });
  }, [isEmpty, navigate]);

  const successPage = successPageOf(order?.started.paymentIntentId ?? "");
  useEffect(() => {
    if (!isPaid) return;
    const timer = setTimeout(() => navigate(successPage, { replace: true }), successDelay);
    return () => clearTimeout(timer);
  }, [isPaid, successPage, navigate]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the browser's back and forward, nothing else
  useEffect(() => {
    if (hash === "#payment" && !order) navigate({ hash: "" }, { replace: true });
    setStep(hash === "#payment" ? "payment" : "address");
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
      ? { items: order.items, totals: order.started.totals, discountCode: order.discountCode }
      : { items, totals: priced.totals, discountCode: priced.discount?.code ?? null };

  return (
    <CheckoutFrame
      summary={<SummaryStrip {...summary} />}
      back={
        !isPaid && (
          <LinkArrow to="/cart" back>
            Back to cart
          </LinkArrow>
        )
      }
    >
      <CheckoutHead step={isAtPayment ? 2 : 1} />
      <Announcement text={`Total ${totalText(summary.totals.total)}`} />
      <TwoColumns className="pb-16">
        <div className="w-full max-w-(--container-form)">
          {isAtPayment ? (
            <PaymentStep
              order={isStarting ? null : order}
              isPaid={isPaid}
              onPaid={() => {
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
          ) : (
            <>
              {hasWallets && <ExpressCheckout items={walletItems(items)} />}
              <AddressStep
                checkout={checkout}
                policies={policies}
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
            </>
          )}
        </div>
        <SummaryAside {...summary} />
      </TwoColumns>
    </CheckoutFrame>
  );
}

function successPageOf(intentId: string): string {
  return `/checkout/success?session_id=${encodeURIComponent(intentId)}`;
}
