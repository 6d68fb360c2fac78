import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { sizeText } from "../domain/backup/backup-text.ts";
import { checkBackup } from "../server/backup/check.ts";
import { recordBackup, recordGoodTest } from "../server/backup/commands.ts";
import { openBackupFile } from "../server/backup/file.ts";
import { checkRestoredMoney } from "../server/backup/money.ts";
import { backupName, takeBackup } from "../server/backup/take.ts";
import { openContext } from "../server/open-context.ts";
import type { Config } from "../server/platform/config.ts";
import { openDatabase } from "../server/platform/database/database.ts";
import { createLog } from "../server/platform/log.ts";
import { createHealth } from "../server/platform/process/health.ts";
import { operatorCommands } from "../server/platform/process/operator-commands.ts";
import { StartProblem } from "../server/platform/process/start-problem.ts";
import { findPassphrase, openShopDatabase, runCommand } from "./commands/shop-command.ts";
import { readSecretLines, showProgress } from "./commands/terminal.ts";

// `npm run backup`: saves the whole shop in one file; the shop may be running. `npm run backup -- --check file` restores a
// file for a test into a temporary database. Exit code 1 if that fails.

const usage = "Usage: npm run backup [file] [-- --encrypt], or: npm run backup -- --check file";

await runCommand(async (config) => {
  const { values, positionals } = parseArguments();
  const [file, ...extraArguments] = positionals;
  if (extraArguments.length > 0 || (values.check && file === undefined)) throw new StartProblem(usage);
  if (values.check && file !== undefined) await check(config, file);
  else
    await saveBackup(
      config,
      file ?? join(config.backupDir.path, backupName("by_hand", new Date())),
      values.encrypt,
    );
});

function parseArguments() {
  try {
    return parseArgs({
      options: { check: { type: "boolean", default: false }, encrypt: { type: "boolean", default: false } },
      allowPositionals: true,
    });
  } catch {
    throw new StartProblem(usage);
  }
}

async function saveBackup(config: Config, path: string, shouldEncrypt: boolean): Promise<void> {
  // Replaces an earlier backup, but no folder, device or other file.
  if (existsSync(path)) await openBackupFile(path);
  const passphrase = config.backups.passphrase ?? (shouldEncrypt ? await askNewPassphrase() : null);
  const signal = abortOnSignals();
  const shop = await openShopDatabase(config);
  const progress = showProgress("Backing up");
  try {
    const startedAt = performance.now();
    const backup = await takeBackup({
      url: shop.url,
      path,
      passphrase,
      pauseRatio: 0,
      onProgress: progress.update,
      signal,
    });
    progress.end();
    const { bytes, rows, sums } = backup;
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const isEncrypted = passphrase !== null;
    // A shop of an older version has no table of backups.
    await recordBackup(shop.db, {
      kind: "by_hand",
      path: resolve(path),
      isEncrypted,
      seconds,
      result: backup,
    }).catch(() => null);
    console.log(
      `${sizeText(bytes)}, ${rows.toLocaleString("en-US")} rows, ${sums.orders.toLocaleString("en-US")} orders, ${passphrase === null ? "not encrypted" : "encrypted"}, in ${seconds} s.`,
    );
    console.log(`Test it with ${operatorCommands.checkBackup} and its name:`);
    // On the last line, for scripts.
    console.log(path);
  } catch (error) {
    progress.end();
    throw signal.aborted ? new StartProblem("Stopped. No file was made.") : error;
  } finally {
    await shop.close();
  }
}

async function check(config: Config, path: string): Promise<void> {
  const { header } = await openBackupFile(path);
  const passphrase = await findPassphrase(config, header);
  const progress = showProgress("Restoring for a test");
  const log = createLog("silent");
  const verdict = await checkBackup({
    path,
    passphrase,
    shopDatabaseUrl: config.databaseDirectUrl ?? config.databaseUrl,
    log,
    onProgress: progress.update,
    checkMoney: (url, takenAt) => checkMoney(config, url, takenAt),
  });
  progress.end();
  for (const line of verdict.lines) console.log(line);
  console.log(
    verdict.isGood
      ? `Good: this backup can be restored (tested in ${verdict.seconds} s).`
      : "NOT GOOD: do not rely on this backup.",
  );
  if (!verdict.isGood) process.exitCode = 1;
  else if (await recordInPanel(config, new Date(header.createdAt), verdict.lines))
    console.log("The panel shows this result under Backups.");
}

/** Shows the good result in the panel, if there is a shop here that lists the backup; returns whether it does. */
async function recordInPanel(config: Config, takenAt: Date, lines: string[]): Promise<boolean> {
  const shop = await openShopDatabase(config).catch(() => null);
  if (shop === null) return false;
  try {
    return await recordGoodTest(shop.db, takenAt, lines);
  } catch {
    // A shop of an older version has no table of backups.
    return false;
  } finally {
    await shop.close();
  }
}

/** Compares the restored orders with the payment provider, in a shop context made from the restored settings. */
async function checkMoney(config: Config, url: string, takenAt: Date): Promise<string[]> {
  const log = createLog("silent");
  const database = openDatabase(url, log);
  const ctx = await openContext({
    config,
    directDatabaseUrl: url,
    db: database.db,
    database,
    log,
    secret: "of-a-test",
    buildDir: "build",
    vite: null,
    health: createHealth(),
    isStopping: () => false,
    now: () => new Date(),
  });
  try {
    return await checkRestoredMoney(ctx, database.db, takenAt);
  } finally {
    await ctx.changes.stop();
    await database.end();
  }
}

async function askNewPassphrase(): Promise<string> {
  const [passphrase = "", repeated = ""] = await readSecretLines(["Passphrase: ", "Once more: "]);
  if (passphrase === "")
    throw new StartProblem("Without a passphrase nothing is encrypted. No file was made.");
  if (passphrase !== repeated) throw new StartProblem("The passphrases do not match. No file was made.");
  return passphrase;
}

/** Aborts a backup without leaving an incomplete file. */
function abortOnSignals(): AbortSignal {
  const aborter = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => aborter.abort());
  return aborter.signal;
}
