import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pino from "pino";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { openPublishedProducts } from "../catalog/published-products.ts";
import { products } from "../catalog/tables.ts";
import { listenForChanges } from "../platform/database/change-feed.ts";
import { openPool } from "../platform/database/database.ts";
import { listForModeration } from "./moderation.ts";
import { listReviews } from "./queries.ts";

/**
 * Only one connection, for filling the tables as well: each reports its `pg_stat` row counts separately, and another's would
 * arrive in the middle of a measurement.
 */
const database = await createTestDatabase();
const pool = openPool(database.url, pino({ level: "silent" }), { name: "reviews", max: 1 });
const connection = { pool, db: drizzle(pool) };
const changes = await listenForChanges(database.url, pino({ level: "silent" }));
await connection.db.insert(products).values({
  id: 1,
  slug: "pure-batana-oil",
  name: "Pure Batana Oil",
  shortDescription: "",
  description: "",
  priceCents: 2995,
  size: "2 fl oz",
  published: true,
});
// The triggers are off during this bulk insert, and the counts are computed in one query.
await connection.db.execute(sql`alter table reviews disable trigger user`);
// Fixed ratings and no autovacuum keep the query plans stable.
await connection.db.execute(sql`alter table reviews set (autovacuum_enabled = false)`);
await connection.db.execute(sql`
  with seed as materialized (select setseed(0.5))
  insert into reviews (product_id, rating, comment, status, hair, skin, photos_shown, helpful_count)
  select 1, 1 + least(4, floor(random() ^ 0.3 * 5)), 'Review number ' || n, case when n % 10 = 0 then 'hidden' else 'published' end,
    case when n % 7 = 0 then 'curly' when n % 100 = 1 then 'coily' end, case when n % 9 = 0 then 'dry' end,
    (n % 50 = 3)::int, n % 13
  from seed, generate_series(1, 100000) as n`);
await connection.db.execute(sql`alter table reviews enable trigger user`);
await connection.db.execute(sql`
  insert into review_counts (product_id, rating, hair, skin, has_photos, count)
  select 1, rating, coalesce(hair, ''), coalesce(skin, ''), photos_shown > 0, count(*)
  from reviews where status = 'published' group by 2, 3, 4, 5`);
await connection.db.execute(sql`analyze reviews`);
// As in a shop, unlike in other tests.
await connection.db.execute(sql`set plan_cache_mode = auto`);
afterAll(async () => {
  await changes.stop();
  await connection.pool.end();
  await database.drop();
});

async function countRowsRead(): Promise<number> {
  await connection.db.execute(sql`select pg_stat_force_next_flush()`);
  const { rows } = await connection.db.execute<{ read: number }>(sql`
    select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = 'reviews'`);
  return rows[0]?.read ?? Number.NaN;
}

const filteredLists = [
  { sort: "newest", hair: "curly" },
  { sort: "newest", hair: "coily" },
  { sort: "newest", skin: "dry" },
  { sort: "newest", photos: true },
  { sort: "newest", productId: 1, photos: true },
  { sort: "helpful", hair: "curly" },
  { sort: "helpful", productId: 1, photos: true },
] as const;
const sortedLists = (["newest", "helpful", "highest", "lowest"] as const).flatMap((sort) =>
  [{}, { productId: 1 }, { rating: 2 }, { productId: 1, rating: 2 }].map((filter) => ({ sort, ...filter })),
);

test.each([...sortedLists, ...filteredLists])(
  "a page of 100,000 reviews reads few more rows than it shows: %j",
  async (list) => {
    const ctx = { db: connection.db, products: openPublishedProducts(connection.db, changes) };
    let cursor: string | null = null;
    for (let page = 0; page < 8; page++) {
      const before = await countRowsRead();
      const { data, nextCursor } = await listReviews(ctx, {
        ...list,
        limit: 50,
        ...(cursor === null ? {} : { cursor }),
      });
      expect(data).toHaveLength(50);
      // The index by votes has no other columns, so its scan also reads the reviews that the filter excludes.
      const isFiltered = "rating" in list || "hair" in list || "photos" in list;
      const maxRowsRead = list.sort === "helpful" && isFiltered ? 3_000 : 100;
      expect(await countRowsRead()).toBeLessThan(before + maxRowsRead);
      cursor = nextCursor;
    }
  },
);

test("the owner's list reads only a part of the reviews", async () => {
  for (const status of [undefined, "hidden"] as const) {
    const before = await countRowsRead();
    const { data } = await listForModeration(connection.db, { status, limit: 50, cursor: 40_000 });
    expect(data).toHaveLength(50);
    expect(await countRowsRead()).toBeLessThan(before + 1_000);
  }
});
