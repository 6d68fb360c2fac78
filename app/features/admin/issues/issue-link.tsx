import ExternalLink from "lucide-react/icons/external-link";
import { Link } from "react-router";
import type { IssueFacts } from "../../../../domain/disputes/dispute.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { ShortDay } from "../kit/short-day.tsx";

/**
 * Link to the page where an issue is handled: the page of a dispute, below its deadline, or the payment provider's page.
 * `isNext`: whether it is the next thing to do, and therefore a filled button.
 */
export function IssueLink({
  dueAt,
  disputeId,
  url,
  isNext = false,
}: Pick<IssueFacts, "dueAt" | "disputeId" | "url"> & { isNext?: boolean }) {
  if (disputeId !== null) {
    return (
      <>
        {dueAt && (
          <p className="font-semibold">
            Answer by <ShortDay iso={dueAt} withTime />.
          </p>
        )}
        <Link
          to={`/admin/disputes/${encodeURIComponent(disputeId)}`}
          className={
            isNext ? `${buttonClass({ size: "small" })} mt-2.5` : "link inline-flex min-h-11 items-center"
          }
        >
          {dueAt ? "Answer the bank" : "Open the dispute"}
        </Link>
      </>
    );
  }
  return (
    url && (
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="link inline-flex min-h-11 items-center gap-1.5"
      >
        Open in the Stripe dashboard <Icon glyph={ExternalLink} size="small" />
      </a>
    )
  );
}

/** Whether an issue holds its order because the payment may be fraud. */
export function isFraudIssue({ kind }: { kind: string }): boolean {
  return kind === "fraud_warning" || kind === "payment_review";
}
