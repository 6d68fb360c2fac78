import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { WalletSetup } from "../../../../domain/checkout/wallet.ts";
import type { PaymentProviderName } from "../../../../domain/payments/providers.ts";
import type { WalletPlace } from "../../../../domain/settings/settings.ts";
import { Spinner } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { callApi } from "../../api.ts";
import { useApiResult } from "../../use-api-result.ts";
import { discardSharedCode } from "../shared-code.ts";
import { codeToQuote, discardCheckout } from "../stored-checkout.ts";
import { markCartClearedFor } from "../success/cleared-orders.ts";
import { finishPurchase, type WalletGoods } from "./wallet-purchase.ts";

export type WalletsProps = {
  place: WalletPlace;
  items: WalletGoods["items"];
  /** Shown if no wallet is usable. */
  children: ReactNode;
};

export type WalletButtonsProps = {
  setup: WalletSetup;
  goods: WalletGoods;
  /** Called with whether the browser has any of the provider's wallets. */
  onReady: (isAvailable: boolean) => void;
  /** Called when the order has been created, before it is paid. */
  onPlaced: (orderId: string) => void;
  /** Called with true while the order is being created and paid. */
  onBusy: (isBusy: boolean) => void;
  onPaid: (intentId: string) => void;
  /** Called with a message for the shopper, or null at the next attempt. */
  onProblem: (message: string | null) => void;
};

type Buttons = { default: ComponentType<WalletButtonsProps> };

/** Shows no buttons if their code cannot be loaded. */
const orNoButtons = (buttons: Promise<Buttons>) => buttons.catch((): Buttons => ({ default: NoButtons }));

function NoButtons({ onReady }: WalletButtonsProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => onReady(false), []);
  return null;
}

/** The buttons of each provider; only the buttons of the shop's provider are loaded. */
const walletButtons: Record<PaymentProviderName, ComponentType<WalletButtonsProps>> = {
  stripe: lazy(() => orNoButtons(import("../stripe/wallets.tsx"))),
  sandbox: lazy(() => orNoButtons(import("../sandbox/wallet.tsx"))),
};

/** Apple Pay and other wallets of this browser, or `children` if it has none. */
export function Wallets({ place, items, children }: WalletsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const [isNear, setNear] = useState(false);
  const { body } = useApiResult(isNear || null, (_, signal) => callApi("GET /api/wallets", { signal }));
  const [state, setState] = useState<"loading" | "ready" | "none">("loading");
  const [isBusy, setBusy] = useState(false);
  const [returnCount, setReturnCount] = useState(0);
  const [problem, setProblem] = useState<{ message: string } | null>(null);

  useEffect(() => {
    if (!frame.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        whenIdle(() => setNear(true));
      },
      { rootMargin: "200px" },
    );
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);

  // After Back from a bank's page, the browser may restore this page in the state in which it was left, in the middle
  // of paying.
  useEffect(() => {
    const reset = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      setBusy(false);
      setReturnCount((count) => count + 1);
    };
    addEventListener("pageshow", reset);
    return () => removeEventListener("pageshow", reset);
  }, []);

  // A discount code applies to the cart, not to a purchase from a product's page.
  const discountCode = place === "product" ? null : codeToQuote();
  const setup = body && isUsable(body.data, place) ? body.data : null;
  const Buttons = setup && walletButtons[setup.provider];
  return (
    <div ref={frame} className="grid content-start" data-wallets={state}>
      <div className="relative grid min-h-13 *:col-start-1 *:row-start-1">
        {state !== "ready" && children}
        {setup && Buttons && state !== "none" && (
          // Hidden without removing it: the provider's frame only loads if it is laid out.
          <div className={state === "ready" ? "" : "invisible h-0 overflow-hidden"}>
            <Suspense fallback={null}>
              <Buttons
                key={returnCount}
                setup={setup}
                goods={{ items, discountCode }}
                onReady={(isAvailable) => setState(isAvailable ? "ready" : "none")}
                onPlaced={(orderId) => {
                  // Keeps the success page from emptying the cart, which this order was not made from.
                  if (place === "product") markCartClearedFor(orderId);
                }}
                onBusy={setBusy}
                onPaid={(intentId) => {
                  finishPurchase();
                  if (place !== "product") {
                    discardCheckout();
                    discardSharedCode();
                  }
                  const success = `/checkout/success?session_id=${encodeURIComponent(intentId)}`;
                  void navigate(success, { replace: place === "checkout" });
                }}
                onProblem={(message) => setProblem(message === null ? null : { message })}
              />
            </Suspense>
          </div>
        )}
        {isBusy && (
          <p
            role="status"
            className="z-1 flex items-center justify-center gap-2.5 bg-paper text-ui font-medium"
          >
            <Spinner /> Finishing your payment…
          </p>
        )}
      </div>
      {problem && (
        <Banner className="mt-3" title="Not paid.">
          {problem.message}
        </Banner>
      )}
    </div>
  );
}

/**
 * Whether the provider's script is worth loading. On a product's page it is not if the browser has neither Apple Pay
 * nor a wallet of its own, which can be detected without the script.
 */
function isUsable({ provider, countries }: WalletSetup, place: WalletPlace): boolean {
  if (provider !== "stripe" || place !== "product") return countries.length > 0;
  return countries.length > 0 && ("ApplePaySession" in window || "PaymentRequest" in window);
}

/** Runs `work` when the page is idle, or after 200 ms in Safari, which has no `requestIdleCallback`. */
function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 200);
}
