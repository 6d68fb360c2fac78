import Lock from "lucide-react/icons/lock";
import { useEffect, useRef } from "react";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { type PaymentFailure, processingFailure, unexpectedFailure } from "./payment-outcome.ts";

export function PayButton({ cents, isBusy }: { cents: number; isBusy: boolean }) {
  return (
    <div>
      <Button type="submit" block busy={isBusy} busyText="Processing payment">
        <Icon glyph={Lock} size="small" />
        <span className="tabular-nums">Pay {formatCents(cents)}</span>
      </Button>
      <p className="mt-3 text-center text-caption text-ink-muted">
        Card details are never stored by this shop.
      </p>
    </div>
  );
}

const advice = {
  refused: "You haven’t been charged. Please use another card, or ask your bank about this one.",
  failed: "You haven’t been charged. Please try again, or use another card.",
  closed: "You haven’t been charged. To pay with another card, start again. What you entered is saved.",
  uncertain: "Check your connection and try again. An order is never charged twice.",
};

/** Shows why the payment failed, and receives the focus. After a closed payment, a new one must be started. */
export function PaymentError({
  outcome: { kind, message },
  onStartAgain,
}: {
  outcome: PaymentFailure;
  onStartAgain: () => void;
}) {
  const isGenericMessage = message === processingFailure.message || message === unexpectedFailure.message;
  const banner = useRef<HTMLDivElement>(null);
  useEffect(() => banner.current?.focus(), []);
  return (
    <Banner ref={banner} tabIndex={-1} className="mb-4" title={message}>
      <p>{advice[isGenericMessage ? "failed" : kind]}</p>
      {kind === "closed" && (
        <Button size="small" variant="secondary" className="mt-3" onClick={onStartAgain}>
          Start again
        </Button>
      )}
    </Banner>
  );
}
