import { useState } from "react";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Button } from "../../../../ui/button.tsx";
import { Panel } from "../../../../ui/card.tsx";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Field } from "../../../../ui/field.tsx";
import { isFraudIssue } from "../../issues/fraud-issue.ts";
import { IssueLink } from "../../issues/issue-link.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { useAdminForm } from "../../kit/use-admin-form.ts";
import { May } from "../../may.tsx";
import { CancelOrder } from "./cancel-order.tsx";

type FraudIssue = AdminOrder["attention"][number];

const titles: Record<string, string> = {
  fraud_warning: "early fraud warning",
  payment_review: "the payment is under review",
};

/** Why the payment may be fraud, and the ways out: the money goes back, or the owner says that all is well. */
export function FraudHold({ order, onRefund }: { order: AdminOrder; onRefund: () => void }) {
  const [asked, setAsked] = useState<"cancel" | FraudIssue | null>(null);
  const found = order.attention.filter(isFraudIssue);
  if (found.length === 0) return null;
  const { may, refundableCents } = order;
  const isHere = order.fulfilment === null && order.cancelledAt === null;
  return (
    <section aria-label={isHere ? "On hold" : "Fraud warning"}>
      {found.map((issue) => (
        <Banner
          key={issue.id}
          className="mb-3"
          title={isHere ? `On hold: ${titles[issue.kind]}` : `Attention: ${titles[issue.kind]}`}
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
              <Button variant="secondary" size="small" onClick={() => setAsked(issue)}>
                {isHere ? "Release the hold" : "Mark as settled"}
              </Button>
            </May>
          </div>
        </Banner>
      ))}
      {(may.cancel || may.refund) && (
        <Panel className="grid gap-x-3 gap-y-4 p-5! sm:grid-cols-2">
          {may.cancel && (
            <div className="grid content-start gap-2">
              <Button variant="danger" size="small" onClick={() => setAsked("cancel")}>
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
                All or part of the money. {isHere && "The order stays, and what is left of it stays on hold."}
              </p>
            </div>
          )}
        </Panel>
      )}
      {asked === "cancel" && <CancelOrder order={order} onClose={() => setAsked(null)} />}
      {asked !== null && asked !== "cancel" && (
        <Release order={order} issue={asked} isHere={isHere} onClose={() => setAsked(null)} />
      )}
    </section>
  );
}

function Release({
  order: { number },
  issue,
  isHere,
  onClose,
}: {
  order: AdminOrder;
  issue: FraudIssue;
  isHere: boolean;
  onClose: () => void;
}) {
  const form = useAdminForm(
    "POST /api/admin/attention/:id/resolve",
    { note: "" },
    {
      check: ({ note }): Record<string, string> => (note.trim() === "" ? { note: "Say why" } : {}),
      success: { title: isHere ? `Order #${number} is released` : "Marked as settled" },
    },
  );
  return (
    <FormDialog
      id="release"
      title={isHere ? `Release order #${number}?` : "Is this settled?"}
      description="Only if you are sure: if the payment was fraud after all, the bank takes back the whole sum, and the provider a fee."
      form={form}
      submitLabel={isHere ? "Release the hold" : "Mark as settled"}
      busyText="Saving..."
      failure={isHere ? "The order is still on hold." : "It was not saved."}
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
