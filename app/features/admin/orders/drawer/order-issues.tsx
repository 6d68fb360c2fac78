import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { Button } from "../../../../ui/button.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { IssueLink } from "../../issues/issue-link.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { May } from "../../may.tsx";

/** Open issues of the order, each with the action that closes it. */
export function OrderIssues({ issues }: { issues: AdminOrder["attention"] }) {
  if (issues.length === 0) return null;
  return (
    <div className="grid gap-3">
      {issues.map((issue) => (
        <OrderIssue key={issue.id} issue={issue} />
      ))}
    </div>
  );
}

function OrderIssue({ issue }: { issue: AdminOrder["attention"][number] }) {
  const { id, message, createdAt } = issue;
  const { busy, run } = useAdminAction("POST /api/admin/attention/:id/resolve", {
    success: { title: "Closed" },
    failure: "Failed to close this",
  });
  return (
    <Banner tone="warning" title="Needs attention">
      <p className="mt-1 wrap-anywhere">
        {message}{" "}
        <span className="text-ink-muted">
          (<ShortDay iso={createdAt} />)
        </span>
      </p>
      <div className="mt-2.5 flex flex-wrap items-center gap-x-4 gap-y-1">
        <IssueLink {...issue} />
        <May call="POST /api/admin/attention/:id/resolve">
          <Button
            variant="secondary"
            size="small"
            busy={busy}
            busyText="Closing..."
            onClick={() => void run({ params: { id }, body: {} })}
          >
            I have dealt with this
          </Button>
        </May>
      </div>
    </Banner>
  );
}
