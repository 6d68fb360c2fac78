import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import pg from "pg";
import { afterRestore } from "../../server/backup/after-restore.ts";
import { readSums } from "../../server/backup/catalog.ts";
import { type Config, resolveArchiveDir } from "../../server/platform/config.ts";
import { openPool } from "../../server/platform/database/database.ts";
import { migrate } from "../../server/platform/database/migrate.ts";
import {
  type ArchiveContents,
  readArchives,
} from "../../server/platform/embedded-postgres/archive/contents.ts";
import { formatMoment, parseMoment } from "../../server/platform/embedded-postgres/archive/moment.ts";
import {
  planRestore,
  type RestorePlan,
  restoreWindows,
} from "../../server/platform/embedded-postgres/archive/plan.ts";
import { restoreArchive } from "../../server/platform/embedded-postgres/archive/restore.ts";
import {
  readPostmaster,
  servesFolder,
  stopPostmaster,
} from "../../server/platform/embedded-postgres/postmaster.ts";
import { createLog } from "../../server/platform/log.ts";
import { lockDataDir } from "../../server/platform/process/data-dir.ts";
import { operatorCommands } from "../../server/platform/process/operator-commands.ts";
import { StartProblem } from "../../server/platform/process/start-problem.ts";
import { showProgress } from "./terminal.ts";

/** `at`: a time, or "latest". `database`: id of the database, if the folder has archives of several. */
export type RestoreRequest = { at: string; database?: string | undefined; isSure: boolean };

/** `npm run restore -- --at`: restores the embedded database to a moment from the archive in `backupDir`, by default BACKUP_DIR. */
export async function restoreToTime(
  config: Config,
  request: RestoreRequest,
  backupDir: string | null = resolveArchiveDir(config),
): Promise<void> {
  const { dataDir } = config;
  if (backupDir === null) {
    throw new StartProblem(
      config.databaseUrl === null
        ? "BACKUP_DIR is not set, so there is no archive to restore from. Set it to the folder that the shop had."
        : "--at restores the embedded database. The one of DATABASE_URL is restored with the tools of whoever runs it (docs/operating.md).",
    );
  }
  const lock = lockDataDir(dataDir);
  try {
    await stopLeftoverServer(join(dataDir, "postgres"));
    const { plan, timeZone, at } = choosePlan(await readArchives(backupDir), request, backupDir);
    const moment = formatMoment(at, timeZone);
    console.error(
      `The database will be what it was at ${moment}: the base backup of ${formatMoment(new Date(plan.base.startedAt), timeZone)}, and ${plan.segments.length} pieces of the log after it. Whatever happened later is not in it.`,
    );
    const isNewMachine = !existsSync(join(dataDir, "postgres"));
    if (isNewMachine && wasWrittenLately(plan.archive, new Date())) {
      console.error(
        `${backupDir} was written to in the last five minutes. If the shop still runs elsewhere, this one needs a BACKUP_DIR of its own before it is started: two shops in one archive cannot be told apart.`,
      );
    }
    if (!request.isSure && !(await askConfirmation())) throw new StartProblem("Nothing was changed.");

    const bars = { unpack: showProgress("Unpacking"), replay: showProgress("Replaying") };
    let sums = "";
    const { formerFolder } = await restoreArchive({
      plan,
      dataDir,
      now: new Date(),
      progress: (step, share) => bars[step].update(share),
      finish: async (url) => {
        sums = await prepareRestoredShop(url, at);
      },
    });
    for (const bar of Object.values(bars)) bar.end();
    console.log(`The database is back as it was at ${moment}${sums}.`);
    if (formerFolder !== null)
      console.log(`The one before is kept in ${formerFolder}: delete it when you need it no more.`);
    console.log(
      `Start the shop with ${operatorCommands.start}. It asks the payment provider what happened since; look at “Needs attention” in the panel, and read “After a restore” in docs/decisions/0033-backups.md.`,
    );
  } finally {
    lock.release();
  }
}

