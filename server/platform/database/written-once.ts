import {
  Column,
  getTableColumns,
  is,
  Param,
  Placeholder,
  type QueryWithTypings,
  SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { PgDialect, type PgTable } from "drizzle-orm/pg-core";
import type { Db } from "./database.ts";

type Leaf = string | number | boolean | Date | Buffer | readonly unknown[] | null | undefined;
/** What stands for each value of a group while the text of its statement is written. */
export type Given<Group> = { [Name in keyof Group]: Placeholder };
type GivenAll<Input> = { [Name in keyof Input]: Input[Name] extends Leaf ? Placeholder : Given<Input[Name]> };

/** Drizzle's builders of queries, for statements that are written once. They run nothing themselves. */
export const building = drizzle.mock();
const dialect = new PgDialect();

/**
 * A statement whose text is written at its first call, instead of anew for each: for those that run for each order. Its values
 * are typed as the tables are, and it joins the transaction that it is given. Rows come as the driver reads them; Drizzle has
 * it leave times as text.
 */
export function writtenOnce<Input extends Record<string, unknown>, Row extends Record<string, unknown>>(
  write: (given: GivenAll<Input>) => SQLWrapper,
): (db: Db, input: Input) => Promise<Row[]> {
  let fill: ((input: Input) => QueryWithTypings) | undefined;
  return async (db, input) => {
    fill ??= filler(dialect.sqlToQuery(write(givenFor(input)).getSQL()));
    const { rows } = await db.execute(new Filled(fill(input)));
    return rows as Row[];
  };
}

/** Already text and parameters. */
class Filled extends SQL {
  readonly #query: QueryWithTypings;

  constructor(query: QueryWithTypings) {
    super([]);
    this.#query = query;
  }

  override toQuery(): QueryWithTypings {
    return this.#query;
  }
}

/** Stands for one value: of the input, or of one of its groups. */
class Value extends Placeholder {
  readonly path: readonly [string] | readonly [string, string];

  constructor(path: Value["path"]) {
    super(path.join("."));
    this.path = path;
  }
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function givenFor<Input extends Record<string, unknown>>(input: Input): GivenAll<Input> {
  const given = Object.entries(input).map(([name, value]) => [
    name,
    isGroup(value)
      ? Object.fromEntries(Object.keys(value).map((inner) => [inner, new Value([name, inner])]))
      : new Value([name]),
  ]);
  return Object.fromEntries(given);
}

function filler({
  sql: text,
  params,
}: QueryWithTypings): (input: Record<string, unknown>) => QueryWithTypings {
  const readers = params.map((param) => {
    const inside = is(param, Param) ? param.value : param;
    if (!(inside instanceof Value)) return () => param;
    const [name, inner] = inside.path;
    const encode = is(param, Param)
      ? (value: unknown) => param.encoder.mapToDriverValue(value)
      : (value: unknown) => (value instanceof Date ? value.toISOString() : value);
    return (input: Record<string, unknown>) => {
      const outer = input[name];
      const value = inner === undefined ? outer : (outer as Record<string, unknown>)[inner];
      if (value === undefined) throw new Error(`the statement has no value for ${inside.name}`);
      return value === null ? null : encode(value);
    };
  });
  return (input) => ({ sql: text, params: readers.map((read) => read(input)) });
}

/** All columns of a table as the list of a query, and what makes of such a row what Drizzle would. */
export function wholeRow<Table extends PgTable>(
  table: Table,
): { columns: SQL; read(row: Record<string, unknown>): Table["$inferSelect"] } {
  const all = Object.entries(getTableColumns(table));
  return {
    columns: sql.join(
      all.map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
      sql`, `,
    ),
    read: (row) =>
      Object.fromEntries(
        all.map(([name, column]) => [name, row[name] === null ? null : column.mapFromDriverValue(row[name])]),
      ) as Table["$inferSelect"],
  };
}

/**
 * Query that inserts any number of rows, given as JSON text of `names`; `others` sets further columns for all of them.
 */
export function insertedRows<Table extends PgTable>(
  table: Table,
  names: readonly (keyof Table["$inferInsert"] & string)[],
  json: Placeholder | string,
): SQL {
  const columns = names.map((name) => {
    const column = (table as unknown as Record<string, unknown>)[name];
    if (!is(column, Column)) throw new Error(`there is no column ${name}`);
    return column;
  });
  const listed = (each: (column: Column, name: string) => SQL) =>
    sql.join(
      columns.map((column, index) => each(column, names[index] ?? "")),
      sql`, `,
    );
  return sql`insert into ${table} (${listed((column) => sql`${sql.identifier(column.name)}`)})
    select ${listed((_, name) => sql`${sql.identifier(name)}`)}
    from json_to_recordset(${json}::json)
      as given(${listed((column, name) => sql`${sql.identifier(name)} ${sql.raw(column.getSQLType())}`)})`;
}
