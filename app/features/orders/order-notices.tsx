import type { ReactNode } from "react";
import {
  creditedCents,
  isExchanged,
  type Order,
  paidBackCents,
  payableCents,
  type Refund,
  refundedCents,
} from "../../../domain/orders/order.ts";
import { isGoingBack, isOpenedForExchange, type OrderReturn } from "../../../domain/orders/order-return.ts";
import { bankSentence, isCounted } from "../../../domain/orders/refund.ts";
import { leftOverReason } from "../../../domain/orders/replacement.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { promisedArrival } from "../../../domain/shipping/arrival.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { useCart } from "../cart/cart-store.ts";
import { exchangeNotices, type Notice, returnNotice } from "./return-notices.tsx";

/** Id of the notices, which are focused after an action of the buyer. */
export const orderNoticesId = "order-notices";

/** Days in the shop's time zone (`YYYY-MM-DD`). `shipDay` is the day of the shipment, or today until then. */
type ArrivalDays = { today: string; shipDay: string };

/**
 * The order's cancellation or return in large type, otherwise the day of its arrival; with exchanges or a replacement,
 * both.
 */
export function OrderHeadline({
  order,
  today,
  shipDay,
  token,
}: ArrivalDays & {
  order: Order;
  /** Token of the link that opened the page. */
  token: string | null;
}) {
  const { notices, exchanges } = orderNotices(order, token);
  const isOnItsWay = notices.length === exchanges.length && !order.fulfilment?.deliveredAt;
  const arrival = notices.length === 0 || isOnItsWay ? arrivalLine(order, { today, shipDay }) : null;
  return (
    <div id={orderNoticesId} tabIndex={-1} role="status" className="grid gap-5 outline-none not-empty:mt-3">
      {arrival && (
        <p className="type-display text-loud text-balance text-copper-700 lining-nums">{arrival}</p>
      )}
      {notices.map((notice) => (
        <Headline key={notice.title} {...notice} size={arrival ? "text-h3" : "text-loud"} />
      ))}
    </div>
  );
}

function Headline({ title, text, size = "text-loud" }: Notice & { size?: string }) {
  return (
    <div>
      <p className={`type-display text-balance lining-nums ${size}`}>{title}</p>
      {text && <div className="mt-2.5 max-w-144 text-ink-muted">{text}</div>}
    </div>
  );
}

/**
 * "Arrives Nov 27 – Dec 2" while the promised days are ahead, and then when the order arrived or shipped. Null if it is
 * unpaid, fully refunded or being returned, or if there is nothing to say.
 */
function arrivalLine(order: Order, { today, shipDay }: ArrivalDays): ReactNode {
  const { paidAt, status, totals, arrival, fulfilment } = order;
  const isFullyRefunded = totals.total > 0 && refundedCents(order) >= payableCents(totals);
  const isRefunded = status === "refunded" && !isExchanged(order);
  if ((paidAt === null && !order.replaces) || isRefunded || (isFullyRefunded && fulfilment === null))
    return null;
  if (fulfilment?.deliveredAt) return withTime("Arrived", fulfilment.deliveredAt);
  if (isGoingBack(order)) return null;
  const canArriveInTime = arrival !== null && today <= arrival.latest;
  const [parcel, ...others] = order.shipments;
  const tracking = others.length === 0 ? parcel?.tracking : null;
  const promise = canArriveInTime && promisedArrival(arrival, shipDay);
  if (promise || fulfilment === null) return promise;
  return tracking ? withTime("On the way since", tracking.since) : withTime("Shipped", fulfilment.shippedAt);
}

function withTime(word: string, iso: string): ReactNode {
  return (
    <>
      {word} <Time iso={iso} short />
    </>
  );
}

