import { customType } from "drizzle-orm/pg-core";

/**
 * A `jsonb` column. The driver has parsed what comes out of the database, here as in any other query. Drizzle's own column
 * parses texts among that once more, which makes a number of the text "4711"; test/catalog.test.ts keeps it out.
 */
export const jsonb = customType<{ data: unknown }>({
  dataType: () => "jsonb",
  toDriver: (value) => JSON.stringify(value),
});
