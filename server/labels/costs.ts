import { inArray, type SQL, sql } from "drizzle-orm";
import { countedModes } from "../../domain/payments/payment-mode.ts";
import type { ShopContext } from "../context.ts";
import { labels } from "./tables.ts";

/**
 * Costs of labels, as the table `c` with at, id, what, order_id, cents and carrier: a row when a label is bought, one with the
 * negative amount when it is voided, and another one if its refund is rejected later. Buyers pay `orders.shipping_cents` instead.
 * Like orders, test labels do not count beside live ones.
 */
export function countedLabelCosts({ provider: { mode } }: Pick<ShopContext, "provider">): SQL {
  const counted = inArray(sql`l.mode`, countedModes[mode]);
  return sql`(
    select l.bought_at as at, l.id::text as id, 'bought' as what, l.order_id, l.amount_cents as cents, l.carrier
    from ${labels} l where l.bought_at is not null and ${counted}
    union all
    select l.voided_at, l.id || ' voided', 'voided', l.order_id, -l.amount_cents, l.carrier
    from ${labels} l where l.voided_at is not null and ${counted}
    union all
    select l.refund_rejected_at, l.id || ' rejected', 'not refunded', l.order_id, l.amount_cents, l.carrier
    from ${labels} l where l.refund_rejected_at is not null and ${counted}) as c`;
}

/** The sum of label costs from `from` (included) to `before` (excluded), in cents. */
export async function labelCostsOf(
  ctx: Pick<ShopContext, "db" | "provider">,
  { from, before }: { from: Date; before: Date },
): Promise<number> {
  const { rows } = await ctx.db.execute<{ cents: string }>(sql`
    select coalesce(sum(c.cents), 0)::text as cents from ${countedLabelCosts(ctx)}
    where c.at >= ${from.toISOString()}::timestamptz and c.at < ${before.toISOString()}::timestamptz`);
  return Number(rows[0]?.cents ?? 0);
}
