import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { ShopContext } from "../../context.ts";
import { syncIssues } from "../../issues/issues.ts";
import { readArchiveStatus } from "../../platform/embedded-postgres/archive/status.ts";
import { moreToDo, type RecurringTask, recurring } from "../../platform/jobs/jobs.ts";
import { StartProblem } from "../../platform/process/start-problem.ts";
import { readShopId } from "../../settings/installation.ts";
import { ownerTimeZone } from "../../settings/today.ts";
import { checkBackup } from "../check.ts";
import { watchForBackups } from "../queries.ts";
import { ensureSpace } from "../take.ts";
import { completeBooks, deleteLocalBooks, deleteUploadedBooks, dueMonth, makeBooks } from "./books.ts";
import { type Bucket, BucketProblem, openBucket } from "./bucket.ts";
import {
  type Destination,
  type OffSiteFailure,
  type OffSiteState,
  passphraseInUse,
  readDestination,
  readState,
  writeState,
} from "./destination.ts";
import {
  archiveFolder,
  backupFolder,
  backupsIn,
  filesToCopy,
  type LocalFile,
  missingFiles,
  restorablePeriod,
  surplusFiles,
} from "./local-files.ts";
import {
  addPiece,
  downloadFile,
  makeMarker,
  openUnmarked,
  openVault,
  pieceObjectKey,
  readMarker,
  readPiece,
  type StoredFile,
  sealPiece,
  storedFiles,
  type Vault,
} from "./pieces.ts";
import { syncOffSiteIssues } from "./report.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const everySeconds = 30;
/** Longest run, so that a waiting backup gets its turn; the next run continues. */
const runMs = minuteMs;
const listEveryMs = hourMs;
/** Longest pause after failures; each failure doubles the pause. */
const longestPauseMs = 10 * minuteMs;
/** Interval at which the restorable period is computed, which reads thousands of names. */
const periodEveryMs = 5 * minuteMs;

/** Files in the bucket by its last list and later uploads. `periodAt`: when the restorable period was last computed. */
type Inventory = { version: number; listedAt: number; periodAt: number; files: Map<string, StoredFile> };
type Memory = { inventory: Inventory | null };

/** One run: the destination with its keys, the stored state, and the end of the run (as `performance.now()`). */
type Run = {
  ctx: ShopContext;
  destination: Destination;
  passphrase: string;
  state: OffSiteState;
  bucket: Bucket;
  signal: AbortSignal;
  deadline: number;
};

/** Job: uploads new files of this server and deletes surplus ones from the bucket. Runs on one server at a time. */
export function offSiteUpload(ctx: ShopContext): RecurringTask {
  const memory: Memory = { inventory: null };
  // A lower priority than backups, which use the same lane.
  const job = { name: "upload_off_site", lane: "long", priority: 10, everySeconds } as const;
  return recurring(job, ({ signal }) => uploadOffSite(ctx, memory, signal));
}

async function uploadOffSite(ctx: ShopContext, memory: Memory, signal: AbortSignal) {
  const { destination } = await readDestination(ctx);
  const passphrase = destination && passphraseInUse(ctx, destination);
  if (!destination || passphrase === null) {
    await deleteLocalBooks(ctx);
    return syncOffSiteIssues(ctx, null);
  }
  const state = await readState(ctx.db, destination.version);
  if (isPaused(state.failure, ctx.now())) return undefined;
  const stateBefore = JSON.stringify(state);
  const bucket = openBucket(destination.bucket);
  const deadline = performance.now() + runMs;
  try {
    const result = await run({ ctx, destination, passphrase, state, bucket, signal, deadline }, memory);
    state.failure = null;
    return result;
  } catch (error) {
    // The error of an unreadable file has a `syscall`.
    const isExpected = error instanceof BucketProblem || error instanceof StartProblem;
    if (signal.aborted || !(error instanceof Error) || !(isExpected || "syscall" in error)) throw error;
    memory.inventory = null;
    state.failure = failureAfter(state.failure, error, ctx.now());
    ctx.log.warn({ reason: error.message }, "off-site backups: nothing could be uploaded");
    return undefined;
  } finally {
    if (JSON.stringify(state) !== stateBefore) await writeState(ctx.db, state, ctx.now());
    await syncOffSiteIssues(ctx, { state, destination });
  }
}

/** Whether the pause after a failure lasts. A longer one was stored while the clock was ahead. */
function isPaused(failure: OffSiteFailure, now: Date): boolean {
  const leftMs = failure === null ? 0 : Date.parse(failure.retryAt) - now.getTime();
  return leftMs > 0 && leftMs <= longestPauseMs;
}

function failureAfter(failure: OffSiteFailure, error: Error, now: Date): OffSiteFailure {
  const count = (failure?.count ?? 0) + 1;
  const pause = Math.min(longestPauseMs, everySeconds * 1_000 * 2 ** Math.min(count - 1, 10));
  const retryAt = new Date(now.getTime() + pause).toISOString();
  const message = error.message.replace(/\.$/, "");
  const at = now.toISOString();
  // A later time was stored while the clock was ahead, and would keep the failure from being reported.
  const since = failure && failure.since < at ? failure.since : at;
  return { since, message, count, retryAt };
}

