import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import { maxPasskeys, type Passkey } from "../../domain/people/person.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { passkeyChallenges, passkeys, people } from "./tables.ts";

/** Validity of a challenge. */
const challengeMs = 5 * 60_000;

type Purpose = (typeof passkeyChallenges.$inferSelect)["purpose"];
type PasskeyRow = typeof passkeys.$inferSelect;

/** Imported at its first use, since it loads a megabyte of certificate formats. */
const webAuthn = () => import("@simplewebauthn/server");

/** Why browsers cannot create passkeys for this shop's host name; null if they can. */
export function passkeyProblem(publicUrl: string): string | null {
  const { hostname, protocol } = new URL(publicUrl);
  if (/^[\d.]+$|^\[/.test(hostname)) {
    return "Passkeys need a domain name in the shop’s address, such as shop.example. It has only a number so far.";
  }
  if (protocol === "https:" || hostname === "localhost") return null;
  return "Passkeys need an https address.";
}

function relyingParty({ publicUrl }: ShopContext["config"]): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

/** Options with which the browser creates a passkey. */
export async function newPasskeyOptions(
  ctx: ShopContext,
  person: { id: string; name: string; email: string },
) {
  const { generateRegistrationOptions } = await webAuthn();
  const ownPasskeys = await ctx.db.select().from(passkeys).where(eq(passkeys.personId, person.id));
  const { brandName } = await ctx.settings();
  const { rpID } = relyingParty(ctx.config);
  const { challenge, pubKeyCredParams, user } = await generateRegistrationOptions({
    rpName: brandName,
    rpID,
    userID: new Uint8Array(Buffer.from(person.id.replaceAll("-", ""), "hex")),
    userName: person.email,
    userDisplayName: person.name,
  });
  await storeChallenge(ctx, challenge, "add", person.id);
  return {
    challenge,
    rp: { id: rpID, name: brandName },
    user,
    pubKeyCredParams,
    timeout: challengeMs,
    excludeCredentials: ownPasskeys.map(toCredential),
    authenticatorSelection: {
      residentKey: "required" as const,
      requireResidentKey: true as const,
      userVerification: "required" as const,
    },
  };
}

/** Options with which the browser uses a passkey. `personId`: its owner, who confirms; null for any person, who signs in. */
export async function passkeyOptions(ctx: ShopContext, personId: string | null) {
  const { generateAuthenticationOptions } = await webAuthn();
  const ownPasskeys =
    personId === null ? [] : await ctx.db.select().from(passkeys).where(eq(passkeys.personId, personId));
  const { rpID } = relyingParty(ctx.config);
  const { challenge } = await generateAuthenticationOptions({ rpID });
  await storeChallenge(ctx, challenge, personId === null ? "sign_in" : "confirm", personId);
  return {
    challenge,
    rpId: rpID,
    timeout: challengeMs,
    userVerification: "required" as const,
    allowCredentials: ownPasskeys.map(toCredential),
  };
}

function toCredential({ credentialId }: PasskeyRow) {
  return { id: credentialId, type: "public-key" as const };
}

type PasskeyAddition =
  | { ok: true; passkey: PasskeyRow }
  | { ok: false; reason: "invalid" | "known" | "many" };

/** Verifies and stores a passkey that the browser created with `newPasskeyOptions`. */
export async function addPasskey(
  ctx: ShopContext,
  {
    personId,
    name,
    response,
    inTransaction,
  }: {
    personId: string;
    name: string;
    response: RegistrationResponseJSON;
    /** Runs in the transaction that stores the passkey. */
    inTransaction(tx: Db): Promise<void>;
  },
): Promise<PasskeyAddition> {
  const { verifyRegistrationResponse } = await webAuthn();
  const { rpID, origin } = relyingParty(ctx.config);
  const verification = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => redeemChallenge(ctx, challenge, "add", personId),
    expectedOrigin: origin,
    expectedRPID: rpID,
  }).catch(logRefusal(ctx));
  if (!verification?.verified) return { ok: false, reason: "invalid" };
  const { credential, credentialBackedUp } = verification.registrationInfo;
  return ctx.db.transaction(async (tx) => {
    // Locks the person, so that concurrent calls cannot exceed the limit.
    await tx.select({ id: people.id }).from(people).where(eq(people.id, personId)).for("update");
    if ((await tx.$count(passkeys, eq(passkeys.personId, personId))) >= maxPasskeys) {
      return { ok: false, reason: "many" };
    }
    const [passkey] = await tx
      .insert(passkeys)
      .values({
        personId,
        name,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: credential.transports ?? [],
        isSynced: credentialBackedUp,
        createdAt: ctx.now(),
      })
      .onConflictDoNothing()
      .returning();
    if (!passkey) return { ok: false, reason: "known" };
    await inTransaction(tx);
    return { ok: true, passkey };
  });
}

