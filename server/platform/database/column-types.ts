import { customType, timestamp } from "drizzle-orm/pg-core";
import { withInertLinks } from "../http/inert-links.ts";

/**
 * A `jsonb` column, parsed by the driver alone, as in any other query. Drizzle's own column parses strings once more, which
 * turns the text "4711" into a number; test/catalog.test.ts fails if Drizzle's own column is used.
 */
export const jsonb = customType<{ data: unknown }>({
  dataType: () => "jsonb",
  toDriver: (value) => JSON.stringify(value),
});

/**
 * Text whose links lose their secret tokens when it is written. Tokens that an older version stored are removed when it is
 * read.
 */
export const inertText = customType<{ data: string; driverData: string }>({
  dataType: () => "text",
  toDriver: withInertLinks,
  fromDriver: withInertLinks,
});

/** A moment in time. Without a name, the column is named as its property. */
export const timestamptz = (name = "") => timestamp(name, { withTimezone: true });
