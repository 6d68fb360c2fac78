import { createHash } from "node:crypto";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import {
  excludedTables,
  jobColumns,
  quoteIdentifier,
  readSums,
  readTables,
  sessionSettings,
} from "./catalog.ts";
import type { OnProgress } from "./dump.ts";
import { type BackupEvent, readRecords, type Sums } from "./records.ts";

export type LoadResult = { tables: number; rows: number; jobs: number; sums: Sums };

/** Thrown if the loaded rows differ from the saved ones. */
export class LoadProblem extends Error {
  override name = "LoadProblem";
}

/**
 * Loads a backup's rows into a database with the same tables, in the open transaction of `client`, which needs no superuser:
 * triggers are disabled, and foreign keys dropped and created again, which checks every row. With `verifiesRows` each table is
 * read back and compared byte by byte. Throws LoadProblem.
 */
export async function loadContent(
  client: pg.Client,
  content: AsyncIterable<Buffer>,
  { verifiesRows, onProgress = () => {} }: { verifiesRows: boolean; onProgress?: OnProgress | undefined },
): Promise<LoadResult> {
  await client.query(sessionSettings.replaceAll("set ", "set local "));
  const tables = await readTables(client);
  const columnsByTable = new Map(tables.map(({ name, columns }) => [name, columns]));
  const tableList = tables.map(({ name }) => quoteIdentifier(name)).join(", ");
  const foreignKeys = await dropForeignKeys(client);
  for (const { name } of tables)
    await client.query(`alter table ${quoteIdentifier(name)} disable trigger user`);
  await client.query(`truncate ${tableList}`);

  const events = readRecords(content);
  const counts = { tables: 0, rows: 0, jobs: 0 };
  let sums: Sums | null = null;
  for (let next = await events.next(); !next.done; next = await events.next()) {
    const event = next.value;
    if (Buffer.isBuffer(event)) throw new LoadProblem("The backup holds rows outside of a table.");
    if (event.kind === "table" && excludedTables.includes(event.name)) {
      // Older backups contain this table.
      await skipRows(events);
      counts.tables += 1;
    } else if (event.kind === "table") {
      // Altered tables have the same columns in another order.
      if (columnsByTable.get(event.name)?.toSorted().join() !== event.columns.toSorted().join()) {
        throw new LoadProblem(`The table ${event.name} of the backup is not like the shop’s.`);
      }
      const count = await loadTable(client, event, events, verifiesRows);
      counts.rows += count;
      if (event.name === "jobs") counts.jobs = count;
      counts.tables += 1;
      onProgress(counts.tables / tables.length);
    } else if (event.kind === "jobs") {
      counts.jobs = await loadJobs(client, event.columns, events);
    } else if (event.kind === "sequences") {
      for (const { name, last, isCalled } of event.sequences) {
        await client.query("select setval(quote_ident($1)::regclass, $2, $3)", [name, last, isCalled]);
      }
    } else if (event.kind === "end") {
      if (event.tables !== counts.tables)
        throw new LoadProblem("The backup has not as many tables as it says.");
      sums = event.sums;
    }
  }
  if (sums === null) throw new LoadProblem("The backup has no end.");
  for (const { name } of tables)
    await client.query(`alter table ${quoteIdentifier(name)} enable trigger user`);
  for (const { table, name, definition } of foreignKeys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  const difference = describeDifference(sums, await readSums(client));
  if (difference) throw new LoadProblem(difference);
  return { ...counts, sums };
}

/** Describes how the counts and amounts differ; null if they do not. */
export function describeDifference(expected: Sums, actual: Sums): string | null {
  const keys = (Object.keys(expected) as (keyof Sums)[]).filter((key) => expected[key] !== actual[key]);
  if (keys.length === 0) return null;
  return `Not the same after the restore: ${keys.map((key) => `${key} ${actual[key]} instead of ${expected[key]}`).join(", ")}.`;
}

async function dropForeignKeys(
  client: pg.Client,
): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0`);
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return rows;
}

type Records = AsyncGenerator<BackupEvent | Buffer>;
type RowsEnd = Extract<BackupEvent, { kind: "rows_end" }>;

async function loadTable(
  client: pg.Client,
  { name, columns }: { name: string; columns: readonly string[] },
  records: Records,
  verifiesRows: boolean,
): Promise<number> {
  const table = `${quoteIdentifier(name)} (${columns.map(quoteIdentifier).join(", ")})`;
  // `freeze` is allowed, because the table was truncated in this transaction; it saves a second write of each row.
  const end = await copyIn(client, `copy ${table} from stdin (freeze)`, records);
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${quoteIdentifier(name)}`);
  if (Number(rows[0]?.count) !== end.rows) {
    throw new LoadProblem(`The table ${name} has ${rows[0]?.count} rows instead of ${end.rows}.`);
  }
  if (verifiesRows && (await hashRows(client, `copy ${table} to stdout`)) !== end.sha256) {
    throw new LoadProblem(`The table ${name} is not the same after the restore.`);
  }
  return end.rows;
}

async function skipRows(records: Records): Promise<void> {
  for (let next = await records.next(); !next.done; next = await records.next()) {
    if (!Buffer.isBuffer(next.value)) return;
  }
}

/** Copies a table's rows and checks them against the saved hash. */
async function copyIn(client: pg.Client, statement: string, records: Records): Promise<RowsEnd> {
  const { from } = await import("pg-copy-streams");
  const hash = createHash("sha256");
  let end: RowsEnd | null = null;
  const copy = client.query(from(statement));
  await pipeline(async function* () {
    for (;;) {
      const { value, done } = await records.next();
      if (done) return;
      if (!Buffer.isBuffer(value)) {
        if (value.kind === "rows_end") end = value;
        return;
      }
      hash.update(value);
      yield value;
    }
  }, copy);
  return checkEnd(end, hash.digest("hex"), copy.rowCount);
}

function checkEnd(end: RowsEnd | null, sha256: string, rowCount: number): RowsEnd {
  if (end === null) throw new LoadProblem("The backup ends in the middle of a table.");
  if (end.sha256 !== sha256 || end.rows !== rowCount) {
    throw new LoadProblem("The rows of a table are not those that were saved.");
  }
  return end;
}

async function hashRows(client: pg.Client, statement: string): Promise<string> {
  const { to } = await import("pg-copy-streams");
  const hash = createHash("sha256");
  for await (const data of client.query(to(statement))) hash.update(data);
  return hash.digest("hex");
}

/** Loads jobs of a backup from before the shop had a queue table, in the form that the migration of the queue expects. */
async function loadJobs(client: pg.Client, columns: readonly string[], records: Records): Promise<number> {
  if (columns.join() !== jobColumns.join()) throw new LoadProblem("The backup’s jobs are of another kind.");
  await client.query(`
    create schema graphile_worker;
    create table graphile_worker._private_jobs (id bigint generated always as identity, task_id text, payload jsonb,
      run_at timestamptz, priority smallint, max_attempts smallint, attempts smallint, last_error text, key text,
      created_at timestamptz, updated_at timestamptz default now(), locked_at timestamptz);
    create view graphile_worker._private_tasks as
      select distinct task_id as id, task_id as identifier from graphile_worker._private_jobs`);
  const { rows } = await copyIn(
    client,
    `copy graphile_worker._private_jobs (${jobColumns.map((name) => (name === "task" ? "task_id" : name)).join(", ")}) from stdin`,
    records,
  );
  return rows;
}
