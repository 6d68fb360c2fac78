import { and, ne, type SQL, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { saleStatement } from "../../inventory/commands.ts";
import { unitsIn } from "../../orders/lifecycle.ts";
import { paidOrderMessages } from "../../orders/mail.ts";
import { completion, completionValues } from "../../orders/transition.ts";
import { insertedMessages, messageRows, sendMessageJob } from "../../outbox/enqueue.ts";
import type { Intent } from "../../payment-providers/provider.ts";
import {
  compiledStatement,
  type Placeholders,
  queryBuilder,
} from "../../platform/database/compiled-statement.ts";
import type { Db } from "../../platform/database/database.ts";
import { insertJobsForRows } from "../../platform/jobs/jobs.ts";
import { wakeWorkers } from "../../platform/jobs/queued.ts";
import { notificationPayloads, notifyDeviceJob } from "../../push/notify.ts";
import { today } from "../../settings/today.ts";
import { paymentEvents, payments } from "../tables.ts";
import { accountIfUnknown } from "./mark-payment.ts";

/** An order to be sold. `version` is the version (`orderVersion`) in which it was read without a lock; null if it is locked. */
export type OrderToSell = { id: string; version: string | null };

/**
 * Marks a pending, fully reserved order as paid: order, payment, history, messages and their jobs, the payment's event, and stock,
 * in one statement. Returns false without writing anything if the order has changed since `version`, or is no longer pending.
 */
export async function sell(
  ctx: ShopContext,
  db: Db,
  { order, intent, eventId }: { order: OrderToSell; intent: Intent; eventId: string | null },
): Promise<boolean> {
  const { account, mode } = ctx.provider;
  const now = ctx.now();
  const sale = sales.get(ctx.paymentHooks) ?? saleWith(ctx.paymentHooks);
  sales.set(ctx.paymentHooks, sale);
  const soldRows = await sale(db, {
    completion: completionValues(order, now),
    payment: { intentId: intent.intentId, paidWith: intent.paidWith, account, mode },
    event: { eventId, now },
    messages: messageRows(await paidOrderMessages(ctx, order.id, db)),
    today: await today(ctx, db),
  });
  if (soldRows.length === 0) return false;
  wakeWorkers();
  return true;
}

type Sale = {
  completion: ReturnType<typeof completionValues>;
  payment: Pick<typeof payments.$inferSelect, "paidWith" | "account" | "mode"> & { intentId: string };
  event: { eventId: string | null; now: Date };
  messages: string;
  today: string;
};

const sales = new WeakMap<ShopContext["paymentHooks"], ReturnType<typeof saleWith>>();

const saleWith = (hooks: ShopContext["paymentHooks"]) =>
  compiledStatement<Sale, Record<string, unknown>>((sale) => {
    const { orderId } = sale.completion;
    const { changed, entry } = completion(sale.completion);
    const isChanged = sql`exists (select from changed)`;
    const afterwards = hooks.flatMap(({ onOrderPaid }, index) =>
      onOrderPaid
        ? sql`${sql.identifier(`hook_${index}`)} as ${onOrderPaid(sql`(select visitor_id from changed)`)}, `
        : [],
    );
    const before = sql`changed as ${changed}, history as (${entry}),
      paid as ${markPaid(sale.payment, isChanged)},
      handled as (
        update ${paymentEvents} set handled_at = ${sale.event.now}::timestamptz, outcome = 'complete'
        where ${paymentEvents.id} = ${sale.event.eventId} and ${isChanged} returning 1
      ),
      mailed as (${insertedMessages(sale.messages, isChanged)}), ${sql.join(afterwards)}
      jobs as (${insertJobsForRows(
        [sendMessageJob, sql`select json_build_object('messageId', id) from mailed`],
        [notifyDeviceJob, sql`${notificationPayloads("order", orderId)} and ${isChanged}`],
      )} returning 1),
      written as (
        select count(*) from (select from history union all select from paid union all select from handled
          union all select from jobs) as row
      )`;
    const when = sql`${isChanged} and (select count from written) > 0`;
    return saleStatement({ before, when }, orderId, unitsIn(orderId), sale.today);
  });

function markPaid({ intentId, paidWith, account, mode }: Placeholders<Sale["payment"]>, when: SQL) {
  return queryBuilder
    .update(payments)
    .set({ status: "succeeded", paidWith: sql`${paidWith}`, ...accountIfUnknown(account, mode) })
    .where(and(sql`${payments.intentId} = ${intentId}`, ne(payments.status, "succeeded"), when))
    .returning({ id: payments.id });
}
