import { randomInt } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { eq, sql } from "drizzle-orm";
import type { Database, Db } from "../platform/database/database.ts";
import { deleteDevices } from "../push/devices.ts";
import { endSessions } from "./sessions.ts";
import { adminAccess } from "./tables.ts";

/** Without letters and digits that are easily confused. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/**
 * Makes sure that there is an access code. `configuredCode` (ADMIN_ACCESS_CODE) takes precedence over the stored one; if there
 * is neither, a code is generated and returned, to be shown once: only its argon2id hash is stored.
 */
export async function ensureAccessCode(db: Database, configuredCode: string | null): Promise<string | null> {
  const [storedCode] = await db.select({ codeHash: adminAccess.codeHash }).from(adminAccess);
  if (configuredCode !== null) {
    if (!storedCode || !(await verify(storedCode.codeHash, configuredCode)))
      await setAccessCode(db, configuredCode);
    return null;
  }
  if (storedCode) return null;
  const code = makeAccessCode();
  const { rowCount } = await db
    .insert(adminAccess)
    .values({ id: 1, codeHash: await hash(code), isGenerated: true })
    .onConflictDoNothing();
  // Another server may have stored its code first: that code is valid, and was shown there.
  return rowCount === 1 ? code : null;
}

/** Ignores surrounding spaces: codes have none, and pasting adds them. */
export async function isAccessCode(db: Database, code: string): Promise<boolean> {
  const [storedCode] = await db
    .select({ codeHash: adminAccess.codeHash })
    .from(adminAccess)
    .where(eq(adminAccess.id, 1));
  return storedCode !== undefined && verify(storedCode.codeHash, code.trim());
}

/** Replaces the code and ends all sessions. Returns the number of ended sessions. */
export function setAccessCode(db: Db, code: string): Promise<number> {
  return changeAccessCode(db, { code, keptSessionId: null, everybody: true });
}

/**
 * Replaces the code and ends all sessions, or only those begun with the old code, except `keptSessionId`. Returns how many
 * ended.
 */
export async function changeAccessCode(
  db: Db,
  { code, keptSessionId, everybody }: { code: string; keptSessionId: string | null; everybody: boolean },
): Promise<number> {
  const codeHash = await hash(code);
  return db.transaction(async (tx) => {
    await tx
      .insert(adminAccess)
      .values({ id: 1, codeHash })
      .onConflictDoUpdate({
        target: adminAccess.id,
        set: { codeHash, isGenerated: false, updatedAt: sql`now()` },
      });
    // Unregisters devices that the old code registered; those registered by people under their names stay.
    await deleteDevices(tx, { exceptSession: keptSessionId, of: "code" });
    return endSessions(tx, keptSessionId, everybody ? "everybody" : "code");
  });
}

/** `ab2c-d3ef-...`: 79 bits, easy to read out and to type. */
export function makeAccessCode(): string {
  return Array.from({ length: 4 }, () => randomWord()).join("-");
}

function randomWord(): string {
  return Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)] ?? "").join("");
}
