import { and, eq, sql } from "drizzle-orm";
import type { BaseContext } from "../platform/base-context.ts";
import type { Db } from "../platform/database/database.ts";
import type { SecretsKey } from "../platform/process/secrets-key.ts";
import { secrets } from "./tables.ts";

export type SecretRow = typeof secrets.$inferSelect;
/** `unreadable`: it was encrypted with a key that this server does not have. */
export type ReadSecret =
  | { state: "set"; value: string; row: SecretRow }
  | { state: "unset" }
  | { state: "unreadable"; row: SecretRow };

type Reach = { db: Db; secretsKey: SecretsKey };

/** A stored secret as text. Never log it, nor send it to a browser. */
export async function readSecret({ db, secretsKey }: Reach, name: string): Promise<ReadSecret> {
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
  return row ? opened(secretsKey, row) : { state: "unset" };
}

export function opened(secretsKey: SecretsKey, row: SecretRow): ReadSecret {
  if (row.sealed === null || row.keyId === null) return { state: "unset" };
  const value = secretsKey.open(row.name, row.sealed, row.keyId);
  return value === null ? { state: "unreadable", row } : { state: "set", value, row };
}

export type SecretToWrite = {
  name: string;
  /** Null takes it out. */
  value: string | null;
  /** What may be read without the key. */
  facts?: unknown;
  /** The version that the caller has seen, 0 for none; missing: whatever there is is replaced. */
  seen?: number;
  now: Date;
  by?: string | null;
  triedAt?: Date | null;
};

/** False: somebody else changed it since `seen`, and nothing was written. Throws where there is no key to encrypt with. */
export async function writeSecret(
  { db, secretsKey }: Reach,
  { name, value, facts = null, seen, now, by = null, triedAt = null }: SecretToWrite,
): Promise<boolean> {
  const { sealed, keyId } = value === null ? { sealed: null, keyId: null } : secretsKey.seal(name, value);
  const row = { sealed, keyId, facts, updatedAt: now, updatedBy: by, triedAt, tryFailure: null };
  if (seen === 0) {
    const { rowCount } = await db
      .insert(secrets)
      .values({ name, ...row })
      .onConflictDoNothing();
    return rowCount === 1;
  }
  const next = { ...row, version: sql`${secrets.version} + 1` };
  if (seen !== undefined) {
    const { rowCount } = await db
      .update(secrets)
      .set(next)
      .where(and(eq(secrets.name, name), eq(secrets.version, seen)));
    return rowCount === 1;
  }
  await db
    .insert(secrets)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: secrets.name, set: next });
  return true;
}

/** Notes when a secret was tried at its service and what came back, unless another value took its place meanwhile. */
export async function noteSecretTried(
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

/** Deletes a secret that the shop made for itself: the next who needs it makes another. */
export async function forgetSecret(db: Db, name: string): Promise<void> {
  await db.delete(secrets).where(eq(secrets.name, name));
}

/**
 * A secret that the shop makes for itself, the same on all servers: made by whoever asks first. Null: it is there and this
 * server cannot read it, or has no key to make it with.
 */
export async function ensureSecret(
  { db, secretsKey, now }: Pick<BaseContext, "db" | "secretsKey" | "now">,
  name: string,
  make: () => string | Promise<string>,
): Promise<string | null> {
  const reach = { db, secretsKey };
  const found = await readSecret(reach, name);
  if (found.state === "unset" && secretsKey.id !== null) {
    await writeSecret(reach, { name, value: await make(), seen: 0, now: now() });
    const made = await readSecret(reach, name);
    return made.state === "set" ? made.value : null;
  }
  return found.state === "set" ? found.value : null;
}
