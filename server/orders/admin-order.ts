import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import {
  type AdminOrder,
  type AdminOrderItem,
  type AdminRefund,
  adminOrderActions,
  type OrderNote,
  type OrderPayment,
} from "../../domain/admin-order.ts";
import type { Order } from "../../domain/order.ts";
import { batches, batchUnits } from "../inventory/tables.ts";
import { paymentFlags, payments, refunds } from "../payments/tables.ts";
import type { Db } from "../platform/database.ts";
import { findOrder } from "./queries.ts";
import { orderLines, orderNotes } from "./tables.ts";

export type AdminOrderParts = {
  db: Db;
  /** Address of a small picture of an image file. */
  thumbnail(file: string): string;
  /** The provider that the shop is connected to. */
  provider: {
    readonly name: OrderPayment["provider"];
    readonly mode: NonNullable<OrderPayment["mode"]>;
    /** A payment in the provider's own dashboard; null where there is none. */
    dashboardUrl(intentId: string): string | null;
  };
};

/** An order with all that the owner may see of it, and do with it now. Null: there is none. */
export async function readAdminOrder(parts: AdminOrderParts, orderId: string): Promise<AdminOrder | null> {
  const { db } = parts;
  const order = await findOrder(db, orderId);
  if (!order) return null;
  const [attention, notes, payment] = await Promise.all([
    attentionOf(db, orderId),
    notesOf(db, orderId),
    paymentOf(parts, orderId),
  ]);
  const known = {
    ...order,
    items: await itemsOf(parts, order),
    refunds: await refundsOf(db, order),
    needsAttention: attention.length === 0 ? null : attention.map(({ message }) => message).join("; "),
    attention,
    notes,
    payment,
    refundableCents: refundableCents(order, payment),
  };
  return { ...known, may: adminOrderActions(known) };
}

/** What was paid and is neither given back nor on its way; 0 where nothing was. */
function refundableCents({ refunds: given }: Order, payment: OrderPayment | null): number {
  if (payment?.status !== "succeeded") return 0;
  const goneCents = given
    .filter(({ status }) => status !== "failed")
    .reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, payment.amountCents - goneCents);
}

async function itemsOf({ db, thumbnail }: AdminOrderParts, order: Order): Promise<AdminOrderItem[]> {
  const lines = await db
    .select({ productId: orderLines.productId, returned: orderLines.returnedQuantity })
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id));
  const from = await db
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
  return order.items.map((item) => ({
    ...item,
    image: item.image === null ? null : thumbnail(item.image),
    returned: lines.find(({ productId }) => productId === item.productId)?.returned ?? 0,
    batches: from
      .filter(({ productId }) => productId === item.productId)
      .map(({ productId: _, ...batch }) => batch),
  }));
}

async function refundsOf(db: Db, order: Order): Promise<AdminRefund[]> {
  if (order.refunds.length === 0) return [];
  const rows = await db
    .select({
      id: refunds.id,
      failure: refunds.failure,
      settledAt: refunds.settledAt,
      origin: refunds.origin,
    })
    .from(refunds)
    .where(eq(refunds.orderId, order.id));
  const more = new Map(rows.map((row) => [row.id, row]));
  return order.refunds.map((refund) => {
    const { failure, settledAt, origin } = more.get(refund.id) ?? {};
    return {
      ...refund,
      failure: failure ?? null,
      settledAt: settledAt?.toISOString() ?? null,
      origin: origin ?? "shop",
    };
  });
}

async function attentionOf(db: Db, orderId: string): Promise<AdminOrder["attention"]> {
  const rows = await db
    .select({ id: paymentFlags.id, message: paymentFlags.message, createdAt: paymentFlags.createdAt })
    .from(paymentFlags)
    .where(and(eq(paymentFlags.orderId, orderId), isNull(paymentFlags.resolvedAt)))
    .orderBy(asc(paymentFlags.id));
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

async function notesOf(db: Db, orderId: string): Promise<OrderNote[]> {
  const rows = await db
    .select({ id: orderNotes.id, at: orderNotes.at, text: orderNotes.text })
    .from(orderNotes)
    .where(eq(orderNotes.orderId, orderId))
    .orderBy(desc(orderNotes.id));
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** The payment that succeeded, else the one opened last. */
async function paymentOf({ db, provider }: AdminOrderParts, orderId: string): Promise<OrderPayment | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(desc(sql`${payments.status} = 'succeeded'`), desc(payments.revision))
    .limit(1);
  if (!row) return null;
  const isConnected = row.provider === provider.name;
  return {
    intentId: row.intentId,
    provider: row.provider,
    mode: isConnected ? provider.mode : null,
    status: row.status,
    amountCents: row.amountCents,
    dashboardUrl: isConnected && row.intentId !== null ? provider.dashboardUrl(row.intentId) : null,
  };
}
