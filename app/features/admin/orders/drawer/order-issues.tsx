import { useState } from "react";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Button } from "../../../../ui/button.tsx";
import { Panel } from "../../../../ui/card.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { IssueLink, isFraudIssue } from "../../issues/issue-link.tsx";
import { ActionButton } from "../../kit/action-button.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { May } from "../../rights.ts";
import { CancelOrder } from "./cancel-order.tsx";

type OrderIssue = AdminOrder["attention"][number];

/** Open issues of the order, each with the action that closes it. */
export function OrderIssues({ issues }: { issues: OrderIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <div className="grid gap-3">
      {issues.map((issue) => (
        <IssueBanner key={issue.id} issue={issue} />
      ))}
    </div>
  );
}

function IssueBanner({ issue }: { issue: OrderIssue }) {
  const { id, message, createdAt } = issue;
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

const titles: Record<string, string> = {
  fraud_warning: "early fraud warning",
  payment_review: "the payment is under review",
};

/** Why the payment may be fraud, with the possible decisions: refund it, or declare it safe. */
export function FraudHold({ order, onRefund }: { order: AdminOrder; onRefund: () => void }) {
  const [openDialog, setOpenDialog] = useState<"cancel" | OrderIssue | null>(null);
  const fraudIssues = order.attention.filter(isFraudIssue);
  if (fraudIssues.length === 0) return null;
  const { may, refundableCents } = order;
  const isOnHold = order.fulfilment === null && order.cancelledAt === null;
  return (
    <section aria-label={isOnHold ? "On hold" : "Fraud warning"}>
      {fraudIssues.map((issue) => (
        <Banner
          key={issue.id}
          className="mb-3"
          title={isOnHold ? `On hold: ${titles[issue.kind]}` : `Attention: ${titles[issue.kind]}`}
        >
          <p className="mt-1 wrap-anywhere">
            {issue.message}{" "}
            <span className="text-ink-muted">
              (<ShortDay iso={issue.createdAt} withTime />)
            </span>
          </p>
          <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1">
            <IssueLink {...issue} />
            <May call="POST /api/admin/attention/:id/resolve">
              <Button variant="secondary" size="small" onClick={() => setOpenDialog(issue)}>
                {isOnHold ? "Release the hold" : "Mark as settled"}
              </Button>
            </May>
          </div>
        </Banner>
      ))}
      {(may.cancel || may.refund) && (
        <Panel className="grid gap-x-3 gap-y-4 p-5! sm:grid-cols-2">
          {may.cancel && (
            <div className="grid content-start gap-2">
              <Button variant="danger" size="small" onClick={() => setOpenDialog("cancel")}>
                <span className="whitespace-nowrap">Cancel and refund</span>{" "}
                <span className="whitespace-nowrap">{formatCents(refundableCents)}</span>
              </Button>
              <p className="text-small text-ink-muted">
                All of the money goes back, and the units can go back in stock.
              </p>
            </div>
          )}
          {may.refund && (
            <div className="grid content-start gap-2">
              <Button variant="secondary" size="small" onClick={onRefund}>
                Refund only
              </Button>
              <p className="text-small text-ink-muted">
                All or part of the money.{" "}
                {isOnHold && "The order stays, and what is left of it stays on hold."}
              </p>
            </div>
          )}
        </Panel>
      )}
      {openDialog === "cancel" && <CancelOrder order={order} onClose={() => setOpenDialog(null)} />}
      {openDialog !== null && openDialog !== "cancel" && (
        <Release order={order} issue={openDialog} isOnHold={isOnHold} onClose={() => setOpenDialog(null)} />
      )}
    </section>
  );
}

function Release({
  order: { number },
  issue,
  isOnHold,
  onClose,
}: {
  order: AdminOrder;
  issue: OrderIssue;
  isOnHold: boolean;
  onClose: () => void;
}) {
  const form = useAdminForm(
    "POST /api/admin/attention/:id/resolve",
    { note: "" },
    {
      check: ({ note }): Record<string, string> => (note.trim() === "" ? { note: "Say why" } : {}),
      success: { title: isOnHold ? `Order #${number} is released` : "Marked as settled" },
    },
  );
  return (
    <FormDialog
      title={isOnHold ? `Release order #${number}?` : "Is this settled?"}
      description="Only if you are sure: if the payment was fraud after all, the bank takes back the whole sum, and the provider a fee."
      form={form}
      submitLabel={isOnHold ? "Release the hold" : "Mark as settled"}
      failure={isOnHold ? "The order is still on hold." : "It was not saved."}
      isReady
      send={() => form.run({ params: { id: issue.id }, body: { note: form.values.note.trim() } })}
      onClose={onClose}
    >
      <Field
        {...form.field("note")}
        label="Why you are sure"
        name="release-reason"
        hint="Kept in Activity, for you."
        maxLength={500}
      />
    </FormDialog>
  );
}
