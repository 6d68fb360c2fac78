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
  providerByMode,
  salesEvents,
  salesVersion,
  sums,
} from "./sales-events.ts";
import { salesBuckets, salesDays, salesRollup } from "./tables.ts";

export type Sums = Record<Counted, number>;
const maxShown = 10;

/** The payment mode whose sales count, and the time zone of the days. */
type SalesScope = { mode: PaymentMode; timeZone: string };

/**
 * Sales between each two consecutive `bounds`, and the amount set aside by all sales. The sums are up to date: one statement adds
 * up the daily sums and the orders since. If there are no daily sums for this time zone, it adds up the quarters of an hour.
 * `since` is the quarter of the first sale that set money aside, `soldSince` a time on the day of the first sale, at or before it.
 */
export async function readSold(
  db: Db,
  bounds: readonly Date[],
  { mode, timeZone }: SalesScope,
): Promise<{ periods: Sums[]; ever: SetAside; soldSince: Date | null }> {
  const through = sql`coalesce((select through from ${salesRollup} where version = ${salesVersion}), '-infinity')`;
  const providers = ["", ...countedModes[mode].map((counted) => providerByMode[counted])];
  const isCountedProvider = inArray(sql`provider`, providers);
  const areDaysCurrent = sql`(select time_zone from ${salesRollup} where version = ${salesVersion}) = ${timeZone}`;
  const { rows } = await db.execute<Row>(sql`
    with entries as (
      select *, width_bucket(at, ${timestampArray(bounds)}) as slot
      from (
        select starts_at as at, provider, ${columns} from ${salesDays} where ${areDaysCurrent}
        union all
        select starts_at, provider, ${columns} from ${salesBuckets} where ${areDaysCurrent} is not true and starts_at < ${through}
        union all
        ${salesEvents(through, sql`'infinity'::timestamptz`)}
      ) as happened
      where ${isCountedProvider}
    ), periods as (
      select slot, ${sums}, min(at) filter (where proceeds_cents > 0) as first,
        min(at) filter (where orders > 0) as sold from entries
      group by grouping sets ((slot), ())
    )
    select *, case when slot is null then to_json(coalesce((
      select starts_at from ${salesBuckets} where starts_at >= first and proceeds_cents > 0 and ${isCountedProvider}
      order by starts_at limit 1), first)) #>> '{}' end as since,
      to_json(sold) #>> '{}' as sold_since
    from periods`);
  const bySlot = new Map(rows.map((row) => [row.slot, row]));
  const ever = bySlot.get(null);
  return {
    // Slot 0 has the sales before the first bound.
    periods: bounds.slice(1).map((_, index) => rowSums(bySlot.get(index + 1))),
    ever: {
      setAsideCents: rowSums(ever).given_cents,
      proceedsCents: rowSums(ever).proceeds_cents,
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

function rowSums(row: Row | undefined): Sums {
  return Object.fromEntries(counted.map((name) => [name, Number(row?.[name] ?? 0)])) as Sums;
}

/** Published products with low stock, the lowest first. Sold-out ones are always included. */
export async function listLowStock(db: Db, lowStockAt: number): Promise<Overview["lowStock"]> {
  const free = sql<number>`coalesce(${stock.onHand} - ${stock.reserved}, 0)`;
  return db
    .select({ productId: products.id, name: products.name, free })
    .from(products)
    .leftJoin(stock, eq(stock.productId, products.id))
    .where(sql`${products.published} and ${lte(free, lowStockAt)}`)
    .orderBy(asc(free), asc(products.id))
    .limit(maxShown);
}

/** Whether there is any sale in this mode. */
export async function hasSold(db: Db, mode: PaymentMode): Promise<boolean> {
  const [row] = await db
    .select({ one: sql`1` })
    .from(orders)
    .where(and(isNotNull(orders.paidAt), or(isNull(orders.mode), inArray(orders.mode, countedModes[mode]))))
    .limit(1);
  return row !== undefined;
}

function timestampArray(bounds: readonly Date[]) {
  return sql`${`{${bounds.map((at) => at.toISOString()).join(",")}}`}::timestamptz[]`;
}

/** The newest open message that is not suspicious. */
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
