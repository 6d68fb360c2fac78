import { mkdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { offsiteStatementDays } from "../../domain/go-live/go-live.ts";
import { adminAccess } from "../admin/tables.ts";
import { readProgress } from "../backup/off-site/destination.ts";
import { backupMarkerFile, lastGoodBackup, readBackupMarker } from "../backup/queries.ts";
import { readStoredKeys } from "../connections/stored-keys.ts";
import { passkeys } from "../people/tables.ts";
import { jobQueueStats } from "../platform/jobs/jobs.ts";
import { operatorCommands } from "../platform/process/operator-commands.ts";
import { openSecretsKey } from "../platform/process/secrets-key.ts";
import { storeLastBackup } from "../settings/installation.ts";
import {
  type Check,
  type CheckContext,
  type CheckResult,
  keysLink,
  linkAlone,
  ok,
  problem,
  timeText,
  warning,
  warningToConfirm,
} from "./check.ts";
import { findStatementTime } from "./statements.ts";
import { checkArchive } from "./watch.ts";

const minCodeLength = 12;
const gib = 1024 ** 3;
const dayMs = 24 * 60 * 60 * 1000;
/** Differences between clocks (s) from which there is a warning or a problem. Signed events older than 5 minutes are refused. */
const skewLimits = { warning: 5, problem: 60 };

/** `providerClock`: the payment provider's time, received at `seenAt`. */
export function machineChecks(providerClock: { date: Date; seenAt: Date } | null): Check[] {
  return [
    { id: "access_code", group: "machine", title: "Access code", run: checkAccessCode },
    { id: "keys", group: "machine", title: "Stored keys", run: checkStoredKeys },
    { id: "backup", group: "machine", title: "Last backup", run: checkBackup },
    { id: "offsite_backup", group: "machine", title: "Backups elsewhere", run: checkOffsite },
    { id: "passkey", group: "machine", title: "Passkey", run: checkPasskey },
    { id: "archive", group: "machine", title: "Point in time", run: checkArchive },
    { id: "disk", group: "machine", title: "Disk space", run: checkDisk },
    { id: "clock", group: "machine", title: "Clock", run: (context) => checkClock(context, providerClock) },
    { id: "database", group: "machine", title: "Database", run: checkDatabase },
    { id: "jobs", group: "machine", title: "Background work", run: checkJobs },
  ];
}

async function checkAccessCode({ db, config }: CheckContext): Promise<CheckResult> {
  const advice = `Change it under Keys and connections, or by “${operatorCommands.code}” on this machine, and keep the new one somewhere safe.`;
  if (config.adminAccessCode !== null) {
    return config.adminAccessCode.length >= minCodeLength
      ? ok("The code is set on the server (ADMIN_ACCESS_CODE).")
      : warning(
          "The code that is set on the server is short.",
          `Whoever runs the server sets one of at least ${minCodeLength} characters (ADMIN_ACCESS_CODE) and starts the shop again.`,
        );
  }
  const [access] = await db.select({ isGenerated: adminAccess.isGenerated }).from(adminAccess);
  return access?.isGenerated
    ? warning(
        "It is still the code that the first start printed; logs of that start may contain it.",
        advice,
        {
          ...keysLink,
          to: `${keysLink.to}#access-code`,
        },
      )
    : ok("It was changed since the first start.");
}

async function checkPasskey({ db }: CheckContext): Promise<CheckResult> {
  const count = await db.$count(passkeys);
  return count > 0
    ? ok(`${count} ${count === 1 ? "passkey signs" : "passkeys sign"} people in.`)
    : warning(
        "Nobody has a passkey: anyone who learns the access code can open the panel.",
        "Invite yourself as a person, and sign in with fingerprint, face or device code. Keep the access code for emergencies.",
        { to: "/admin/people", label: "Invite yourself" },
      );
}

/** Off-site copies in a bucket. The shop cannot see copies elsewhere, so the owner confirms them, again after some weeks. */
async function checkOffsite({ db, now }: CheckContext): Promise<CheckResult> {
  const copies = await readProgress(db);
  if (copies?.failure) {
    const since = await timeText({ db }, new Date(copies.failure.since));
    const link = { to: "/admin/backups#off-site", label: "Backups" };
    return problem(`Nothing was copied since ${since}: ${copies.failure.message}.`, "Please fix that.", link);
  }
  const newest = copies?.backups[0];
  if (newest) {
    const day = await timeText({ db }, new Date(newest.takenAt));
    const count = copies.backups.length;
    return ok(`${count} ${count === 1 ? "is" : "are"} in the bucket, the newest of ${day}.`);
  }
  const at = await findStatementTime(db, "offsite_backup");
  const askToConfirm = (detail: string) =>
    warningToConfirm(
      "I keep copies elsewhere",
      detail,
      ...linkAlone("Set up off-site copies", { to: "/admin/backups" }),
    );
  if (!at)
    return askToConfirm(
      "Backups may be on this machine alone: a fire or a thief takes shop and backups together.",
    );
  const day = await timeText({ db }, at);
  const days = (now().getTime() - at.getTime()) / dayMs;
  return days < offsiteStatementDays
    ? ok(`You said on ${day} that copies are kept elsewhere.`)
    : askToConfirm(`You last said on ${day} that copies are kept elsewhere. Is that still so?`);
}

/** Whether this server, and others, can decrypt the keys entered in the panel. */
async function checkStoredKeys({ db, config }: CheckContext): Promise<CheckResult> {
  const { dataDir, databaseUrl, secretsKey } = config;
  const key = openSecretsKey({ ...secretsKey, dataDir, canCreate: false });
  const connections = Object.entries(await readStoredKeys(db, key));
  const unreadable = connections.flatMap(([name, { state }]) => (state === "unreadable" ? [name] : []));
  if (unreadable.length > 0) {
    return problem(
      `This server’s key cannot decrypt the stored keys of ${unreadable.join(", ")}.`,
      "Enter them again, or have the key that they were stored with set on every server (SECRETS_KEY or SECRETS_KEY_OLD).",
      keysLink,
    );
  }
  if (connections.every(([, { state }]) => state === "unset")) return ok("None were entered in the panel.");
  return databaseUrl !== null && key.from === "DATA_DIR"
    ? warning(
        "They open with a file in this server’s data folder (DATA_DIR/secrets-key), which other servers may not have.",
        "If several servers run the shop, all of them need the same key (SECRETS_KEY). The file’s content will do.",
      )
    : ok(
        `They open with a key ${key.from === "DATA_DIR" ? "in the data folder (DATA_DIR/secrets-key)" : "set on the server (SECRETS_KEY)"}; no backup has it.`,
      );
}

/** Stores in the database when `last-backup` was touched on this server, for the other servers. */
export async function recordBackupMarker({
  config,
  db,
  now,
}: Pick<CheckContext, "config" | "db" | "now">): Promise<void> {
  const marker = await readBackupMarker(config, now());
  if (marker) await storeLastBackup(db, marker);
}

async function checkBackup(ctx: CheckContext): Promise<CheckResult> {
  const { config, db, now } = ctx;
  await recordBackupMarker(ctx);
  const lastBackup = await lastGoodBackup(db);
  const link = { to: "/admin/backups", label: "Backups" };
  const instruction = config.backups.runsNightly
    ? "The shop makes one every night. “Back up now” makes one right away, or says what is wrong."
    : `Nightly backups are switched off (BACKUP_NIGHTLY=0). Make one every day yourself. End it with: touch ${join(config.dataDir, backupMarkerFile)} (README, Data and backups).`;
  if (!lastBackup) return warning("There is no known backup.", instruction, link);
  const days = Math.floor((now().getTime() - lastBackup.takenAt.getTime()) / dayMs);
  const age = days <= 0 ? "less than a day ago" : `${days} ${days === 1 ? "day" : "days"} ago`;
  const words = `The last backup was made ${age}${lastBackup.testedAt ? ", and restored for a test" : ""}.`;
  if (days >= 7) return problem(words, instruction, link);
  return days >= 2 ? warning(words, instruction, link) : ok(words);
}

async function checkDisk({ config }: CheckContext): Promise<CheckResult> {
  // The folder may have been deleted.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  const free = bavail * bsize;
  const share = bavail / blocks;
  const words = `${(free / gib).toFixed(1)} GiB (${Math.round(share * 100)}%) are free where ${config.dataDir} lies.`;
  const advice = "Make room: without it the database stops, and the shop with it.";
  if (free < gib) return problem(words, advice);
  return free < 5 * gib && share < 0.1 ? warning(words, advice) : ok(words);
}

async function checkClock(
  { db }: CheckContext,
  provider: { date: Date; seenAt: Date } | null,
): Promise<CheckResult> {
  // Does not use the shop's `now`, because the machine's clock itself is checked.
  const before = Date.now();
  const { rows } = await db.execute<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float as ms`,
  );
  const databaseSkewS = Math.abs((rows[0]?.ms ?? before) - (before + Date.now()) / 2) / 1000;
  // The `Date` header has whole seconds.
  const providerSkewS = provider
    ? Math.max(0, Math.abs(provider.seenAt.getTime() - provider.date.getTime()) / 1000 - 1)
    : 0;
  const skewS = Math.max(databaseSkewS, providerSkewS);
  const clockName = providerSkewS > databaseSkewS ? "the payment provider’s" : "the database’s";
  if (skewS < skewLimits.warning) {
    return ok(`It agrees with the database’s${provider ? " and the payment provider’s" : ""}.`);
  }
  const words = `It is ${Math.round(skewS)} seconds away from ${clockName}.`;
  const advice = "Have the machine’s time kept by NTP (timedatectl set-ntp true).";
  return skewS >= skewLimits.problem
    ? problem(words, `${advice} Signed payment events are refused when clocks disagree.`)
    : warning(words, advice);
}

async function checkDatabase({ db, config }: CheckContext): Promise<CheckResult> {
  const { rows } = await db.execute<{ version: string; bytes: number }>(
    sql`select current_setting('server_version') as version, pg_database_size(current_database())::float as bytes`,
  );
  const { version = "?", bytes = 0 } = rows[0] ?? {};
  const where =
    config.databaseUrl === null ? "embedded, in the data folder" : "on a server of its own (DATABASE_URL)";
  return ok(`PostgreSQL ${version.split(" ")[0]}, ${where}, ${(bytes / 1024 ** 2).toFixed(0)} MiB.`);
}

async function checkJobs({ db }: CheckContext): Promise<CheckResult> {
  const { waiting, failed, oldestWaitingSeconds } = await jobQueueStats(db);
  if (oldestWaitingSeconds > 300) {
    return problem(
      `${waiting} ${waiting === 1 ? "job waits" : "jobs wait"}, the oldest for ${Math.round(oldestWaitingSeconds / 60)} minutes.`,
      "If the shop is running, start it again; else start it. The log says what went wrong.",
    );
  }
  return failed > 0
    ? warning(
        `${failed} ${failed === 1 ? "job was" : "jobs were"} given up after several tries.`,
        ...linkAlone("See the reasons and retry", { to: "/admin/jobs" }),
      )
    : ok("No work is overdue.");
}
