import PackageCheck from "lucide-react/icons/package-check";
import { useRef, useState } from "react";
import type { OrderLabelList } from "../../../../../domain/labels/labels.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { isOpen, isParcelExpected, type OrderReturn } from "../../../../../domain/orders/order-return.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { TextArea } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { PanelButton } from "../../kit/action-button.tsx";
import { focusInvalid } from "../../kit/form-dialog.tsx";
import { LongText } from "../../kit/notes-editor.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { Switch } from "../../kit/switch.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { ReturnLabel } from "../../labels/return-label.tsx";
import { May } from "../../rights.ts";
import { OrderCard } from "./order-card.tsx";

/** The buyer's return requests: the open one with its possible answers, then the earlier ones. */
export function OrderReturns({
  order,
  labels,
  onReceived,
  onRestock,
}: {
  order: AdminOrder;
  /** Null if the viewer's role may not see labels. */
  labels: OrderLabelList | null;
  onReceived: () => void;
  /** Opens the dialog that puts units back in stock; null if no units can be put back, or not by the viewer. */
  onRestock: (() => void) | null;
}) {
  const { returns, may, exchanges } = order;
  if (returns.length === 0) return null;
  return (
    <OrderCard title="Returns">
      <ul className="grid gap-3">
        {[...returns].reverse().map((request) => (
          <li key={request.id} className="border-t border-line pt-3 first:border-t-0 first:pt-0">
            <ReturnFacts request={request} />
            {labels && <ReturnLabel order={order} request={request} list={labels} />}
            {isOpen(request) && (
              <May call="PATCH /api/admin/returns/:id">
                <ReturnAnswer
                  request={request}
                  isExchanged={exchanges.some(
                    ({ returnId, receivedAt, status }) =>
                      returnId === request.id && receivedAt === null && status !== "ended",
                  )}
                  onReceived={may.refund ? onReceived : null}
                  onRestock={onRestock}
                />
              </May>
            )}
          </li>
        ))}
      </ul>
    </OrderCard>
  );
}

const badges = {
  requested: { label: "Waiting for you", tone: "yellow" },
  approved: { label: "Approved", tone: "blue" },
  declined: { label: "Declined", tone: "red" },
  closed: { label: "Closed", tone: "cream" },
} as const;

function ReturnFacts({ request: { kind, status, reason, answer, requestedAt } }: { request: OrderReturn }) {
  const { label, tone } = badges[status];
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-2 text-ui">
        <span>
          <b className="font-medium">{kind === "withdrawal" ? "Withdrawal" : "Return"}</b>{" "}
          <span className="text-small text-ink-muted">
            <ShortDay iso={requestedAt} withTime />
          </span>
        </span>
        <Badge tone={tone}>{label}</Badge>
      </p>
      {reason && (
        <div className="mt-2 text-ui">
          <LongText text={`“${reason}”`} />
        </div>
      )}
      {answer && (
        <p className="mt-2 text-small wrap-anywhere whitespace-pre-wrap text-ink-muted">
          Your answer: {answer}
        </p>
      )}
    </>
  );
}

/** `answer`: only sends the buyer a message. */
type Decision = "approved" | "declined" | "closed" | "answer";

/**
 * Answers an open request. A return is approved or declined; a withdrawal needs no approval, only the address to send the
 * parcel to. Once the goods have arrived, the refund closes either (`onReceived`; null if everything has been refunded); it can
 * also be closed without a refund. `isExchanged`: whether closing it settles an exchange.
 */
