import ExternalLink from "lucide-react/icons/external-link";
import { Link } from "react-router";
import { type Dispute, disputeLabel } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder, AdminRefund, OrderPayment } from "../../../../../domain/orders/admin-order.ts";
import { creditedCents, paidBackCents } from "../../../../../domain/orders/order.ts";
import type { LinkedExchange } from "../../../../../domain/orders/replacement.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { TotalsList } from "../../../checkout/totals-list.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { shortId } from "../order-labels.ts";
import { OrderCard } from "./order-card.tsx";

export function OrderMoney({ order }: { order: AdminOrder }) {
  const { payment, changePayments, paymentState, refunds, disputes, totals } = order;
  const originalNumber = order.exchangeOf?.of.number ?? null;
  return (
    <OrderCard title="Money">
      {!order.replaces && (
        <div className="mb-3 border-b border-line pb-3.5">
          <TotalsList
            totals={totals}
            discountCode={order.discountCode}
            deductions={[
              { name: "Offset by removed items", cents: totals.exchanged ?? 0 },
              { name: "Exchanged", cents: creditedCents(order) },
              { name: "Refunded", cents: paidBackCents(order) },
              { name: "Charged back", cents: totals.chargedBack },
            ]}
          />
        </div>
      )}
      {payment === null ? (
        <p className="text-ui text-ink-muted">
          {order.replaces
            ? "A replacement: nothing is charged."
            : order.exchangeOf
              ? exchangePaymentText(order.exchangeOf)
              : "No payment was started."}
        </p>
      ) : changePayments.length === 0 ? (
        <PaymentFacts payment={payment} originalNumber={originalNumber} />
      ) : (
        <ul className="grid gap-3" aria-label="Payments">
          {[payment, ...changePayments].map((listedPayment) => (
            <li key={listedPayment.intentId}>
              <PaymentFacts payment={listedPayment} originalNumber={originalNumber} />
            </li>
          ))}
        </ul>
      )}
      {paymentState === "processing" && (
        <p className="mt-1 text-small text-ink-muted">
          The customer has paid, and the bank can take a few days to confirm it. Until then, the units stay
          reserved and the order can’t be cancelled. If the payment fails, it is cancelled.
        </p>
      )}
      {refunds.length > 0 && (
        <ul
          className="mt-3 divide-y divide-line border-t border-line [&>li:last-child]:pb-0"
          aria-label="Refunds"
        >
          {refunds.map((refund) => (
            <RefundFacts key={refund.id} refund={refund} />
          ))}
        </ul>
      )}
      {disputes.length > 0 && (
        <ul
          className="mt-3 divide-y divide-line border-t border-line [&>li:last-child]:pb-0"
          aria-label="Disputes"
        >
          {disputes.map((dispute) => (
            <DisputeFacts
              key={dispute.id}
              dispute={dispute}
              isLinked={order.attention.some(
                ({ disputeId, dueAt }) => disputeId === dispute.id && dueAt !== null,
              )}
            />
          ))}
        </ul>
      )}
    </OrderCard>
  );
}

function exchangePaymentText({ status, difference }: LinkedExchange): string {
  switch (status) {
    case "waits_for_payment":
      return `${formatCents(difference)} still has to be paid through the link.`;
    case "ended":
      return "The exchange has ended. Nothing was paid.";
    default:
      return "The exchange pays for it.";
  }
}

const states: Record<OrderPayment["status"], string> = {
  requires_payment: "not paid yet",
  processing: "being processed",
  succeeded: "paid",
  canceled: "cancelled",
};

