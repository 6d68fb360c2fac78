import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { describe, expect, test } from "vitest";

// What holds for every table, asked of the database's own catalog where it knows: a new one cannot be forgotten.

const modules = import.meta.glob("../server/*/*tables.ts", { eager: true }) as Record<string, object>;
const tables = Object.values(modules).flatMap((exports) =>
  Object.values(exports).filter((value): value is PgTable => value instanceof PgTable),
);

describe("jsonb", () => {
  test("columns are of the shop's own type, which parses nothing twice (server/platform/jsonb.ts)", () => {
    expect(tables.length).toBeGreaterThan(30);
    const wrong = tables.flatMap((table) =>
      getTableConfig(table)
        .columns.filter(
          (column) => column.getSQLType().startsWith("json") && column.columnType !== "PgCustomColumn",
        )
        .map((column) => `${getTableConfig(table).name}.${column.name}`),
    );
    expect(wrong).toEqual([]);
  });
});
