import { type SQL, sql } from "drizzle-orm";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { productViewHours } from "../catalog/tables.ts";
import { disputes } from "../disputes/tables.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { orderEvents, orders } from "../orders/tables.ts";
import { payments, refunds } from "../payments/tables.ts";

/** Key of the sums by mode. The key is empty if the mode is unknown, or if the row has none. */
export const providerByMode: Record<PaymentMode, string> = {
  live: "stripe",
  test: "stripe_test",
  sandbox: "sandbox",
};

/** Increment it when the meaning of the sums changes: tables of an older version are rebuilt instead of read. */
export const salesVersion = 2;

/** Names of the summed columns. */
export const counted = [
  "orders",
  "goods_cents",
  "discount_cents",
  "shipping_cents",
  "tax_cents",
  "proceeds_cents",
  "given_cents",
  "checkouts",
  "placed_paid",
  "refunds",
  "refunded_cents",
  "refunded_shipping_cents",
  "refunded_tax_cents",
  "chargebacks",
  "charged_back_cents",
  "dispute_fee_cents",
  "views",
] as const;
export type Counted = (typeof counted)[number];

/** The sum of each column, under its name. */
export const sums = sql.raw(counted.map((column) => `sum(${column})::bigint as ${column}`).join(", "));
export const columns = sql.raw(counted.join(", "));

/** The columns of one kind of row: its values, and 0 in all other columns. */
function countColumns(values: Partial<Record<Counted, SQL>>): SQL {
  return sql.join(
    counted.map((column) => sql`(${values[column] ?? sql`0`})::bigint as ${sql.raw(column)}`),
    sql`, `,
  );
}

/**
 * A row for each order placed, order paid, order edit applied, refund settled, dispute lost and dispute fee at or after `from` and
 * before `to`. A late payment that was only refunded counts neither as a sale nor as a refund. Visits are counted by the hour and
 * attributed to its last quarter, so that they are complete when that ends. `group` adds an expression of the order `o` as the
 * column `name`, and a condition on the order; only rows that change the sales are then read.
 */
export function salesEvents(from: SQL, to: SQL, group?: { name: SQL; where: SQL }): SQL {
  const more = group ? sql`, ${group.name} as name` : sql``;
  const isCounted = group ? sql`${isSale} and ${group.where}` : isSale;
  const others = sql`
    union all
    select o.created_at, ${provider}, ${countColumns({
      checkouts: sql`1`,
      placed_paid: sql`case when o.paid_at is not null and ${isSale} then 1 else 0 end`,
    })}
    from ${orders} o where o.created_at >= ${from} and o.created_at < ${to} and o.replaces_id is null
    union all
    select coalesce(d.withdrawn_at, d.created_at), ${provider}, ${countColumns({ dispute_fee_cents: sql`d.fee_cents` })}
    from ${disputes} d join ${orders} o on o.id = d.order_id
    where coalesce(d.withdrawn_at, d.created_at) >= ${from} and coalesce(d.withdrawn_at, d.created_at) < ${to}
      and d.fee_cents > 0
    union all
    select v.hour + ${lastQuarter}, '', ${countColumns({ views: sql`v.views` })}
    from ${productViewHours} v where v.hour >= ${from} - ${lastQuarter} and v.hour < ${to} - ${lastQuarter}`;
  return sql`
    select o.paid_at as at, ${provider} as provider, ${countColumns({
      orders: sql`1`,
      goods_cents: sql`o.subtotal_cents - o.discount_cents - o.added_goods_cents`,
      discount_cents: sql`o.discount_cents`,
      shipping_cents: sql`o.shipping_cents - o.added_shipping_cents`,
      tax_cents: sql`o.tax_cents - o.added_tax_cents`,
      proceeds_cents: proceeds,
      given_cents: setAside,
    })}${more}
    from ${orders} o where o.paid_at >= ${from} and o.paid_at < ${to} and ${isCounted}
    union all
    select e.ended_at, ${provider}, ${countColumns({
      goods_cents: sql`e.goods_cents`,
      shipping_cents: sql`e.shipping_cents`,
      tax_cents: sql`e.tax_cents`,
    })}${more}
    from ${orderEdits} e join ${orders} o on o.id = e.order_id
    where e.ended_at >= ${from} and e.ended_at < ${to} and e.status = 'applied' and ${isCounted}
    union all
    select r.settled_at, ${provider}, ${countColumns({
      refunds: sql`1`,
      refunded_cents: sql`r.amount_cents`,
      refunded_shipping_cents: sql`r.shipping_cents`,
      refunded_tax_cents: sql`r.tax_cents`,
    })}${more}
    from ${credits} join ${orders} o on o.id = r.order_id
    where r.settled_at >= ${from} and r.settled_at < ${to} and ${isCounted}
    union all
    select d.closed_at, ${provider}, ${countColumns({ chargebacks: sql`1`, charged_back_cents: sql`d.charged_back_cents` })}${more}
    from ${disputes} d join ${orders} o on o.id = d.order_id
    where d.closed_at >= ${from} and d.closed_at < ${to} and d.charged_back_cents > 0 and ${isCounted}
      and exists (select from ${payments} p where p.intent_id = d.intent_id and p.status = 'succeeded')
    ${group ? sql`` : others}`;
}

const lastQuarter = sql`interval '45 minutes'`;

/** Whether the order `o` was a sale; an order whose late payment was only refunded was not. */
// Not `exists`, for which PostgreSQL would read the events of all orders.
export const isSale = sql`(o.status in ('completed','shipped','delivered','partially_refunded') or o.status = 'refunded'
  and coalesce((select true from ${orderEvents} e where e.order_id = o.id and e.to_status = 'completed' limit 1), false))`;

/**
 * Credits to buyers, as rows `r`: settled refunds of booked payments, credits by exchanges, and exchanged amounts of order edits.
 * Refunds of late payments, which were not sales, are excluded.
 */
export const credits = sql`(
  select f.id, f.order_id, f.settled_at, f.amount_cents, f.goods_cents, f.shipping_cents, f.tax_cents, f.origin, f.provider_refund_id,
    f.intent_id, null::uuid as exchanged_by, f.exchange_id is not null as is_exchange
  from ${refunds} f where f.settled_at is not null
    and not exists (select from ${payments} p where p.intent_id = f.intent_id and p.status <> 'succeeded')
  union all
  select e.exchange_id, e.order_id, e.ended_at, e.exchanged_cents, e.exchanged_goods_cents, e.exchanged_shipping_cents,
    e.exchanged_tax_cents, 'shop', null, null, e.id, true
  from ${orderEdits} e where e.exchanged_cents > 0) as r`;

/** Key of the sums for an order `o`. Each mode has a separate key, because payments in test mode move no money. */
export const provider = sql.raw(
  `case o.mode ${Object.entries(providerByMode)
    .map(([mode, name]) => `when '${mode}' then '${name}'`)
    .join(" ")} else '' end`,
);

// The same rule as domain/sales/giving.ts, which computes it for one order.
const proceeds = sql`case when o.status = 'refunded' or o.cancelled_at is not null or o.total_cents = 0 then 0 else
  (o.subtotal_cents - o.discount_cents)::bigint * greatest(0, o.payable_cents - o.refunded_cents - o.charged_back_cents) / o.total_cents end`;
const setAside = sql`(${proceeds}) * (o.giving_percent * 100)::bigint / 10000`;
