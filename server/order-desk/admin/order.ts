import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import { phoneWarning } from "../../../domain/address/phone-rules.ts";
import { activeShipHold, type Dispute, type ShipHold } from "../../../domain/disputes/dispute.ts";
import {
  type AdminOrder,
  type AdminOrderItem,
  type AdminRefund,
  adminOrderActions,
  type OrderNote,
  type OrderPayment,
} from "../../../domain/orders/admin-order.ts";
import type { Order } from "../../../domain/orders/order.ts";
import type { OrderEdit } from "../../../domain/orders/order-edit.ts";
import { isOtherAccountOrMode } from "../../../domain/payments/payment-mode.ts";
import { pick } from "../../../domain/shared/pick.ts";
import { expeditedOptionIds } from "../../../domain/shipping/shipping-policy.ts";
import { thumbnailUrl } from "../../catalog/pictures/sizes.ts";
import { products } from "../../catalog/tables.ts";
import type { ShopContext } from "../../context.ts";
import { disputes } from "../../disputes/tables.ts";
import { batches, batchUnits } from "../../inventory/tables.ts";
import { issues } from "../../issues/tables.ts";
import { findOrder } from "../../orders/queries.ts";
import { orderEvents, orderLines, orders } from "../../orders/tables.ts";
import type { PaymentProvider } from "../../payment-providers/provider.ts";
import { findSourcePayment } from "../../payments/other-account.ts";
import {
  reachableCents,
  readOrderMoney,
  readRefundable,
  refundSources,
} from "../../payments/refunds/refundable.ts";
import { payments, refunds } from "../../payments/tables.ts";
import { people } from "../../people/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { unitsToShip } from "../actions.ts";
import { contactVersion } from "../editing/contact.ts";
import { readTags } from "../editing/tags.ts";
import { readOrderEdits } from "../edits/queries.ts";
import { orderNotes } from "../tables.ts";
import { readSameAddress } from "./same-address.ts";

/** An order with everything that the owner may see and all actions possible now. Null if there is no such order. */
export async function readAdminOrder(ctx: ShopContext, orderId: string): Promise<AdminOrder | null> {
  const { db } = ctx;
  const order = await findOrder(db, orderId);
  if (!order) return null;
  const money = await readOrderMoney(db, orderId);
  const [
    items,
    refundRows,
    disputeRows,
    issueRows,
    notes,
    paymentRows,
    holdAndSource,
    refundable,
    tags,
    actors,
    edits,
    sameAddress,
    settings,
  ] = await Promise.all([
    readItems(ctx, order),
    readRefundRows(db, orderId),
    db.select().from(disputes).where(eq(disputes.orderId, orderId)).orderBy(asc(disputes.createdAt)),
    readIssues(db, orderId),
    readNotes(db, orderId),
    readPayments(db, orderId),
    readHoldAndSource(ctx, orderId),
    readRefundable(db, orderId),
    readTags(db, orderId),
    readActors(db, orderId),
    readOrderEdits(ctx, order),
    readSameAddress(db, [orderId], ctx.provider.mode),
    ctx.settings(),
  ]);
  if (!refundable) return null;
  const payment = toPayment(
    ctx.provider,
    paymentRows[0],
    order.paidAt,
    paymentRows[0] && (await findSourcePayment(db, paymentRows[0])),
  );
  const isAccountConnected = payment === null || payment.isConnected;
  const shownDisputes = disputeRows.map((row) => toDispute(row, isAccountConnected ? ctx.provider : null));
  const facts = {
    ...order,
    phoneDoubt: order.phone && phoneWarning(order.phone, order.shipping?.country ?? ""),
    paymentState: order.payment,
    items,
    // `actors` is sorted like the events; an event written between the two queries has no name yet.
    events: order.events.map((event, index) => ({ ...event, by: actors[index] ?? null })),
    refunds: [...refundRows.map((row) => toAdminRefund(row, paymentRows)), ...edits.exchanges].sort(
      (a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt),
    ),
    disputes: shownDisputes,
    ...holdAndSource,
    isTest: holdAndSource.shipHold === "test",
    isExpedited: expeditedOptionIds(settings.shipping).includes(order.shippingOption.id),
    sameAddress: sameAddress.get(orderId) ?? [],
    tags,
    contactVersion: contactVersion(order),
    needsAttention: issueRows.length === 0 ? null : issueRows.map(({ message }) => message).join("; "),
    attention: issueRows.map((issue) => toAttention(issue, shownDisputes, payment)),
    notes,
    payment,
    changePayments: editPayments(ctx.provider, paymentRows, refundRows, edits.changes),
    refundableCents: reachableCents(refundSources(ctx.provider, money)),
    refundable,
    changes: edits.changes,
    itemsVersion: edits.version,
  };
  return { ...facts, may: adminOrderActions(facts) };
}

