import type { ReactNode } from "react";
import { Link } from "react-router";
import type { AdminOrder } from "../../../../domain/orders/admin-order.ts";
import {
  type ExchangeStatus,
  type LinkedExchange,
  replacementReasons,
} from "../../../../domain/orders/replacement.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { ActionButton } from "../kit/action-button.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { CopyLinkButton } from "../kit/copy.tsx";
import { useMailNotice } from "../kit/use-mail-notice.ts";
import { May } from "../rights.ts";
import { OrderCard } from "./order/order-card.tsx";

/** Replacement and exchange orders linked to this one, and what a waiting exchange needs. */
export function OrderFollowUps({ order }: { order: AdminOrder }) {
  const { replaces, replacements, exchanges, exchangeOf } = order;
  if (!replaces && !exchangeOf && replacements.length + exchanges.length === 0) return null;
  return (
    <OrderCard title="Replacements and exchanges">
      <ul className="grid gap-3 text-ui">
        {replaces && (
          <li>
            Replaces units of <OrderLink {...replaces} />: {replacementReasons[replaces.reason].toLowerCase()}
            .
          </li>
        )}
        {replacements.map((replacement) => (
          <li key={replacement.id}>
            A replacement was sent: <OrderLink {...replacement} />
          </li>
        ))}
        {exchangeOf && (
          <ExchangeFacts exchange={exchangeOf} originalId={exchangeOf.of.id}>
            In exchange for units of <OrderLink {...exchangeOf.of} />
          </ExchangeFacts>
        )}
        {exchanges.map((exchange) => (
          <ExchangeFacts key={exchange.id} exchange={exchange} originalId={order.id}>
            Exchanged for <OrderLink id={exchange.orderId} number={exchange.number} />
          </ExchangeFacts>
        ))}
      </ul>
    </OrderCard>
  );
}

function OrderLink({ id, number }: { id: string; number: number }) {
  return (
    <Link className="link" to={`/admin/orders/${id}?status=all`}>
      order #{number}
    </Link>
  );
}

/** `originalId`: id of the order whose units come back. */
function ExchangeFacts({
  exchange,
  originalId,
  children,
}: {
  exchange: LinkedExchange;
  originalId: string;
  children: ReactNode;
}) {
  const { id, status, difference, returned, receivedAt } = exchange;
  const isOneUnit = returned.length === 1 && returned[0]?.quantity === 1;
  const params = { id: originalId, exchangeId: id };
  const mailNotice = useMailNotice();
  return (
    <li className="grid gap-2">
      <p>
        {children}. {returned.map(({ name, quantity }) => `${quantity} × ${name}`).join(", ")}{" "}
        {receivedAt !== null
          ? "came back"
          : status === "ended"
            ? `${isOneUnit ? "was" : "were"} to come back`
            : `${isOneUnit ? "is" : "are"} expected back`}
        .
      </p>
      <p className="text-small text-ink-muted">{exchangeState(status, difference, receivedAt !== null)}</p>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {status === "waits_for_payment" && (
          <May call="POST /api/admin/orders/:id/exchange/:exchangeId/send">
            <ActionButton
              call="POST /api/admin/orders/:id/exchange/:exchangeId/send"
              success={{ title: mailNotice("Payment link sent") }}
              failure="The payment link was not sent"
              busyText="Sending..."
              send={(run) => run({ params })}
            >
              Send the link again
            </ActionButton>
            <CopyLinkButton
              call="POST /api/admin/orders/:id/exchange/:exchangeId/link"
              send={(run) => run({ params })}
            />
          </May>
        )}
        {status === "waits_for_return" && (
          <May call="POST /api/admin/orders/:id/exchange/:exchangeId/let-go">
            <ButtonWithConfirmation
              label="Ship before it comes back"
              variant="secondary"
              title="Ship the new order before the return has arrived?"
              description="It moves to “To ship” at once. If nothing comes back, you bear the loss."
              confirmLabel="Ship it now"
              danger={false}
              call="POST /api/admin/orders/:id/exchange/:exchangeId/let-go"
              success={{ title: "The new order is ready to ship" }}
              send={(run) => run({ params })}
            />
          </May>
        )}
      </div>
    </li>
  );
}

function exchangeState(status: ExchangeStatus, difference: number, isReceived: boolean): string {
  const cents = formatCents(Math.abs(difference));
  switch (status) {
    case "waits_for_payment":
      return `The new order ships once ${cents} is paid through the link.`;
    case "waits_for_return":
      return difference < 0
        ? `The new order ships, and ${cents} is refunded, once the return has arrived.`
        : "The new order ships once the return has arrived.";
    case "settled":
      if (difference >= 0) return "The new order is paid.";
      return isReceived ? `${cents} was refunded.` : `${cents} is refunded once the return has arrived.`;
    case "ended":
      return "This exchange has ended.";
  }
}
