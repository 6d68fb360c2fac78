import Truck from "lucide-react/icons/truck";
import { useState } from "react";
import { Link, useLocation } from "react-router";
import type { InvoiceRow } from "../../../../../domain/books/invoice.ts";
import { disputeNotes, isDisputeOver } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder, AdminOrderActions } from "../../../../../domain/orders/admin-order.ts";
import { deliveryLabel, paymentLabel } from "../../../../../domain/orders/admin-orders.ts";
import { type OrderEvent, paidBackCents, payableCents } from "../../../../../domain/orders/order.ts";
import { orderStatusLabel } from "../../../../../domain/orders/order-status.ts";
import { orderTagMax, orderTagsMax } from "../../../../../domain/orders/order-tags.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { OrderInvoices } from "../../books/order-invoices.tsx";
import { isFraudIssue } from "../../issues/issue-link.tsx";
import { ActionButton } from "../../kit/action-button.tsx";
import { Drawer, DrawerSection } from "../../kit/drawer.tsx";
import { NotesEditor } from "../../kit/notes-editor.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { TagEditor } from "../../kit/tag-editor.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useRefreshWhile } from "../../kit/use-refresh-while.ts";
import { useMay, useRights } from "../../rights.ts";
import { cutId, deliveryLabels, paymentBadge } from "../order-labels.ts";
import { OrderCustomer } from "./order-customer.tsx";
import { WaitingEdit } from "./order-edits.tsx";
import { FraudHold, OrderIssues } from "./order-issues.tsx";
import { OrderLines } from "./order-lines.tsx";
import { OrderMore } from "./order-more.tsx";
import { OrderPaymentFacts } from "./order-payment.tsx";
import { OrderRefund } from "./order-refund.tsx";
import { OrderReturns } from "./order-returns.tsx";
import { ParcelFacts } from "./parcel-facts.tsx";
import { HoldBanner, ShipForm, shipFormId } from "./ship-form.tsx";

/** One order beside the list, with its details and possible actions. */
export function OrderDrawer({
  order: storedOrder,
  invoices,
}: {
  order: AdminOrder;
  invoices: readonly InvoiceRow[];
}) {
  const order = { ...storedOrder, may: useOwnActions(storedOrder) };
  const { role } = useRights();
  const { search } = useLocation();
  const [isShipping, setShipping] = useState(false);
  const [isRefunding, setRefunding] = useState(false);
  const pendingRefunds = order.refunds.filter(({ status }) => status === "pending").length;
  useRefreshWhile(pendingRefunds, { everyMs: 4_000, timesMax: 15 });
  const id = order.payment?.intentId ?? order.id;
  return (
    <Drawer
      title={`Order #${order.number}`}
      subtitle={
        <>
          <ShortDay iso={order.createdAt} withTime />
          <span title={id}>, {cutId(id)}</span>
        </>
      }
      closeTo={`/admin/orders${search}`}
      footer={footerOf(order, isShipping)}
    >
      <div className="grid gap-7">
        <OrderBadges order={order} />
        {role !== "packer" && <FraudHold order={order} onRefund={() => setRefunding(true)} />}
        <div>
          <OrderMore order={order} />
          <OrderRefund order={order} isOpen={isRefunding} onToggle={setRefunding} />
        </div>
        <OrderIssues issues={order.attention.filter((issue) => !isFraudIssue(issue))} />
        {role !== "packer" && <WaitingEdit order={order} />}
        <OrderReturns order={order} />
        {order.may.ship ? (
          <ShipForm order={order} onBusy={setShipping} />
        ) : (
          storedOrder.may.ship && <HoldBanner order={order} />
        )}
        <OrderCustomer order={order} />
        <OrderLines order={order} />
        {order.shipments.length > 0 && <ParcelFacts order={order} />}
        {role !== "packer" && (
          <>
            <OrderPaymentFacts order={order} />
            <OrderInvoices order={order} invoices={invoices} />
            <OrderTags order={order} />
            <OrderNotes order={order} />
            <OrderHistory order={order} />
          </>
        )}
      </div>
    </Drawer>
  );
}

/** The order's next step, always in view. */
function footerOf(order: AdminOrder, isShipping: boolean) {
  if (order.may.ship) {
    return (
      <Button type="submit" form={shipFormId} size="small" block busy={isShipping} busyText="Saving...">
        <Icon glyph={Truck} size="small" /> {order.shipHold ? "Ship it anyway" : "Mark as shipped"}
      </Button>
    );
  }
  if (!order.may.deliver) return undefined;
  return (
    <ActionButton
      variant="primary"
      block
      call="POST /api/admin/orders/:id/deliver"
      success={{ title: `Order #${order.number} is delivered` }}
      failure="Failed to mark the order as delivered"
      send={(run) => run({ params: { id: order.id } })}
    >
      Mark as delivered
    </ActionButton>
  );
}

function OrderBadges({ order }: { order: AdminOrder }) {
  const { chargedBack, total } = order.totals;
  const refunded = paidBackCents(order.totals);
  const payment = paymentBadge({
    status: paymentLabel(order.status),
    payment: order.paymentState,
    chargedBack,
  });
  const delivery =
    deliveryLabels[
      deliveryLabel({
        ...order,
        shippedAt: order.fulfilment?.shippedAt ?? null,
        partlyShippedAt: order.shipments[0]?.shippedAt ?? null,
        deliveredAt: order.fulfilment?.deliveredAt ?? null,
      })
    ];
  return (
    <p className="flex flex-wrap gap-2">
      {order.isTest && <Badge tone="blue">Test</Badge>}
      <Badge tone={payment.tone}>{payment.label}</Badge>
      {refunded > 0 && refunded < payableCents(order.totals) && <Badge tone="blue">Refunded in part</Badge>}
      {chargedBack > 0 && chargedBack < total && <Badge tone="red">Charged back in part</Badge>}
      {order.disputes.some((dispute) => !isDisputeOver(dispute)) && <Badge tone="red">Disputed</Badge>}
      <Badge tone={delivery.tone}>{delivery.label}</Badge>
      {order.gift && <Badge tone="cream">Gift</Badge>}
      {order.erasedAt && <Badge tone="cream">Personal data deleted</Badge>}
    </p>
  );
}

