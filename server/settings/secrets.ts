import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { BaseContext } from "../platform/base-context.ts";
import type { Db } from "../platform/database/database.ts";
import type { SecretsKey } from "../platform/process/secrets-key.ts";
import { secrets } from "./tables.ts";

export type SecretRow = typeof secrets.$inferSelect;
/** `unreadable`: the secret was encrypted with a key that this server does not have. */
type ReadSecret =
  | { state: "set"; value: string; row: SecretRow }
  | { state: "unset" }
  | { state: "unreadable"; row: SecretRow };

type SecretsAccess = { db: Db; secretsKey: SecretsKey };

/** Decrypts a stored secret. Never log it, nor send it to a browser. */
export async function readSecret({ db, secretsKey }: SecretsAccess, name: string): Promise<ReadSecret> {
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
  return row ? decrypt(secretsKey, row) : { state: "unset" };
}

export function decrypt(secretsKey: SecretsKey, row: SecretRow): ReadSecret {
  if (row.sealed === null || row.keyId === null) return { state: "unset" };
  const value = secretsKey.open(row.name, row.sealed, row.keyId);
  return value === null ? { state: "unreadable", row } : { state: "set", value, row };
}

type SecretToWrite = {
  name: string;
  /** Null removes it. */
  value: string | null;
  /** Stored without encryption. */
  facts?: unknown;
  /** The version that the caller has read, 0 for none; if missing, any version is replaced. */
  expectedVersion?: number;
  now: Date;
  by?: string | null;
  triedAt?: Date | null;
};

/** Returns false and writes nothing if the stored version is not `expectedVersion`. Throws without a key for encryption. */
export async function writeSecret(
  { db, secretsKey }: SecretsAccess,
  { name, value, facts = null, expectedVersion, now, by = null, triedAt = null }: SecretToWrite,
): Promise<boolean> {
  const { sealed, keyId } = value === null ? { sealed: null, keyId: null } : secretsKey.seal(name, value);
  const row = { sealed, keyId, facts, updatedAt: now, updatedBy: by, triedAt, tryFailure: null };
  if (expectedVersion === 0) {
    const { rowCount } = await db
      .insert(secrets)
      .values({ name, ...row })
      .onConflictDoNothing();
    return rowCount === 1;
  }
  const newColumns = { ...row, version: sql`${secrets.version} + 1` };
  if (expectedVersion !== undefined) {
    const { rowCount } = await db
      .update(secrets)
      .set(newColumns)
      .where(and(eq(secrets.name, name), eq(secrets.version, expectedVersion)));
    return rowCount === 1;
  }
  await db
    .insert(secrets)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: secrets.name, set: newColumns });
  return true;
}

/** Stores the result of a test at the service, unless the secret was replaced in the meantime. */
export async function storeTryResult(
  db: Db,
  {
    name,
    version,
    triedAt,
    tryFailure,
  }: { name: string; version: number; triedAt: Date; tryFailure: string | null },
): Promise<void> {
  await db
    .insert(secrets)
    .values({ name, triedAt, tryFailure, updatedAt: triedAt })
    .onConflictDoUpdate({
      target: secrets.name,
      set: { triedAt, tryFailure },
      setWhere: eq(secrets.version, version),
    });
}

/** Stores facts under a name that has no secret. */
export async function writeFacts(
  db: Db,
  { name, facts, now }: { name: string; facts: unknown; now: Date },
): Promise<void> {
  await db
    .insert(secrets)
    .values({ name, facts, updatedAt: now })
    .onConflictDoUpdate({ target: secrets.name, set: { facts, updatedAt: now } });
}

/**
 * Claims the creation of a secret at its service, for one caller across all servers. Returns the function that releases the
 * claim. Null if another caller has the claim, which expires after `lifetimeMs` if that caller crashes.
 */
export async function claimCreation(
  { db, now }: Pick<BaseContext, "db" | "now">,
  name: string,
  lifetimeMs: number,
): Promise<(() => Promise<void>) | null> {
  const token = randomUUID();
  const key = `${name}_claim`;
  const claim = { facts: token, updatedAt: now() };
  const { rowCount } = await db
    .insert(secrets)
    .values({ name: key, ...claim })
    .onConflictDoUpdate({
      target: secrets.name,
      set: claim,
      setWhere: lt(secrets.updatedAt, new Date(now().getTime() - lifetimeMs)),
    });
  if (rowCount !== 1) return null;
  return async () => {
    await db.delete(secrets).where(and(eq(secrets.name, key), eq(secrets.facts, token)));
  };
}

/** Deletes a generated secret: `ensureSecret` generates another. */
export async function deleteSecret(db: Db, name: string): Promise<void> {
  await db.delete(secrets).where(eq(secrets.name, name));
}

/**
 * A generated secret, the same on all servers: the first call generates it. Null if this server cannot decrypt it, or has no key
 * to encrypt one.
 */
export async function ensureSecret(
  { db, secretsKey, now }: Pick<BaseContext, "db" | "secretsKey" | "now">,
  name: string,
  generate: () => string | Promise<string>,
): Promise<string | null> {
  const access = { db, secretsKey };
  const secret = await readSecret(access, name);
  if (secret.state === "unset" && secretsKey.id !== null) {
    await writeSecret(access, { name, value: await generate(), expectedVersion: 0, now: now() });
    const storedSecret = await readSecret(access, name);
    return storedSecret.state === "set" ? storedSecret.value : null;
  }
  return secret.state === "set" ? secret.value : null;
}

/**
 * At each start: encrypts secrets of an older key with the current one, so that the older key can be discarded. The version
 * stays the same, and servers that have only the older key continue with the values in memory.
 */
export async function rotateSecretsKey({
  db,
  log,
  secretsKey,
}: Pick<BaseContext, "db" | "log" | "secretsKey">): Promise<void> {
  // Reading `id` generates the key in DATA_DIR at the first start, not with the first secret.
  if (secretsKey.id === null) {
    log.warn({ reason: secretsKey.problem }, "there is no key for secrets: the panel cannot store any");
    return;
  }
  const olderSecrets = await db
    .select()
    .from(secrets)
    .where(and(isNotNull(secrets.sealed), ne(secrets.keyId, secretsKey.id)));
  for (const { name, sealed, keyId, version } of olderSecrets) {
    const value = sealed === null || keyId === null ? null : secretsKey.open(name, sealed, keyId);
    if (value === null) continue;
    await db
      .update(secrets)
      .set(secretsKey.seal(name, value))
      .where(and(eq(secrets.name, name), eq(secrets.version, version)));
    log.info({ secret: name }, "a stored secret was encrypted with the current key");
  }
}
