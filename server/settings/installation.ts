import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hash, verify } from "@node-rs/argon2";
import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Logger } from "pino";
import type { Database, Db } from "../platform/database/database.ts";
import { installation } from "./tables.ts";

/**
 * The secret that signs cookies and links in e-mails: `configured` (SESSION_SECRET), or the one in the database. The first server
 * stores it there: a new one, or the one in `session-secret` in its DATA_DIR. Servers that start concurrently get the same
 * secret.
 */
export async function sessionSecret(
  db: Database,
  { configured, dataDir, log }: { configured: string | null; dataDir: string; log: Logger },
): Promise<string> {
  if (configured !== null) {
    await checkSessionSecret(db, configured, log);
    return configured;
  }
  const file = join(dataDir, "session-secret");
  const copy = readCopy(file, log);
  const candidate = copy ?? randomBytes(32).toString("base64url");
  const [row] = await db
    .update(installation)
    .set({ sessionSecret: sql`coalesce(${installation.sessionSecret}, ${candidate})` })
    .where(eq(installation.id, 1))
    .returning({ secret: installation.sessionSecret });
  const secret = row?.secret;
  if (!secret) throw new Error("The table installation has no row");
  await checkSessionSecret(db, secret, log);
  if (copy !== secret) writeCopy(file, secret, log);
  return secret;
}

/** Null if the file is missing, empty or unreadable. */
function readCopy(file: string, log: Logger): string | null {
  try {
    return readFileSync(file, "utf8").trim() || null;
  } catch (error) {
    if (!isMissing(error)) log.warn({ err: error }, "DATA_DIR/session-secret cannot be read");
    return null;
  }
}

/** Keeps a copy of the secret, readable only by the shop's account, in case the operator wants to set `SESSION_SECRET` to it. */
function writeCopy(file: string, secret: string, log: Logger): void {
  try {
    mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
    const partial = `${file}.${process.pid}.new`;
    writeFileSync(partial, `${secret}\n`, { mode: 0o600 });
    renameSync(partial, file);
  } catch (error) {
    log.warn(
      { err: error },
      "DATA_DIR/session-secret, a copy of the secret in the database, cannot be written",
    );
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/**
 * Warns if the session secret differs from that of the last server on this database: links in earlier e-mails no longer work.
 * Startup continues, since the secret may have been changed on purpose.
 */
async function checkSessionSecret(db: Database, secret: string, log: Logger): Promise<void> {
  const [row] = await db.select({ secretHash: installation.sessionSecretHash }).from(installation);
  const lastHash = row?.secretHash ?? null;
  if (lastHash !== null && (await verify(lastHash, secret))) return;
  if (lastHash !== null) {
    log.warn(
      "SESSION_SECRET differs from the one this database was last used with. Links in earlier emails no longer work, and several servers of one shop need the same secret.",
    );
  }
  await db
    .update(installation)
    .set({ sessionSecretHash: await hash(secret) })
    .where(eq(installation.id, 1));
}

/** Stores the time of a backup, unless a later one is stored. */
export async function storeLastBackup(db: Db, at: Date): Promise<void> {
  await db
    .update(installation)
    .set({ lastBackupAt: at })
    .where(
      and(eq(installation.id, 1), or(isNull(installation.lastBackupAt), lt(installation.lastBackupAt, at))),
    );
}

/** Time of the last backup outside the shop; null if none was reported. */
export async function readLastBackup(db: Db): Promise<Date | null> {
  const [row] = await db.select({ at: installation.lastBackupAt }).from(installation);
  return row?.at ?? null;
}

/** Distinguishes this shop's payments from those of another shop at the same provider. */
export async function readShopId(db: Db): Promise<string> {
  const [row] = await db.select({ shopId: installation.shopId }).from(installation);
  if (!row) throw new Error("The table installation has no row");
  return row.shopId;
}
