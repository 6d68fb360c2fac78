import { sql } from "drizzle-orm";
import { disputes } from "../disputes/tables.ts";
import { discrepancies } from "../money-check/tables.ts";
import { orders } from "../orders/tables.ts";
import { paymentEvents, payments, refunds } from "../payments/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { issues } from "./tables.ts";

/**
 * Closes open issues whose cause is gone according to the booked data, of one order or all. Returns the order of each
 * closed issue, or null. Issues that only inform the owner are never closed automatically.
 */
export async function closeSettled(
  tx: Db,
  { orderId, now }: { orderId?: string; now: Date },
): Promise<(string | null)[]> {
  const matchesOrder = orderId === undefined ? sql`true` : sql`order_id = ${orderId}`;
  const issue = sql`issues`;
  const { rows } = await tx.execute<{ order_id: string | null }>(sql`
    update ${issues} set resolved_at = ${now.toISOString()}, resolution = case kind
      when 'refund_waiting' then 'Automatically: the refund went through, or failed'
      when 'refund_failed' then 'Automatically: the money went back since'
      when 'refund_refused' then 'Automatically: the money went back since'
      when 'dispute' then 'Automatically: the dispute was closed'
      when 'evidence_refused' then 'Automatically: the dispute was answered, or is over'
      when 'fraud_warning' then 'Automatically: the money was refunded, or is disputed'
      when 'money_check' then 'Automatically: no difference is left'
      when 'webhook_silent' then 'Automatically: the webhook brings events again'
      when 'order_not_ended' then 'Automatically: the order was paid or cancelled'
      when 'packing_problem' then 'Automatically: the order was taken off hold, or does not ship anymore'
      else 'Automatically: the payment is booked now' end
    where resolved_at is null and ${matchesOrder} and case
      when kind = 'refund_waiting' then exists (select from ${refunds} as r
        where r.order_id = ${issue}.order_id and r.id::text = ${issue}.subject and r.status <> 'pending')
      when kind in ('refund_failed', 'refund_refused') then ${isFailedRefundSettled}
      when kind = 'dispute' then coalesce(
        (select d.closed_at is not null from ${disputes} as d where d.id = ${issue}.subject),
        exists (select from ${issues} as closed
          where closed.kind = 'dispute_closed' and closed.subject = ${issue}.subject))
      when kind = 'evidence_refused' then exists (select from ${disputes} as d
        where d.id = split_part(${issue}.subject, ':', 1) and d.status <> 'needs_response')
      when kind = 'fraud_warning' then exists (select from ${disputes} as d where d.order_id = ${issue}.order_id)
          -- A warning does not say which payment it concerns, so each payment has to be disputed.
          and not exists (select from ${payments} as p where p.order_id = ${issue}.order_id and p.status = 'succeeded'
            and not exists (select from ${disputes} as d where d.intent_id = p.intent_id))
        or exists (select from ${orders} as o where o.id = ${issue}.order_id
          and o.refunded_cents + o.charged_back_cents >= o.payable_cents)
      when kind in ('missing_order', 'foreign_intent', 'amount_mismatch', 'payment_elsewhere') then exists (select from ${payments} as p
        where p.intent_id = ${issue}.subject and p.status = 'succeeded')
      when kind = 'order_not_ended' then exists (select from ${orders} as o
        where o.id = ${issue}.order_id and o.status <> 'pending')
      when kind = 'packing_problem' then exists (select from ${orders} as o where o.id = ${issue}.order_id
        and (o.held_at is null or o.shipped_at is not null or o.cancelled_at is not null or o.status = 'refunded'))
      when kind = 'money_check' then not exists (select from ${discrepancies} as f
        where f.check_id::text = ${issue}.subject and f.repaired_at is null)
      when kind = 'webhook_silent' then exists (select from ${paymentEvents} as event
      where event.delivered_at > coalesce((select last.delivered_at from ${paymentEvents} as last
          where last.id = ${issue}.subject), case ${issue}.subject when 'never' then '-infinity' else ${issue}.created_at end))
      else false end returning order_id`);
  return rows.map((row) => row.order_id);
}

/** Whether a refund is for a late payment of an order edit, which was not booked. */
const isForLatePayment = (refund: "r" | "unpaid") =>
  sql.raw(
    `exists (select from payments p where p.intent_id = ${refund}.intent_id and p.status <> 'succeeded')`,
  );

/**
 * For a booked payment: the whole order was refunded or charged back, or the refunds that succeeded after the first failure add
 * up to at least the failed refunds that have an open issue. For an unbooked payment: that payment was refunded in full.
 */
const isFailedRefundSettled = sql`case when exists (select from ${refunds} as unpaid
    where unpaid.order_id = issues.order_id and unpaid.id::text = issues.subject and ${isForLatePayment("unpaid")})
  then exists (select from ${refunds} as unpaid join ${payments} as late on late.intent_id = unpaid.intent_id
    where unpaid.order_id = issues.order_id and unpaid.id::text = issues.subject
      and late.amount_cents <= (select sum(done.amount_cents) from ${refunds} as done
      where done.intent_id = late.intent_id and done.status = 'succeeded'))
  else exists (select from ${orders} as o,
    lateral (select sum(r.amount_cents) as cents, min(failed.created_at) as since
      from ${issues} as failed join ${refunds} as r on r.order_id = failed.order_id and r.id::text = failed.subject
      where failed.order_id = o.id and failed.resolved_at is null
        and failed.kind in ('refund_failed', 'refund_refused') and not ${isForLatePayment("r")}) as missing
    where o.id = issues.order_id and (o.refunded_cents + o.charged_back_cents >= o.payable_cents
      or missing.cents <= (select sum(r.amount_cents) from ${refunds} as r
        where r.order_id = o.id and r.status = 'succeeded' and r.created_at > missing.since and not ${isForLatePayment("r")}))) end`;
