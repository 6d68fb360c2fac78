import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Logger } from "pino";
import { formatCents } from "../../domain/shared/money.ts";
import { StartProblem } from "../platform/process/start-problem.ts";
import { readSums } from "./catalog.ts";
import type { OnProgress } from "./dump.ts";
import { openBackupFile } from "./file.ts";
import { differenceOf } from "./load.ts";
import type { Sums } from "./records.ts";
import { restoreBackup } from "./restore.ts";
import { withScratchDatabase } from "./scratch.ts";
import { ensureSpace } from "./take.ts";

/** Rows, their indexes, and the write-ahead log. */
const roomTimes = 2;

export type Verdict = {
  isGood: boolean;
  /** Sentences for people; the first one names the problem, if there is one. */
  lines: string[];
  rows: number;
  sums: Sums | null;
  seconds: number;
};

/**
 * Restores a backup into a temporary database, migrates it, and compares every table byte by byte, all foreign keys and the
 * sums of money. `checkMoney` examines the restored shop and answers sentences. Throws only if the check itself fails, which
 * says nothing about the file.
 */
export async function checkBackup(options: {
  path: string;
  passphrase: string | null;
  /** Folder of the scratch database; default: the system's temporary folder. */
  folder?: string;
  shopUrl: string | null;
  log: Logger;
  checkMoney?: (url: string, takenAt: Date) => Promise<string[]>;
  onProgress?: OnProgress;
}): Promise<Verdict> {
  const { path, passphrase, folder = join(tmpdir(), "palmira-check"), shopUrl, log, onProgress } = options;
  const begunAt = performance.now();
  const seconds = () => Math.round((performance.now() - begunAt) / 100) / 10;
  try {
    const file = await openBackupFile(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await ensureSpace(folder, roomTimes * file.header.databaseBytes);
    return await withScratchDatabase({ folder, shopUrl, log }, async (url) => {
      const loaded = await restoreBackup({ url, file, passphrase, log, onProgress, isRehearsal: true });
      const difference = differenceOf(loaded.sums, await sumsOf(url));
      if (difference)
        return {
          isGood: false,
          lines: [difference],
          rows: loaded.rows,
          sums: loaded.sums,
          seconds: seconds(),
        };
      const money = (await options.checkMoney?.(url, new Date(file.header.createdAt))) ?? [];
      const lines = [...linesOf(loaded, file.header.createdAt), ...money];
      return { isGood: true, lines, rows: loaded.rows, sums: loaded.sums, seconds: seconds() };
    });
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    return { isGood: false, lines: [error.message], rows: 0, sums: null, seconds: seconds() };
  }
}

function linesOf(
  loaded: { tables: number; rows: number; jobs: number; sums: Sums },
  createdAt: string,
): string[] {
  const { tables, rows, jobs, sums } = loaded;
  const count = (number: number) => number.toLocaleString("en-US");
  return [
    `It is whole, from ${createdAt.slice(0, 16).replace("T", " ")} UTC.`,
    `Restored and compared to the byte: ${count(tables)} tables with ${count(rows)} rows, ${count(jobs)} jobs.`,
    `Orders: ${count(sums.orders)} of ${formatCents(sums.orderedCents)}. Paid: ${formatCents(sums.paidCents)}. Refunded: ${formatCents(sums.refundedCents)}. Units in stock: ${count(sums.unitsInStock)}. Pictures: ${count(sums.pictures)}.`,
  ];
}

async function sumsOf(url: string): Promise<Sums> {
  const client = new pg.Client({ connectionString: url, application_name: "palmira-backup" });
  // Without a listener a lost connection would end the process; the next statement fails anyway.
  client.on("error", () => {});
  await client.connect();
  try {
    return await readSums(client);
  } finally {
    await client.end();
  }
}
