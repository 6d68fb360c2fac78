import { sql } from "drizzle-orm";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { Giving, SetAside } from "../../domain/sales/giving.ts";
import { isCountedIn } from "../orders/mode.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { readSent } from "./donations.ts";

/** The amount that orders set aside for donations, and the amount recorded as sent. */
export async function readGiving(db: Db, mode: PaymentMode): Promise<Giving> {
  const [setAside, sent] = await Promise.all([readSetAside(db, mode), readSent(db)]);
  return { ...setAside, ...sent };
}

/** Computes domain/sales/giving.ts over all paid orders in whole cents. Test orders do not count beside real money. */
export async function readSetAside(db: Db, mode: PaymentMode): Promise<SetAside> {
  const { rows } = await db.execute<{ set_aside: string; proceeds: string; since: string | null }>(sql`
    with proceeds as (
      select paid_at, giving_percent,
        (subtotal_cents - discount_cents)::bigint * greatest(0, payable_cents - refunded_cents - charged_back_cents) / total_cents as cents
      from ${orders}
      where status in ('completed', 'shipped', 'delivered', 'partially_refunded')
        and cancelled_at is null and total_cents > 0 and ${isCountedIn(mode)}
    )
    select coalesce(sum(cents * (giving_percent * 100)::bigint / 10000), 0) as set_aside,
      coalesce(sum(cents), 0) as proceeds,
      to_json(min(paid_at)) #>> '{}' as since
    from proceeds`);
  const [row] = rows;
  if (!row) throw new Error("a sum returned no row");
  return {
    setAsideCents: Number(row.set_aside),
    proceedsCents: Number(row.proceeds),
    since: row.since === null ? null : new Date(row.since).toISOString(),
  };
}
