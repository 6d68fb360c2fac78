import type { AdminOrder } from "../../../../../domain/orders/admin-order.ts";
import { editText, type OrderEdit } from "../../../../../domain/orders/order-edit.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Panel } from "../../../../ui/card.tsx";
import { ActionButton } from "../../kit/action-button.tsx";
import { ButtonWithConfirmation } from "../../kit/confirm-dialog.tsx";
import { CopyLinkButton, usePaymentLinkTexts } from "../../kit/copy.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { useMayCall } from "../../rights.ts";
import { payerOf } from "../order-labels.ts";

/** The unpaid order edit, with its payment link. */
export function WaitingEdit({ order }: { order: AdminOrder }) {
  const edit = order.changes.find(({ status }) => status === "waiting");
  return edit ? <WaitingEditPanel order={order} edit={edit} /> : null;
}

function WaitingEditPanel({ order, edit }: { order: AdminOrder; edit: OrderEdit }) {
  const linkTexts = usePaymentLinkTexts(order.email);
  const mayEdit = useMayCall("POST /api/admin/orders/:id/items");
  const params = { id: order.id, changeId: edit.id };
  const amount = formatCents(edit.difference);

  return (
    <Panel className="grid gap-3 border-gold! p-5!">
      <h2 className="text-h3">
        Waits for payment: <span className="tabular-nums">{amount}</span>
      </h2>
      <p className="text-ui wrap-anywhere">{editText(edit)}</p>
      <p className="text-small text-ink-muted">
        The order stays unchanged and on hold until {payerOf(order)} has paid
        {edit.expiresAt && (
          <>
            {" "}
            or until <ShortDay iso={edit.expiresAt} withTime />
          </>
        )}
        . The added units are reserved. If you ship the order without them, the change is withdrawn.
      </p>
      {mayEdit && (
        <div className="flex flex-wrap gap-2">
          <ActionButton
            variant="primary"
            call="POST /api/admin/orders/:id/items/:changeId/send"
            {...linkTexts}
            busyText="Sending..."
            send={(run) => run({ params })}
          >
            {edit.sentAt ? "Send the link again" : "Send the link"}
          </ActionButton>
          <CopyLinkButton
            call="POST /api/admin/orders/:id/items/:changeId/link"
            send={(run) => run({ params })}
          />
          <ButtonWithConfirmation
            label="Withdraw change"
            title={`Withdraw the change of order #${order.number}?`}
            description={`The link for ${amount} stops working, and the order stays as it was. Nobody is notified.`}
            confirmLabel="Withdraw change"
            keepLabel="Keep it waiting"
            busyText="Withdrawing..."
            call="POST /api/admin/orders/:id/items/:changeId/withdraw"
            success={{ title: "The change was withdrawn", description: "Its payment link no longer works." }}
            send={(run) => run({ params })}
          />
        </div>
      )}
      {edit.sentAt && (
        <p className="text-small text-ink-muted">
          Sent <ShortDay iso={edit.sentAt} withTime /> to {order.email}
        </p>
      )}
    </Panel>
  );
}