/** All notices, and among them those about exchanges and a replacement (`exchanges`). */
function orderNotices(order: Order, token: string | null): { notices: Notice[]; exchanges: Notice[] } {
  const { returns, cancelledAt, exchanges: linkedExchanges } = order;
  const latestReturn = returns.at(-1);
  const isForExchange = linkedExchanges.some(
    ({ returnId, status }) => returnId === latestReturn?.id && status !== "ended",
  );
  const hasEnded = cancelledAt !== null || isNotSent(order);
  const exchanges = hasEnded ? [] : [...replacementNotices(order), ...exchangeNotices(order, token)];
  const isReturnNoticeDue =
    latestReturn &&
    latestReturn.status !== "closed" &&
    !isForExchange &&
    !isSettled(latestReturn, order) &&
    !(isOpenedForExchange(latestReturn, order) && exchanges.length > 0);
  const notices = [
    ...(cancelledAt ? [cancelledNotice(order)] : hasEnded ? [notSentNotice(order)] : []),
    ...exchanges,
    ...(hasEnded ? [] : refundedNotices(order)),
    ...(isReturnNoticeDue ? [returnNotice(latestReturn, order, token)] : delayNotices(order)),
  ];
  return { notices, exchanges };
}

/** Whether the shop removed all items before shipping and kept part of the payment by agreement with the buyer. */
function isNotSent({ allBackAt, fulfilment, status }: Order): boolean {
  return allBackAt !== null && fulfilment === null && status !== "refunded";
}

/** Whether the order is already refunded in full, so that its open return no longer needs a refund. */
function isSettled({ kind }: OrderReturn, { status }: Order): boolean {
  return status === "refunded" && kind === "return";
}

function replacementNotices({ replaces }: Order): Notice[] {
  if (!replaces) return [];
  const text = `It replaces what was in order #${replaces.number}. There is nothing to pay.`;
  return [{ title: "Your replacement", text }];
}

function delayNotices(order: Order): Notice[] {
  const { shipments, status, cancelledAt } = order;
  const delayedShipment = shipments.find(({ tracking }) => tracking?.state === "exception");
  if (!delayedShipment?.tracking || status === "refunded" || cancelledAt !== null || isGoingBack(order))
    return [];
  const { carrier, tracking } = delayedShipment;
  return [
    {
      title: shipments.length > 1 ? "A package is delayed in transit" : "Delayed in transit",
      text: (
        <>
          {carrier} reported a problem on <Time iso={tracking.since} short />. We have been told, too, and are
          looking into it. There is nothing you need to do.
        </>
      ),
    },
  ];
}

/**
 * The amount refunded for the whole order or for the latest return, without refunds of the price difference of an
 * exchange.
 */
function refundedNotices(order: Order): Notice[] {
  const { status, totals, refunds, returns } = order;
  const latestReturn = returns.at(-1);
  const isForReturn = status === "partially_refunded" && latestReturn?.status === "closed";
  if (status !== "refunded" && !isForReturn) return [];
  const moneyRefunds = refunds.filter(
    (refund) => refund.status === "succeeded" && isCounted(refund) && !refund.isCredit,
  );
  const differenceRefunds = moneyRefunds.filter(({ reason }) => reason === leftOverReason);
  const reportedRefunds = moneyRefunds.filter(
    (refund) =>
      !differenceRefunds.includes(refund) && (!isForReturn || refund.createdAt >= latestReturn.requestedAt),
  );
  const sum = (addedRefunds: readonly Refund[]) =>
    addedRefunds.reduce((cents, { amount }) => cents + amount, 0);
  const lastRefund = reportedRefunds.at(-1);
  if (isForReturn && !lastRefund) return [];
  const cents = isForReturn ? sum(reportedRefunds) : paidBackCents(order) - sum(differenceRefunds);
  if (cents + totals.chargedBack === 0) return [];
  return [
    {
      title: `${formatCents(cents || totals.chargedBack)} refunded${isForReturn ? " for your return" : ""}`,
      text:
        cents === 0 || !lastRefund ? (
          "Your bank has returned it to you."
        ) : (
          <>
            It went back on <Time iso={lastRefund.createdAt} short />, the way you paid. {bankSentence}
          </>
        ),
    },
  ];
}

