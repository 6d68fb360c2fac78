import { inArray, type SQL, sql } from "drizzle-orm";
import { countedModes } from "../../domain/payments/payment-mode.ts";
import type { ShopContext } from "../context.ts";
import { labels } from "./tables.ts";

/**
 * Costs of labels: a row when one is bought, one with the negative amount when it is voided, and one again if its refund was
 * rejected later. The one definition, as `c` with at, id, what, order_id, cents and carrier. What buyers pay for shipping is `orders.shipping_cents`. Labels of test modes never
 * count beside live ones, as orders.
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

/** Their sum at or after `from` and before `before`, in cents. */
export async function labelCostsOf(
  ctx: Pick<ShopContext, "db" | "provider">,
  { from, before }: { from: Date; before: Date },
): Promise<number> {
  const { rows } = await ctx.db.execute<{ cents: string }>(sql`
    select coalesce(sum(c.cents), 0)::text as cents from ${countedLabelCosts(ctx)}
    where c.at >= ${from.toISOString()}::timestamptz and c.at < ${before.toISOString()}::timestamptz`);
  return Number(rows[0]?.cents ?? 0);
}
