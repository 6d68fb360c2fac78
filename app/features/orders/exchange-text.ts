import { countUnits, type Order } from "../../../domain/orders/order.ts";
import { isOpen, isOpenedForExchange } from "../../../domain/orders/order-return.ts";
import { type LinkedExchange, leftOverReason } from "../../../domain/orders/replacement.ts";
import { formatCents } from "../../../domain/shared/money.ts";

type OrderOfExchange = Pick<Order, "returns" | "exchanges" | "refunds" | "status" | "fulfilment"> & {
  items: readonly Pick<Order["items"][number], "quantity">[];
};

/**
 * The text on an exchange for the buyer of the original order. `mustSendBack`: whether the buyer still has to send
 * something back.
 */
type ExchangeText = { title: string; text: string; mustSendBack: boolean };

/** Texts on the exchanges that still concern the buyer: the exchanges of the latest return, and all that are not paid yet. */
export function exchangeTexts(order: OrderOfExchange): ExchangeText[] {
  const latestReturn = order.returns.at(-1);
  const texts = order.exchanges
    .filter(({ returnId, status }) => returnId === latestReturn?.id || status === "waits_for_payment")
    .flatMap((exchange) => exchangeText(exchange, order) ?? []);
  const lastToSendBack = texts.findLast(({ mustSendBack }) => mustSendBack);
  if (lastToSendBack && mayHoldMore(order))
    lastToSendBack.text += " We’ll refund you for anything else in the package.";
  return texts;
}

const list = new Intl.ListFormat("en-US");

function exchangeText(exchange: LinkedExchange, order: OrderOfExchange): ExchangeText | null {
  const { number, returned, receivedAt, status } = exchange;
  const title = `Exchange for order #${number}`;
  if (status === "ended") {
    const text = endedText(exchange, order);
    return text === null ? null : { title: `${title} has ended`, text, mustSendBack: false };
  }
  if (receivedAt !== null) {
    const isDone = status === "settled" && !exchange.isCancelled;
    return {
      title: isDone ? `Exchanged for order #${number}` : title,
      text: receivedText(exchange, order),
      mustSendBack: false,
    };
  }
  if (!order.returns.some((request) => request.id === exchange.returnId && isOpen(request))) return null;
  const units = list.format(returned.map(({ name, quantity }) => `${quantity} × ${name}`));
  const send = order.fulfilment?.deliveredAt
    ? "Please send back"
    : "Once you have this order, please send back";
  return { title, text: `${send} ${units}. ${nextText(exchange)}`, mustSendBack: true };
}

/** Describes the next step of an exchange, before and after the returned parcel arrives. */
function nextText({ number, status, difference, value, isCancelled }: LinkedExchange): string {
  const back = difference < 0 ? `refund the difference of ${formatCents(-difference)}` : null;
  if (isCancelled)
    return `Order #${number} is cancelled. Once what you send back arrives, we refund ${formatCents(value)}.`;
  switch (status) {
    case "waits_for_payment":
      return `Order #${number} ships once ${formatCents(difference)} is paid through the link in our email.`;
    case "waits_for_return":
      return back
        ? `Once it arrives, we ship order #${number} and ${back}.`
        : `We ship order #${number} once it arrives.`;
    default:
      return `Order #${number} doesn’t wait for it.${back ? ` Once it arrives, we ${back}.` : ""}`;
  }
}

function receivedText(exchange: LinkedExchange, order: OrderOfExchange): string {
  const { number, status, difference, value, isCancelled } = exchange;
  if (isCancelled)
    return `What you sent back has arrived. Order #${number} is cancelled, and ${formatCents(value)} goes back the way you paid.`;
  if (status === "waits_for_payment")
    return `What you sent back has arrived. Order #${number} ships once ${formatCents(difference)} is paid through the link in our email.`;
  if (difference >= 0) return "What you sent back has arrived.";
  const dueCents = order.exchanges
    .filter(({ receivedAt }) => receivedAt !== null)
    .reduce((sum, receivedExchange) => sum + Math.max(0, -receivedExchange.difference), 0);
  const paidCents = order.refunds
    .filter((refund) => refund.status === "succeeded" && refund.reason === leftOverReason)
    .reduce((sum, { amount }) => sum + amount, 0);
  // A full refund of the order includes the difference.
  const isPaid = paidCents >= dueCents || order.status === "refunded";
  return `The difference of ${formatCents(-difference)} ${isPaid ? "went" : "goes"} back the way you paid.`;
}

/** The text on an exchange that has ended; null if the buyer has nothing left to do or to get. */
function endedText({ number, returnId, receivedAt }: LinkedExchange, order: OrderOfExchange): string | null {
  const request = order.returns.find(({ id }) => id === returnId);
  if (!request || order.status === "refunded") return null;
  const closedSentence = `Order #${number} won’t ship.`;
  if (receivedAt !== null) {
    const isRefunded = order.refunds.some((refund) => !refund.isCredit && refund.createdAt >= receivedAt);
    return isRefunded
      ? null
      : `${closedSentence} What you sent back is with us, and we’ll email you about its refund.`;
  }
  return isOpen(request) && isOpenedForExchange(request, order)
    ? `${closedSentence} If you have sent anything back already, we’ll refund you once it arrives.`
    : null;
}

/**
 * Whether the parcel may hold units that are not exchanged: the buyer asked for the return, and not all units are
 * exchanged.
 */
function mayHoldMore(order: OrderOfExchange): boolean {
  const latestReturn = order.returns.at(-1);
  if (!latestReturn || isOpenedForExchange(latestReturn, order)) return false;
  const exchangedItems = order.exchanges
    .filter(({ status }) => status !== "ended")
    .flatMap((exchange) => exchange.returned);
  return countUnits(exchangedItems) < countUnits(order.items);
}