async function run(run: Run, memory: Memory): Promise<typeof moreToDo | undefined> {
  const { ctx, bucket, state, signal } = run;
  const vault = await openOwnVault(run);
  const inventory = await readInventory(run, memory.inventory);
  const isNewInventory = inventory !== memory.inventory;
  memory.inventory = inventory;
  if (isNewInventory) state.listedAt = ctx.now().toISOString();
  let isCutShort = false;
  try {
    await deleteUploadedBooks(ctx, inventory.files);
    isCutShort = await uploadMissing(run, vault, inventory.files);
    await deleteUploadedBooks(ctx, inventory.files);
    if (isNewInventory && !isCutShort) await deleteSurplus(run, inventory.files);
  } finally {
    await updateState(run, inventory);
  }
  if (isCutShort) return moreToDo;
  await checkOffSite(ctx, { bucket, vault, state, files: inventory.files, signal });
  return (await makeDueBooks(run, inventory.files)) ? moreToDo : undefined;
}

/** Whether making an accountant's file failed and is not due to be retried yet. */
const isBooksRetryPending = ({ ctx, state: { booksFailure } }: Run) => isPaused(booksFailure, ctx.now());

/**
 * Makes a due accountant's file, last of all, so that no backup waits for it. Returns true if it did; the next run uploads the
 * file.
 */
async function makeDueBooks(run: Run, files: ReadonlyMap<string, StoredFile>): Promise<boolean> {
  const { ctx, state, signal } = run;
  if (isBooksRetryPending(run)) return false;
  const month = await dueMonth(ctx, files);
  try {
    const isMade = month !== null && (await makeBooks(ctx, month, signal));
    if (month === null || isMade) state.booksFailure = null;
    return isMade;
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    state.booksFailure = failureAfter(state.booksFailure, error, ctx.now());
    return false;
  }
}

/** The keys of the folder in the bucket. Marks the folder as this shop's at its first use. */
async function openOwnVault({ ctx, bucket, passphrase, signal }: Run): Promise<Vault> {
  const shopId = await readShopId(ctx.db);
  let marker = await readMarker(bucket, signal);
  if (!marker) {
    const { recipe } = (await openUnmarked(bucket, passphrase)) ?? {};
    marker = await makeMarker(bucket, { shopId, passphrase, ...(recipe && { recipe }) });
  }
  if (marker.shopId !== shopId)
    throw new BucketProblem("Another shop’s backups are there: choose another folder");
  const vault = await openVault(marker, passphrase);
  if (vault) return vault;
  throw new BucketProblem(
    "The files there have another passphrase: set that one again, or choose another folder",
  );
}

/**
 * Lists the bucket every hour, and before uploading a backup or an accountant's file, because another server may have uploaded
 * it. Files of the log need no new list: only one server has them.
 */
async function readInventory(run: Run, cachedInventory: Inventory | null): Promise<Inventory> {
  const { ctx, bucket, destination, signal } = run;
  const { version } = destination;
  if (cachedInventory?.version === version && Date.now() - cachedInventory.listedAt < listEveryMs) {
    const missing = await missingFiles(ctx, cachedInventory.files);
    const hasSharedFiles = missing.some(({ name }) => !name.startsWith(archiveFolder));
    const month =
      hasSharedFiles || isBooksRetryPending(run) ? null : await dueMonth(ctx, cachedInventory.files);
    if (!hasSharedFiles && month === null) return cachedInventory;
  }
  const files = storedFiles(await bucket.list("", signal));
  return { version, listedAt: Date.now(), periodAt: 0, files };
}

/** Returns true if there was no time for all files. Skips unreadable files, and throws the first one's error at the end. */
async function uploadMissing(run: Run, vault: Vault, files: Map<string, StoredFile>): Promise<boolean> {
  let unreadable: Error | null = null;
  for (const file of await missingFiles(run.ctx, files)) {
    const { pieces, isCutShort } = await uploadFile(run, vault, files, file).catch((error: unknown) => {
      if (!(error instanceof Error && "syscall" in error)) throw error;
      unreadable ??= error;
      return { pieces: 0, isCutShort: false };
    });
    if (pieces > 0) run.state.uploadedAt = run.ctx.now().toISOString();
    if (isCutShort) return true;
  }
  if (unreadable) throw unreadable;
  return false;
}