/** Internal notes about an order. */
function OrderNotes({ order: { id, notes } }: { order: AdminOrder }) {
  const mayWrite = useMay("POST /api/admin/orders/:id/notes");
  const mayDelete = useMay("DELETE /api/admin/orders/:id/notes/:noteId");
  const add = useAdminAction("POST /api/admin/orders/:id/notes", { failure: "The note was not saved" });
  const remove = useAdminAction("DELETE /api/admin/orders/:id/notes/:noteId", { failure: null });
  return (
    <DrawerSection title="Notes">
      {notes.length === 0 && !mayWrite && <p className="text-ui text-ink-muted">No notes.</p>}
      <NotesEditor
        notes={notes}
        draftKey={`order:${id}`}
        hint="Only you see it."
        adding={add}
        deleting={remove}
        mayWrite={mayWrite}
        mayDelete={mayDelete}
        onAdd={async (text) => (await add.run({ params: { id }, body: { text } })).ok}
        onDelete={async (note) => (await remove.run({ params: { id, noteId: note.id } })).ok}
      />
    </DrawerSection>
  );
}

/** Internal tags of an order; each links to the list of orders that have it. */
function OrderTags({ order: { id, tags } }: { order: AdminOrder }) {
  const mayTag = useMay("PATCH /api/admin/orders/:id/tags");
  const { busy, problem, fields, run } = useAdminAction("PATCH /api/admin/orders/:id/tags", {
    failure: "The tags were not saved",
  });
  const change = (body: { add?: string[]; remove?: string[] }) => run({ params: { id }, body });
  const [error] = Object.values(fields);
  if (!mayTag && tags.length === 0) return null;
  return (
    <DrawerSection title="Tags">
      <TagEditor
        tags={tags}
        name="order-tag"
        lengthMax={orderTagMax}
        countMax={orderTagsMax}
        busy={busy}
        error={error ?? (problem?.status === 409 ? problem.message : undefined)}
        isReadOnly={!mayTag}
        show={(tag) => (
          <Link to={`/admin/orders?${new URLSearchParams({ status: "all", tag })}`} className="wrap-anywhere">
            {tag}
          </Link>
        )}
        onAdd={async (more) => (await change({ add: more })).ok}
        onRemove={(tag) => void change({ remove: [tag] })}
      />
    </DrawerSection>
  );
}

/** The order's possible actions that the role may take. An order on hold is shipped only by a role that may release it. */
function useOwnActions({ may, shipHold }: Pick<AdminOrder, "may" | "shipHold">): AdminOrderActions {
  const mayShipHeld = useMay("POST /api/admin/orders/:id/hold");
  return {
    ship: useMay("POST /api/admin/orders/:id/ship") && may.ship && (shipHold === null || mayShipHeld),
    correctParcel: useMay("PATCH /api/admin/orders/:id/fulfilment") && may.correctParcel,
    deliver: useMay("POST /api/admin/orders/:id/deliver") && may.deliver,
    refund: useMay("POST /api/admin/orders/:id/refund") && may.refund,
    restock: useMay("POST /api/admin/orders/:id/restock") && may.restock,
    cancel: useMay("POST /api/admin/orders/:id/cancel") && may.cancel,
    resendConfirmation: useMay("POST /api/admin/orders/:id/resend-confirmation") && may.resendConfirmation,
    editItems: useMay("POST /api/admin/orders/:id/items") && may.editItems,
  };
}

/** Every change of the order's state with time and author, newest first. */
function OrderHistory({ order: { events } }: { order: AdminOrder }) {
  return (
    <DrawerSection title="Timeline">
      <ol className="grid gap-3 border-l-2 border-sand pl-4">
        {[...events].reverse().map((event) => (
          <li key={`${event.at}${event.to}${event.note}`} className="text-ui">
            <span className="font-medium">{titleOf(event)}</span>
            <span className="block text-small wrap-anywhere text-ink-muted">
              <ShortDay iso={event.at} withTime />, by {event.by ?? actors[event.actor] ?? event.actor}
              {hasOwnNote(event) && `: ${event.note}`}
            </span>
          </li>
        ))}
      </ol>
    </DrawerSection>
  );
}

/** A change without a new status, such as one of several refunds, is titled by its note. */
function titleOf({ from, to, note }: OrderEvent): string {
  if (from === to || isOfDispute(note)) return note ?? orderStatusLabel(to);
  if (to === "pending") return "Placed";
  if (to === "completed") return from === "pending" || from === "cancelled" ? "Paid" : "Refund came back";
  return to === "cancelled" ? "Ended without a payment" : orderStatusLabel(to);
}

function hasOwnNote({ from, to, note }: OrderEvent): boolean {
  if (from === to || note === null || isOfDispute(note)) return false;
  return note !== "Paid";
}

function isOfDispute(note: string | null): boolean {
  return note === disputeNotes.lost || note === disputeNotes.overturned;
}

const actors: Record<string, string> = {
  shopper: "the customer",
  provider: "the payment provider",
  owner: "the team",
  system: "the shop",
};
