import { bundleNote } from "../../../../../domain/catalog/bundles.ts";
import type { AdminOrder, AdminOrderItem } from "../../../../../domain/orders/admin-order.ts";
import { editText, type OrderEdit } from "../../../../../domain/orders/order-edit.ts";
import { formatShort } from "../../../../../domain/orders/order-text.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Panel } from "../../../../ui/card.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import { OrderImage } from "../../../orders/order-items.tsx";
import { ActionButton } from "../../kit/action-button.tsx";
import { ButtonWithConfirmation } from "../../kit/confirm-dialog.tsx";
import { CopyLinkButton, usePaymentLinkTexts } from "../../kit/copy.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { useMayCall, useRights } from "../../rights.ts";
import { payerName } from "../order-labels.ts";

/** The order's lines; packers see no amounts. */
export function OrderItems({ order, onEdit }: { order: AdminOrder; onEdit: () => void }) {
  const seesMoney = useRights().role !== "packer";
  return (
    <section aria-label="Items" className="min-w-0 p-4 lg:p-5">
      <ul className="grid gap-3">
        {order.items.map((item) => (
          <li
            key={item.productId}
            className="grid grid-cols-[52px_minmax(0,1fr)_auto] items-center gap-3.5 text-ui leading-snug"
          >
            <OrderImage url={item.image} className="h-15 w-13" />
            <span className="min-w-0 wrap-anywhere">
              <b className="text-[1.0625rem] font-semibold">{item.quantity} ×</b> {item.name}
              <LineNotes
                item={item}
                shippedCount={order.shipments
                  .flatMap(({ items }) => items)
                  .reduce(
                    (sum, { productId, quantity }) => sum + (productId === item.productId ? quantity : 0),
                    0,
                  )}
                seesMoney={seesMoney}
              />
            </span>
            {seesMoney && <span className="font-medium tabular-nums">{formatCents(item.total)}</span>}
          </li>
        ))}
      </ul>
      {order.may.editItems && (
        <TextButton className="-mb-3 max-lg:hidden" onClick={onEdit}>
          Edit items
        </TextButton>
      )}
    </section>
  );
}

function LineNotes({
  item: { sku, price, quantity, bundles, bundleSaving, returned, toShip, batches },
  shippedCount,
  seesMoney,
}: {
  item: AdminOrderItem;
  shippedCount: number;
  seesMoney: boolean;
}) {
  return (
    <span className="block text-small text-ink-muted">
      {shippedCount > 0 && toShip > 0 && (
        <span className="block">
          {shippedCount} shipped, {toShip} to ship
        </span>
      )}
      {sku && <span className="block">SKU {sku}</span>}
      {seesMoney && quantity > 1 && <span className="block">{formatCents(price)} each</span>}
      {seesMoney && bundles.length > 0 && <span className="block">{bundleNote(bundles, bundleSaving)}</span>}
      {batches.map((batch) => (
        <span key={batch.code} className="block">
          Batch {batch.code}
          {batches.length > 1 && ` (${batch.quantity})`}, best before{" "}
          <span className="whitespace-nowrap">{formatShort(batch.bestBefore, "UTC", "day")}</span>
        </span>
      ))}
      {returned > 0 && <span className="block">{returned} back in stock</span>}
    </span>
  );
}

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
      <h2 className="card-title">
        Waiting for payment: <span className="tabular-nums">{amount}</span>
      </h2>
      <p className="text-ui wrap-anywhere">{editText(edit)}</p>
      <p className="text-small text-ink-muted">
        The order stays unchanged and on hold until {payerName(order)} has paid
        {edit.expiresAt && (
          <>
            {" "}
            or until <ShortDay iso={edit.expiresAt} withTime />
          </>
        )}
        . The added units are reserved. If you ship the order without them, the edit is withdrawn.
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
            label="Withdraw edit"
            title={`Withdraw the edit to order #${order.number}?`}
            description={`The link for ${amount} stops working, and the order stays as it was. Nobody is notified.`}
            confirmLabel="Withdraw edit"
            keepLabel="Keep it"
            busyText="Withdrawing..."
            call="POST /api/admin/orders/:id/items/:changeId/withdraw"
            success={{ title: "The edit was withdrawn", description: "Its payment link no longer works." }}
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