/** One payment, with a link to it at the provider. */
function PaymentFacts({
  payment,
  originalNumber,
}: {
  payment: OrderPayment;
  /** Number of the order whose units were exchanged, or null. */
  originalNumber: number | null;
}) {
  const { amountCents, status, provider, intentId, paidAt, changeId, isConnected, isManual, dashboardUrl } =
    payment;
  const amount = formatCents(amountCents);
  return (
    <>
      <p className="text-ui">
        {amount}
        {changeId !== null && " for an edit to the items"}{" "}
        {changeId !== null && status === "canceled" ? "came too late and was refunded" : states[status]}
        {paidAt && (
          <>
            {" "}
            on <ShortDay iso={paidAt} withTime />
          </>
        )}
        , {providerText(payment, originalNumber)}
        {intentId && provider !== "manual" && provider !== "exchange" && (
          <span className="block text-caption text-ink-muted" title={intentId}>
            Payment {shortId(intentId)}
          </span>
        )}
      </p>
      {status === "succeeded" && !isConnected && (
        <p className="text-ui text-ink-muted">
          {isManual
            ? "Pay a refund back yourself. The shop only records it."
            : provider === "exchange"
              ? `A refund goes back to the payment of order #${originalNumber}.`
              : "It belongs to another account or mode. Refund it there."}
        </p>
      )}
      {dashboardUrl && (
        <a
          href={dashboardUrl}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open in the Stripe dashboard: payment of ${amount}`}
          className="link inline-flex min-h-11 items-center gap-1.5 text-ui"
        >
          Open in the Stripe dashboard <Icon glyph={ExternalLink} size="small" />
        </a>
      )}
    </>
  );
}

function providerText({ provider, mode, status }: OrderPayment, originalNumber: number | null): string {
  if (provider === "manual") return "outside the shop";
  if (provider === "exchange")
    return originalNumber === null ? "by exchange" : `by exchange from order #${originalNumber}`;
  if (provider === "sandbox") return status === "succeeded" ? "simulated: no card was charged" : "simulated";
  return mode === "test" ? "through Stripe in test mode" : "through Stripe";
}

const refundBadges = {
  pending: { label: "On its way", tone: "yellow" },
  succeeded: { label: "Refunded", tone: "green" },
  failed: { label: "Did not go through", tone: "red" },
} as const;

const exchangeBadge = { label: "No money moved", tone: "cream" } as const;

/** Such as "Goods $8.34, shipping $1.66". */
function refundParts({ goods, shipping, tax }: AdminRefund): string {
  const parts = [
    ["goods", goods],
    ["shipping", shipping],
    ["tax", tax],
  ] as const;
  const texts = parts.flatMap(([name, cents]) => (cents === 0 ? [] : [`${name} ${formatCents(cents)}`]));
  return texts.join(", ").replace(/^./, (first) => first.toUpperCase());
}

function RefundFacts({ refund }: { refund: AdminRefund }) {
  const { amount, status, reason, failure, origin, createdAt, settledAt, isExchange, isCredit, tooLate } =
    refund;
  const movesMoney = !isExchange && !isCredit;
  const { label, tone } = movesMoney ? refundBadges[status] : exchangeBadge;
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 py-3 text-ui">
      <span>
        {movesMoney ? "Refund of" : "Exchange worth"}{" "}
        <span className="tabular-nums">{formatCents(amount)}</span>
      </span>
      <span>
        <Badge tone={tone}>{label}</Badge>
      </span>
      <span className="col-span-2 text-small wrap-anywhere text-ink-muted">
        <ShortDay iso={settledAt ?? createdAt} withTime />
        {isExchange
          ? ". Offset against added items"
          : isCredit
            ? `. ${reason}`
            : tooLate
              ? ". Paid too late"
              : `. ${refundParts(refund)}`}
        {origin === "provider" && ", made in the payment provider’s dashboard"}
        {reason && movesMoney && !tooLate && `. Reason: ${reason}`}
        {status === "pending" && ". The payment provider has not confirmed it yet."}
        {failure && <span className="block text-danger">{failure}</span>}
      </span>
    </li>
  );
}

/** A dispute of the payment: its state, its cost so far, and a link to its page, unless the dispute's issue has one (`isLinked`). */
function DisputeFacts({ dispute, isLinked }: { dispute: Dispute; isLinked: boolean }) {
  const { amount, chargedBack, held, fee, reason, status, isInquiry } = dispute;
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 py-3 text-ui">
      <span>
        {isInquiry ? "The bank asks about" : "Dispute over"}{" "}
        <span className="tabular-nums">{formatCents(amount)}</span>
      </span>
      <span>
        <Badge
          tone={status === "won" || status === "closed" ? "green" : status === "lost" ? "red" : "yellow"}
        >
          {disputeLabel(dispute)}
        </Badge>
      </span>
      <span className="col-span-2 text-small wrap-anywhere text-ink-muted">
        <ShortDay iso={dispute.closedAt ?? dispute.createdAt} withTime />. Reason: {reason}.
        {chargedBack > 0 && ` ${formatCents(chargedBack)} was charged back.`}
        {held > 0 && ` ${formatCents(held)} is withheld until it is decided.`}
        {fee > 0 && ` The fee is ${formatCents(fee)}.`}
      </span>
      {!isLinked && (
        <Link
          to={`/admin/disputes/${encodeURIComponent(dispute.id)}`}
          className="link col-span-2 inline-flex min-h-11 items-center justify-self-start"
        >
          {status === "needs_response" ? "Answer the bank" : "Open the dispute"}
        </Link>
      )}
    </li>
  );
}
