import Lock from "lucide-react/icons/lock";
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { PageProblem } from "../../shell/page-problem.tsx";
import { Announcement } from "../../ui/announcement.tsx";
import { useHydrated } from "../../ui/browser/browser-state.ts";
import { Icon } from "../../ui/icon.tsx";
import { LinkArrow } from "../../ui/link-arrow.tsx";
import { lineProblem } from "../cart/cart-line.tsx";
import type { CartItem } from "../cart/cart-storage.ts";
import { useCart } from "../cart/cart-store.ts";
import { walletItems } from "../cart/cart-summary.tsx";
import { useCountedView } from "../catalog/use-counted-view.ts";
import type { AddressField } from "./address/address-form.ts";
import { AddressStep, type CheckoutPolicies } from "./address/address-step.tsx";
import type { RefusedForm } from "./checkout-action.ts";
import { CheckoutFrame, CheckoutHead } from "./checkout-frame.tsx";
import { giftText } from "./checkout-request.ts";
import { knownTotal, SummaryAside, SummaryStrip } from "./order-summary.tsx";
import { PreparingPayment } from "./payment/preparing-payment.tsx";
import { discardCheckout, storeOrder } from "./stored-checkout.ts";
import { TwoColumns } from "./two-columns.tsx";
import { useCheckout } from "./use-checkout.ts";
import { useTotalText } from "./use-total-text.ts";
import type { WalletGoods } from "./wallets/wallet-purchase.ts";
import { cardBrands, WalletSlot } from "./wallets/wallet-slot.tsx";

// Loaded while the form is filled in. If that fails, a reload opens the same payment.
const loadPaymentStep = () =>
  import("./payment/payment-step.tsx").then(
    ({ PaymentStep: component }) => ({ default: component }),
    () => ({ default: () => <PageProblem unavailableTitle="Checkout is paused for a moment" /> }),
  );
const PaymentStep = lazy(loadPaymentStep);

/** Delay between the payment and the success page. */
const successDelayMs = 2_000;

/**
 * Both steps of checkout. The payment step has its own entry in the browser's history (`#payment`), so that Back leads to
 * the form and a reload stays there. The server renders the form, which also works without JavaScript; `refusedForm` is
 * then the action's response.
 */
export function CheckoutSteps({
  policies,
  hasWallets,
  serverItems,
  refusedForm,
}: {
  policies: CheckoutPolicies;
  hasWallets: boolean;
  /** The server's cart, for a browser without scripts. */
  serverItems: readonly CartItem[] | null;
  refusedForm: RefusedForm | undefined;
}) {
  const { clear } = useCart();
  const checkout = useCheckout(policies, serverItems, refusedForm);
  const isHydrated = useHydrated();
  const totalText = useTotalText();
  const { items, order, isStarting, isReady, hasPrices } = checkout;
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
  /** Names of the cart's unavailable products, for the cart's page if "Adjust my cart" removes everything. */
  const unavailable = useRef<string[]>([]);
  useEffect(() => {
    if (isEmpty) navigate("/cart", { replace: true, state: { unavailable: unavailable.current } });
  }, [isEmpty, navigate]);
  useEffect(() => {
    const unavailableItems = items.filter((item) => lineProblem(item)?.buyable === 0);
    unavailable.current = unavailableItems.map(({ product }) => product.name);
  }, [items]);

  const successPage = successPath(order?.checkout.paymentIntentId ?? "");
  useEffect(() => {
    if (!isPaid) return;
    const timer = setTimeout(() => {
      storeOrder(null);
      navigate(successPage, { replace: true });
    }, successDelayMs);
    return () => clearTimeout(timer);
  }, [isPaid, successPage, navigate]);

  const resume = async () => {
    setResuming(true);
    const openedCheckout = await checkout.resume();
    if (openedCheckout && openedCheckout.payment !== "unpaid") {
      return navigate(successPath(openedCheckout.paymentIntentId), { replace: true });
    }
    setResuming(false);
    if (!openedCheckout) navigate({ hash: "" }, { replace: true });
  };

  // Before the first paint: otherwise the form would flash after a reload of the payment step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the browser's history only
  useLayoutEffect(() => {
    setStep(hash === "#payment" ? "payment" : "address");
    if (hash === "#payment" && !order) void resume();
  }, [hash]);

  useEffect(() => {
    if (isAtPayment || !fieldToFocus.current) return;
    document.getElementById(fieldToFocus.current)?.focus();
    fieldToFocus.current = null;
  }, [isAtPayment]);

  // Shown until the cart page has loaded; the empty strip keeps the page from moving.
  if (isEmpty)
    return (
      <CheckoutFrame summary={<SummaryStrip content={null} />}>
        <div className="min-h-svh" />
      </CheckoutFrame>
    );
  const { pricing } = checkout;
  const summary =
    isAtPayment && order
      ? {
          items: order.items,
          totals: order.checkout.totals,
          taxPending: null,
          discountCode: order.discountCode,
          gift: giftText(order.form),
        }
      : hasPrices
        ? {
            items,
            totals: pricing.totals,
            taxPending: checkout.needsStateForTax ? "depends on your state" : null,
            discountCode: pricing.discount?.code ?? null,
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
          summary && `${summary.taxPending ? "Total before tax" : "Total"} ${totalText(knownTotal(summary))}`
        }
      />
      <TwoColumns className="pb-16">
        <div className="w-full max-w-(--container-form)">
          {!isHydrated && !isAtPayment && (
            // On a reload of the payment step, CSS shows this placeholder instead of the form until the scripts have loaded.
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
                  // The order stays stored until the success page opens, so that a reload before that leads there.
                  setPaid(true);
                  clear();
                  discardCheckout();
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
            <div className={isHydrated ? undefined : "peer-target:hidden"}>
              {hasWallets && !items.some(lineProblem) && <ExpressCheckout items={walletItems(items)} />}
              <AddressStep
                checkout={checkout}
                policies={policies}
                discountCode={refusedForm?.discountCode ?? ""}
                onSubmit={async () => {
                  const openedCheckout = await checkout.submit();
                  if (!openedCheckout) return;
                  // The order has already been paid, for example in another tab.
                  if (["succeeded", "processing"].includes(openedCheckout.status)) {
                    return navigate(successPath(openedCheckout.paymentIntentId), { replace: true });
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

function successPath(intentId: string): string {
  return `/checkout/success?session_id=${encodeURIComponent(intentId)}`;
}

function ExpressCheckout({ items }: { items: WalletGoods["items"] }) {
  return (
    <section aria-label="Express checkout" className="group mb-7 grid gap-5">
      <WalletSlot place="checkout" items={items}>
        {/* As high as the buttons and the line below them, so that the form never moves and no gap is left. */}
        <p className="-mb-11 flex h-24 items-center gap-4 rounded-md border border-line px-5 text-small noscript:mb-0">
          <Icon glyph={Lock} className="text-gold-600" />
          <span>
            <span className="block font-medium">Secure checkout</span>
            <span className="block text-caption text-balance text-ink-muted">{cardBrands}</span>
          </span>
        </p>
      </WalletSlot>
      <p className="invisible flex h-6 items-center gap-4 text-small text-ink-muted group-has-data-[wallets=ready]:visible noscript:hidden before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or pay by card
      </p>
    </section>
  );
}
