import {
  Column,
  type GetColumnData,
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
/** Placeholders for the values of one nested object in a statement's input. */
export type Placeholders<Group> = { [Name in keyof Group]: Placeholder };
export type InputPlaceholders<Input> = {
  [Name in keyof Input]: Input[Name] extends Leaf ? Placeholder : Placeholders<Input[Name]>;
};

/** Drizzle's query builder without a connection, for the parts of compiled statements. */
export const queryBuilder = drizzle.mock();
const dialect = new PgDialect();

/**
 * Compiles a statement's SQL at its first call and reuses it, for statements that run for every order. Parameters are encoded
 * like their columns. Returns the driver's raw rows, in which timestamps are strings, as Drizzle configures the driver.
 */
export function compiledStatement<Input extends Record<string, unknown>, Row extends Record<string, unknown>>(
  build: (placeholders: InputPlaceholders<Input>) => SQLWrapper,
): (db: Db, input: Input) => Promise<Row[]> {
  let fill: ((input: Input) => QueryWithTypings) | undefined;
  return async (db, input) => {
    fill ??= createFiller(dialect.sqlToQuery(build(placeholdersFor(input)).getSQL()));
    const { rows } = await db.execute(new CompiledSql(fill(input)));
    return rows as Row[];
  };
}

/** An SQL object whose text and parameters are final. */
class CompiledSql extends SQL {
  readonly #query: QueryWithTypings;

  constructor(query: QueryWithTypings) {
    super([]);
    this.#query = query;
  }

  override toQuery(): QueryWithTypings {
    return this.#query;
  }
}

/** A placeholder for one value of the input, or of an object in it. */
class InputPlaceholder extends Placeholder {
  readonly path: readonly [string] | readonly [string, string];

  constructor(path: InputPlaceholder["path"]) {
    super(path.join("."));
    this.path = path;
  }
}

function isNestedObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function placeholdersFor<Input extends Record<string, unknown>>(input: Input): InputPlaceholders<Input> {
  const placeholders = Object.entries(input).map(([name, value]) => [
    name,
    isNestedObject(value)
      ? Object.fromEntries(Object.keys(value).map((inner) => [inner, new InputPlaceholder([name, inner])]))
      : new InputPlaceholder([name]),
  ]);
  return Object.fromEntries(placeholders);
}

function createFiller({
  sql: text,
  params,
}: QueryWithTypings): (input: Record<string, unknown>) => QueryWithTypings {
  const readers = params.map((param) => {
    const placeholder = is(param, Param) ? param.value : param;
    if (!(placeholder instanceof InputPlaceholder)) return () => param;
    const [name, inner] = placeholder.path;
    const encode = is(param, Param)
      ? (value: unknown) => param.encoder.mapToDriverValue(value)
      : (value: unknown) => (value instanceof Date ? value.toISOString() : value);
    return (input: Record<string, unknown>) => {
      const outer = input[name];
      const value = inner === undefined ? outer : (outer as Record<string, unknown>)[inner];
      if (value === undefined) throw new Error(`the statement has no value for ${placeholder.name}`);
      return value === null ? null : encode(value);
    };
  });
  return (input) => ({ sql: text, params: readers.map((read) => read(input)) });
}

/** A select list whose columns are named as in `columns`. */
export function selectList(columns: Readonly<Record<string, Column | SQL>>): SQL {
  return sql.join(
    Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
    sql`, `,
  );
}

/** A row of a select list as the driver returns it, with times as strings. */
export type RawRow<Columns extends Readonly<Record<string, Column | SQL>>> = {
  [Name in keyof Columns]: Columns[Name] extends SQL<infer Value>
    ? Value
    : Columns[Name] extends Column
      ? RawValue<GetColumnData<Columns[Name]>>
      : never;
};
type RawValue<Value> = Value extends Date ? string : Value;

/** A select list of all columns, and a function that decodes a raw row as Drizzle would. */
export function selectAll<Table extends PgTable>(
  table: Table,
): { columns: SQL; read(row: Record<string, unknown>): Table["$inferSelect"] } {
  const columnEntries = Object.entries(getTableColumns(table));
  return {
    columns: selectList(getTableColumns(table)),
    read: (row) =>
      Object.fromEntries(
        columnEntries.map(([name, column]) => [
          name,
          row[name] === null ? null : column.mapFromDriverValue(row[name]),
        ]),
      ) as Table["$inferSelect"],
  };
}

/** Query that inserts any number of rows from a JSON array whose objects have the properties `names`. */
export function insertFromJson<Table extends PgTable>(
  table: Table,
  names: readonly (keyof Table["$inferInsert"] & string)[],
  json: Placeholder | string,
): SQL {
  const columns = names.map((name) => {
    const column = (table as unknown as Record<string, unknown>)[name];
    if (!is(column, Column)) throw new Error(`there is no column ${name}`);
    return column;
  });
  const columnList = (toSql: (column: Column, name: string) => SQL) =>
    sql.join(
      columns.map((column, index) => toSql(column, names[index] ?? "")),
      sql`, `,
    );
  return sql`insert into ${table} (${columnList((column) => sql`${sql.identifier(column.name)}`)})
    select ${columnList((_, name) => sql`${sql.identifier(name)}`)}
    from json_to_recordset(${json}::json)
      as input(${columnList((column, name) => sql`${sql.identifier(name)} ${sql.raw(column.getSQLType())}`)})`;
}