/** A running shop writes to its archive every minute. */
function wasWrittenLately({ segments }: ArchiveContents, now: Date): boolean {
  return segments.some(({ closedAt }) => now.getTime() - closedAt.getTime() < 5 * 60_000);
}

/** Stops the server of a killed shop, which archives its log while it stops. */
async function stopLeftoverServer(folder: string): Promise<void> {
  const postmaster = readPostmaster(folder);
  if (postmaster && servesFolder(postmaster.pid, folder)) await stopPostmaster(postmaster.pid, folder);
}

export function choosePlan(
  allArchives: ArchiveContents[],
  { at: text, database }: RestoreRequest,
  backupDir: string,
): { plan: RestorePlan; timeZone: string; at: Date } {
  const archives = allArchives.filter(
    ({ id, bases }) => bases.length > 0 && (database === undefined || id === database),
  );
  const newest = archives
    .flatMap(({ bases }) => bases)
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .at(-1);
  if (!newest)
    throw new StartProblem(`${backupDir} has no base backup of a database: there is nothing to restore.`);
  const { timeZone } = newest;
  const at = text === "latest" ? null : parseMoment(text, timeZone);
  if (text !== "latest" && at === null) {
    throw new StartProblem(
      `--at: “${text}” is not a time. Write it like "2026-11-22 10:00", in the time zone ${timeZone} or with another behind it, or "latest".`,
    );
  }
  const ranges = archives.map((archive) => `${formatRanges(archive, timeZone)}`);
  const plans = archives.flatMap((archive) => planRestore(archive, at) ?? []);
  const [plan] = plans;
  if (!plan) {
    throw new StartProblem(
      `${at === null ? "The archive is not complete" : `There is no way back to ${formatMoment(at, timeZone)}`}. The archive reaches ${ranges.join("; another one ")}.`,
    );
  }
  if (plans.length > 1) {
    const choices = archives.map(({ id }, index) => `--database ${id} (${ranges[index]})`);
    throw new StartProblem(
      `${backupDir} has the archives of ${plans.length} databases. Say which one: ${choices.join(", or ")}.`,
    );
  }
  return { plan, timeZone, at: at ?? plan.segments.at(-1)?.closedAt ?? new Date(plan.base.stoppedAt) };
}

/** Ranges of whole seconds that can be restored. */
function formatRanges(archive: ArchiveContents, timeZone: string): string {
  const format = (ms: number) => formatMoment(new Date(ms), timeZone);
  return restoreWindows(archive)
    .map(
      ({ from, to }) =>
        `from ${format(Math.ceil(from.getTime() / 1_000) * 1_000)} to ${format(to.getTime())}`,
    )
    .join(", and ");
}

async function askConfirmation(): Promise<boolean> {
  if (process.stdin.isTTY !== true) throw new StartProblem("Add --yes if you are sure. Nothing was changed.");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question("Go on? (yes/no) ")).trim());
  } finally {
    lines.close();
  }
}

/**
 * Migrates a restored shop, prepares it and returns a summary of its contents; "" if the shop never used the database. Throws
 * StartProblem for a database that this program does not know.
 */
async function prepareRestoredShop(url: string, at: Date): Promise<string> {
  const client = new pg.Client({ connectionString: url, application_name: "palmira-restore" });
  await client.connect();
  try {
    const { rows } = await client.query("select to_regclass('orders') as orders");
    if (rows[0]?.orders === null) return "";
    await migrateDatabase(url);
    await client.query("begin");
    await afterRestore(client, at.toISOString());
    await client.query("commit");
    const { orders, payments } = await readSums(client);
    return `: ${orders.toLocaleString("en-US")} orders, ${payments.toLocaleString("en-US")} payments`;
  } finally {
    await client.end();
  }
}

async function migrateDatabase(url: string): Promise<void> {
  const log = createLog("silent");
  const pool = openPool(url, log, { name: "palmira-restore", max: 2 });
  try {
    await migrate(pool, log);
  } finally {
    await pool.end();
  }
}
