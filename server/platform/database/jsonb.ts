import { customType } from "drizzle-orm/pg-core";

/**
 * A `jsonb` column, parsed by the driver alone, as in any other query. Drizzle's own column parses strings once more,
 * which turns the text "4711" into a number; test/catalog.test.ts keeps it out.
 */
export const jsonb = customType<{ data: unknown }>({
  dataType: () => "jsonb",
  toDriver: (value) => JSON.stringify(value),
});
