import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { appliedMigrations } from "../platform/database/migrations.ts";
import {
  jobColumns,
  jobsQuery,
  quoteIdentifier,
  readSequences,
  readSums,
  readTables,
  sessionSettings,
  type Table,
} from "./catalog.ts";
import type { BackupHeader } from "./file.ts";
import { dataRecord, eventRecord, type Sums } from "./records.ts";

/** Progress from 0 to 1. It may jump, because numbers of rows are estimates. */
export type OnProgress = (share: number) => void;

type Dump = {
  header: Omit<BackupHeader, "format" | "encryption" | "shopVersion">;
  /** Read it once, to its end. */
  content: AsyncGenerator<Buffer>;
  /** Null until `content` was read. */
  totals(): { rows: number; sums: Sums } | null;
  close(): Promise<void>;
};

const snapshotTries = 5;
/** Longest work between two pauses (ms). */
const workMs = 4;

/**
 * Opens a consistent snapshot of the whole database. It blocks only migrations. `pauseRatio`: pauses as a multiple of the working
 * time, to keep the shop fast.
 */
export async function openDump(
  url: string,
  {
    pauseRatio = 0,
    onProgress = () => {},
  }: { pauseRatio?: number; onProgress?: OnProgress | undefined } = {},
): Promise<Dump> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "palmira-backup",
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // Without a listener a lost connection would end the process; the pending statement throws anyway.
  client.on("error", () => {});
  await client.connect();
  const close = () => client.end().catch(() => {});
  try {
    await client.query(sessionSettings);
    const tables = await openSnapshot(client);
    const { rows } = await client.query<{ at: Date; version: string; bytes: number }>(
      `select now() as at, current_setting('server_version') as version,
        pg_database_size(current_database())::float as bytes`,
    );
    const [database] = rows;
    if (!database) throw new Error("a query without a table returned no row");
    let totals: { rows: number; sums: Sums } | null = null;
    const content = dumpContent(client, tables, {
      pauseRatio,
      onProgress,
      onEnd: (finalTotals) => {
        totals = finalTotals;
      },
    });
    return {
      header: {
        createdAt: database.at.toISOString(),
        postgresVersion: database.version,
        databaseBytes: database.bytes,
        migrations: await appliedMigrations(client),
        tables: tables.map(({ name }) => name),
      },
      content,
      totals: () => totals,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Locks the tables before taking the snapshot, because a table that a migration rewrites in between looks empty. The locks
 * conflict only with changes of the tables' definitions.
 */
async function openSnapshot(client: pg.Client): Promise<Table[]> {
  for (let tries = 1; ; tries += 1) {
    const tablesBefore = await readTables(client);
    await client.query("begin isolation level repeatable read read only");
    await client.query(
      `lock table ${tablesBefore.map(({ name }) => quoteIdentifier(name)).join(", ")} in access share mode`,
    );
    const tables = await readTables(client);
    const isSame = JSON.stringify(tables.map(tableShape)) === JSON.stringify(tablesBefore.map(tableShape));
    if (isSame) return tables;
    await client.query("rollback");
    if (tries === snapshotTries) throw new Error("the tables keep changing");
  }
}

const tableShape = ({ name, columns }: Table) => [name, columns];

async function* dumpContent(
  client: pg.Client,
  tables: readonly Table[],
  {
    pauseRatio,
    onProgress,
    onEnd,
  }: {
    pauseRatio: number;
    onProgress: OnProgress;
    onEnd(totals: { rows: number; sums: Sums }): void;
  },
): AsyncGenerator<Buffer> {
  const expectedRows = tables.reduce((sum, { estimatedRows }) => sum + estimatedRows + 1, 0);
  let [doneRows, rows] = [0, 0];
  for (const { name, columns, estimatedRows } of tables) {
    yield eventRecord({ kind: "table", name, columns });
    const columnList = columns.map(quoteIdentifier).join(", ");
    rows += yield* readRows(client, `copy ${quoteIdentifier(name)} (${columnList}) to stdout`, pauseRatio);
    doneRows += estimatedRows + 1;
    onProgress(Math.min(doneRows / expectedRows, 1));
  }
  const { rows: queue } = await client.query("select to_regclass('graphile_worker._private_jobs') as name");
  if (queue[0].name) {
    yield eventRecord({ kind: "jobs", columns: jobColumns });
    yield* readRows(client, `copy (${jobsQuery}) to stdout`, pauseRatio);
  }
  yield eventRecord({ kind: "sequences", sequences: await readSequences(client) });
  const sums = await readSums(client);
  await client.query("commit");
  onEnd({ rows, sums });
  yield eventRecord({ kind: "end", tables: tables.length, sums });
}

async function* readRows(
  client: pg.Client,
  statement: string,
  pauseRatio: number,
): AsyncGenerator<Buffer, number> {
  // Loaded on demand, since the shop seldom needs it.
  const { to } = await import("pg-copy-streams");
  const hash = createHash("sha256");
  const copy = client.query(to(statement));
  let startedAt = performance.now();
  for await (const data of copy) {
    hash.update(data);
    yield dataRecord(data);
    const workedMs = performance.now() - startedAt;
    if (pauseRatio > 0 && workedMs > workMs) {
      await delay(workedMs * pauseRatio);
      startedAt = performance.now();
    }
  }
  // `rowCount` is set only once the next query has returned.
  await client.query("select 1");
  yield eventRecord({ kind: "rows_end", rows: copy.rowCount, sha256: hash.digest("hex") });
  return copy.rowCount;
}
