import { type ComponentType, lazy, Suspense } from "react";
import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { isOpen } from "../../../../../domain/orders/order-return.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Field } from "../../../../ui/field.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { FormDialog, FormFields } from "../../kit/form-dialog.tsx";
import { Switch } from "../../kit/switch.tsx";
import { useAdminForm } from "../../kit/use-admin-action.ts";
import { useMailNotice } from "../../kit/use-mail-notice.ts";
import { payerName } from "../order-labels.ts";
import { RefundDialog, useRefund } from "./order-refund.tsx";
import { ShipAnyway } from "./ship-form.tsx";
import { RestockFields, type UnitsByProduct, unitLines } from "./unit-fields.tsx";

type OrderDialog = ComponentType<{ order: AdminOrder; onClose: () => void }>;

const followUpDialogs = () => import("../follow-up-dialogs.tsx");

/** Dialogs of the order's page, opened by its menu and its buttons. */
const dialogs = {
  cancel: CancelOrder,
  restock: RestockOrder,
  hold: HoldDialog,
  anyway: ShipAnyway,
  problem: lazy(async () => ({ default: (await import("../packing-problem.tsx")).ProblemDialog })),
  replacement: lazy(async () => ({ default: (await followUpDialogs()).ReplacementDialog })),
  exchange: lazy(async () => ({ default: (await followUpDialogs()).ExchangeDialog })),
  items: lazy(() => import("./edit-items-dialog.tsx")),
  // Loaded on demand, because it contains the address rules of all countries.
  contact: lazy(() => import("./contact-dialog.tsx")),
} satisfies Record<string, OrderDialog>;

/** `received`: refunds an open return whose goods have arrived. */
export type OrderDialogName = keyof typeof dialogs | "refund" | "received";

export function OrderDialogs({
  order,
  openDialog,
  onClose,
}: {
  order: AdminOrder;
  openDialog: OrderDialogName | null;
  onClose: () => void;
}) {
  // Outside the dialog, so that a reopened dialog repeats the same refund with the same key.
  const refundCall = useRefund(order);
  if (openDialog === null) return null;
  if (openDialog === "refund" || openDialog === "received") {
    const receivedReturn = openDialog === "received" ? order.returns.find(isOpen) : undefined;
    return (
      <RefundDialog order={order} refundCall={refundCall} receivedReturn={receivedReturn} onClose={onClose} />
    );
  }
  const DialogComponent: OrderDialog = dialogs[openDialog];
  return (
    <Suspense>
      <DialogComponent order={order} onClose={onClose} />
    </Suspense>
  );
}

/** Restocks units of a parcel that came back, without a refund. */
function RestockOrder({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const form = useAdminForm(
    "POST /api/admin/orders/:id/restock",
    { restock: {} as UnitsByProduct },
    { success: { title: "The units are back on the shelf" } },
  );
  const restock = unitLines(form.values.restock);
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Put units back on the shelf"
      description="Choose what came back and can be sold again. This refunds no money."
      confirmLabel="Put back"
      form={form}
      danger={false}
      disabled={restock.length === 0}
      send={() => form.run({ params: { id: order.id }, body: { restock } })}
    >
      <FormFields name="Units" busy={form.busy} className="mt-4">
        <RestockFields {...form.field("restock")} items={order.items} />
      </FormFields>
    </ConfirmDialog>
  );
}

function HoldDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const form = useAdminForm(
    "POST /api/admin/orders/:id/hold",
    { reason: "" },
    { success: { title: `Order #${order.number} is on hold` } },
  );
  return (
    <FormDialog
      title={`Put order #${order.number} on hold?`}
      description="It moves from “To ship” to “Problems” until you release it. The customer is not notified."
      form={form}
      submitLabel="Put on hold"
      failure="The order was not put on hold."
      send={() =>
        form.run({
          params: { id: order.id },
          body: { held: true, reason: form.values.reason.trim() || null },
        })
      }
      onClose={onClose}
    >
      <Field
        {...form.field("reason")}
        label="Why"
        optional
        name="hold-reason"
        hint="For the panel only."
        maxLength={200}
      />
    </FormDialog>
  );
}

/** Asks for confirmation before an order is cancelled. */
function CancelOrder({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
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
      <FormFields name="Cancellation" busy={form.busy} className="mt-4 grid gap-4">
        <Field
          {...form.field("reason")}
          label="Reason"
          optional
          name="cancel-reason"
          hint="The customer can read it."
          maxLength={500}
        />
        {isPaid && (
          <Switch
            {...form.field("restock")}
            name="cancel-restock"
            label="Put its units back on the shelf"
            hint="Turn this off if they are lost or damaged."
          />
        )}
      </FormFields>
    </ConfirmDialog>
  );
}

function refundText(order: AdminOrder): string {
  if (order.refundableCents === 0) return "no money is refunded";
  const sum = formatCents(order.refundableCents);
  return order.payment?.isManual
    ? `${sum} is recorded as refunded to ${payerName(order)}: pay it yourself, as the order was paid outside the shop`
    : `${sum} is refunded to ${payerName(order)}`;
}
