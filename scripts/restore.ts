import { parseArgs } from "node:util";
import { openBackupFile } from "../server/backup/file.ts";
import { restoreBackup } from "../server/backup/restore.ts";
import { archiveDirOf, type Config } from "../server/platform/config.ts";
import { startPostgres } from "../server/platform/embedded-postgres/embedded-postgres.ts";
import { createLog } from "../server/platform/log.ts";
import { lockDataDir } from "../server/platform/process/data-dir.ts";
import { keeperCommands } from "../server/platform/process/keeper-commands.ts";
import { StartProblem } from "../server/platform/process/start-problem.ts";
import { showProgress } from "./progress.ts";
import { readSecretLine } from "./read-secret-line.ts";
import { restoreToTime } from "./restore-to-time.ts";
import { runCommand } from "./shop-command.ts";

// `npm run restore file`: restores a shop from a file of `npm run backup` into an empty database.
// `npm run restore -- --at "2026-11-22 10:00"`: restores the embedded database to a moment.

const usage = 'Use: npm run restore FILE, or: npm run restore -- --at "2026-11-22 10:00" [--yes]';

await runCommand(async (config) => {
  const { file, at, database, isSure } = readArguments();
  if (at !== undefined) await restoreToTime(config, { at, database, isSure });
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
    const [file, ...rest] = positionals;
    if (rest.length > 0 || (file !== undefined && at !== undefined)) throw new StartProblem(usage);
    return { file, at, database, isSure: yes };
  } catch {
    throw new StartProblem(usage);
  }
}

async function restore(config: Config, path: string): Promise<void> {
  const log = createLog("silent");
  const file = await openBackupFile(path);
  const passphrase =
    config.backups.passphrase ??
    (file.header.encryption === null ? null : await readSecretLine("Passphrase: "));
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
      `The shop is back as it was on ${file.header.createdAt.slice(0, 16).replace("T", " ")} UTC: ${count(sums.orders)} orders, ${count(rows)} rows, compared with the backup.`,
    );
    console.log(
      `Start it with ${keeperCommands.start}. It asks the payment provider what happened since; look at “Needs attention” in the panel, and read “After a restore” in docs/decisions/0033-backups.md.`,
    );
  } finally {
    await database.close();
  }
}

async function openEmptyDatabase(config: Config): Promise<{ url: string; close(): Promise<void> }> {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  if (databaseUrl !== null) return { url: databaseDirectUrl ?? databaseUrl, close: async () => {} };
  const lock = lockDataDir(dataDir);
  const postgres = await startPostgres({
    dataDir,
    log: createLog("silent"),
    backupDir: archiveDirOf(config),
  }).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  return {
    url: postgres.url,
    async close() {
      await postgres.stop();
      lock.release();
    },
  };
}