export type PasskeyUse =
  | { ok: true; personId: string; passkey: PasskeyRow }
  | { ok: false; reason: "invalid" }
  /** The use counter has not increased, so there may be a copy of the passkey. */
  | { ok: false; reason: "copied"; personId: string; passkey: PasskeyRow };

/** Verifies a passkey's signature. `personId`: its owner, who confirms; null for any person, who signs in. */
export async function usePasskey(
  ctx: ShopContext,
  { personId, response }: { personId: string | null; response: AuthenticationResponseJSON },
): Promise<PasskeyUse> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const [row] = await ctx.db
    .select({ passkey: passkeys, deactivatedAt: people.deactivatedAt })
    .from(passkeys)
    .innerJoin(people, eq(people.id, passkeys.personId))
    .where(eq(passkeys.credentialId, response.id));
  if (!row || row.deactivatedAt !== null) return { ok: false, reason: "invalid" };
  const { passkey } = row;
  if (personId !== null && passkey.personId !== personId) return { ok: false, reason: "invalid" };
  const { rpID, origin } = relyingParty(ctx.config);
  const purpose = personId === null ? "sign_in" : "confirm";
  const verification = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => redeemChallenge(ctx, challenge, purpose, personId),
    expectedOrigin: origin,
    expectedRPID: rpID,
    // The update below compares the counter.
    credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
  }).catch(logRefusal(ctx));
  if (!verification?.verified) return { ok: false, reason: "invalid" };
  const { newCounter, credentialBackedUp } = verification.authenticationInfo;
  const [updatedPasskey] = await ctx.db
    .update(passkeys)
    .set({ counter: newCounter, isSynced: credentialBackedUp, lastUsedAt: ctx.now() })
    .where(
      and(
        eq(passkeys.id, passkey.id),
        // Synced passkeys do not count: their counter is always zero.
        sql`(${passkeys.counter} < ${newCounter} or (${passkeys.counter} = 0 and ${newCounter} = 0))`,
      ),
    )
    .returning();
  return updatedPasskey
    ? { ok: true, personId: passkey.personId, passkey: updatedPasskey }
    : { ok: false, reason: "copied", personId: passkey.personId, passkey };
}

/** The most recently used first. */
export async function listPasskeys(db: Db, personId: string): Promise<Passkey[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.personId, personId))
    .orderBy(desc(sql`coalesce(${passkeys.lastUsedAt}, ${passkeys.createdAt})`), passkeys.id);
  return rows.map(passkeyView);
}

export function passkeyView({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return {
    id,
    name,
    isSynced,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

export async function renamePasskey(
  db: Db,
  { personId, id, name }: { personId: string; id: string; name: string },
): Promise<PasskeyRow | null> {
  const [passkey] = await db
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.personId, personId)))
    .returning();
  return passkey ?? null;
}

/** Removes the last passkey only with `evenLast`. */
export async function removePasskey(
  tx: Db,
  { personId, id, evenLast }: { personId: string; id: string; evenLast: boolean },
): Promise<{ ok: true; name: string } | { ok: false; reason: "not_found" | "last" }> {
  await tx.select({ id: people.id }).from(people).where(eq(people.id, personId)).for("update");
  const ownPasskeys = await tx.select().from(passkeys).where(eq(passkeys.personId, personId));
  const passkey = ownPasskeys.find((candidate) => candidate.id === id);
  if (!passkey) return { ok: false, reason: "not_found" };
  if (ownPasskeys.length === 1 && !evenLast) return { ok: false, reason: "last" };
  await tx.delete(passkeys).where(eq(passkeys.id, id));
  return { ok: true, name: passkey.name };
}

async function storeChallenge(
  { db, now }: ShopContext,
  challenge: string,
  purpose: Purpose,
  personId: string | null,
): Promise<void> {
  const expiresAt = new Date(now().getTime() + challengeMs);
  await db.insert(passkeyChallenges).values({ challenge, purpose, personId, expiresAt });
}

/** Deletes the challenge; false if it was used before, is expired, or has another purpose or person. */
async function redeemChallenge(
  { db, now }: ShopContext,
  challenge: string,
  purpose: Purpose,
  personId: string | null,
): Promise<boolean> {
  const deletedRows = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.challenge, challenge),
        eq(passkeyChallenges.purpose, purpose),
        sql`${passkeyChallenges.personId} is not distinct from ${personId}::uuid`,
        gt(passkeyChallenges.expiresAt, now()),
      ),
    )
    .returning({ challenge: passkeyChallenges.challenge });
  return deletedRows.length === 1;
}

/** Logs the error, which is not shown to the person. */
function logRefusal({ log }: ShopContext) {
  return (error: unknown) => {
    log.warn({ err: error }, "a passkey's answer was refused");
    return null;
  };
}

export async function purgeChallenges({ db, now }: ShopContext): Promise<void> {
  await deleteInBatches(db, passkeyChallenges, lt(passkeyChallenges.expiresAt, now()));
}
