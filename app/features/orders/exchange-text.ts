import { countUnits, type Order } from "../../../domain/orders/order.ts";
import { isOpen, isOpenedForExchange } from "../../../domain/orders/order-return.ts";
import { type LinkedExchange, leftOverReason } from "../../../domain/orders/replacement.ts";
import { formatCents } from "../../../domain/shared/money.ts";

type OrderOfExchange = Pick<Order, "returns" | "exchanges" | "refunds" | "status" | "fulfilment"> & {
  items: readonly Pick<Order["items"][number], "quantity">[];
};

/** An exchange as the first order's buyer reads it. `isToSend`: the buyer has something to send back for it. */
type ExchangeText = { title: string; text: string; isToSend: boolean };

/** The order's exchanges that are still relevant to its buyer: those of the latest return, and any that is not paid yet. */
export function exchangeTexts(order: OrderOfExchange): ExchangeText[] {
  const latest = order.returns.at(-1);
  const texts = order.exchanges
    .filter(({ returnId, status }) => returnId === latest?.id || status === "waits_for_payment")
    .flatMap((exchange) => exchangeText(exchange, order) ?? []);
  const last = texts.findLast(({ isToSend }) => isToSend);
  if (last && mayHoldMore(order)) last.text += " We’ll refund you for anything else in the package.";
  return texts;
}

const list = new Intl.ListFormat("en-US");

function exchangeText(exchange: LinkedExchange, order: OrderOfExchange): ExchangeText | null {
  const { number, returned, receivedAt, status } = exchange;
  const title = `Exchange for order #${number}`;
  if (status === "ended") {
    const text = endedText(exchange, order);
    return text === null ? null : { title: `${title} has ended`, text, isToSend: false };
  }
  if (receivedAt !== null) {
    const isDone = status === "settled" && !exchange.isCancelled;
    return {
      title: isDone ? `Exchanged for order #${number}` : title,
      text: receivedText(exchange, order),
      isToSend: false,
    };
  }
  if (!order.returns.some((request) => request.id === exchange.returnId && isOpen(request))) return null;
  const units = list.format(returned.map(({ name, quantity }) => `${quantity} × ${name}`));
  const send = order.fulfilment?.deliveredAt
    ? "Please send back"
    : "Once you have this order, please send back";
  return { title, text: `${send} ${units}. ${nextText(exchange)}`, isToSend: true };
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
    .reduce((sum, each) => sum + Math.max(0, -each.difference), 0);
  const paidCents = order.refunds
    .filter((refund) => refund.status === "succeeded" && refund.reason === leftOverReason)
    .reduce((sum, { amount }) => sum + amount, 0);
  // Also with the rest of the order.
  const isPaid = paidCents >= dueCents || order.status === "refunded";
  return `The difference of ${formatCents(-difference)} ${isPaid ? "went" : "goes"} back the way you paid.`;
}

/** Null: nothing of it concerns the buyer anymore. */
function endedText({ number, returnId, receivedAt }: LinkedExchange, order: OrderOfExchange): string | null {
  const request = order.returns.find(({ id }) => id === returnId);
  if (!request || order.status === "refunded") return null;
  const closed = `Order #${number} won’t ship.`;
  if (receivedAt !== null) {
    const isRefunded = order.refunds.some((refund) => !refund.isCredit && refund.createdAt >= receivedAt);
    return isRefunded
      ? null
      : `${closed} What you sent back is with us, and we’ll email you about its refund.`;
  }
  return isOpen(request) && isOpenedForExchange(request, order)
    ? `${closed} If you have sent anything back already, we’ll refund you once it arrives.`
    : null;
}

/** Whether the parcel may hold units beyond the exchanges: the buyer asked for the return, and not all units are exchanged. */
function mayHoldMore(order: OrderOfExchange): boolean {
  const latest = order.returns.at(-1);
  if (!latest || isOpenedForExchange(latest, order)) return false;
  const exchanged = order.exchanges
    .filter(({ status }) => status !== "ended")
    .flatMap((exchange) => exchange.returned);
  return countUnits(exchanged) < countUnits(order.items);
}
