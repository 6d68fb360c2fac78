import Printer from "lucide-react/icons/printer";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { type Order, paidBackCents, payableCents, refundedCents } from "../../../domain/orders/order.ts";
import { isGoingBack, type OrderReturn } from "../../../domain/orders/order-return.ts";
import { withdrawalDays } from "../../../domain/settings/facts.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { promisedArrival } from "../../../domain/shipping/arrival.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";
import { useCart } from "../cart/cart-store.ts";

/** Id of the notices, which are focused after an action of the buyer. */
export const orderNoticesId = "order-notices";

/** The order's cancellation or return in large type, or else the day of its arrival. */
export function OrderHeadline({
  order,
  today,
  token,
}: {
  order: Order;
  today: string;
  /** Token of the link that opened the page. */
  token: string | null;
}) {
  const notices = noticesOf(order, token);
  const arrival = notices.length === 0 ? arrivalLine(order, today) : null;
  return (
    <div id={orderNoticesId} tabIndex={-1} role="status" className="grid gap-5 outline-none not-empty:mt-3">
      {notices.map(({ title, text }) => (
        <div key={title}>
          <p className="type-display text-loud text-balance">{title}</p>
          <div className="mt-2.5 max-w-144 text-pretty text-ink-muted">{text}</div>
        </div>
      ))}
      {arrival && (
        <p className="type-display text-loud text-balance text-copper-700 lining-nums">{arrival}</p>
      )}
    </div>
  );
}

/**
 * "Arrives Nov 27 – Dec 2" as promised, and once the promise no longer holds, when it arrived or shipped; null: not paid,
 * fully refunded, going back, or nothing to say. `today`: `YYYY-MM-DD` in the shop's zone.
 */
function arrivalLine(order: Order, today: string): ReactNode {
  const { paidAt, status, totals, arrival, fulfilment } = order;
  const isFullyRefunded = totals.total > 0 && refundedCents(order) >= payableCents(totals);
  if (paidAt === null || status === "refunded" || (isFullyRefunded && fulfilment === null)) return null;
  if (fulfilment?.deliveredAt) return withTime("Arrived", fulfilment.deliveredAt);
  if (isGoingBack(order)) return null;
  const isInTime = arrival !== null && today <= arrival.latest;
  const [parcel, ...others] = order.shipments;
  const tracking = others.length === 0 ? parcel?.tracking : null;
  const promised = isInTime && promisedArrival(arrival, fulfilment?.shippedAt.slice(0, 10) ?? today);
  if (promised || fulfilment === null) return promised;
  return tracking ? withTime("On the way since", tracking.since) : withTime("Shipped", fulfilment.shippedAt);
}

function withTime(word: string, iso: string): ReactNode {
  return (
    <>
      {word} <Time iso={iso} short />
    </>
  );
}

type Notice = { title: string; text: ReactNode };

function noticesOf(order: Order, token: string | null): Notice[] {
  const latest = order.returns.at(-1);
  return [
    ...(order.cancelledAt
      ? [cancelledNotice(order)]
      : isNotSent(order)
        ? [notSentNotice(order)]
        : refundedNotices(order)),
    ...(latest && latest.status !== "closed" && !isSettled(latest, order)
      ? [returnNotice(latest, order, token)]
      : heldUpNotices(order)),
  ];
}

/** Whether the shop removed all items before shipping and kept part of the payment by agreement with the buyer. */
function isNotSent({ allBackAt, fulfilment, status }: Order): boolean {
  return allBackAt !== null && fulfilment === null && status !== "refunded";
}

/** Whether the order is already refunded in full, so that its open return no longer needs a refund. */
function isSettled({ kind }: OrderReturn, { status }: Order): boolean {
  return status === "refunded" && kind === "return";
}

function heldUpNotices(order: Order): Notice[] {
  const { shipments, status, cancelledAt } = order;
  const heldUp = shipments.find(({ tracking }) => tracking?.state === "exception");
  if (!heldUp?.tracking || status === "refunded" || cancelledAt !== null || isGoingBack(order)) return [];
  const { carrier, tracking } = heldUp;
  return [
    {
      title: shipments.length > 1 ? "A package is held up on its way" : "Held up on its way",
      text: (
        <>
          {carrier} reported a problem on <Time iso={tracking.since} short />. We have been told, too, and
          will email you as soon as we know more. There is nothing you need to do.
        </>
      ),
    },
  ];
}

