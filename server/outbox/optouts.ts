import { createHash } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { OptoutReason } from "../../domain/newsletter/newsletter.ts";
import type { Db } from "../platform/database/database.ts";
import { isTokenValid, signToken } from "../platform/http/signed-token.ts";
import { emailOptouts, type OptionalKind, optionalKinds } from "./tables.ts";

/** Unsubscribe links stay valid for years, as e-mails stay in an inbox: they are the only way to unsubscribe. */
const linkLifetimeMs = 5 * 365 * 24 * 60 * 60 * 1000;
const tokenPattern = new RegExp(`^(${optionalKinds.join("|")})\\.([A-Za-z0-9_-]{43})\\.(\\S+)$`);

/** Whether this address has unsubscribed from this kind of e-mail; case does not matter. */
export async function isOptedOut(db: Db, email: string, kind: OptionalKind): Promise<boolean> {
  return (await findOptoutReason(db, email, kind)) !== null;
}

/** Why an address must not get this kind of e-mail; null if it may. Case does not matter. */
export async function findOptoutReason(
  db: Db,
  email: string,
  kind: OptionalKind,
): Promise<OptoutReason | null> {
  const [row] = await db
    .select({ reason: emailOptouts.reason })
    .from(emailOptouts)
    .where(and(eq(emailOptouts.emailHash, hashEmail(email)), eq(emailOptouts.kind, kind)));
  return row?.reason ?? null;
}

/**
 * Unsubscribes an address from a kind of e-mail permanently. Repeats change nothing, except that erasure replaces other reasons.
 */
export async function optOut(
  db: Db,
  email: string,
  kind: OptionalKind,
  reason: OptoutReason = "unsubscribed",
): Promise<void> {
  await storeOptout(db, { emailHash: hashEmail(email), kind, reason });
}

/** The hashes (`hashEmail`), in hexadecimal, of addresses that have unsubscribed from this kind of e-mail. */
export async function findOptedOutHashes(
  db: Db,
  emailHashes: readonly Buffer[],
  kind: OptionalKind,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ emailHash: emailOptouts.emailHash })
    .from(emailOptouts)
    .where(and(inArray(emailOptouts.emailHash, [...emailHashes]), eq(emailOptouts.kind, kind)));
  return new Set(rows.map(({ emailHash }) => emailHash.toString("hex")));
}

/** Subscribes an address again. Call it only after the recipient has confirmed. */
export async function optBackIn(db: Db, emailHash: Buffer, kind: OptionalKind): Promise<void> {
  await db
    .delete(emailOptouts)
    .where(and(eq(emailOptouts.emailHash, emailHash), eq(emailOptouts.kind, kind)));
}

/**
 * The URL of the unsubscribe page. It identifies the recipient by a hash, so that it reveals nothing where it is forwarded or
 * logged.
 */
export function unsubscribeUrl(
  { publicUrl, secret, now }: { publicUrl: string; secret: string; now(): Date },
  email: string,
  kind: OptionalKind,
): string {
  const subject = `${kind}.${hashEmail(email).toString("base64url")}`;
  const expiresAt = new Date(now().getTime() + linkLifetimeMs);
  return `${publicUrl}/unsubscribe?token=${subject}.${signToken(secret, { purpose, subject, expiresAt })}`;
}

/** The kind of e-mail that a token unsubscribes from; null for an invalid or expired token. */
export function unsubscribeKind(secret: string, token: string, now: Date): OptionalKind | null {
  return readToken(secret, token, now)?.kind ?? null;
}

/** Unsubscribes; null for an invalid or expired token. */
export async function unsubscribe(
  db: Db,
  input: { secret: string; token: string; now: Date },
): Promise<OptionalKind | null> {
  const optout = readToken(input.secret, input.token, input.now);
  if (!optout) return null;
  await storeOptout(db, optout);
  return optout.kind;
}

const purpose = "unsubscribe";

type Optout = { emailHash: Buffer; kind: OptionalKind; reason?: OptoutReason };

function readToken(secret: string, token: string, now: Date): Optout | null {
  const [, kind, hash, signature] = tokenPattern.exec(token) ?? [];
  if (kind === undefined || hash === undefined || signature === undefined) return null;
  if (!isTokenValid(secret, signature, { purpose, subject: `${kind}.${hash}`, now })) return null;
  return { kind: kind as OptionalKind, emailHash: Buffer.from(hash, "base64url") };
}

async function storeOptout(db: Db, optout: Optout): Promise<void> {
  await db
    .insert(emailOptouts)
    .values(optout)
    .onConflictDoUpdate({
      target: [emailOptouts.emailHash, emailOptouts.kind],
      set: { reason: sql`excluded.reason` },
      setWhere: sql`excluded.reason = 'erased'`,
    });
}

/** Hash that identifies an address without revealing it; case does not matter. */
export function hashEmail(email: string): Buffer {
  return createHash("sha256").update(email.trim().toLowerCase()).digest();
}
