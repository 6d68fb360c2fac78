import { Link } from "react-router";
import {
  type Dispute,
  disputeLabel,
  isDisputeOver,
  neverShippedText,
} from "../../../../../domain/disputes/dispute.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { ShortDay } from "../../kit/short-day.tsx";

/** A dispute of the payment: how it stands, what it has cost so far, and the way to where it is answered. */
export function DisputeFacts({ dispute, hasShipped }: { dispute: Dispute; hasShipped: boolean }) {
  const { amount, chargedBack, held, fee, reason, status, isInquiry, evidenceDueAt } = dispute;
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
        {status === "needs_response" && evidenceDueAt && (
          <>
            {" "}
            Answer by <ShortDay iso={evidenceDueAt} withTime />.
          </>
        )}
        {!hasShipped && !isDisputeOver(dispute) && (
          <span className="mt-1 block font-medium text-danger">{neverShippedText}</span>
        )}
      </span>
      <Link
        to={`/admin/disputes/${encodeURIComponent(dispute.id)}`}
        className="link col-span-2 inline-flex min-h-11 items-center justify-self-start"
      >
        {status === "needs_response" ? "Answer the bank" : "Open the dispute"}
      </Link>
    </li>
  );
}
