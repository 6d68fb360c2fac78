import Clock from "lucide-react/icons/clock";
import CreditCard from "lucide-react/icons/credit-card";
import Undo2 from "lucide-react/icons/undo-2";
import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import type { Order, PaymentState } from "../../../../domain/orders/order.ts";
import { usePolling } from "../../../ui/browser/use-polling.ts";
import { Button, ButtonLink, Spinner } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { callApi } from "../../api.ts";
import { useCart } from "../../cart/cart-store.ts";

/** Number of requests: about two minutes, with the growing pauses of `pauseBefore`. */
const maxRequests = 20;
/**
 * A payment that is still processing after these requests (about 20 seconds) is not a card payment: most other methods
 * take days.
 */
const maxCardRequests = 8;

/** Polls the payment's state until it has succeeded or failed; explains a slow payment. */
export function WaitingForPayment({ sessionId }: { sessionId: string }) {
  const { revalidate } = useRevalidator();
  const [requests, setRequests] = useState(0);
  const [payment, setPayment] = useState<PaymentState | null>(null);
  const isDone = payment !== null && payment !== "processing";
  const poll = async () => {
    setRequests((count) => count + 1);
    const response = await callApi("GET /api/order-details", { query: { session_id: sessionId } });
    if (response.ok) setPayment(response.body.payment);
  };
  usePolling(!isDone, poll, pauseBefore, maxRequests);
  useEffect(() => {
    if (isDone) void revalidate();
  }, [isDone, revalidate]);

  if (requests >= maxCardRequests && !isDone) {
    return (
      <EmptyState
        glyph={Clock}
        title="Your payment is still being processed"
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <Button onClick={() => window.location.reload()}>Check again</Button>
            <ButtonLink to="/account/orders" variant="secondary">
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
    <div role="status" className="grid justify-items-center gap-4 px-5 py-(--empty-page) text-center">
      <span className="flex scale-200 text-copper-600">
        <Spinner />
      </span>
      <h1 className="mt-2 text-h2">Processing your payment</h1>
      <p className="max-w-120 text-ink-muted">This takes a few seconds. Please keep this page open.</p>
    </div>
  );
}

/** No pause (ms) before the first request, then from 1.3 s up to 8 s. */
function pauseBefore(requests: number): number {
  return requests === 0 ? 0 : Math.min(8000, 1000 * 1.3 ** requests);
}

/** Shown for an order that was not paid, or whose payment was refunded because the order had been closed. */
export function PaymentFailed({ order: { number, status } }: { order: Order }) {
  const { count, ready } = useCart();
  if (status === "refunded") {
    return (
      <EmptyState
        glyph={Undo2}
        title="Your payment was returned"
        action={<ButtonLink to="/account/orders">View My Orders</ButtonLink>}
      >
        It arrived after order #{number} had been closed. The money is on its way back to you.
      </EmptyState>
    );
  }
  // Checkout would redirect an empty cart to the cart page.
  const isCartEmpty = ready && count === 0;
  return (
    <EmptyState
      glyph={CreditCard}
      title="Your payment didn’t go through"
      action={
        isCartEmpty ? (
          <ButtonLink to="/">Continue Shopping</ButtonLink>
        ) : (
          <ButtonLink to="/checkout">Back to checkout</ButtonLink>
        )
      }
    >
      You haven’t been charged for order #{number}. You can try again, with another card or another way to
      pay.
    </EmptyState>
  );
}
