import { sql } from "drizzle-orm";
import type { Db } from "../server/platform/database/database.ts";

/** Cents that the shop has booked: payments of orders less refunds, chargebacks and amounts withheld by disputes. */
export async function bookedCents(db: Db): Promise<number> {
  const { rows } = await db.execute<{ cents: number }>(
    sql`select coalesce(sum(payable_cents - refunded_cents - charged_back_cents
        - (select coalesce(sum(held_cents), 0) from disputes where order_id = orders.id)), 0)::int as cents
      from orders where paid_at is not null`,
  );
  return rows[0]?.cents ?? 0;
}

/** Cents of payments made outside the provider. */
export async function offlineCents(db: Db): Promise<number> {
  const { rows } = await db.execute<{ cents: number }>(
    sql`select coalesce(sum(amount_cents), 0)::int as cents from payments where provider = 'manual' and status = 'succeeded'`,
  );
  return rows[0]?.cents ?? 0;
}

/**
 * Checks the rules for all orders; returns one line per violation. The limit is a parameter, as only statements with parameters
 * are prepared: planning this one takes ten times as long as running it.
 */
export async function findRuleViolations(db: Db): Promise<unknown[]> {
  const { rows } = await db.execute(sql`select * from (
    select o.number, 'a completed order has one confirmation e-mail' as rule from orders o
      where o.replaces_id is null and exists (select 1 from order_events e where e.order_id = o.id and e.to_status = 'completed')
        and (select count(*) from messages m where m.order_id = o.id and m.kind = 'order_confirmation') <> 1
    union all select o.number, 'a completed order has sold its units once, others none' from orders o
      where (select coalesce(sum(s.quantity), 0) from stock_movements s where s.order_id = o.id and s.kind = 'sold') <>
        case when exists (select 1 from order_events e where e.order_id = o.id and e.to_status = 'completed')
          then (select sum(l.quantity) from order_lines l where l.order_id = o.id) else 0 end
    union all select o.number, 'a paid order has one succeeded payment, or none if credit paid for it' from orders o
      where o.paid_at is not null
        and (select count(*) from payments p where p.order_id = o.id and p.status = 'succeeded' and p.order_edit_id is null and p.exchange_id is null)
          <> case when o.total_cents = o.credit_cents then 0 else 1 end
    union all select o.number, 'an exchange moves the same amount from its first order to its new order' from order_exchanges x
      join orders o on o.id = x.new_order_id
      where o.paid_at is not null and exists (select from payments p where p.exchange_id = x.id)
        and (o.credit_cents <> (select sum(p.amount_cents) from payments p where p.exchange_id = x.id)
          or o.credit_cents <> (select sum(r.amount_cents) from refunds r where r.exchange_id = x.id and r.order_id = x.order_id))
    union all select o.number, 'a replacement has no payment and no invoice' from orders o
      where o.replaces_id is not null and (o.paid_at is not null or exists (select from payments p where p.order_id = o.id)
        or exists (select from invoices i where i.order_id = o.id))
    union all select o.number, 'succeeded payments add up to the payable amount' from orders o
      where o.paid_at is not null and o.payable_cents <>
        (select sum(p.amount_cents) from payments p where p.order_id = o.id and p.status = 'succeeded')
    union all select o.number, 'the lines add up to the subtotal' from orders o
      where coalesce((o.with_tax->>'subtotal')::int, o.subtotal_cents) <> (select sum(l.quantity * l.unit_price_cents - l.bundle_saving_cents) from order_lines l where l.order_id = o.id)
    union all select o.number, 'the added and exchanged amounts are those of the applied edits' from orders o
      where (o.added_goods_cents, o.added_shipping_cents, o.added_tax_cents) <> (
          select coalesce(sum(c.goods_cents), 0), coalesce(sum(c.shipping_cents), 0), coalesce(sum(c.tax_cents), 0)
          from order_edits c where c.order_id = o.id and c.status = 'applied')
        or o.exchanged_cents <> (select coalesce(sum(e.exchanged_cents), 0) from order_edits e where e.order_id = o.id)
    union all select o.number, 'the difference of an applied edit was paid or refunded' from orders o
      join order_edits e on e.order_id = o.id and e.status = 'applied'
      where greatest(e.difference_cents, 0) <> (select coalesce(sum(p.amount_cents), 0) from payments p
          where p.order_edit_id = e.id and p.status = 'succeeded')
        or greatest(-e.difference_cents, 0) <> (select coalesce(sum(r.amount_cents), 0) from refunds r where r.order_edit_id = e.id)
    union all select o.number, 'a cancelled order is not shipped' from orders o
      where o.cancelled_at is not null and o.shipped_at is not null
    union all select o.number, 'the parcels contain the shipped units of the lines' from orders o
      where exists (select from order_lines l where l.order_id = o.id and l.shipped_quantity <>
        (select coalesce(sum(s.quantity), 0) from shipment_lines s where s.order_id = o.id and s.product_id = l.product_id))
    union all select o.number, 'a shipped order has no unshipped units' from orders o
      where o.shipped_at is not null and exists (select from order_lines l
        where l.order_id = o.id and l.quantity > l.shipped_quantity + l.restocked_unshipped_quantity)
    union all select o.number, 'the restocked units are the returned units of the lines' from orders o
      where (select coalesce(sum(s.quantity), 0) from stock_movements s where s.order_id = o.id and s.kind = 'returned')
        <> (select sum(l.returned_quantity) from order_lines l where l.order_id = o.id)
    union all select o.number, 'an order is marked as fully restocked if all units are returned' from orders o
      where (o.all_back_at is not null)
        <> (select bool_and(l.returned_quantity = l.quantity) from order_lines l where l.order_id = o.id)
    union all select o.number, 'the buyer was notified once of each succeeded refund' from orders o
      where o.paid_at is not null
        and (select count(*) from messages m where m.order_id = o.id and m.kind = 'refund_sent')
          <> (select count(*) from refunds r where r.order_id = o.id and r.notified_at is not null and r.exchange_id is null)
        or exists (select 1 from refunds r where r.order_id = o.id and r.status = 'succeeded' and r.notified_at is null
          and exists (select 1 from payments p where p.intent_id = r.intent_id and p.status = 'succeeded'))
    union all select o.number, 'refunds do not exceed the payment' from orders o
      join payments p on p.order_id = o.id and p.status = 'succeeded'
      where p.amount_cents < (select coalesce(sum(r.amount_cents), 0) from refunds r
        where r.intent_id = p.intent_id and r.status <> 'failed')
    union all select o.number, 'refunds of goods, shipping and tax do not exceed the amounts of the order'
      from orders o, lateral (select sum(amount_cents) as cents, sum(goods_cents) as goods, sum(shipping_cents) as shipping,
          sum(tax_cents) as tax
        from (select r.amount_cents, r.goods_cents, r.shipping_cents, r.tax_cents
          from refunds r join payments p on p.intent_id = r.intent_id and p.status = 'succeeded'
          where r.order_id = o.id and r.status <> 'failed'
          union all select e.exchanged_cents, e.exchanged_goods_cents, e.exchanged_shipping_cents, e.exchanged_tax_cents
          from order_edits e where e.order_id = o.id) as credited) as back
      where o.paid_at is not null and back.cents <= o.total_cents and (back.goods > o.subtotal_cents - o.discount_cents or back.shipping > o.shipping_cents
        or back.tax > o.tax_cents)
    union all select o.number, 'a refunded, cancelled, disputed or erased order has no edit that waits for payment'
      from orders o join order_edits c on c.order_id = o.id and c.status = 'waiting'
      where o.status in ('refunded', 'cancelled') or o.cancelled_at is not null or o.erased_at is not null
        or o.ship_hold in ('dispute', 'refund')
    union all select o.number, 'the charged-back amount is that of the disputes' from orders o
      where o.charged_back_cents <> (select coalesce(sum(d.charged_back_cents), 0) from disputes d
        join payments p on p.intent_id = d.intent_id and p.status = 'succeeded' where d.order_id = o.id)
    union all select o.number, 'an order is on hold exactly while it is disputed, being refunded in full, suspected of fraud, being edited or held by the owner' from orders o
      where (o.ship_hold is not null) <> (o.held_at is not null
        or exists (select from order_edits c where c.order_id = o.id and c.status = 'waiting') or exists (select from disputes d where d.order_id = o.id
          and (d.closed_at is null or d.status = 'lost' or d.charged_back_cents > 0))
        or exists (select from issues f where f.order_id = o.id and f.kind in ('fraud_warning', 'payment_review')
          and f.resolved_at is null)
        or exists (select from issues f where f.order_id = o.id and f.kind = 'dispute' and f.resolved_at is null
          and not exists (select from disputes d where d.id = f.subject))
        or coalesce(o.payable_cents - o.charged_back_cents <= (select sum(r.amount_cents) from refunds r
          join payments p on p.intent_id = r.intent_id and p.status = 'succeeded'
          where r.order_id = o.id and r.status <> 'failed' having bool_or(r.status = 'pending')), false))
    union all select o.number, 'a cancelled order is refunded, or has an issue' from orders o
      where o.cancelled_at is not null
        and (select coalesce(sum(r.amount_cents), 0) from refunds r where r.order_id = o.id and r.status <> 'failed')
          < o.payable_cents - o.charged_back_cents - (select coalesce(sum(p.amount_cents), 0) from payments p
            join order_exchanges x on x.id = p.exchange_id where p.order_id = o.id and x.received_at is null)
        and not exists (select 1 from issues f where f.order_id = o.id)
    union all select 0, 'the reserved stock is that of pending orders and edits' from stock
      where reserved <> (select coalesce(sum(l.quantity - l.unreserved_quantity), 0) from order_lines l join orders o on o.id = l.order_id
        where o.status = 'pending' and l.product_id = stock.product_id)
        + (select coalesce(sum((a->>'quantity')::int), 0) from order_edits c, jsonb_array_elements(c.added) a
          where c.status = 'waiting' and (a->>'productId')::int = stock.product_id)) as violations limit ${1_000}`);
  return rows;
}

/** Unfinished work of the shop. */
export const unfinishedWork = sql`
  select 'order' as what, number::text as which, status from orders where status = 'pending'
  union all select 'payment', coalesce(intent_id, id::text), status from payments
    where status not in ('succeeded', 'canceled')
  union all select 'event', id, type from payment_events where handled_at is null
  union all select 'refund', id::text, status from refunds where status = 'pending'
  union all select 'message', id::text, status from messages where status not in ('sent', 'failed', 'skipped')`;

/**
 * Jobs that failed for good. Not counted: a recurring job whose next run is queued although the confirmation was lost, and
 * `finish_openings`, which each reconciliation queues again.
 */
export const failedJobs = sql`select name, last_error from jobs failed
  where attempts >= max_attempts and last_error is not null and name <> 'finish_openings' and not exists (select from jobs following
    where following.key = 'every:' || failed.name and following.attempts < following.max_attempts)`;

/** E-mail addresses with several paid orders. Each buyer in these tests pays for one, even if calls have to be repeated. */
export const emailsPaidTwice = sql`select email, count(*) from orders where paid_at is not null group by email having count(*) > 1`;
