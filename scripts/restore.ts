import { parseArgs } from "node:util";
import { utcText } from "../domain/backup/backup-text.ts";
import { openBackupFile } from "../server/backup/file.ts";
import { restoreBackup } from "../server/backup/restore.ts";
import type { Config } from "../server/platform/config.ts";
import { createLog } from "../server/platform/log.ts";
import { operatorCommands } from "../server/platform/process/operator-commands.ts";
import { StartProblem } from "../server/platform/process/start-problem.ts";
import { restoreOffSite, restoreOffSiteToTime } from "./commands/restore-off-site.ts";
import { restoreToTime } from "./commands/restore-to-time.ts";
import { findPassphrase, openEmptyDatabase, runCommand } from "./commands/shop-command.ts";
import { showProgress } from "./commands/terminal.ts";

// `npm run restore file`: restores a backup file (`npm run backup`) into an empty database.
// `npm run restore -- --at "2026-11-22 10:00"`: restores the embedded database to a point in time.
// `npm run restore -- s3://bucket/folder`: restores the newest off-site backup, or with `--at` the off-site archive.
// `npm run restore -- s3://bucket/folder/books-….zip`: downloads an accountant's file.

const usage =
  'Usage: npm run restore FILE, or: npm run restore -- [s3://bucket/folder] --at "2026-11-22 10:00" [--yes], or: npm run restore -- s3://bucket/folder';

await runCommand(async (config) => {
  const { file, at, database, isSure } = readArguments();
  if (file?.startsWith("s3://")) {
    if (at !== undefined) await restoreOffSiteToTime(config, file, { at, database, isSure });
    else await restoreOffSite(config, file, (path, passphrase) => restore(config, path, passphrase));
  } else if (at !== undefined) await restoreToTime(config, { at, database, isSure });
  else if (file !== undefined) await restore(config, file);
  else throw new StartProblem(usage);
});

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { at: { type: "string" }, database: { type: "string" }, yes: { type: "boolean" } },
    });
    const { at, database, yes = false } = values;
    const [file, ...extraArguments] = positionals;
    if (extraArguments.length > 0 || (file !== undefined && at !== undefined && !file.startsWith("s3://")))
      throw new StartProblem(usage);
    return { file, at, database, isSure: yes };
  } catch {
    throw new StartProblem(usage);
  }
}

/** `offSitePassphrase`: passphrase of the off-site copies, with which the file is decrypted as well, if it is encrypted. */
async function restore(config: Config, path: string, offSitePassphrase?: string): Promise<void> {
  const log = createLog("silent");
  const file = await openBackupFile(path);
  const passphrase = offSitePassphrase ?? (await findPassphrase(config, file.header));
  const database = await openEmptyDatabase(config);
  const progress = showProgress("Restoring");
  try {
    const { rows, sums } = await restoreBackup({
      url: database.url,
      file,
      passphrase,
      log,
      onProgress: progress.update,
      isRehearsal: false,
    });
    progress.end();
    const count = (number: number) => number.toLocaleString("en-US");
    console.log(
      `The shop is back as it was on ${utcText(file.header.createdAt)}: ${count(sums.orders)} orders, ${count(rows)} rows, verified against the backup.`,
    );
    console.log(
      `Start it with ${operatorCommands.start}. It asks the payment provider what happened since; look at “Needs attention” in the panel, and read “After a restore” in docs/decisions/0033-backups.md.`,
    );
  } finally {
    await database.close();
  }
}
