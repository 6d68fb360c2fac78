import { globSync } from "node:fs";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { afterAll, describe, expect, test } from "vitest";
import { openTestShop } from "./shop.ts";

// Rules for every table, checked against the database's catalog, so that new tables are included.

const shop = await openTestShop();
afterAll(() => shop.stop());

const modules: object[] = await Promise.all(
  globSync("../server/*/*tables.ts", { cwd: import.meta.dirname }).map((file) => import(file)),
);
const tables = modules.flatMap((exports) =>
  Object.values(exports).filter((value): value is PgTable => value instanceof PgTable),
);

/** The values that a query returns in its column `name`. */
async function names(query: string): Promise<string[]> {
  const { rows } = await shop.database.pool.query<{ name: string }>(query);
  return rows.map(({ name }) => name);
}

describe("jsonb in the database", () => {
  test("columns have the shop's own type, which parses once (server/platform/database/column-types.ts)", () => {
    expect(tables.length).toBeGreaterThan(30);
    const otherColumns = tables.flatMap((table) =>
      getTableConfig(table)
        .columns.filter(
          (column) => column.getSQLType().startsWith("json") && column.columnType !== "PgCustomColumn",
        )
        .map((column) => `${getTableConfig(table).name}.${column.name}`),
    );
    expect(otherColumns).toEqual([]);
  });
});

describe("indexes of the database", () => {
  test("exist for each foreign key, beginning with its columns", async () => {
    const unindexedKeys = await names(`
      select con.conrelid::regclass || ' (' || string_agg(att.attname, ', ' order by key.place) || ')' as name
      from pg_constraint as con
      cross join lateral unnest(con.conkey) with ordinality as key(number, place)
      join pg_attribute as att on att.attrelid = con.conrelid and att.attnum = key.number
      where con.contype = 'f' and con.connamespace = 'public'::regnamespace
        and not exists (
          select from pg_index as ix
          where ix.indrelid = con.conrelid and ix.indisvalid
            -- A partial index may leave out only rows without a reference.
            and (ix.indpred is null or pg_get_expr(ix.indpred, ix.indrelid) = '(' || att.attname || ' IS NOT NULL)')
            and (ix.indkey::int2[])[0:cardinality(con.conkey) - 1] @> con.conkey
        )
      group by con.oid, con.conrelid order by 1`);
    expect(unindexedKeys).toEqual([]);
  });

  test("are not prefixes of one another", async () => {
    const redundantIndexes = await names(`
      select short.indexrelid::regclass::text as name
      from pg_index as short
      join pg_index as long on long.indrelid = short.indrelid and long.indexrelid <> short.indexrelid
      where short.indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
        and not short.indisunique and short.indpred is null and long.indpred is null
        and short.indexprs is null and long.indexprs is null
        and (long.indkey::int2[])[0:short.indnkeyatts - 1] = (short.indkey::int2[])[0:short.indnkeyatts - 1]
        and (long.indclass::oid[])[0:short.indnkeyatts - 1] = (short.indclass::oid[])[0:short.indnkeyatts - 1]
      order by 1`);
    expect(redundantIndexes).toEqual([]);
  });
});
