import { isToAnswer } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { Banner } from "../../../../ui/error-banner.tsx";
import { IssueLink } from "../../issues/issue-link.tsx";
import { ActionButton } from "../../kit/action-button.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { May } from "../../rights.ts";
import { isHoldIssue } from "./hold-panel.tsx";

/** Open issues of the order besides those of its hold, each with the action that closes it. */
export function OrderIssues({ order }: { order: AdminOrder }) {
  return order.attention
    .filter((issue) => !isHoldIssue(order, issue))
    .map((issue) => (
      <IssueBanner
        key={issue.id}
        issue={issue}
        isNext={order.disputes.some((dispute) => dispute.id === issue.disputeId && isToAnswer(dispute))}
      />
    ));
}

function IssueBanner({
  issue,
  isNext,
}: {
  issue: AdminOrder["attention"][number];
  /** Whether the order needs this first. */
  isNext: boolean;
}) {
  const { id, message, createdAt } = issue;
  return (
    <Banner tone="warning" title="Needs attention">
      <p className="mt-1 wrap-anywhere">
        {message}{" "}
        <span className="text-ink-muted">
          (<ShortDay iso={createdAt} />)
        </span>
      </p>
      <div className="mt-2.5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <IssueLink {...issue} isNext={isNext} />
        <May call="POST /api/admin/attention/:id/resolve">
          <ActionButton
            call="POST /api/admin/attention/:id/resolve"
            success={{ title: "Closed" }}
            failure="Failed to close this"
            busyText="Closing..."
            send={(run) => run({ params: { id }, body: {} })}
          >
            I have dealt with this
          </ActionButton>
        </May>
      </div>
    </Banner>
  );
}