/** The name of the panel user who caused each event of the history; shoppers do not see these names. */
async function readActors(db: Db, orderId: string): Promise<(string | null)[]> {
  const rows = await db
    .select({ name: people.name })
    .from(orderEvents)
    .leftJoin(people, eq(people.id, orderEvents.personId))
    .where(eq(orderEvents.orderId, orderId))
    .orderBy(asc(orderEvents.id));
  return rows.map(({ name }) => name);
}

type DisputeRow = typeof disputes.$inferSelect;

/** `provider` is null if the dashboard of the current account does not show the dispute. */
function toDispute(row: DisputeRow, provider: PaymentProvider | null): Dispute {
  return {
    ...pick(row, "id", "reason", "status", "isInquiry"),
    amount: row.amountCents,
    chargedBack: row.chargedBackCents,
    held: row.heldCents,
    fee: row.feeCents,
    evidenceDueAt: row.evidenceDueAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    url: provider?.disputeUrl(row.id) ?? null,
  };
}

async function readHoldAndSource(
  { db, provider }: ShopContext,
  orderId: string,
): Promise<{ shipHold: ShipHold | null } & Pick<AdminOrder, "hold" | "source">> {
  const [row] = await db
    .select({
      ...pick(orders, "shipHold", "mode", "heldAt", "source"),
      reason: orders.holdReason,
    })
    .from(orders)
    .where(eq(orders.id, orderId));
  return {
    shipHold: row ? activeShipHold(row, provider.mode) : null,
    hold: row?.heldAt ? { since: row.heldAt.toISOString(), reason: row.reason } : null,
    source: row?.source ?? null,
  };
}

async function readItems({ db }: ShopContext, order: Order): Promise<AdminOrderItem[]> {
  const lines = await db
    .select({
      productId: orderLines.productId,
      sku: products.sku,
      returned: orderLines.returnedQuantity,
      toShip: unitsToShip,
      discount: orderLines.discountCents,
      tax: orderLines.taxCents,
    })
    .from(orderLines)
    .innerJoin(products, eq(products.id, orderLines.productId))
    .where(eq(orderLines.orderId, order.id));
  const orderBatches = await db
    .select({
      productId: batchUnits.productId,
      code: batches.code,
      bestBefore: batches.bestBefore,
      quantity: batchUnits.quantity,
    })
    .from(batchUnits)
    .innerJoin(batches, eq(batches.id, batchUnits.batchId))
    .where(eq(batchUnits.orderId, order.id))
    .orderBy(asc(batches.bestBefore), asc(batches.id));
  return order.items.map((item) => {
    const line = lines.find(({ productId }) => productId === item.productId);
    return {
      ...item,
      image: item.image && thumbnailUrl(item.image),
      paid: item.total - (line?.discount ?? 0) + (order.totals.taxIncluded ? 0 : (line?.tax ?? 0)),
      sku: line?.sku ?? null,
      returned: line?.returned ?? 0,
      toShip: line?.toShip ?? 0,
      batches: orderBatches
        .filter(({ productId }) => productId === item.productId)
        .map(({ productId: _, ...batch }) => batch),
    };
  });
}

async function readRefundRows(db: Db, orderId: string) {
  return db.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(asc(refunds.createdAt));
}

type RefundRow = Awaited<ReturnType<typeof readRefundRows>>[number];

