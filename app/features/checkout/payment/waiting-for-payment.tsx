import Clock from "lucide-react/icons/clock";
import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import type { PaymentState } from "../../../../domain/orders/order.ts";
import { Button, ButtonLink, Spinner } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { usePolling } from "../../../ui/use-polling.ts";
import { callApi } from "../../api.ts";

/** Asks so often in all: with the growing pauses of `pauseBefore`, about two minutes. */
const asksMax = 20;
/** After so many, about 20 seconds, it is not a card: most other ways of paying take days. */
const asksOfCards = 8;

/** The payment is being processed: asks until it has arrived or failed, and says so when it takes long. */
export function WaitingForPayment({ sessionId }: { sessionId: string }) {
  const { revalidate } = useRevalidator();
  const [asked, setAsked] = useState(0);
  const [payment, setPayment] = useState<PaymentState | null>(null);
  const hasMoved = payment !== null && payment !== "processing";
  const ask = async () => {
    setAsked((count) => count + 1);
    const answer = await callApi("GET /api/order-details", { query: { session_id: sessionId } });
    if (answer.ok) setPayment(answer.body.payment);
  };
  usePolling(!hasMoved, ask, pauseBefore, asksMax);
  useEffect(() => {
    if (hasMoved) void revalidate();
  }, [hasMoved, revalidate]);

  if (asked >= asksOfCards && !hasMoved) {
    return (
      <EmptyState
        glyph={Clock}
        heading="h1"
        title="Your payment is still being processed"
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Button onClick={() => window.location.reload()}>Check again</Button>
            <ButtonLink to="/orders" variant="secondary">
              View My Orders
            </ButtonLink>
          </div>
        }
      >
        Some payment methods take a few days. You don’t need to pay again. We’ll hold your items and email you
        as soon as the payment arrives. You’ll find your order under My Orders.
      </EmptyState>
    );
  }
  return (
    <div role="status" className="grid justify-items-center gap-4 px-5 py-32 text-center">
      <span className="flex scale-200 text-copper-600">
        <Spinner />
      </span>
      <h1 className="mt-2 text-h2">Processing your payment</h1>
      <p className="max-w-120 text-ink-muted">This takes a few seconds. Please keep this page open.</p>
    </div>
  );
}

/** None before the first, then 1.3 s and longer, up to 8 s. */
function pauseBefore(asked: number): number {
  return asked === 0 ? 0 : Math.min(8000, 1000 * 1.3 ** asked);
}
