import { asc, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import { contactSubjects } from "../../domain/contact.ts";
import type { Giving } from "../../domain/giving.ts";
import type { Overview } from "../../domain/overview.ts";
import { products, productViewHours } from "../catalog/tables.ts";
import { contactMessages } from "../contact/tables.ts";
import { stock } from "../inventory/tables.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database.ts";
import { type Counted, columns, counted, happenings, sums } from "./happenings.ts";
import { salesQuarters, salesRollup } from "./tables.ts";

export type Sums = Record<Counted, number>;
const shownMax = 10;

/**
 * What happened from each of `bounds` to the next, the last of which only ends: exact to this moment, from the quarters
 * that are made and from the orders since.
 */
export async function sumSales(db: Db, bounds: readonly Date[], provider: string): Promise<Sums[]> {
  const [first, last] = [bounds[0], bounds.at(-1)];
  if (!first || !last) throw new Error("a period without bounds");
  const from = sql`${first.toISOString()}::timestamptz`;
  const to = sql`${last.toISOString()}::timestamptz`;
  const through = sql`(select coalesce(max(through), '-infinity') from ${salesRollup})`;
  const { rows } = await db.execute<Record<"slot" | Counted, string>>(sql`
    select width_bucket(at, ${instants(bounds)}) as slot, ${sums}
    from (
      select starts_at as at, provider, ${columns} from ${salesQuarters}
      where starts_at >= ${from} and starts_at < least(${to}, ${through})
      union all
      ${happenings(sql`greatest(${from}, ${through})`, to)}
    ) as entries
    where provider in ('', ${provider})
    group by 1`);
  const bySlot = new Map(rows.map((row) => [Number(row.slot), row]));
  return bounds.slice(1).map((_, index) => {
    const row = bySlot.get(index + 1);
    return Object.fromEntries(counted.map((name) => [name, Number(row?.[name] ?? 0)])) as Sums;
  });
}

type Given = { given: number; proceeds: number; since: string | null };
const none: Given = { given: 0, proceeds: 0, since: null };

/**
 * Adds up what was given away of all sales ever; `since`: the quarter of the first of them. What the quarters come to is
 * kept until they are made anew, which the version of the row that tells of it shows to every server.
 */
export function createGivenSum(provider: string): (db: Db) => Promise<Giving> {
  let kept: { version: string; made: Given } | null = null;
  return async (db) => {
    const { rows } = await db.execute<{ version: string; through: string }>(
      sql`select xmin::text as version, through::text as through from ${salesRollup}`,
    );
    const [rollup] = rows;
    if (rollup && kept?.version !== rollup.version) {
      const made = sql`select starts_at as at, provider, given_cents, proceeds_cents from ${salesQuarters}
        where starts_at < ${rollup.through}::timestamptz`;
      kept = { version: rollup.version, made: await addUpGiven(db, provider, made) };
    }
    const before = rollup ? (kept?.made ?? none) : none;
    const through = sql`${rollup?.through ?? "-infinity"}::timestamptz`;
    const newest = await addUpGiven(db, provider, happenings(through, sql`'infinity'::timestamptz`));
    return {
      donatedCents: before.given + newest.given,
      proceedsCents: before.proceeds + newest.proceeds,
      since: before.since ?? newest.since,
    };
  };
}

async function addUpGiven(db: Db, provider: string, entries: SQL): Promise<Given> {
  const { rows } = await db.execute<Record<"given" | "proceeds", string> & { since: string | null }>(sql`
    select coalesce(sum(given_cents), 0) as given, coalesce(sum(proceeds_cents), 0) as proceeds,
      to_json(min(at) filter (where proceeds_cents > 0)) #>> '{}' as since
    from (${entries}) as entries where provider in ('', ${provider})`);
  const [row] = rows;
  if (!row) throw new Error("a sum without a row");
  const { given, proceeds, since } = row;
  return {
    given: Number(given),
    proceeds: Number(proceeds),
    since: since === null ? null : new Date(since).toISOString(),
  };
}

/** Visits of product pages between the bounds, by full hours. */
export async function sumViews(db: Db, bounds: readonly Date[]): Promise<number[]> {
  const { rows } = await db.execute<{ slot: number; views: string }>(sql`
    select width_bucket(hour, ${instants(bounds)}) as slot, sum(views) as views from ${productViewHours}
    where hour >= ${bounds[0]?.toISOString()}::timestamptz and hour < ${bounds.at(-1)?.toISOString()}::timestamptz
    group by 1`);
  const bySlot = new Map(rows.map((row) => [Number(row.slot), Number(row.views)]));
  return bounds.slice(1).map((_, index) => bySlot.get(index + 1) ?? 0);
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

/** Whether an order was ever paid. */
export async function hasSold(db: Db): Promise<boolean> {
  const [row] = await db
    .select({ one: sql`1` })
    .from(orders)
    .where(sql`${orders.paidAt} is not null`)
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
