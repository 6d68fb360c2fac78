import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { monthRange, periodName } from "../../../domain/books/statement.ts";
import { dateIn, startOfDay } from "../../../domain/shared/zoned-days.ts";
import { archiveFiles, firstSaleAt } from "../../books/archive.ts";
import { balanceReadUntil } from "../../books/balance.ts";
import { resolveTimeRange } from "../../books/period.ts";
import { zipFiles } from "../../books/zip.ts";
import type { ShopContext } from "../../context.ts";
import { StartProblem } from "../../platform/process/start-problem.ts";
import { ownerTimeZone } from "../../settings/today.ts";
import { watchForBackups } from "../queries.ts";
import { ensureSpace } from "../take.ts";
import { isComplete, type StoredFile } from "./pieces.ts";

export const booksFolder = "books/";
const hourMs = 60 * 60 * 1000;
/** Earliest time after a month's end at which its file is made. */
const closingDelayMs = 6 * hourMs;
/** Time after which a file is made even if the provider's last fees and payouts were not read; its cover says that they are missing. */
const missingFeesDelayMs = 3 * 24 * hourMs;
/** Number of past months whose files a newly entered bucket gets. */
const monthsBack = 12;
/** Pauses while the shop is selling, as a multiple of the working time. */
const pauseRatio = 3;

const localFolder = ({ config }: Pick<ShopContext, "config">) => join(config.dataDir, "off-site-books");

/** `books-2026-10-made-2026-11-01T060012Z.zip`: a new name each time, so that pieces of two files never mix. */
function booksName(month: string, at: Date): string {
  return `books-${month}-made-${at.toISOString().slice(0, 19).replaceAll(":", "")}Z.zip`;
}

/** Month (`YYYY-MM`) and time in a file's name; null if it is not an accountant's file. */
export function parseBooksName(name: string): { month: string; madeAt: Date } | null {
  const [, month, date, hour, minute, second] =
    /^books-(\d{4}-\d\d)-made-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.zip$/.exec(name) ?? [];
  return month === undefined ? null : { month, madeAt: new Date(`${date}T${hour}:${minute}:${second}Z`) };
}

/** The accountant's files that are complete in the bucket, newest month first. */
export function completeBooks(files: Iterable<StoredFile>) {
  return [...files]
    .flatMap((file) => {
      const name = file.name.slice(booksFolder.length);
      const books = file.name.startsWith(booksFolder) && isComplete(file) ? parseBooksName(name) : null;
      return books ? [{ ...file, ...books, name }] : [];
    })
    .toSorted((a, b) => (a.name < b.name ? 1 : -1));
}

/** Files made on this server that wait for their upload. */
export async function localBooks(
  ctx: Pick<ShopContext, "config">,
): Promise<{ name: string; path: string }[]> {
  const folder = localFolder(ctx);
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => parseBooksName(name) !== null)
    .map((name) => ({ name: booksFolder + name, path: join(folder, name) }));
}

/** Deletes files made for a bucket that was removed. */
export async function deleteLocalBooks(ctx: ShopContext): Promise<void> {
  await rm(localFolder(ctx), { recursive: true, force: true });
}

/** Deletes files on this server whose months are in the bucket, perhaps from another server. */
export async function deleteUploadedBooks(
  ctx: ShopContext,
  bucketFiles: ReadonlyMap<string, StoredFile>,
): Promise<void> {
  const uploadedMonths = new Set(completeBooks(bucketFiles.values()).map(({ month }) => month));
  for (const { name, path } of await localBooks(ctx)) {
    if (uploadedMonths.has(parseBooksName(name.slice(booksFolder.length))?.month ?? ""))
      await rm(path, { force: true });
  }
}

/**
 * The newest past month whose entries were all read and that has no file in the bucket or on this server, if there is one. Months
 * before the shop's first real payment are skipped.
 */
export async function dueMonth(
  ctx: ShopContext,
  bucketFiles: ReadonlyMap<string, StoredFile>,
): Promise<string | null> {
  if (ctx.provider.mode !== "live") return null;
  const timeZone = await ownerTimeZone(ctx);
  const now = ctx.now().getTime();
  const today = dateIn(timeZone, new Date(now - closingDelayMs));
  const localMonths = (await localBooks(ctx)).map(
    ({ name }) => parseBooksName(name.slice(booksFolder.length))?.month,
  );
  const existingMonths = new Set([
    ...completeBooks(bucketFiles.values()).map(({ month }) => month),
    ...localMonths,
  ]);
  const missingMonths = Array.from({ length: monthsBack }, (_, back) => monthRange(today, -1 - back)).filter(
    ({ from }) => !existingMonths.has(from.slice(0, 7)),
  );
  if (missingMonths.length === 0) return null;
  const monthEnd = ({ from }: { from: string }) => startOfDay(timeZone, monthRange(from, 1).from).getTime();
  const readUntil = Date.parse((await balanceReadUntil(ctx)) ?? new Date(0).toISOString());
  const newest = missingMonths.find(
    (month) => monthEnd(month) <= Math.max(readUntil, now - missingFeesDelayMs),
  );
  if (!newest) return null;
  const firstSale = await firstSaleAt(ctx);
  return firstSale !== null && firstSale.getTime() < monthEnd(newest) ? newest.from.slice(0, 7) : null;
}

/**
 * Makes the file of a past month, the same as the panel's download; it is renamed when it is complete. Returns false if it was
 * interrupted, because a backup is queued in the same lane and comes first. Throws StartProblem if it cannot be made.
 */
export async function makeBooks(ctx: ShopContext, month: string, signal: AbortSignal): Promise<boolean> {
  const period = await resolveTimeRange(ctx, monthRange(`${month}-01`));
  if ("problem" in period) throw new Error(`the month ${month} is not a period of the books`);
  const folder = localFolder(ctx);
  const path = join(folder, booksName(month, ctx.now()));
  // The same name each time, so that a killed process leaves at most one file.
  const unfinishedPath = join(folder, "unfinished.part");
  const backups = await watchForBackups(ctx.db);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await ensureSpace(folder, 0);
    await pipeline(
      withPauses(zipFiles(archiveFiles(ctx, period))),
      createWriteStream(unfinishedPath, { mode: 0o600, flush: true }),
      { signal: AbortSignal.any([signal, backups.onQueued]) },
    );
    await rename(unfinishedPath, path);
    return true;
  } catch (error) {
    if (signal.aborted) throw error;
    if (backups.onQueued.aborted) return false;
    ctx.log.error({ err: error, month }, "an accountant's file could not be made");
    const file = `accountant’s file of ${periodName(period.dates)}`;
    const isDiskFull = error instanceof StartProblem || /ENOSPC|EDQUOT/.test(String(error));
    throw new StartProblem(
      isDiskFull ? `There is not enough space in ${folder} for the ${file}` : `The ${file} could not be made`,
    );
  } finally {
    backups.stop();
    await rm(unfinishedPath, { force: true }).catch(() => {});
  }
}

async function* withPauses(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let startedAt = performance.now();
  for await (const part of parts) {
    yield part;
    await delay((performance.now() - startedAt) * pauseRatio);
    startedAt = performance.now();
  }
}
