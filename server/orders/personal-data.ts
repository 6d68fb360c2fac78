import { and, desc, eq, exists, gte, inArray, isNull, lt, lte, notInArray, sql } from "drizzle-orm";
import { orderActions } from "../../domain/orders/order-actions.ts";
import { type KeptOrder, keepReason, keepReasons } from "../../domain/privacy/erasure.ts";
import { unpaidOrderDays, visitorCookieDays } from "../../domain/privacy/retention.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import type { ShopContext } from "../context.ts";
import { purgeCustomerHashes } from "../discounts/uses.ts";
import { issues } from "../issues/tables.ts";
import { payments } from "../payments/tables.ts";
import type { Person, PersonalDataOf, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { batchRows, inBatches } from "../platform/database/in-batches.ts";
import { eraseOrders } from "../privacy/person.ts";
import { ensureErasedVisitor } from "../visitors/personal-data.ts";
import { visitors } from "../visitors/tables.ts";
import { erasedEntries } from "./entries.ts";
import { buyerAddress, findOrder } from "./queries.ts";
import { orderEvents, orderLookups, orders, orderVisitors } from "./tables.ts";

/** Orders with an e-mail address (in lower case) placed up to a time, and the visitors with access to them. */
async function ordersWithAddress(
  db: Db,
  { email, until, limit }: { email: string; until: Date; limit?: number },
): Promise<{ orderIds: string[]; visitorIds: string[] }> {
  const query = db
    .select({ id: orders.id, visitorId: orders.visitorId })
    .from(orders)
    .where(and(eq(sql`lower(${orders.email})`, email), lte(orders.createdAt, until)))
    .orderBy(orders.id);
  const rows = limit === undefined ? await query : await query.limit(limit);
  const orderIds = rows.map(({ id }) => id);
  const viewers = await db
    .selectDistinct({ visitorId: orderVisitors.visitorId })
    .from(orderVisitors)
    .where(inArray(orderVisitors.orderId, orderIds));
  const visitorIds = new Set([...rows, ...viewers].map(({ visitorId }) => visitorId));
  return { orderIds, visitorIds: [...visitorIds].sort() };
}

/** The data of an order with its related rows, without technical fields. */
async function exportOrders(db: Db, { orderIds }: Person, _limit: number, { personalData }: ShopContext) {
  const exported = [];
  for (const orderId of orderIds) {
    const order = await findOrder(db, orderId);
    if (!order) continue;
    const [row] = await db
      .select({ network: orders.buyerNetwork, holdReason: orders.holdReason, source: orders.source })
      .from(orders)
      .where(eq(orders.id, orderId));
    const ofFeatures: Record<string, unknown> = {};
    for (const { ofOrder } of personalData) Object.assign(ofFeatures, await ofOrder?.(db, orderId));
    exported.push({ ...order, ...row, ...ofFeatures });
  }
  return exported.sort((a, b) => a.number - b.number);
}

/** Links e-mailed to the address, without their tokens. */
async function exportLookups(db: Db, { email }: Person) {
  const { purpose, expiresAt, usedAt } = orderLookups;
  return db
    .select({ purpose, expiresAt, usedAt })
    .from(orderLookups)
    .where(eq(sql`lower(${orderLookups.email})`, email))
    .orderBy(orderLookups.expiresAt, orderLookups.tokenHash);
}

/**
 * Locks these orders until the transaction ends, and separates finished orders from orders that still need their buyer's data,
 * with the reasons. Locks the newest first, as exchanges do, so that there are no deadlocks with exchanges or concurrent requests.
 */
async function lockAndClassify(
  tx: Db,
  orderIds: string[],
  { settings, now }: { settings: ShopSettings; now: Date },
): Promise<{ finishedIds: string[]; kept: KeptOrder[] }> {
  await tx
    .select({ id: orders.id })
    .from(orders)
    .where(inArray(orders.id, orderIds))
    .orderBy(desc(orders.createdAt), orders.id)
    .for("update");
  const states = await tx
    .select({
      id: orders.id,
      isPayable: exists(
        tx
          .select({ one: sql`1` })
          .from(payments)
          .where(
            and(
              eq(payments.orderId, orders.id),
              // The provider requires that a retried request for a payment sends the same buyer data.
              notInArray(payments.status, ["succeeded", "canceled"]),
            ),
          ),
      ).mapWith(Boolean),
      hasIssue: exists(
        tx
          .select({ one: sql`1` })
          .from(issues)
          .where(and(eq(issues.orderId, orders.id), sql`${issues.resolvedAt} is null`)),
      ).mapWith(Boolean),
    })
    .from(orders)
    .where(inArray(orders.id, orderIds))
    .orderBy(orders.number);
  const finishedIds: string[] = [];
  const keptOrders: KeptOrder[] = [];
  for (const { id, ...state } of states) {
    const order = await findOrder(tx, id);
    if (!order) continue;
    const reason = keepReason(order, orderActions(order, settings, now), { ...state, now });
    if (reason === null) finishedIds.push(id);
    else keptOrders.push({ number: order.number, because: keepReasons[reason] });
  }
  return { finishedIds, kept: keptOrders };
}

/**
 * Erases the personal data of finished orders. Lines, amounts, tax, payments and dates are kept, as the law requires. The
 * orders are assigned to the visitor for erased orders. The caller holds their locks.
 */
async function eraseOrderRecords(tx: Db, orderIds: string[], { now: clock }: ShopContext): Promise<void> {
  const now = clock();
  const visitorId = await ensureErasedVisitor(tx);
  const rows = await tx.select().from(orders).where(inArray(orders.id, orderIds));
  for (const order of rows) {
    await tx
      .update(orders)
      .set({
        visitorId,
        ...erasedEntries(order),
        trackingNumber: null,
        source: null,
        idempotencyKey: null,
        requestHash: Buffer.alloc(0),
        erasedAt: now,
      })
      .where(eq(orders.id, order.id));
  }
  await tx.update(orders).set({ holdReason: null }).where(inArray(orders.id, orderIds));
  // The owner's notes in the history contain tracking numbers.
  await tx
    .update(orderEvents)
    .set({ note: null })
    .where(and(inArray(orderEvents.orderId, orderIds), eq(orderEvents.actor, "owner")));
  await tx.delete(orderVisitors).where(inArray(orderVisitors.orderId, orderIds));
  await purgeCustomerHashes(tx, orderIds);
}

/** Deletes the links e-mailed to an address up to a time. */
async function eraseLookups(tx: Db, { email, until }: PersonToErase): Promise<void> {
  const hourMs = 60 * 60 * 1000;
  await tx
    .delete(orderLookups)
    .where(
      and(
        eq(sql`lower(${orderLookups.email})`, email),
        lte(orderLookups.expiresAt, new Date(until.getTime() + hourMs)),
      ),
    );
}

const dayMs = 24 * 60 * 60 * 1000;
/** Number of orders per transaction. */
const unpaidBatchSize = 200;
/** Maximum number of transactions per run; the next run continues. */
const maxUnpaidBatches = 50;

/**
 * Erases the personal data of orders that were cancelled unpaid, `unpaidOrderDays` after they were placed. The data is kept while a
 * payment may still arrive or an issue is open.
 */
export async function purgeUnpaidOrders(ctx: ShopContext): Promise<void> {
  const { db } = ctx;
  const now = ctx.now();
  const before = new Date(now.getTime() - unpaidOrderDays * dayMs);
  const settings = await ctx.settings();
  let after = new Date(0);
  for (let batch = 0; batch < maxUnpaidBatches; batch += 1) {
    const cancelled = await db
      .select({ id: orders.id, createdAt: orders.createdAt })
      .from(orders)
      .where(
        and(
          eq(orders.status, "cancelled"),
          isNull(orders.paidAt),
          isNull(orders.erasedAt),
          gte(orders.createdAt, after),
          lt(orders.createdAt, before),
        ),
      )
      .orderBy(orders.createdAt)
      .limit(unpaidBatchSize);
    if (cancelled.length === 0) return;
    const ids = cancelled.map(({ id }) => id);
    await db.transaction(async (tx) => {
      const { finishedIds } = await lockAndClassify(tx, ids, { settings, now });
      await eraseOrders(tx, finishedIds, ctx);
    });
    if (cancelled.length < unpaidBatchSize) return;
    // The next batch starts after the orders whose data must be kept.
    after = cancelled.at(-1)?.createdAt ?? before;
  }
}

export const ordersPersonalData: PersonalDataOf<ShopContext> = {
  buyer: { find: ordersWithAddress, classify: lockAndClassify },
  knownAddress: buyerAddress,
  lists: { orders: exportOrders, links: exportLookups },
  eraseOrders: eraseOrderRecords,
  erase: eraseLookups,
};

/** Detaches orders from visitors whose cookie has expired in every browser; "Find my order" still finds them by address. */
export async function detachExpiredVisitors({ db, now }: ShopContext): Promise<void> {
  const expiredBefore = new Date(now().getTime() - visitorCookieDays * 24 * 60 * 60 * 1000).toISOString();
  const erasedVisitorId = await ensureErasedVisitor(db);
  let after = { at: "-infinity", id: erasedVisitorId };
  await inBatches(async () => {
    const { rows } = await db.execute<{ id: string; at: string }>(sql`
      select id, seen_at::text as at from ${visitors}
      where seen_at < ${expiredBefore} and (seen_at, id) > (${after.at}::timestamptz, ${after.id}::uuid) and id <> ${erasedVisitorId}
      order by seen_at, id limit ${batchRows}`);
    after = rows.at(-1) ?? after;
    const ids = sql.param(rows.map(({ id }) => id));
    await db.execute(sql`
      update ${orders} set visitor_id = ${erasedVisitorId} where id = any(array(
        select id from ${orders} where visitor_id = any(${ids}::uuid[]) and status <> 'pending'
        for update skip locked))`);
    return rows.length;
  });
}
