import ShieldAlert from "lucide-react/icons/shield-alert";
import { type ShipHold, shipHoldText } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { IssueLink, isFraudIssue } from "../../issues/issue-link.tsx";
import { DialogButton, PanelButton } from "../../kit/action-button.tsx";
import { FormDialog } from "../../kit/form-dialog.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMayCall, useRights } from "../../rights.ts";
import type { OrderDialogName } from "./order-dialogs.tsx";

const titles: Record<ShipHold, string> = {
  dispute: "On hold: disputed",
  refund: "On hold: being refunded",
  fraud: "On hold: early fraud warning",
  review: "On hold: the payment is under review",
  owner: "On hold",
  change: "",
  test: "A test order",
};

type OrderIssue = AdminOrder["attention"][number];

/** Whether the hold's panel explains the issue, which closes when the hold ends. */
export function isHoldIssue(order: AdminOrder, issue: Pick<OrderIssue, "kind">): boolean {
  return (
    isFraudIssue(issue) ||
    (issue.kind === "packing_problem" && order.hold !== null) ||
    (issue.kind === "dispute" && order.shipHold === "dispute" && isOnHold(order))
  );
}

/** Whether to show the panel: the order may not ship, or its payment may be fraud. A waiting edit has its own panel. */
export function isOnHold(order: AdminOrder): boolean {
  return (
    order.attention.some(isFraudIssue) || ((order.may.ship || isPaidAndUnshipped(order)) && hasHold(order))
  );
}

function isPaidAndUnshipped({ fulfilment, cancelledAt, status }: AdminOrder): boolean {
  return fulfilment === null && cancelledAt === null && ["completed", "partially_refunded"].includes(status);
}

function hasHold({ shipHold }: AdminOrder): boolean {
  return shipHold !== null && shipHold !== "change";
}

