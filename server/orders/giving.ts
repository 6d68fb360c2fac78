import { sql } from "drizzle-orm";
import type { Giving } from "../../domain/giving.ts";
import { payments } from "../payments/tables.ts";
import type { Db } from "../platform/database.ts";
import { orders } from "./tables.ts";

/**
 * Adds up what domain/giving.ts says of one order, over all that are paid, in whole cents from the first step to the
 * last. An order that another provider was paid for does not count: what the sandbox simulated was never earned.
 */
export async function readGiving(db: Db, provider: "stripe" | "sandbox"): Promise<Giving> {
  const { rows } = await db.execute<{ donated: string; proceeds: string; since: string | null }>(sql`
    with proceeds as (
      select paid_at, giving_percent,
        (subtotal_cents - discount_cents)::bigint * greatest(0, total_cents - refunded_cents - charged_back_cents) / total_cents as cents
      from ${orders} as o
      where status in ('completed', 'shipped', 'delivered', 'partially_refunded')
        and called_off_at is null and total_cents > 0
        and not exists (
          select 1 from ${payments} as p
          where p.order_id = o.id and p.status = 'succeeded' and p.provider <> ${provider})
    )
    select coalesce(sum(cents * (giving_percent * 100)::bigint / 10000), 0) as donated,
      coalesce(sum(cents), 0) as proceeds,
      to_json(min(paid_at)) #>> '{}' as since
    from proceeds`);
  const [row] = rows;
  if (!row) throw new Error("a sum without a row");
  return {
    donatedCents: Number(row.donated),
    proceedsCents: Number(row.proceeds),
    since: row.since === null ? null : new Date(row.since).toISOString(),
  };
}