/** The amount refunded: of the whole order, or for the latest return. */
function refundedNotices({ status, totals, refunds, returns, exchanges }: Order): Notice[] {
  const latest = returns.at(-1);
  const isForReturn = status === "partially_refunded" && latest?.status === "closed";
  // The credit of a settled exchange is one of the refunds, but no money went back.
  const hasCredit = exchanges.some((exchange) => exchange.status === "settled");
  if ((status !== "refunded" && !isForReturn) || hasCredit) return [];
  const succeeded = refunds.filter(
    (each) =>
      each.status === "succeeded" && !each.tooLate && (!isForReturn || each.createdAt >= latest.requestedAt),
  );
  const last = succeeded.at(-1);
  if (isForReturn && !last) return [];
  const refunded = isForReturn
    ? succeeded.reduce((sum, { amount }) => sum + amount, 0)
    : paidBackCents(totals);
  return [
    {
      title: `${formatCents(refunded || totals.chargedBack)} refunded`,
      text:
        refunded === 0 || !last ? (
          "Your bank has returned it to you."
        ) : (
          <>
            It went back on <Time iso={last.createdAt} short />, the way you paid. A bank may take some days
            to show it.
          </>
        ),
    },
  ];
}

function notSentNotice({ totals }: Order): Notice {
  return {
    title: "This order will not be shipped",
    text: paidBackCents(totals) > 0 && `${formatCents(paidBackCents(totals))} has been refunded.`,
  };
}

function cancelledNotice(order: Order): Notice {
  const { status, totals } = order;
  const refunded = paidBackCents(totals);
  if (status === "refunded") {
    return refunded > 0
      ? {
          title: `${formatCents(refunded)} refunded`,
          text: "This order is cancelled.",
        }
      : {
          title: "Cancelled",
          text: `This order is cancelled. Your bank has returned ${formatCents(totals.chargedBack)} to you.`,
        };
  }
  const onItsWayCents = refundedCents(order) - refunded;
  return {
    title: "Cancelled",
    text:
      onItsWayCents > 0
        ? `This order is cancelled. It will not be shipped. ${formatCents(onItsWayCents)} is on its way back to you.`
        : "This order is cancelled. It will not be shipped. Its refund hasn’t gone through yet. We know about it and are taking care of it.",
  };
}

function returnNotice(request: OrderReturn, { id, email }: Order, token: string | null): Notice {
  const { kind, status, requestedAt, answer } = request;
  const label = request.hasLabel && (
    <a
      href={`/api/orders/${id}/returns/${request.id}/label${token ? `?token=${encodeURIComponent(token)}` : ""}`}
      target="_blank"
      rel="noreferrer"
      className={`mt-4 max-sm:w-full print:hidden ${buttonClass({})}`}
    >
      <Icon glyph={Printer} size="small" /> Print return label
      <span className="sr-only">(opens a new tab)</span>
    </a>
  );
  if (kind === "withdrawal") {
    return {
      title: "You have withdrawn from the contract",
      text: (
        <>
          You told us on <Time iso={requestedAt} precision="minute" />; the acknowledgement is on its way by
          email. Please send the goods back within {withdrawalDays} days
          {answer ? ":" : label ? ". The postage is paid." : ". We’ll email you the address."}
          <Answer text={answer} />
          {label}
        </>
      ),
    };
  }
  switch (status) {
    case "approved":
      return {
        title: "Return approved",
        text: (
          <>
            Once your package arrives, we’ll refund you.
            <Answer text={answer} />
            {label}
          </>
        ),
      };
    case "declined":
      return { title: "Return declined", text: <Answer text={answer} /> };
    default:
      return {
        title: "Return requested",
        text: (
          <>
            You asked on <Time iso={requestedAt} />. We answer by email to{" "}
            <span className="wrap-anywhere">{email}</span>. Please don’t send anything before then.
            <Answer text={answer} />
          </>
        ),
      };
  }
}

/** The owner's text, with its line breaks. */
function Answer({ text }: { text: string | null }) {
  return (
    text && (
      <p className="mt-3 border-l-2 border-gold-500 pl-4 wrap-anywhere whitespace-pre-line text-ink">
        {text}
      </p>
    )
  );
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
  const statusTexts = {
    pending: isInCart
      ? "Not paid yet."
      : "Not paid yet. If no payment arrives, this order is cancelled and nothing is charged.",
    cancelled: "This order was never paid, so it has closed. You have not been charged for it.",
  };
  return (
    <Banner tone="warning" className="mt-5">
      {statusTexts[status]}{" "}
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