/** Explains why an order must not ship, and offers to refund it or to release it with a reason. */
export function HoldPanel({
  order,
  onOpen,
}: {
  order: AdminOrder;
  onOpen: (dialog: OrderDialogName) => void;
}) {
  const { may, refundableCents, hold } = order;
  const { role } = useRights();
  const shipHold = isPaidAndUnshipped(order) && hasHold(order) ? order.shipHold : null;
  const issues = order.attention.filter((issue) => isHoldIssue(order, issue));
  const isManualHold = shipHold === "owner";
  const release = useRelease(order, issues);
  const fraudIssue = order.attention.find(isFraudIssue);
  const title = shipHold
    ? titles[shipHold]
    : fraudIssue?.kind === "payment_review"
      ? "Attention: the payment is under review"
      : "Attention: early fraud warning";
  const canAct = role !== "packer" && (may.cancel || may.refund);
  const releaseRow = release && (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line px-4 py-3 not-last:border-b not-first:border-t">
      <span className="text-small text-ink-muted">{release.question}</span>
      {release.button}
    </div>
  );
  return (
    <section aria-label={title} className="overflow-hidden rounded-md border border-danger-line bg-surface">
      <div
        className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 bg-danger-bg p-4 ${canAct || release ? "border-b border-danger-line" : ""}`}
      >
        <Icon glyph={ShieldAlert} className="mt-0.5 text-danger" />
        <div className="text-ui wrap-anywhere">
          <h2 className="card-title text-danger">{title}</h2>
          {issues.map((issue) => (
            <div key={issue.id}>
              <p>{issue.message}</p>
              <p className="mb-1.5 text-small text-ink-muted">
                <ShortDay iso={issue.createdAt} withTime />
              </p>
              <IssueLink {...issue} isNext={issue.dueAt !== null} />
            </div>
          ))}
          {isManualHold && hold?.reason && issues.length === 0 && <p>Reason: {hold.reason}</p>}
          {isManualHold ? (
            <p>Do not ship this order yet.</p>
          ) : (
            shipHold && issues.length === 0 && <p>{shipHoldText[shipHold]}</p>
          )}
        </div>
      </div>
      {isManualHold && releaseRow}
      {canAct && (
        <div className="grid gap-3 p-4 sm:grid-cols-2">
          {may.cancel && (
            <div className="grid content-start gap-2">
              <PanelButton
                variant={isManualHold || refundableCents === 0 ? "danger-quiet" : "danger"}
                block
                onClick={() => onOpen("cancel")}
              >
                {refundableCents === 0 ? (
                  "Cancel this order"
                ) : (
                  <>
                    <span className="whitespace-nowrap">Cancel and refund</span>{" "}
                    <span className="whitespace-nowrap">{formatCents(refundableCents)}</span>
                  </>
                )}
              </PanelButton>
              <p className="text-small text-ink-muted">
                {refundableCents === 0 ? "Nothing is left to refund." : "The whole payment is refunded."} The
                units can go back in stock.
              </p>
            </div>
          )}
          {may.refund && (
            <div className="grid content-start gap-2">
              <PanelButton block onClick={() => onOpen("refund")}>
                Refund only
              </PanelButton>
              <p className="text-small text-ink-muted">
                All or part of the money. {shipHold && "The rest of the order stays on hold."}
              </p>
            </div>
          )}
        </div>
      )}
      {!isManualHold && releaseRow}
    </section>
  );
}

/** Question and button that end the hold or settle the fraud warning. Null if it cannot be ended here, or not by the viewer. */
function useRelease(order: AdminOrder, issues: readonly OrderIssue[]) {
  const mayHold = useMayCall("POST /api/admin/orders/:id/hold");
  const mayResolve = useMayCall("POST /api/admin/attention/:id/resolve");
  const fraudIssue = issues.find(isFraudIssue);
  const isHeld = isPaidAndUnshipped(order) && hasHold(order);
  const button = (
    <DialogButton
      variant={fraudIssue ? "secondary" : "primary"}
      className="max-sm:grow"
      dialog={(onClose) =>
        fraudIssue ? (
          <ReleaseWarning order={order} issue={fraudIssue} isHeld={isHeld} onClose={onClose} />
        ) : (
          <ReleaseHold order={order} onClose={onClose} />
        )
      }
    >
      {isHeld ? "Release the hold" : "Mark as settled"}
    </DialogButton>
  );
  if (fraudIssue) return mayResolve ? { question: "Did the customer confirm the payment?", button } : null;
  return order.hold && mayHold ? { question: "Is the problem solved, so that it can ship?", button } : null;
}

function ReleaseWarning({
  order: { number },
  issue,
  isHeld,
  onClose,
}: {
  order: AdminOrder;
  issue: OrderIssue;
  isHeld: boolean;
  onClose: () => void;
}) {
  const form = useAdminForm(
    "POST /api/admin/attention/:id/resolve",
    { note: "" },
    {
      check: ({ note }): Record<string, string> => (note.trim() === "" ? { note: "Say why" } : {}),
      success: { title: isHeld ? `Order #${number} is released` : "Marked as settled" },
    },
  );
  return (
    <FormDialog
      title={isHeld ? `Release order #${number}?` : "Is this settled?"}
      description="Only if you are sure: if the payment was fraud after all, the bank takes back the whole sum, and the provider charges a fee."
      form={form}
      submitLabel={isHeld ? "Release the hold" : "Mark as settled"}
      failure={isHeld ? "The order is still on hold." : "It was not saved."}
      send={() => form.run({ params: { id: issue.id }, body: { note: form.values.note.trim() } })}
      onClose={onClose}
    >
      <Field
        {...form.field("note")}
        label="Why you are sure"
        name="release-reason"
        hint="Shown in Activity. Customers see it only if they ask for a copy of their data."
        maxLength={500}
      />
    </FormDialog>
  );
}

function ReleaseHold({ order: { id, number }, onClose }: { order: AdminOrder; onClose: () => void }) {
  const form = useAdminForm(
    "POST /api/admin/orders/:id/hold",
    { reason: "" },
    {
      check: ({ reason }): Record<string, string> => (reason.trim() === "" ? { reason: "Say why" } : {}),
      success: { title: `Order #${number} can be shipped again` },
    },
  );
  return (
    <FormDialog
      title={`Release order #${number}?`}
      description="It goes back to “To ship”. The customer is not notified."
      form={form}
      submitLabel="Release the hold"
      failure="The order is still on hold."
      send={() => form.run({ params: { id }, body: { held: false, reason: form.values.reason.trim() } })}
      onClose={onClose}
    >
      <Field
        {...form.field("reason")}
        label="Why it can ship"
        name="release-reason"
        hint="Shown in Activity and in the order’s timeline; the customer does not see it."
        maxLength={200}
      />
    </FormDialog>
  );
}
