import type { LucideIcon } from "lucide-react";
import ArrowLeft from "lucide-react/icons/arrow-left";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import type { InvoiceRow } from "../../../../../domain/books/invoice.ts";
import { isDisputeOver, needsAnswer } from "../../../../../domain/disputes/dispute.ts";
import type { OrderLabelList } from "../../../../../domain/labels/labels.ts";
import type { AdminOrder, AdminOrderActions } from "../../../../../domain/orders/admin-order.ts";
import {
  deliveryLabel,
  type OrderNeighbors,
  paymentLabel,
} from "../../../../../domain/orders/admin-orders.ts";
import { isExchanged, paidBackCents, payableCents } from "../../../../../domain/orders/order.ts";
import { maxOrderTagLength, maxOrderTags } from "../../../../../domain/orders/order-limits.ts";
import { isOpen } from "../../../../../domain/orders/order-return.ts";
import { findFollowUp } from "../../../../../domain/orders/replacement.ts";
import { Badge } from "../../../../ui/badge.tsx";
import { useRefreshWhile } from "../../../../ui/browser/use-refresh-while.ts";
import { Banner } from "../../../../ui/error-banner.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { OrderInvoices } from "../../books/order-invoices.tsx";
import { IssueLink } from "../../issues/issue-link.tsx";
import { ActionButton } from "../../kit/action-button.tsx";
import { backClass } from "../../kit/admin-page.tsx";
import { squareClass } from "../../kit/menu.tsx";
import { ShortDay } from "../../kit/short-day.tsx";
import { TagEditor } from "../../kit/tag-editor.tsx";
import { useAdminAction } from "../../kit/use-admin-action.ts";
import { BuyLabel } from "../../labels/buy-label.tsx";
import { OrderLabels } from "../../labels/order-labels.tsx";
import { May, useMayCall, useRights } from "../../rights.ts";
import { useShortcut } from "../../shell/shortcuts.ts";
import { OrderFollowUps } from "../order-follow-ups.tsx";
import { deliveryLabels, paymentBadge } from "../order-labels.ts";
import { ExpeditedTag } from "../order-marks.tsx";
import { HoldPanel, isHoldIssue, isOnHold } from "./hold-panel.tsx";
import { OrderCard } from "./order-card.tsx";
import { OrderCustomer, ShipTo } from "./order-customer.tsx";
import { type OrderDialogName, OrderDialogs } from "./order-dialogs.tsx";
import { OrderHistory } from "./order-history.tsx";
import { OrderItems, WaitingEdit } from "./order-lines.tsx";
import { OrderMenu } from "./order-menu.tsx";
import { OrderMoney } from "./order-payment.tsx";
import { OrderReturns } from "./order-returns.tsx";
import { ParcelFacts } from "./parcel-facts.tsx";
import { SameAddressHint, ShipForm } from "./ship-form.tsx";

