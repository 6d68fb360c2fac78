import type { ReactNode } from "react";
import { Link } from "react-router";
import { type Order, paidBackCents, refundedCents } from "../../../domain/orders/order.ts";
import type { OrderReturn } from "../../../domain/orders/order-return.ts";
import { withdrawalDays } from "../../../domain/settings/facts.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Banner } from "../../ui/error-banner.tsx";
import { Time } from "../../ui/time.tsx";
import { useCart } from "../cart/cart-store.ts";

/** Focused after an action of the buyer. */
export const orderNoticesId = "order-notices";

/** The state of a cancellation or return. */
export function OrderNotices({ order }: { order: Order }) {
  const notices = noticesOf(order);
  return (
    <div id={orderNoticesId} tabIndex={-1} role="status" className="grid gap-3 outline-none not-empty:mt-5">
      {notices.map(({ tone, title, text }) => (
        <Banner key={title} tone={tone} title={title}>
          {text}
        </Banner>
      ))}
    </div>
  );
}

type Notice = { tone: "success" | "info" | "warning"; title: string; text: ReactNode };

function noticesOf(order: Order): Notice[] {
  const latest = order.returns.at(-1);
  return [
    ...(order.cancelledAt ? [cancelledNotice(order)] : isNotSent(order) ? [notSentNotice(order)] : []),
    ...(latest && latest.status !== "closed" ? [returnNotice(latest, order)] : []),
  ];
}

/** The shop has taken all items out before shipping, and keeps a part of the money by agreement with the buyer. */
function isNotSent({ allBackAt, fulfilment, status }: Order): boolean {
  return allBackAt !== null && fulfilment === null && status !== "refunded";
}

function notSentNotice({ totals }: Order): Notice {
  return {
    tone: "info",
    title: "This order will not be shipped.",
    text: paidBackCents(totals) > 0 && `${formatCents(paidBackCents(totals))} has been refunded.`,
  };
}

function cancelledNotice(order: Order): Notice {
  const title = "This order is cancelled.";
  const { status, totals } = order;
  if (status === "refunded") {
    const text =
      paidBackCents(totals) > 0
        ? `${formatCents(paidBackCents(totals))} has been refunded.`
        : `Your bank has returned ${formatCents(totals.chargedBack)} to you.`;
    return { tone: "success", title, text };
  }
  const onItsWayCents = refundedCents(order) - paidBackCents(totals);
  return onItsWayCents > 0
    ? {
        tone: "info",
        title,
        text: `It will not be shipped. ${formatCents(onItsWayCents)} is on its way back to you.`,
      }
    : {
        tone: "warning",
        title,
        text: "It will not be shipped. Its refund hasn’t gone through yet. We know about it and are taking care of it.",
      };
}

function returnNotice({ kind, status, requestedAt, answer }: OrderReturn, { email }: Order): Notice {
  const at = <Time iso={requestedAt} to="minute" />;
  if (kind === "withdrawal") {
    return {
      tone: "info",
      title: "You have withdrawn from the contract.",
      text: (
        <>
          Received {at}; the acknowledgement is on its way by email. Please send the goods back within{" "}
          {withdrawalDays} days{answer ? ":" : ". We’ll email you the address."}
          <Answer text={answer} />
        </>
      ),
    };
  }
  switch (status) {
    case "approved":
      return {
        tone: "success",
        title: "Your return is approved.",
        text: (
          <>
            Once your package arrives, we’ll refund you.
            <Answer text={answer} />
          </>
        ),
      };
    case "declined":
      return {
        tone: "warning",
        title: "Your return is declined.",
        text: <Answer text={answer} />,
      };
    default:
      return {
        tone: "info",
        title: "Your return is requested.",
        text: (
          <>
            Received {at}. We answer by email to <span className="wrap-anywhere">{email}</span>. Please don’t
            send anything before then.
            <Answer text={answer} />
          </>
        ),
      };
  }
}

/** The owner's text, with its line breaks. */
function Answer({ text }: { text: string | null }) {
  return text && <p className="mt-1 wrap-anywhere whitespace-pre-line">{text}</p>;
}

/** For an order that is unpaid or whose payment takes days: its state and what the buyer can do. */
export function UnpaidNotice({ order: { status, payment, items } }: { order: Order }) {
  const { items: cart, ready } = useCart();
  if (status !== "pending" && status !== "cancelled") return null;
  if (status === "pending" && payment === "processing") {
    return (
      <Banner tone="info" title="Your payment is being processed." className="mt-5">
        Your bank may take a few days to confirm it. We’ll hold your items and email you as soon as it does.
        You don’t need to pay again. Until then, this order can’t be cancelled.
      </Banner>
    );
  }
  // Checkout pays for the cart, so it is offered only while the cart equals this order.
  const isInCart =
    cart.length === items.length &&
    items.every(({ productId, quantity }) =>
      cart.some((line) => line.product.id === productId && line.quantity === quantity),
    );
  const words = {
    pending: isInCart
      ? "Not paid yet."
      : "Not paid yet. If no payment arrives, this order is cancelled and nothing is charged.",
    cancelled: "This order was never paid and has ended. You have not been charged for it.",
  };
  return (
    <Banner tone="warning" className="mt-5">
      {words[status]}{" "}
      {ready && (
        <Link
          to={isInCart ? "/checkout" : "/"}
          className="inline-flex min-h-11 items-center font-medium underline underline-offset-[.25em] md:min-h-6 print:hidden"
        >
          {isInCart ? "Go to checkout" : "Order again"}
        </Link>
      )}
    </Banner>
  );
}
