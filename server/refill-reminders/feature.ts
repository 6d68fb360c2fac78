import { and, asc, eq, inArray, isNotNull, lte, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { buyerName, firstName } from "../../domain/orders/first-name.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { stock } from "../inventory/tables.ts";
import { buyAgainUrl, readMailOrder } from "../orders/mail.ts";
import { orderLines, orders } from "../orders/tables.ts";
import type { Mail } from "../outbox/compose.ts";
import { enqueueMessages } from "../outbox/enqueue.ts";
import { isOptedOut, unsubscribeUrl } from "../outbox/optouts.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { problem } from "../platform/http/problem.ts";
import { type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { chooseRefill, purgeRefillReminders } from "./commands.ts";
import { refillReminders } from "./tables.ts";

/** Reminders that were requested for these orders and have not been sent yet. */
async function exportRefillReminders(db: Db, { orderIds }: Person, limit: number) {
  return db
    .select({ orderNumber: orders.number, askedAt: refillReminders.askedAt })
    .from(refillReminders)
    .innerJoin(orders, eq(orders.id, refillReminders.orderId))
    .where(inArray(refillReminders.orderId, orderIds))
    .orderBy(asc(orders.number))
    .limit(limit);
}

/** Deletes requests made up to the time `until`, including requests for orders that must be kept. */
async function eraseRefillReminders(tx: Db, { orderIds, until }: PersonToErase): Promise<void> {
  await tx
    .delete(refillReminders)
    .where(and(inArray(refillReminders.orderId, orderIds), lte(refillReminders.askedAt, until)));
}

const refillRemindersApi = [
  route("PUT /api/orders/:id/refill-reminder", {
    tag: "Checkout and orders",
    access: "anyone",
    byBuyer: true,
    limit: "write",
    summary: "Request one e-mail when a bottle should be nearly empty, or cancel the request",
    params: v.object({ id: v.string() }),
    body: v.object({
      isWanted: v.boolean("Must be true or false"),
      token: v.optional(v.nullable(v.pipe(v.string("Must be text"), v.maxLength(200))), null),
    }),
    response: dataEnvelope(v.object({ weeks: v.number(), isWanted: v.boolean() })),
    responses: {
      200: "`isWanted`, and after how many `weeks` from delivery; repeating the call changes nothing",
      404: "Not an order of this visitor, nor of the link's bearer, or no reminder is offered for it",
    },
    handle: async (ctx, { params, body: { isWanted, token }, viewer }) => {
      const choice = await chooseRefill(ctx, { viewer, orderId: params.id, token, isWanted });
      return choice ? ok(choice) : problem("not_found", "There is nothing to remind of here.");
    },
  }),
];

const batchSize = 200;
const weekMs = 7 * 24 * 60 * 60 * 1000;
/** A parcel without a recorded delivery is assumed to be delivered after this time. */
const deliveryMs = weekMs;
/** How long a due reminder waits for a sold-out product before it is dropped. */
const soldOutWaitMs = 8 * weekMs;

function refillReminderTask(ctx: ShopContext): RecurringTask {
  const job = { name: "remind_of_refill", lane: "mail", priority: 20, everySeconds: 60 * 60 } as const;
  return recurring(job, () => remindOfRefills(ctx));
}

/** Enqueues due reminders and deletes pointless ones. Safe to repeat. */
export async function remindOfRefills(ctx: ShopContext): Promise<void> {
  const { refillReminderWeeks: weeks } = await ctx.settings();
  if (weeks === 0) return;
  const now = ctx.now();
  const dueBefore = new Date(now.getTime() - weeks * weekMs);
  const tooLateBefore = new Date(dueBefore.getTime() - soldOutWaitMs);
  await ctx.db.transaction(async (tx) => {
    const reminders = await tx
      .select({ order: orders, canBuy: canBuyAgain })
      .from(refillReminders)
      .innerJoin(orders, eq(orders.id, refillReminders.orderId))
      .where(
        and(
          isNotNull(orders.shippedAt),
          sql`${arrival} <= ${dueBefore.toISOString()}::timestamptz`,
          // Reminders that wait for a sold-out product must not delay other reminders.
          or(canBuyAgain, sql`${arrival} < ${tooLateBefore.toISOString()}::timestamptz`),
        ),
      )
      .orderBy(refillReminders.askedAt)
      .limit(batchSize)
      .for("update", { of: refillReminders, skipLocked: true });
    for (const { order, canBuy } of reminders) {
      if (!canBuy || !(await isStillWanted(tx, order))) continue;
      const { id: orderId, email: recipient } = order;
      const dedupeKey = `refill_reminder:${orderId}`;
      await enqueueMessages(tx, [{ kind: "refill_reminder", dedupeKey, orderId, recipient }]);
    }
    const finishedOrderIds = reminders.map(({ order }) => order.id);
    await tx.delete(refillReminders).where(inArray(refillReminders.orderId, finishedOrderIds));
  });
}

type OrderRow = typeof orders.$inferSelect;

const arrival = sql`coalesce(${orders.deliveredAt}, ${orders.shippedAt} + make_interval(secs => ${deliveryMs / 1000}))`;

/** Whether any product of the order is in stock. */
const canBuyAgain = sql<boolean>`exists (
  select from ${orderLines} join ${products} on ${products.id} = ${orderLines.productId} and ${products.published}
    join ${stock} on ${stock.productId} = ${products.id} and ${stock.onHand} > ${stock.reserved}
  where ${orderLines.orderId} = ${orders.id})`;

async function isStillWanted(tx: Db, order: OrderRow): Promise<boolean> {
  if (order.erasedAt !== null || order.status === "refunded") return false;
  if (await isOptedOut(tx, order.email, "refill_reminder")) return false;
  const laterOrders = and(
    sql`(lower(${orders.email}) = ${order.email.toLowerCase()} or ${orders.visitorId} = ${order.visitorId})`,
    sql`${orders.paidAt} > ${order.paidAt?.toISOString() ?? null}::timestamptz`,
    sql`${orders.cancelledAt} is null`,
  );
  return (await tx.$count(orders, laterOrders)) === 0;
}

const refillRemindersMail = {
  /** The message may have waited for hours, so the address's opt-out is read again. */
  async refill_reminder(context, message) {
    const order = await readMailOrder(context.db, message);
    if (order.erasedAt !== null || (await isOptedOut(context.db, order.email, "refill_reminder"))) {
      return "unneeded";
    }
    const unsubscribe = unsubscribeUrl(context, order.email, "refill_reminder");
    return {
      email: {
        kind: "refill_reminder",
        firstName: firstName(buyerName(order)),
        orderNumber: order.number,
        items: order.items.map(({ name, image }) => ({ name, image })),
        buyAgainUrl: buyAgainUrl(context, order),
        unsubscribeUrl: unsubscribe,
      },
      recipient: order.email,
      secret: null,
      unsubscribeUrl: unsubscribe,
    };
  },
} satisfies Mail;

/** Opt-in e-mails to buyers when a bottle should be nearly empty. */
export const refillRemindersFeature = {
  api: refillRemindersApi,
  cron: (ctx) => [refillReminderTask(ctx)],
  mail: refillRemindersMail,
  purges: [purgeRefillReminders],
  personalData: { lists: { refillReminders: exportRefillReminders }, erase: eraseRefillReminders },
} satisfies Feature;