/** Page of an order: items and address, its next step, then money, customer and history. */
export function OrderPage({
  order: storedOrder,
  invoices,
  neighbors,
  labels,
}: {
  order: AdminOrder;
  invoices: readonly InvoiceRow[];
  neighbors: OrderNeighbors;
  /** Null if the viewer's role may not see labels. */
  labels: OrderLabelList | null;
}) {
  const order = { ...storedOrder, may: usePermittedActions(storedOrder) };
  const { role } = useRights();
  const [openDialog, setOpenDialog] = useState<OrderDialogName | null>(null);
  /** Ids of other orders that ship with this one. */
  const [sameParcelIds, setSameParcelIds] = useState<readonly string[]>([]);
  const pendingRefunds = order.refunds.filter(({ status }) => status === "pending").length;
  useRefreshWhile(pendingRefunds, { everyMs: 4_000, maxTimes: 15 });
  const canShip = order.may.ship && order.shipHold === null;
  return (
    <>
      <OrderHead
        order={order}
        neighbors={neighbors}
        menu={<OrderMenu order={order} onOpen={setOpenDialog} />}
      />
      {canShip && <SameAddressHint order={order} sameParcelIds={sameParcelIds} onChange={setSameParcelIds} />}
      {!isOnHold(order) && (
        <div className="mb-3.5 grid gap-3.5 empty:hidden lg:mb-5 lg:gap-5">
          <OrderIssues order={order} />
        </div>
      )}
      <div
        // Packers have no second column.
        className={`stack items-start gap-3.5 lg:gap-5 ${role === "packer" ? "" : "lg:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]"}`}
      >
        <div className="grid min-w-0 gap-3.5 lg:gap-5">
          <section
            aria-label="Items and address"
            className="min-w-0 divide-y divide-line rounded-md border border-line bg-surface"
          >
            <div className="grid divide-y divide-line lg:grid-cols-2 lg:divide-x lg:divide-y-0">
              <OrderItems order={order} onEdit={() => setOpenDialog("items")} />
              <ShipTo order={order} onEdit={() => setOpenDialog("contact")} />
            </div>
            {canShip && labels?.problem === null && <BuyLabel order={order} />}
            {canShip && (
              <ShipForm order={order} sameParcelIds={sameParcelIds} onShipped={() => setSameParcelIds([])} />
            )}
            {order.may.deliver && <DeliverButton order={order} />}
          </section>
          {labels && <OrderLabels orderId={order.id} labels={labels.labels} />}
          {isOnHold(order) && <HoldPanel order={order} onOpen={setOpenDialog} />}
          {role !== "packer" && <WaitingEdit order={order} />}
          {role !== "packer" && <OrderFollowUps order={order} />}
          <OrderReturns
            order={order}
            labels={labels}
            onReceived={() => setOpenDialog("received")}
            onRestock={order.may.restock && order.fulfilment !== null ? () => setOpenDialog("restock") : null}
          />
          {isOnHold(order) && <OrderIssues order={order} />}
          {order.shipments.length > 0 && <ParcelFacts order={order} />}
        </div>
        {role !== "packer" && (
          <>
            <div className="grid min-w-0 gap-3.5 lg:row-span-2 lg:gap-5">
              <OrderMoney order={order} />
              <OrderCustomer order={order} />
              <OrderInvoices order={order} invoices={invoices} />
              <OrderTags order={order} />
            </div>
            <OrderHistory order={order} />
          </>
        )}
      </div>
      <OrderDialogs order={order} openDialog={openDialog} onClose={() => setOpenDialog(null)} />
    </>
  );
}

/** Link back to the list, links to the previous and next order, the menu, and the order's number and states. */
function OrderHead({
  order,
  neighbors: { previous, next, position, count },
  menu,
}: {
  order: AdminOrder;
  neighbors: OrderNeighbors;
  menu: React.ReactNode;
}) {
  const { search } = useLocation();
  return (
    <>
      <div className="-mt-2 mb-2 flex flex-wrap items-center justify-between gap-1.5">
        <Link to={`/admin/orders${search}`} className={backClass}>
          <Icon glyph={ArrowLeft} size="small" /> Orders
        </Link>
        <div className="flex flex-wrap items-center gap-1.5">
          <Neighbor order={previous} glyph={ChevronLeft} label="Previous order" shortcut="k" />
          {position !== null && count !== null && (
            <span className="px-1 text-small whitespace-nowrap text-ink-muted tabular-nums">
              {position} of {count}
            </span>
          )}
          <Neighbor order={next} glyph={ChevronRight} label="Next order" shortcut="j" />
          {menu}
        </div>
      </div>
      <div className="mb-4 flex flex-wrap items-center gap-x-3.5 gap-y-1.5">
        <h1 className="text-[clamp(1.75rem,1.5rem+1vw,2.125rem)] leading-tight lining-nums">
          Order #{order.number}
        </h1>
        <OrderBadges order={order} />
      </div>
    </>
  );
}

function Neighbor({
  order,
  glyph,
  label,
  shortcut,
}: {
  order: OrderNeighbors["next"];
  glyph: LucideIcon;
  label: string;
  shortcut: string;
}) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const to = order && `/admin/orders/${order.id}${search}`;
  useShortcut({ keys: shortcut, label, run: () => to && void navigate(to) });
  if (to === null) {
    return (
      <span aria-hidden="true" className={`${squareClass} border-line! text-ink-muted/50 hover:bg-surface!`}>
        <Icon glyph={glyph} />
      </span>
    );
  }
  return (
    <Link to={to} aria-label={`${label}, #${order?.number}`} className={squareClass}>
      <Icon glyph={glyph} />
    </Link>
  );
}

