import { sql } from "drizzle-orm";
import { labels } from "./tables.ts";

/**
 * The carriers' charges for labels, as the table `c` with at, id, kind, order_id, mode, cents and carrier: a row when a label is
 * bought, one with the negative amount when it is voided, and another one if its refund is rejected later. The buyers' payments for
 * shipping are in `orders.shipping_cents`. Callers filter by mode, so that test labels do not count in a live shop.
 */
export const labelCosts = sql`(
  select l.bought_at as at, l.id::text as id, 'bought' as kind, l.order_id, l.mode, l.amount_cents as cents, l.carrier
  from ${labels} l where l.bought_at is not null
  union all
  select l.voided_at, l.id || ' voided', 'voided', l.order_id, l.mode, -l.amount_cents, l.carrier
  from ${labels} l where l.voided_at is not null
  union all
  select l.refund_rejected_at, l.id || ' rejected', 'not refunded', l.order_id, l.mode, l.amount_cents, l.carrier
  from ${labels} l where l.refund_rejected_at is not null) as c`;
