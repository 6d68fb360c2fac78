import Truck from "lucide-react/icons/truck";
import { useState } from "react";
import { Link, useLocation, useRevalidator } from "react-router";
import type { InvoiceRow } from "../../../../../domain/books/invoice.ts";
import { isDisputeOver } from "../../../../../domain/disputes/dispute.ts";
import type { AdminOrder, AdminOrderActions } from "../../../../../domain/orders/admin-order.ts";
import { deliveryLabel, paymentLabel } from "../../../../../domain/orders/admin-orders.ts";
import { paidBackCents, payableCents } from "../../../../../domain/orders/order.ts";
import { orderTagMax, orderTagsMax } from "../../../../../domain/orders/order-tags.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { usePolling } from "../../../../ui/use-polling.ts";
import { OrderInvoices } from "../../books/order-invoices.tsx";
import { isFraudIssue } from "../../issues/fraud-issue.ts";
import { Drawer } from "../../kit/drawer.tsx";
import { NotesEditor } from "../../kit/notes-editor.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { TagEditor } from "../../kit/tag-editor.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { useMay, useRights } from "../../rights.ts";
import { cutId, deliveryLabels, paymentBadge } from "../order-labels.ts";
import { DrawerSection } from "./drawer-section.tsx";
import { FraudHold } from "./fraud-hold.tsx";
import { OrderCustomer } from "./order-customer.tsx";
import { WaitingEdit } from "./order-edits.tsx";
import { OrderHistory } from "./order-history.tsx";
import { OrderIssues } from "./order-issues.tsx";
import { OrderLines } from "./order-lines.tsx";
import { OrderMore } from "./order-more.tsx";
import { OrderPaymentFacts } from "./order-payment.tsx";
import { OrderRefund } from "./order-refund.tsx";
import { OrderReturns } from "./order-returns.tsx";
import { ParcelFacts } from "./parcel-facts.tsx";
import { HoldBanner, ShipForm, shipFormId } from "./ship-form.tsx";

/** One order beside the list: what it is, and what can be done with it now. */
export function OrderDrawer({
  order: given,
  invoices,
}: {
  order: AdminOrder;
  invoices: readonly InvoiceRow[];
}) {
  const order = { ...given, may: useOwnActions(given) };
  const { role } = useRights();
  const { search } = useLocation();
  const [isShipping, setShipping] = useState(false);
  const [isRefunding, setRefunding] = useState(false);
  useSettling(order);
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
          given.may.ship && <HoldBanner order={order} />
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

/** The next step of the order's life, in sight at all times. */
function footerOf(order: AdminOrder, isShipping: boolean) {
  if (order.may.ship) {
    return (
      <Button type="submit" form={shipFormId} size="small" block busy={isShipping} busyText="Saving...">
        <Icon glyph={Truck} size="small" /> {order.shipHold ? "Ship it anyway" : "Mark as shipped"}
      </Button>
    );
  }
  return order.may.deliver ? <Deliver order={order} /> : undefined;
}

function Deliver({ order }: { order: AdminOrder }) {
  const { busy, run } = useAdminAction("POST /api/admin/orders/:id/deliver", {
    success: { title: `Order #${order.number} is delivered` },
    failure: "Failed to mark the order as delivered",
  });
  return (
    <Button
      size="small"
      block
      busy={busy}
      busyText="Saving..."
      onClick={() => void run({ params: { id: order.id } })}
    >
      Mark as delivered
    </Button>
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

const everyMs = 4_000;
const timesMax = 15;

/** Asks again for a minute while the payment provider has not confirmed a refund. */
function useSettling({ refunds }: Pick<AdminOrder, "refunds">): void {
  const { revalidate } = useRevalidator();
  const pending = refunds.filter(({ status }) => status === "pending").length;
  usePolling(pending, revalidate, everyMs, timesMax);
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

/** Words of the panel's own by which orders are found again; each leads to the orders that have it. */
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

/** Of what can be done with an order, that which the role may do: only whoever may take it off hold ships it in spite of one. */
function useOwnActions({ may, shipHold }: Pick<AdminOrder, "may" | "shipHold">): AdminOrderActions {
  const mayShipHeld = useMay("POST /api/admin/orders/:id/hold");
  const own: AdminOrderActions = {
    ship: useMay("POST /api/admin/orders/:id/ship"),
    correctParcel: useMay("PATCH /api/admin/orders/:id/fulfilment"),
    deliver: useMay("POST /api/admin/orders/:id/deliver"),
    refund: useMay("POST /api/admin/orders/:id/refund"),
    restock: useMay("POST /api/admin/orders/:id/restock"),
    cancel: useMay("POST /api/admin/orders/:id/cancel"),
    resendConfirmation: useMay("POST /api/admin/orders/:id/resend-confirmation"),
    editItems: useMay("POST /api/admin/orders/:id/items"),
  };
  return {
    ship: may.ship && own.ship && (shipHold === null || mayShipHeld),
    correctParcel: may.correctParcel && own.correctParcel,
    deliver: may.deliver && own.deliver,
    refund: may.refund && own.refund,
    restock: may.restock && own.restock,
    cancel: may.cancel && own.cancel,
    resendConfirmation: may.resendConfirmation && own.resendConfirmation,
    editItems: may.editItems && own.editItems,
  };
}
