import { inArray, type SQL, sql } from "drizzle-orm";
import { countedModes } from "../../domain/payments/payment-mode.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { withCustomPlans } from "../platform/database/search.ts";

export type Cells = (string | number | null)[];

/** Rows per query. Planning a query takes as long as reading some hundred rows, so smaller batches would be slow. */
export const batchSize = 2000;

/** SQL condition: the order `o` counts in the shop's current mode. */
export const ofMode = ({ provider: { mode } }: ShopContext) =>
  sql`(o.mode is null or ${inArray(sql`o.mode`, countedModes[mode])})`;

export const instant = (at: Date) => sql`${at.toISOString()}::timestamptz`;

/** A time column as ISO 8601 with microseconds, for the key of a page. */
export const exactTime = (at: string) => sql.raw(`to_json(${at}) #>> '{}'`);

/** 3590 -> "35.90" */
export const money = (cents: number | string): string => (Number(cents) / 100).toFixed(2);

export type KeyedRow = { at: string; id: string };

/** The columns by which rows are paged: a time, and an id for equal times. */
type Key = { at: SQL; id: SQL };

/**
 * Pages of rows sorted by a key, which each row has as `at` and `id`. Each page has its own transaction, so that a slow reader
 * blocks nothing, and is read while the reader processes the previous one. `read` gets the condition that selects the rows after
 * the last one, and the query's `order by` and `limit`.
 */
export async function* paged<Row extends KeyedRow>(
  { db }: ShopContext,
  { at, id }: Key,
  read: (tx: Db, after: SQL, page: SQL) => Promise<{ rows: Row[] }>,
): AsyncGenerator<Row[]> {
  const page = sql`order by ${at}, ${id}::text limit ${batchSize}`;
  const readAfter = async (after: SQL): Promise<Row[]> =>
    (await withCustomPlans(db, (tx) => read(tx, after, page))).rows;
  let next: Promise<Row[]> | null = readAfter(sql`true`);
  while (next) {
    const rows: Row[] = await next;
    const last = rows.at(-1);
    next =
      last && rows.length === batchSize
        ? // The first comparison lets PostgreSQL use the index.
          readAfter(
            sql`${at} >= ${last.at}::timestamptz and (${at}, ${id}::text) > (${last.at}::timestamptz, ${last.id})`,
          )
        : null;
    // An error is thrown when the page is awaited; without this, it would be unhandled if the reader stops earlier.
    next?.catch(() => {});
    if (rows.length > 0) yield rows;
  }
}

/** Merges the pages of several sources by time; rows of one source keep their order. */
export async function* mergedByTime<Row extends KeyedRow>(
  ...sources: AsyncGenerator<Row[]>[]
): AsyncGenerator<Row[]> {
  const next = async (source: AsyncGenerator<Row[]>): Promise<Row[]> => (await source.next()).value ?? [];
  const heads = await Promise.all(sources.map(async (source) => ({ source, rows: await next(source) })));
  for (;;) {
    const unfinished = heads.filter(({ rows }) => rows.length > 0);
    if (unfinished.length === 0) return;
    // All rows are known up to the earliest last row of these pages.
    const until = Math.min(...unfinished.map(({ rows }) => rowTime(rows.at(-1))));
    yield unfinished
      .flatMap(({ rows }) => rows.filter((row) => rowTime(row) <= until))
      .sort((a, b) => rowTime(a) - rowTime(b));
    for (const head of unfinished) {
      head.rows = head.rows.filter((row) => rowTime(row) > until);
      if (head.rows.length === 0) head.rows = await next(head.source);
    }
  }
}

function rowTime(row: KeyedRow | undefined): number {
  return row ? Date.parse(row.at) : 0;
}

/** SQL condition: the balance entry `b` counts in the shop's current mode. */
export const countedBalance = ({ provider: { mode } }: ShopContext) =>
  inArray(sql`b.mode`, countedModes[mode]);
