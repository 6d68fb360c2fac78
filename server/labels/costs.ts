import { sql } from "drizzle-orm";
import { labels } from "./tables.ts";

/**
 * Costs of labels, as the table `c` with at, id, what, order_id, mode, cents and carrier: a row when a label is bought, one with
 * the negative amount when it is voided, and another one if its refund is rejected later. Buyers pay `orders.shipping_cents`
 * instead. Callers leave out test labels beside live ones, as they do orders.
 */
export const labelCosts = sql`(
  select l.bought_at as at, l.id::text as id, 'bought' as what, l.order_id, l.mode, l.amount_cents as cents, l.carrier
  from ${labels} l where l.bought_at is not null
  union all
  select l.voided_at, l.id || ' voided', 'voided', l.order_id, l.mode, -l.amount_cents, l.carrier
  from ${labels} l where l.voided_at is not null
  union all
  select l.refund_rejected_at, l.id || ' rejected', 'not refunded', l.order_id, l.mode, l.amount_cents, l.carrier
  from ${labels} l where l.refund_rejected_at is not null) as c`;
