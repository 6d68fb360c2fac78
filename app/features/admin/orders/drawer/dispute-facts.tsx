import ExternalLink from "lucide-react/icons/external-link";
import { type Dispute, disputeLabel, isDisputeOver } from "../../../../../domain/payments/dispute.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { ShortDay } from "../../kit/short-day.tsx";

/** A dispute of the payment: how it stands, what it has cost so far, and where it is answered. */
export function DisputeFacts({ dispute }: { dispute: Dispute }) {
  const { amount, chargedBack, held, fee, reason, status, isInquiry, evidenceDueAt, url } = dispute;
  const isOver = isDisputeOver(dispute);
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
      </span>
      {url && !isOver && (
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="link col-span-2 inline-flex min-h-11 items-center gap-1.5 justify-self-start"
        >
          Answer it in the Stripe dashboard <Icon glyph={ExternalLink} size="small" />
        </a>
      )}
    </li>
  );
}
