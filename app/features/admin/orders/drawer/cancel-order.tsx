import { useState } from "react";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Field } from "../../../../ui/field.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { Switch } from "../../kit/switch.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMailWords } from "../../kit/use-mail-words.ts";
import { payerOf } from "../order-labels.ts";

/** The question before an order is cancelled. */
export function CancelOrder({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const [isBack, setBack] = useState(true);
  const mailWords = useMailWords();
  const { busy, problem, fields, run } = useAdminAction("POST /api/admin/orders/:id/cancel", {
    success: {
      title: `Order #${order.number} is cancelled`,
      description: mailWords("The customer gets an email."),
    },
    failure: null,
  });
  const isPaid = order.paidAt !== null;

  async function cancel() {
    const answer = await run({
      params: { id: order.id },
      body: { reason: reason.trim() || null, restock: isBack },
      timeoutMs: 60_000,
    });
    if (answer.ok) onClose();
  }

  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Cancel order #${order.number}?`}
      description={
        isPaid
          ? `It will not ship, and ${moneyBack(order)}. This cannot be undone.`
          : "It can no longer be paid, and its units are free again. This cannot be undone."
      }
      confirmLabel={
        isPaid && order.refundableCents > 0
          ? `Cancel and refund ${formatCents(order.refundableCents)}`
          : "Cancel this order"
      }
      keepLabel="Keep the order"
      busyText="Cancelling..."
      busy={busy}
      problem={problem}
      onConfirm={() => void cancel()}
    >
      <div className="mt-4 grid gap-4">
        <Field
          label="Reason"
          optional
          name="cancel-reason"
          hint="The customer can read it."
          maxLength={500}
          value={reason}
          disabled={busy}
          error={fields.reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {isPaid && (
          <Switch
            name="cancel-restock"
            label="Put its units back on the shelf"
            hint="Turn this off if they are lost or damaged."
            checked={isBack}
            disabled={busy}
            onChange={setBack}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}

function moneyBack(order: AdminOrder): string {
  if (order.refundableCents === 0) return "no money goes back from here";
  const sum = formatCents(order.refundableCents);
  return order.payment?.provider === "manual"
    ? `${sum} is recorded as paid back to ${payerOf(order)}: pay it back yourself, as it was paid outside the shop`
    : `${sum} goes back to ${payerOf(order)}`;
}
