import Printer from "lucide-react/icons/printer";
import type { ReactNode } from "react";
import type { Order } from "../../../domain/orders/order.ts";
import type { OrderReturn } from "../../../domain/orders/order-return.ts";
import { withdrawalDays } from "../../../domain/settings/facts.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../../ui/time.tsx";
import { exchangeTexts } from "./exchange-text.ts";

/** A sentence in large type at the head of the order's page, with an explanation. */
export type Notice = { title: string; text: ReactNode };

/** The order's exchanges, with the items to send back and the owner's answer. */
export function exchangeNotices(order: Order, token: string | null): Notice[] {
  const request = order.returns.at(-1);
  const texts = exchangeTexts(order);
  const lastToSendBack = texts.findLast(({ mustSendBack }) => mustSendBack);
  return texts.map((exchangeText) => ({
    title: exchangeText.title,
    text:
      exchangeText === lastToSendBack && request ? (
        <>
          {exchangeText.text}
          <Answer text={request.answer} />
          <ReturnLabelLink request={request} order={order} token={token} />
        </>
      ) : (
        exchangeText.text
      ),
  }));
}

/** A return that is open or declined, with the owner's answer. */
export function returnNotice(request: OrderReturn, order: Order, token: string | null): Notice {
  const { kind, status, requestedAt, answer, hasLabel } = request;
  const label = <ReturnLabelLink request={request} order={order} token={token} />;
  if (kind === "withdrawal") {
    return {
      title: "Withdrawal received",
      text: (
        <>
          Received on {/* May wrap: with the name of its time zone it is wider than small phones. */}
          <span className="*:whitespace-normal">
            <Time iso={requestedAt} precision="minute" />
          </span>
          . A confirmation is on its way to your inbox. Please send the order back within {withdrawalDays}{" "}
          days
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
            {answer && !hasLabel
              ? "Please send it back as described below. Once your package arrives"
              : "Once your package arrives"}
            , we’ll refund you.
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

/** Opens the shop's label for the parcel; renders nothing if there is none. */
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
