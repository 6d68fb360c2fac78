import { parseArgs } from "node:util";
import { openBackupFile } from "../server/backup/file.ts";
import { restoreBackup } from "../server/backup/restore.ts";
import type { Config } from "../server/platform/config.ts";
import { startPostgres } from "../server/platform/embedded-postgres/embedded-postgres.ts";
import { createLog } from "../server/platform/log.ts";
import { lockDataDir } from "../server/platform/process/data-dir-lock.ts";
import { StartProblem } from "../server/platform/process/start-problem.ts";
import { showProgress } from "./progress.ts";
import { readSecretLine } from "./read-secret-line.ts";
import { runCommand } from "./shop-command.ts";

// `npm run restore file`: brings a shop back from a file of `npm run backup`, into an empty database.

const usage = "Use: npm run restore file";

await runCommand(async (config) => {
  const [file, ...more] = parseArgs({ allowPositionals: true }).positionals;
  if (file === undefined || more.length > 0) throw new StartProblem(usage);
  await restore(config, file);
});

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
      "Start it with npm start. It asks the payment provider what happened since; look at “Needs attention” in the panel, and read “After a restore” in docs/decisions/0033-backups.md.",
    );
  } finally {
    await database.close();
  }
}

async function openEmptyDatabase({
  databaseUrl,
  databaseDirectUrl,
  dataDir,
}: Config): Promise<{ url: string; close(): Promise<void> }> {
  if (databaseUrl !== null) return { url: databaseDirectUrl ?? databaseUrl, close: async () => {} };
  const lock = lockDataDir(dataDir);
  const postgres = await startPostgres({ dataDir, log: createLog("silent") }).catch((error: unknown) => {
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