/** Uploads a file's missing pieces. `pieces`: their number. `isCutShort`: there was no time for all of them. */
async function uploadFile(
  { bucket, signal, deadline }: Run,
  vault: Vault,
  files: Map<string, StoredFile>,
  { name, path, pieceCount }: LocalFile,
): Promise<{ pieces: number; isCutShort: boolean }> {
  let pieces = 0;
  for (let piece = 1; piece <= pieceCount; piece += 1) {
    if (files.get(name)?.pieces.has(piece)) continue;
    if (performance.now() > deadline) return { pieces, isCutShort: true };
    signal.throwIfAborted();
    const content = await readPiece(path, piece);
    // The file was deleted as surplus in the meantime.
    if (content === null) break;
    const key = pieceObjectKey(name, piece, pieceCount);
    const sealed = sealPiece(vault, key, content);
    await bucket.put(key, sealed, signal);
    addPiece(files, { name, pieceCount }, { piece, bytes: sealed.length });
    pieces += 1;
  }
  return { pieces, isCutShort: false };
}

async function deleteSurplus(
  { ctx, bucket, signal, deadline }: Run,
  files: Map<string, StoredFile>,
): Promise<void> {
  const folder = readArchiveStatus(ctx.config, ctx.now())?.folder;
  const timeZone = await ownerTimeZone(ctx);
  const archiveId = folder === undefined ? null : basename(folder);
  // Keeps files that are still on disk, because they would be uploaded again.
  const ownNames = new Set((await filesToCopy(ctx)).map(({ name }) => name));
  for (const file of surplusFiles(files, { archiveId, timeZone, now: ctx.now() })) {
    if (ownNames.has(file.name)) continue;
    for (const piece of file.pieces) {
      if (performance.now() > deadline) return;
      await bucket.remove(pieceObjectKey(file.name, piece, file.pieceCount), signal);
    }
    files.delete(file.name);
  }
}

/** Updates the state with the files in the bucket and those still to upload. */
async function updateState({ ctx, state, destination }: Run, inventory: Inventory): Promise<void> {
  const waiting = await missingFiles(ctx, inventory.files);
  const oldest = Math.min(...waiting.map(({ completedAt }) => completedAt.getTime()));
  // Files older than the destination wait since the destination was entered.
  const since = new Date(Math.max(oldest, destination.updatedAt.getTime()));
  state.waiting = {
    files: waiting.length,
    bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
    since: waiting.length === 0 ? null : since.toISOString(),
  };
  state.backups = backupsIn(inventory.files.values()).map(({ name, requestedAt, bytes }) => ({
    name,
    takenAt: requestedAt.toISOString(),
    bytes,
  }));
  state.books = completeBooks(inventory.files.values()).map(({ name, month, bytes }) => ({
    name,
    month,
    bytes,
  }));
  if (Date.now() - inventory.periodAt < periodEveryMs && state.log !== null) return;
  inventory.periodAt = Date.now();
  state.log = await restorablePeriod(ctx, inventory.files);
}

const checkEveryMs = 7 * 24 * 60 * 60 * 1000;
/** Interval after a failed check. */
const recheckEveryMs = checkEveryMs / 7;

/** Tests the newest backup in the bucket once a week: downloads it and restores it, like a backup on disk. */
async function checkOffSite(
  ctx: ShopContext,
  {
    bucket,
    vault,
    state,
    files,
    signal,
  }: {
    bucket: Bucket;
    vault: Vault;
    state: OffSiteState;
    files: ReadonlyMap<string, StoredFile>;
    signal: AbortSignal;
  },
): Promise<void> {
  const { config, db, log, now } = ctx;
  const [newest] = backupsIn(files.values());
  const everyMs = state.check?.isGood ? checkEveryMs : recheckEveryMs;
  const isDue = state.check === null || Math.abs(now().getTime() - Date.parse(state.check.at)) >= everyMs;
  if (!newest || !isDue) return;
  const { name, bytes, pieceCount } = newest;
  const folder = join(config.dataDir, "off-site-check");
  // Stops for a backup that waits for this lane; the next run tests again.
  const backups = await watchForBackups(db);
  const path = join(folder, name);
  try {
    const verdict = await test().catch((error: unknown) => {
      if (backups.onQueued.aborted) return null;
      if (!(error instanceof StartProblem)) throw error;
      return { isGood: false, lines: [error.message] };
    });
    if (verdict === null) return;
    const { isGood, lines } = verdict;
    const at = now().toISOString();
    const message = `The off-site copy of ${name} failed its test by a restore: ${lines[0]}`;
    state.check = { at, name, isGood, lines };
    await db.transaction((tx) =>
      syncIssues(tx, {
        kind: "off_site_check",
        cases: isGood ? [] : [{ subject: at, message }],
        resolution: "Automatically: a later copy could be restored",
        now: now(),
      }),
    );
  } finally {
    backups.stop();
    await rm(folder, { recursive: true, force: true });
  }

  async function test() {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await ensureSpace(folder, bytes);
    await downloadFile(bucket, vault, { name: backupFolder + name, pieceCount }, path, {
      signal: AbortSignal.any([signal, backups.onQueued]),
    });
    const { passphrase } = config.backups;
    return checkBackup({ path, passphrase, folder, shopDatabaseUrl: ctx.directDatabaseUrl, log });
  }
}