function toAdminRefund(row: RefundRow, paymentRows: readonly PaymentRow[]): AdminRefund {
  const payment = paymentRows.find(({ intentId }) => intentId === row.intentId);
  const isTooLate = payment?.status === "canceled" && payment.orderEditId !== null;
  const { id, amountCents: amount, status, reason, failure, origin } = row;
  return {
    id,
    amount,
    status,
    reason,
    failure,
    origin,
    createdAt: row.createdAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
    goods: row.goodsCents,
    shipping: row.shippingCents,
    tax: row.taxCents,
    items: row.lines,
    ...(isTooLate && { tooLate: true }),
    ...(row.exchangeId !== null && { isCredit: true }),
    isExchange: false,
  };
}

async function readIssues(db: Db, orderId: string) {
  const { id, kind, subject, message, createdAt } = issues;
  return db
    .select({ id, kind, subject, message, createdAt })
    .from(issues)
    .where(and(eq(issues.orderId, orderId), isNull(issues.resolvedAt)))
    .orderBy(asc(issues.id));
}

/** An issue about a dispute also gets the dispute's amount, reason, deadline and link. */
function toAttention(
  { subject, createdAt, ...issue }: Awaited<ReturnType<typeof readIssues>>[number],
  orderDisputes: readonly Dispute[],
  payment: OrderPayment | null,
): AdminOrder["attention"][number] {
  const dispute = orderDisputes.find(({ id }) => id === subject.split(":")[0]);
  return {
    ...issue,
    createdAt: createdAt.toISOString(),
    amount: dispute?.amount ?? null,
    reason: dispute?.reason ?? null,
    dueAt: dispute?.status === "needs_response" ? dispute.evidenceDueAt : null,
    disputeId: dispute?.id ?? null,
    url: dispute?.url ?? payment?.dashboardUrl ?? null,
  };
}

async function readNotes(db: Db, orderId: string): Promise<OrderNote[]> {
  const rows = await db
    .select({ id: orderNotes.id, at: orderNotes.at, text: orderNotes.text })
    .from(orderNotes)
    .where(eq(orderNotes.orderId, orderId))
    .orderBy(desc(orderNotes.id));
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** The order's payments: the successful one first, or else the last one opened; payments of its edits come last. */
async function readPayments(db: Db, orderId: string) {
  return db
    .select()
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(
      sql`${payments.orderEditId} is not null`,
      sql`${payments.exchangeId} is not null`,
      desc(sql`${payments.status} = 'succeeded'`),
      desc(payments.revision),
    );
}

type PaymentRow = Awaited<ReturnType<typeof readPayments>>[number];

/** Payments of the order's edits that have succeeded, are being processed, or were refunded. */
function editPayments(
  provider: PaymentProvider,
  paymentRows: readonly PaymentRow[],
  refundRows: readonly RefundRow[],
  changes: readonly OrderEdit[],
): OrderPayment[] {
  return paymentRows
    .filter(
      ({ orderEditId, intentId, status }) =>
        orderEditId !== null &&
        (status === "succeeded" ||
          status === "processing" ||
          (status === "canceled" && refundRows.some((refund) => refund.intentId === intentId))),
    )
    .sort((a, b) => a.revision - b.revision)
    .flatMap((row) => {
      const paidAt = changes.find(({ id }) => id === row.orderEditId)?.endedAt ?? null;
      return toPayment(provider, row, paidAt) ?? [];
    });
}

function toPayment(
  provider: PaymentProvider,
  row: PaymentRow | undefined,
  paidAt: string | null,
  source = row,
): OrderPayment | null {
  // Payments that are being opened or could not be opened are not shown.
  if (!row || row.status === "opening" || (row.intentId ?? row.sessionId) === null) return null;
  const { name, account, mode } = provider;
  const isConnected = !isOtherAccountOrMode({ provider: name, account, mode }, row);
  return {
    intentId: row.intentId,
    provider: row.provider,
    status: row.status,
    amountCents: row.amountCents,
    mode: row.mode ?? (isConnected ? provider.mode : null),
    isConnected,
    isManual: source?.provider === "manual",
    dashboardUrl: isConnected && row.intentId !== null ? provider.dashboardUrl(row.intentId) : null,
    paidAt: row.status === "succeeded" ? paidAt : null,
    changeId: row.orderEditId,
  };
}