function ReturnAnswer({
  request,
  isExchanged,
  onReceived: onRefund,
  onRestock,
}: {
  request: OrderReturn;
  isExchanged: boolean;
  onReceived: (() => void) | null;
  onRestock: (() => void) | null;
}) {
  const onReceived = isExchanged ? null : onRefund;
  const [pendingDecision, setPendingDecision] = useState<Decision | null>(null);
  const form = useAdminForm("PATCH /api/admin/returns/:id", { answer: "", restock: true });
  const { answer, restock } = form.values;
  const { busy, generalProblem, run } = form;
  const container = useRef<HTMLDivElement>(null);
  const mailNotice = useMailNotice();
  const isUndecided = request.kind === "return" && request.status === "requested";
  const isAccepted = isParcelExpected(request);
  const isEmpty = answer.trim() === "";

  async function decide(decision: Decision) {
    if (busy) return false;
    setPendingDecision(decision);
    const body = {
      ...(decision === "answer" ? {} : { status: decision }),
      ...(isEmpty ? {} : { answer }),
      ...(isExchanged && decision === "closed" && { restock }),
    };
    const result = await run({
      params: { id: request.id },
      body,
      success: {
        title: doneTitles[decision],
        ...(!isEmpty && { description: mailNotice("The customer gets an email.") }),
      },
    });
    setPendingDecision(null);
    if (result.ok) form.set({ answer: "" });
    else focusInvalid(container.current);
    return result.ok;
  }

  /** The refund closes the request, so a typed answer is sent first. */
  async function receive() {
    if (isEmpty || (await decide("answer"))) onReceived?.();
  }

  const button = (decision: Decision, label: string, variant: "primary" | "secondary" | "danger-quiet") => (
    <PanelButton
      variant={variant}
      busy={busy && pendingDecision === decision}
      busyText="Saving..."
      disabled={busy}
      onClick={() => void decide(decision)}
    >
      {label}
    </PanelButton>
  );

  return (
    <div ref={container} className="mt-3 grid gap-3">
      {isExchanged && (
        <div className="grid gap-2">
          <Switch {...form.field("restock")} label="Back on the shelf" disabled={busy} />
          <div className="flex max-sm:*:grow">{button("closed", "Return received", "primary")}</div>
          <p className="text-small text-ink-muted">
            It settles the exchange: the new order can ship, and any difference is refunded.
          </p>
        </div>
      )}
      <TextArea
        {...form.field("answer")}
        label="Answer to the customer"
        name={`answer-${request.id}`}
        className="[&_textarea]:min-h-19!"
        hint={
          isUndecided
            ? "Where to send the parcel, or why not. Sent by email."
            : "Like where to send the parcel. Sent by email."
        }
        maxLength={1000}
        readOnly={busy}
      />
      {generalProblem && <Banner title="That did not work.">{generalProblem.message}</Banner>}
      <div className="flex flex-wrap gap-2 max-sm:*:grow">
        {isUndecided ? (
          <>
            {button("approved", "Approve", "primary")}
            {button("declined", "Decline", "danger-quiet")}
          </>
        ) : (
          <>
            {/* In the place of Approve, so that the focus stays on the next step. */}
            {onReceived && isAccepted && (
              <PanelButton variant="primary" disabled={busy} onClick={() => void receive()}>
                <Icon glyph={PackageCheck} size="small" /> Return received, refund
              </PanelButton>
            )}
            {button("answer", "Send answer", "secondary")}
          </>
        )}
      </div>
      {!isExchanged && (
        <div className="grid gap-2 border-t border-line pt-3">
          <div className="flex flex-wrap gap-2 max-sm:*:grow">
            {onReceived && !isAccepted && (
              <PanelButton disabled={busy} onClick={() => void receive()}>
                Return received, refund
              </PanelButton>
            )}
            {/* Closing the request restocks nothing: only an exchange or a refund does. */}
            {onRestock && isAccepted && (
              <PanelButton disabled={busy} onClick={onRestock}>
                Put units back
              </PanelButton>
            )}
            {button("closed", onReceived ? "Close without a refund" : "Close", "secondary")}
          </div>
        </div>
      )}
    </div>
  );
}

const doneTitles: Record<Decision, string> = {
  approved: "Return approved",
  declined: "Return declined",
  closed: "Request closed",
  answer: "Answer sent",
};
