import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Field } from "../../../../ui/field.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { Switch } from "../../kit/switch.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { payerOf } from "../order-labels.ts";

/** Asks for confirmation before an order is cancelled. */
export function CancelOrder({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const mailNotice = useMailNotice();
  const form = useAdminForm(
    "POST /api/admin/orders/:id/cancel",
    { reason: "", restock: true },
    {
      success: {
        title: `Order #${order.number} is cancelled`,
        description: mailNotice("The customer gets an email."),
      },
    },
  );
  const { reason, restock } = form.values;
  const { busy } = form;
  const isPaid = order.paidAt !== null;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Cancel order #${order.number}?`}
      description={
        isPaid
          ? `It will not ship, and ${refundText(order)}. This cannot be undone.`
          : "It can no longer be paid, and its units are released. This cannot be undone."
      }
      confirmLabel={
        isPaid && order.refundableCents > 0
          ? `Cancel and refund ${formatCents(order.refundableCents)}`
          : "Cancel this order"
      }
      keepLabel="Keep the order"
      busyText="Cancelling..."
      form={form}
      send={() =>
        form.run({
          params: { id: order.id },
          body: { reason: reason.trim() || null, restock },
          timeoutMs: 60_000,
        })
      }
    >
      <div className="mt-4 grid gap-4">
        <Field
          {...form.field("reason")}
          label="Reason"
          optional
          name="cancel-reason"
          hint="The customer can read it."
          maxLength={500}
          disabled={busy}
        />
        {isPaid && (
          <Switch
            {...form.field("restock")}
            name="cancel-restock"
            label="Put its units back on the shelf"
            hint="Turn this off if they are lost or damaged."
            disabled={busy}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}

function refundText(order: AdminOrder): string {
  if (order.refundableCents === 0) return "no money is refunded";
  const sum = formatCents(order.refundableCents);
  return order.payment?.provider === "manual"
    ? `${sum} is recorded as refunded to ${payerOf(order)}: pay it yourself, as the order was paid outside the shop`
    : `${sum} is refunded to ${payerOf(order)}`;
}
