import type pg from "pg";
import type { Sums } from "./records.ts";

type Queryable = Pick<pg.Client, "query">;

export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Makes the text format of values independent of settings of the database and the role. */
export const sessionSettings = `set datestyle = iso; set intervalstyle = postgres; set timezone = 'UTC';
  set extra_float_digits = 3; set bytea_output = hex; set client_encoding = 'UTF8'; set statement_timeout = 0;
  set idle_in_transaction_session_timeout = 0`;

/** Condition for objects of the shop's schema, except those of extensions. */
const inShop = (catalog: string) => `${catalog}.relnamespace = current_schema()::regnamespace
  and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = ${catalog}.oid and deptype = 'e')`;

export type Table = { name: string; columns: string[]; estimatedRows: number };

/** Tables excluded from backups: large, and written again at every start. */
export const excludedTables = ["built_files"];

/** The logged tables to back up, with their writable columns. */
export async function readTables(db: Queryable): Promise<Table[]> {
  const { rows } = await db.query<{ name: string; columns: string[]; estimated: number }>(
    `
    select relname as name, greatest(reltuples, 0)::float as estimated,
      (select coalesce(json_agg(attname order by attnum), '[]') from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class c where relkind = 'r' and relpersistence = 'p' and relname <> all ($1) and ${inShop("c")} order by relname`,
    [excludedTables],
  );
  return rows.map(({ name, columns, estimated }) => ({ name, columns, estimatedRows: estimated }));
}

export async function readSequences(
  db: Queryable,
): Promise<{ name: string; last: string; isCalled: boolean }[]> {
  const { rows } = await db.query<{ name: string }>(
    `select relname as name from pg_class c where relkind = 'S' and ${inShop("c")} order by relname`,
  );
  const sequences = [];
  for (const { name } of rows) {
    const values = await db.query<{ last: string; is_called: boolean }>(
      `select last_value::text as last, is_called from ${quoteIdentifier(name)}`,
    );
    const [value] = values.rows;
    if (value) sequences.push({ name, last: value.last, isCalled: value.is_called });
  }
  return sequences;
}

/** Uses only columns that exist in every version, since the sums of old backups are compared too. */
export async function readSums(db: Queryable): Promise<Sums> {
  const { rows } = await db.query<Sums>(`
    select orders::float, ordered::float as "orderedCents", payments::float, paid::float as "paidCents",
      refunds::float, refunded::float as "refundedCents", units::float as "unitsInStock", pictures::float
    from (select count(*) as orders, coalesce(sum(total_cents), 0) as ordered from orders) o,
      (select count(*) as payments, coalesce(sum(amount_cents), 0) as paid from payments where status = 'succeeded') p,
      (select count(*) as refunds, coalesce(sum(amount_cents), 0) as refunded from refunds where status = 'succeeded') r,
      (select coalesce(sum(on_hand), 0) as units from stock) s,
      (select count(*) as pictures from product_images) i`);
  const [sums] = rows;
  if (!sums) throw new Error("an aggregate returned no row");
  return sums;
}

/** Columns of a job in backups made while the queue was still Graphile Worker's. */
export const jobColumns = [
  "task",
  "payload",
  "run_at",
  "priority",
  "max_attempts",
  "attempts",
  "last_error",
  "key",
  "created_at",
];

/**
 * Jobs of a database that is backed up before its first migration. Jobs in progress are saved as waiting, and their current
 * attempt is not counted.
 */
export const jobsQuery = `select t.identifier as task, j.payload, j.run_at, j.priority, j.max_attempts,
    case when j.locked_at is null then j.attempts else greatest(j.attempts - 1, 0) end as attempts,
    j.last_error, j.key, j.created_at
  from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`;