function OrderBadges({ order }: { order: AdminOrder }) {
  const { chargedBack, total } = order.totals;
  const refunded = paidBackCents(order);
  const payment = paymentBadge({
    status: paymentLabel(order.status),
    payment: order.paymentState,
    chargedBack,
    followUp: findFollowUp(order),
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
    <p className="flex flex-wrap items-center gap-1.5">
      {order.isExpedited && order.may.ship && <ExpeditedTag>{order.shippingOption.name}</ExpeditedTag>}
      {order.isTest && <Badge tone="blue">Test</Badge>}
      <Badge tone={payment.tone}>{isExchanged(order) ? "Exchanged" : payment.label}</Badge>
      {refunded > 0 && refunded < payableCents(order.totals) && <Badge tone="blue">Refunded in part</Badge>}
      {chargedBack > 0 && chargedBack < total && <Badge tone="red">Charged back in part</Badge>}
      {order.disputes.some((dispute) => !isDisputeOver(dispute)) && <Badge tone="red">Disputed</Badge>}
      <Badge tone={delivery.tone}>{delivery.label}</Badge>
      {order.gift && <Badge tone="cream">Gift</Badge>}
      {order.erasedAt && <Badge tone="cream">Personal data deleted</Badge>}
    </p>
  );
}

function DeliverButton({ order }: { order: AdminOrder }) {
  // A return or a dispute that needs an answer comes first, and has the primary button.
  const hasMoreUrgentStep = order.returns.some(isOpen) || order.disputes.some(needsAnswer);
  return (
    <div className="p-4 lg:p-5">
      <ActionButton
        variant={hasMoreUrgentStep ? "secondary" : "primary"}
        className="w-full lg:w-auto"
        call="POST /api/admin/orders/:id/deliver"
        success={{ title: `Order #${order.number} is delivered` }}
        failure="Failed to mark the order as delivered"
        send={(run) => run({ params: { id: order.id } })}
      >
        Mark as delivered
      </ActionButton>
    </div>
  );
}

/** The order's possible actions that the viewer's role permits. Only a role that may release a hold can ship a held order. */
function usePermittedActions({ may, shipHold }: Pick<AdminOrder, "may" | "shipHold">): AdminOrderActions {
  const mayShipHeld = useMayCall("POST /api/admin/orders/:id/hold");
  return {
    ship: useMayCall("POST /api/admin/orders/ship") && may.ship && (shipHold === null || mayShipHeld),
    correctParcel: useMayCall("PATCH /api/admin/orders/:id/fulfilment") && may.correctParcel,
    deliver: useMayCall("POST /api/admin/orders/:id/deliver") && may.deliver,
    refund: useMayCall("POST /api/admin/orders/:id/refund") && may.refund,
    restock: useMayCall("POST /api/admin/orders/:id/restock") && may.restock,
    cancel: useMayCall("POST /api/admin/orders/:id/cancel") && may.cancel,
    resendConfirmation:
      useMayCall("POST /api/admin/orders/:id/resend-confirmation") && may.resendConfirmation,
    editItems: useMayCall("POST /api/admin/orders/:id/items") && may.editItems,
  };
}

/** Internal tags of an order; each links to the list of orders that have it. */
function OrderTags({ order: { id, tags } }: { order: AdminOrder }) {
  const mayTag = useMayCall("PATCH /api/admin/orders/:id/tags");
  const action = useAdminAction("PATCH /api/admin/orders/:id/tags", { failure: "The tags were not saved" });
  const updateTags = (body: { add?: string[]; remove?: string[] }) => action.run({ params: { id }, body });
  if (!mayTag && tags.length === 0) return null;
  return (
    <OrderCard title="Tags">
      <TagEditor
        tags={tags}
        name="order-tag"
        maxLength={maxOrderTagLength}
        maxCount={maxOrderTags}
        action={action}
        isReadOnly={!mayTag}
        renderTag={(tag) => (
          <Link to={`/admin/orders?${new URLSearchParams({ status: "all", tag })}`} className="wrap-anywhere">
            {tag}
          </Link>
        )}
        onAdd={async (newTags) => (await updateTags({ add: newTags })).ok}
        onRemove={(tag) => void updateTags({ remove: [tag] })}
      />
    </OrderCard>
  );
}

/** Open issues of the order that its hold does not explain, each with the action that closes it. */
function OrderIssues({ order }: { order: AdminOrder }) {
  return order.attention
    .filter((issue) => !isHoldIssue(order, issue))
    .map((issue) => <IssueBanner key={issue.id} issue={issue} />);
}

function IssueBanner({ issue }: { issue: AdminOrder["attention"][number] }) {
  const { id, message, createdAt } = issue;
  return (
    <Banner tone="warning" title="Needs attention">
      <p className="mt-1 wrap-anywhere">
        {message}{" "}
        <span className="text-ink-muted">
          (<ShortDay iso={createdAt} />)
        </span>
      </p>
      <div className="mt-2.5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <IssueLink {...issue} isNext={issue.dueAt !== null} />
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
