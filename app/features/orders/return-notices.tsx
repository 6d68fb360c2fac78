import Printer from "lucide-react/icons/printer";
import type { ReactNode } from "react";
import type { Order } from "../../../domain/orders/order.ts";
import { isOpen, type OrderReturn } from "../../../domain/orders/order-return.ts";
import type { LinkedExchange } from "../../../domain/orders/replacement.ts";
import { withdrawalDays } from "../../../domain/settings/facts.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";

/** A sentence in large type at the head of the order's page, with an explanation. */
export type Notice = { title: string; text: ReactNode };

const list = new Intl.ListFormat("en-US");

/** What to send back in exchange for which order, or that it has come back. */
export function exchangeNotice(
  exchange: LinkedExchange,
  request: OrderReturn,
  order: Order,
  token: string | null,
): Notice {
  const { number, returned, receivedAt, difference } = exchange;
  const back = difference < 0 ? formatCents(-difference) : null;
  if (receivedAt !== null || !isOpen(request)) {
    return {
      title: `Exchanged for order #${number}`,
      text: back
        ? `The difference of ${back} goes back the way you paid.`
        : "What you sent back has arrived.",
    };
  }
  return {
    title: `Exchange for order #${number}`,
    text: (
      <>
        Please send back {list.format(returned.map(({ name, quantity }) => `${quantity} × ${name}`))}.{" "}
        {exchangeSteps(exchange, back)}
        <Answer text={request.answer} />
        <ReturnLabelLink request={request} order={order} token={token} />
      </>
    ),
  };
}

function exchangeSteps({ number, status, difference }: LinkedExchange, back: string | null): string {
  if (status === "waits_for_payment")
    return `Order #${number} ships once you have paid the difference of ${formatCents(difference)}. The link is in our email.`;
  if (status === "waits_for_return")
    return back
      ? `Once it arrives, we ship order #${number} and refund the difference of ${back}.`
      : `We ship order #${number} once it arrives.`;
  return back
    ? `Order #${number} doesn’t wait for it. Once it arrives, we refund the difference of ${back}.`
    : `Order #${number} doesn’t wait for it.`;
}

/** A request that is open or declined, with the owner's answer. */
export function returnNotice(request: OrderReturn, order: Order, token: string | null): Notice {
  const { kind, status, requestedAt, answer, hasLabel } = request;
  const label = <ReturnLabelLink request={request} order={order} token={token} />;
  if (kind === "withdrawal") {
    return {
      title: "You have withdrawn from the contract",
      text: (
        <>
          You told us on <Time iso={requestedAt} precision="minute" />; the acknowledgement is on its way by
          email. Please send the goods back within {withdrawalDays} days
          {answer ? ":" : hasLabel ? ". The postage is paid." : ". We’ll email you the address."}
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
            <span className="wrap-anywhere">{order.email}</span>. Please don’t send anything before then.
            <Answer text={answer} />
          </>
        ),
      };
  }
}

/** Opens the shop's label for the parcel; nothing if there is none. */
function ReturnLabelLink({
  request,
  order,
  token,
}: {
  request: OrderReturn;
  order: Order;
  token: string | null;
}) {
  if (!request.hasLabel) return null;
  return (
    <a
      href={`/api/orders/${order.id}/returns/${request.id}/label${token ? `?token=${encodeURIComponent(token)}` : ""}`}
      target="_blank"
      rel="noreferrer"
      className={`mt-4 max-sm:w-full print:hidden ${buttonClass({})}`}
    >
      <Icon glyph={Printer} size="small" /> Print return label
      <span className="sr-only">(opens a new tab)</span>
    </a>
  );
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
