import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { contactSubjects } from "../../domain/contact/contact.ts";
import type { Overview } from "../../domain/overview/overview.ts";
import { countedModes, type PaymentMode } from "../../domain/payments/payment-mode.ts";
import type { SetAside } from "../../domain/sales/giving.ts";
import { products } from "../catalog/tables.ts";
import { contactMessages } from "../contact/tables.ts";
import { stock } from "../inventory/tables.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import {
  type Counted,
  columns,
  counted,
  providerOf,
  salesEvents,
  salesVersion,
  sums,
} from "./sales-events.ts";
import { salesBuckets, salesDays, salesRollup } from "./tables.ts";

export type Sums = Record<Counted, number>;
const shownMax = 10;

/** Whose sales count, and where the days begin that are made. */
export type Counting = { mode: PaymentMode; timeZone: string };

/**
 * What happened from each of `bounds` to the next, the last of which only ends, and what all sales ever gave away: exact to
 * this moment, from the days that are made and from the orders since, by one statement. Where the days of this time zone are
 * not made yet, the quarters are added up. `since`: the quarter of the first sale that gave. `soldSince`: on the day of the first
 * sale, at the latest when it was.
 */
export async function readSold(
  db: Db,
  bounds: readonly Date[],
  { mode, timeZone }: Counting,
): Promise<{ stretches: Sums[]; ever: SetAside; soldSince: Date | null }> {
  const through = sql`coalesce((select through from ${salesRollup} where version = ${salesVersion}), '-infinity')`;
  const providers = ["", ...countedModes[mode].map((counted) => providerOf[counted])];
  const ours = inArray(sql`provider`, providers);
  const areDaysMade = sql`(select time_zone from ${salesRollup} where version = ${salesVersion}) = ${timeZone}`;
  const { rows } = await db.execute<Row>(sql`
    with entries as (
      select *, width_bucket(at, ${instants(bounds)}) as slot
      from (
        select starts_at as at, provider, ${columns} from ${salesDays} where ${areDaysMade}
        union all
        select starts_at, provider, ${columns} from ${salesBuckets} where ${areDaysMade} is not true and starts_at < ${through}
        union all
        ${salesEvents(through, sql`'infinity'::timestamptz`)}
      ) as happened
      where ${ours}
    ), stretches as (
      select slot, ${sums}, min(at) filter (where proceeds_cents > 0) as first,
        min(at) filter (where orders > 0) as sold from entries
      group by grouping sets ((slot), ())
    )
    select *, case when slot is null then to_json(coalesce((
      select starts_at from ${salesBuckets} where starts_at >= first and proceeds_cents > 0 and ${ours}
      order by starts_at limit 1), first)) #>> '{}' end as since,
      to_json(sold) #>> '{}' as sold_since
    from stretches`);
  const bySlot = new Map(rows.map((row) => [row.slot, row]));
  const ever = bySlot.get(null);
  return {
    // What was before the first is in slot 0.
    stretches: bounds.slice(1).map((_, index) => sumsOf(bySlot.get(index + 1))),
    ever: {
      setAsideCents: sumsOf(ever).given_cents,
      proceedsCents: sumsOf(ever).proceeds_cents,
      since: ever?.since ? new Date(ever.since).toISOString() : null,
    },
    soldSince: ever?.sold_since ? new Date(ever.sold_since) : null,
  };
}

type Row = Record<Counted, string | null> & {
  slot: number | null;
  since: string | null;
  sold_since: string | null;
};

function sumsOf(row: Row | undefined): Sums {
  return Object.fromEntries(counted.map((name) => [name, Number(row?.[name] ?? 0)])) as Sums;
}

/** Products on show of which few are left to sell, least first. Sold out is always few. */
export async function listLowStock(db: Db, lowStockAt: number): Promise<Overview["lowStock"]> {
  const free = sql<number>`coalesce(${stock.onHand} - ${stock.reserved}, 0)`;
  return db
    .select({ productId: products.id, name: products.name, free })
    .from(products)
    .leftJoin(stock, eq(stock.productId, products.id))
    .where(sql`${products.published} and ${lte(free, lowStockAt)}`)
    .orderBy(asc(free), asc(products.id))
    .limit(shownMax);
}

/** Whether an order was ever paid that counts. */
export async function hasSold(db: Db, mode: PaymentMode): Promise<boolean> {
  const [row] = await db
    .select({ one: sql`1` })
    .from(orders)
    .where(and(isNotNull(orders.paidAt), or(isNull(orders.mode), inArray(orders.mode, countedModes[mode]))))
    .limit(1);
  return row !== undefined;
}

function instants(bounds: readonly Date[]) {
  return sql`${`{${bounds.map((at) => at.toISOString()).join(",")}}`}::timestamptz[]`;
}

/** The newest message that waits for an answer and is no robot's. */
export async function latestOpenMessage(db: Db): Promise<Overview["latestMessage"]> {
  const [message] = await db
    .select()
    .from(contactMessages)
    .where(sql`${contactMessages.status} = 'open' and ${contactMessages.suspicion} is null`)
    .orderBy(desc(contactMessages.number))
    .limit(1);
  if (!message) return null;
  const { id, name, subject, createdAt, message: text } = message;
  return { id, name, about: contactSubjects[subject], createdAt: createdAt.toISOString(), text };
}
