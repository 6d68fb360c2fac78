import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { WalletSetup } from "../../../../domain/checkout/wallet.ts";
import type { PaymentProviderName } from "../../../../domain/payments/providers.ts";
import type { WalletPlace } from "../../../../domain/settings/settings.ts";
import { Spinner } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { callApi } from "../../api.ts";
import { discardDraft } from "../address/address-draft.ts";
import { readDiscount, saveDiscount } from "../discount/saved-discount.ts";
import { saveReminderWish } from "../reminder/reminder-wish.ts";
import { rememberCleared } from "../success/cleared-orders.ts";
import { finishPurchase, type WalletGoods } from "./wallet-purchase.ts";

export type WalletsProps = {
  place: WalletPlace;
  /** What a wallet would buy now. */
  items: WalletGoods["items"];
  /** What stands there while no wallet is known to be usable. */
  children: ReactNode;
};

/** What a provider's buttons get. */
export type WalletButtonsProps = {
  setup: WalletSetup;
  goods: WalletGoods;
  /** Whether the browser has any of its wallets. */
  onReady: (isAvailable: boolean) => void;
  /** The order is made, and about to be paid. */
  onPlaced: (orderId: string) => void;
  /** The buyer has agreed to pay; the order is being made and paid. */
  onBusy: (isBusy: boolean) => void;
  onPaid: (intentId: string) => void;
  /** Why it did not go on, for people; null when it is tried again. */
  onProblem: (message: string | null) => void;
};

type Buttons = { default: ComponentType<WalletButtonsProps> };

/** Where the code cannot be loaded there are none; the page around them stays. */
const orNone = (buttons: Promise<Buttons>) => buttons.catch((): Buttons => ({ default: NoButtons }));

function NoButtons({ onReady }: WalletButtonsProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => onReady(false), []);
  return null;
}

/** Each provider's buttons. A shop has one of them; the others' code is never loaded. */
const walletButtons: Record<PaymentProviderName, ComponentType<WalletButtonsProps>> = {
  stripe: lazy(() => orNone(import("../stripe/wallets.tsx"))),
  sandbox: lazy(() => orNone(import("../sandbox/wallet.tsx"))),
};

/** Apple Pay and the like, where this browser has them; what was there before, where it has none. */
export function Wallets({ place, items, children }: WalletsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const [setup, setSetup] = useState<WalletSetup | null>(null);
  const [state, setState] = useState<"asking" | "ready" | "none">("asking");
  const [isBusy, setBusy] = useState(false);
  const [returns, setReturns] = useState(0);
  const [problem, setProblem] = useState<{ message: string } | null>(null);

  useEffect(() => {
    if (!frame.current) return;
    let isLeft = false;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        atRest(async () => {
          const answer = await callApi("GET /api/wallets");
          if (isLeft || !answer.ok) return;
          const { provider, countries } = answer.body.data;
          const isHopeless = provider === "stripe" && place === "product" && !mayHaveWallet();
          if (countries.length > 0 && !isHopeless) setSetup(answer.body.data);
        });
      },
      { rootMargin: "200px" },
    );
    observer.observe(frame.current);
    return () => {
      isLeft = true;
      observer.disconnect();
    };
  }, [place]);

  // Back from a bank's page, the browser may show this one as it was left: in the middle of paying.
  useEffect(() => {
    const startAgain = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      setBusy(false);
      setReturns((count) => count + 1);
    };
    addEventListener("pageshow", startAgain);
    return () => removeEventListener("pageshow", startAgain);
  }, []);

  // A product's page sells the product alone: the code was given for the cart.
  const discountCode = place === "product" ? null : (readDiscount()?.code ?? null);
  const Buttons = setup && walletButtons[setup.provider];
  return (
    <div ref={frame} className="grid content-start" data-wallets={state}>
      <div className="relative grid min-h-13 *:col-start-1 *:row-start-1">
        {state !== "ready" && children}
        {setup && Buttons && state !== "none" && (
          // Out of sight, not out of the page: the provider's frame only loads where it has a place.
          <div className={state === "ready" ? "" : "invisible h-0 overflow-hidden"}>
            <Suspense fallback={null}>
              <Buttons
                key={returns}
                setup={setup}
                goods={{ items, discountCode }}
                onReady={(isAvailable) => setState(isAvailable ? "ready" : "none")}
                onPlaced={(orderId) => {
                  // The page of thanks empties the cart for an order of it, and must not for this one.
                  if (place === "product") rememberCleared(orderId);
                }}
                onBusy={setBusy}
                onPaid={(intentId) => {
                  finishPurchase();
                  if (place !== "product") {
                    discardDraft();
                    saveDiscount(null);
                    saveReminderWish(false);
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
 * Whether asking the provider is worth its script, on a page that people come to before they have decided to buy: Apple
 * Pay and the browser's own wallet can be told without it.
 */
function mayHaveWallet(): boolean {
  return "ApplePaySession" in window || "PaymentRequest" in window;
}

/** Once the page has nothing else to do; Safari cannot tell when that is. */
function atRest(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 200);
}
