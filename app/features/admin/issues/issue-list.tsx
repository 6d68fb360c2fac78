import { Link } from "react-router";
import type { Issue } from "../../../../domain/admin/admin.ts";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { DialogButton } from "../kit/action-button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { useAdminForm } from "../kit/use-admin-action.ts";
import { May } from "../rights.ts";
import { IssueLink, isFraudIssue } from "./issue-link.tsx";

/** Number of issues shown initially; more would push the page's other content out of view. */
const maxShown = 3;

/**
 * Issues for a person to decide, oldest first, each with a link to its order and a button that closes it. A fraud warning
 * is closed on the order's page only, beside refund and cancel, because closing it lets the order ship.
 */
export function IssueList({ issues }: { issues: Issue[] }) {
  const otherIssues = issues.slice(maxShown);
  return (
    <>
      <Issues issues={issues.slice(0, maxShown)} />
      {otherIssues.length > 0 && (
        <Disclosure title={`${otherIssues.length} more`}>
          <Issues issues={otherIssues} />
        </Disclosure>
      )}
    </>
  );
}

function Issues({ issues }: { issues: Issue[] }) {
  return (
    <ul className="grid gap-3">
      {issues.map((issue) => (
        <li key={issue.id}>
          <Banner
            tone="warning"
            title={issue.orderNumber === null ? "No order:" : `Order #${issue.orderNumber}:`}
          >
            <span className="wrap-anywhere">{issue.message}</span>{" "}
            <span className="text-small whitespace-nowrap text-ink-muted">
              <ShortDay iso={issue.createdAt} />
            </span>
            <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1">
              {issue.orderId !== null && (
                <Link
                  className="link inline-flex min-h-11 items-center"
                  to={`/admin/orders/${issue.orderId}`}
                >
                  Open the order
                </Link>
              )}
              <IssueLink {...issue} />
              {!isFraudIssue(issue) && (
                <May call="POST /api/admin/attention/:id/resolve">
                  <DialogButton dialog={(onClose) => <CloseIssue issue={issue} onClose={onClose} />}>
                    Mark as settled
                  </DialogButton>
                </May>
              )}
            </div>
          </Banner>
        </li>
      ))}
    </ul>
  );
}

function CloseIssue({ issue, onClose }: { issue: Issue; onClose: () => void }) {
  const form = useAdminForm(
    "POST /api/admin/attention/:id/resolve",
    { note: "" },
    { success: { title: "Marked as settled" } },
  );
  const { note } = form.values;
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Is this settled?"
      description={issue.message}
      confirmLabel="Mark as settled"
      busyText="Saving..."
      form={{ busy: form.busy, problem: form.fields.note ? null : form.problem }}
      danger={false}
      send={() => form.run({ params: { id: issue.id }, body: { note } })}
    >
      <TextArea
        {...form.field("note")}
        className="mt-4"
        label="What was done"
        optional
        maxLength={500}
        hint="Kept with the issue. Customers see it only if they ask for a copy of their data."
      />
    </ConfirmDialog>
  );
}
