import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ShopContext } from "../../context.ts";
import { syncIssues } from "../../issues/issues.ts";
import { StartProblem } from "../../platform/process/start-problem.ts";
import { checkBackup } from "../check.ts";
import { watchForBackups } from "../queries.ts";
import { ensureSpace } from "../take.ts";
import type { Bucket } from "./bucket.ts";
import type { OffSiteState } from "./destination.ts";
import { backupFolder, backupsIn } from "./local-files.ts";
import { downloadFile, type StoredFile, type Vault } from "./pieces.ts";

const checkEveryMs = 7 * 24 * 60 * 60 * 1000;
/** After a failure. */
const repeatEveryMs = checkEveryMs / 7;

/** Once a week: downloads the newest backup of the bucket and restores it for a test, as on disk. */
export async function checkOffSite(
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
  const everyMs = state.check?.isGood ? checkEveryMs : repeatEveryMs;
  const isDue = state.check === null || now().getTime() - Date.parse(state.check.at) >= everyMs;
  if (!newest || !isDue) return;
  const { name, bytes, count } = newest;
  const folder = join(config.dataDir, "off-site-check");
  // A backup that waits for this lane comes first; the test is repeated in half a minute.
  const backups = await watchForBackups(db);
  const path = join(folder, name);
  try {
    const verdict = await test().catch((error: unknown) => {
      if (backups.waits.aborted) return null;
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
        resolution: "By itself: a later copy could be restored",
        now: now(),
      }),
    );
  } finally {
    backups.end();
    await rm(folder, { recursive: true, force: true });
  }

  async function test() {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await ensureSpace(folder, bytes);
    await downloadFile(bucket, vault, { name: backupFolder + name, count }, path, {
      signal: AbortSignal.any([signal, backups.waits]),
    });
    const { passphrase } = config.backups;
    return checkBackup({ path, passphrase, folder, shopUrl: ctx.directDatabaseUrl, log });
  }
}