function notSentNotice(order: Order): Notice {
  const cents = paidBackCents(order);
  return {
    title: "This order won’t ship",
    text: cents > 0 && `${formatCents(cents)} has been refunded.`,
  };
}

function cancelledNotice(order: Order): Notice {
  const { status, totals } = order;
  const cents = paidBackCents(order);
  if (status === "refunded") {
    return cents > 0
      ? {
          title: `${formatCents(cents)} refunded`,
          text: `This order is cancelled. ${bankSentence}`,
        }
      : {
          title: "Cancelled",
          text: `This order is cancelled. Your bank has returned ${formatCents(totals.chargedBack)} to you.`,
        };
  }
  const onItsWayCents = refundedCents(order) - creditedCents(order) - cents;
  const leftCents = payableCents(totals) - refundedCents(order);
  const money =
    onItsWayCents > 0
      ? `${formatCents(onItsWayCents)} is on its way back to you.`
      : cents > 0
        ? `${formatCents(cents)} has been refunded.`
        : "";
  const rest = order.replaces
    ? ""
    : order.exchangeOf?.receivedAt === null && leftCents > 0
      ? `${formatCents(leftCents)} goes back once what you send back of order #${order.exchangeOf.of.number} has arrived.`
      : onItsWayCents > 0
        ? ""
        : "Its refund hasn’t gone through yet. We know about it and are taking care of it.";
  return {
    title: "Cancelled",
    text: ["This order is cancelled. It won’t ship.", money, rest].filter(Boolean).join(" "),
  };
}

/** The state of an order that is unpaid, or whose payment takes days, and what the buyer can do. */
export function UnpaidNotice({ order }: { order: Order }) {
  const { status } = order;
  return (
    (status === "pending" || status === "cancelled") && (
      <div className="mt-3">
        <UnpaidHeadline order={order} status={status} />
      </div>
    )
  );
}

function UnpaidHeadline({
  order: { payment, items, exchangeOf },
  status,
}: {
  order: Order;
  status: "pending" | "cancelled";
}) {
  const { items: cart, ready } = useCart();
  if (status === "pending" && exchangeOf !== null && payment === "unpaid") {
    const { difference, of } = exchangeOf;
    return exchangeOf.status === "waits_for_payment" ? (
      <Headline
        title={`${formatCents(difference)} to pay`}
        text={`It ships once you have paid the ${formatCents(difference)} difference. The link is in our email.`}
      />
    ) : (
      <Headline
        title="Waiting for your return"
        text={`It ships once what you send back of order #${of.number} has arrived. There is nothing to pay.`}
      />
    );
  }
  if (status === "pending" && payment === "processing") {
    return (
      <Headline
        title="Your payment is being processed"
        text="Your bank may take a few days to confirm it. We’ll hold your items and email you as soon as it does. You don’t need to pay again. Until then, this order can’t be cancelled."
      />
    );
  }
  // Checkout charges for the cart, so it is offered only while the cart equals this order.
  const isInCart =
    exchangeOf === null &&
    cart.length === items.length &&
    items.every(({ productId, quantity }) =>
      cart.some((line) => line.product.id === productId && line.quantity === quantity),
    );
  return (
    <>
      {status === "cancelled" && exchangeOf !== null ? (
        <Headline title="This exchange has ended" text="This order won’t ship." />
      ) : status === "cancelled" ? (
        <Headline title="Never paid, so it’s closed" text="You haven’t been charged for this order." />
      ) : (
        <Headline
          title="Not paid yet"
          text={!isInCart && "If no payment arrives, this order is cancelled and nothing is charged."}
        />
      )}
      <ButtonLink
        to={isInCart ? "/checkout" : "/"}
        variant={isInCart ? "primary" : "secondary"}
        className={`mt-5 -mb-3.5 max-sm:w-full print:hidden ${ready ? "" : "invisible"}`}
      >
        {isInCart ? "Go to checkout" : "Continue Shopping"}
      </ButtonLink>
    </>
  );
}
