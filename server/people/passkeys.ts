import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import { type Passkey, passkeysMax } from "../../domain/people/person.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { passkeyChallenges, passkeys, people } from "./tables.ts";

/** How long somebody may take to answer a browser's question. */
const challengeMs = 5 * 60_000;

type Purpose = (typeof passkeyChallenges.$inferSelect)["purpose"];
export type PasskeyRow = typeof passkeys.$inferSelect;

/** Loaded with the first passkey: a megabyte of certificates' formats that no other call needs. */
const webAuthn = () => import("@simplewebauthn/server");

/** Why browsers make no passkeys for this shop's address; null: they do. */
export function passkeyProblem(publicUrl: string): string | null {
  const { hostname, protocol } = new URL(publicUrl);
  if (/^[\d.]+$|^\[/.test(hostname)) {
    return "Passkeys need the shop’s own name in its address, as shop.example: it has only a number so far.";
  }
  if (protocol === "https:" || hostname === "localhost") return null;
  return "Passkeys need an https address.";
}

/** The site that passkeys are made for, and where they may be used. */
function siteOf({ publicUrl }: ShopContext["config"]): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

/** What the browser needs to make a passkey for somebody. */
export async function askForNewPasskey(
  ctx: ShopContext,
  person: { id: string; name: string; email: string },
) {
  const { generateRegistrationOptions } = await webAuthn();
  const own = await ctx.db.select().from(passkeys).where(eq(passkeys.personId, person.id));
  const { brandName } = await ctx.settings();
  const { rpID } = siteOf(ctx.config);
  const { challenge, pubKeyCredParams, user } = await generateRegistrationOptions({
    rpName: brandName,
    rpID,
    userID: new Uint8Array(Buffer.from(person.id.replaceAll("-", ""), "hex")),
    userName: person.email,
    userDisplayName: person.name,
  });
  await keepChallenge(ctx, challenge, "add", person.id);
  return {
    challenge,
    rp: { id: rpID, name: brandName },
    user,
    pubKeyCredParams,
    timeout: challengeMs,
    excludeCredentials: own.map(credentialOf),
    authenticatorSelection: {
      residentKey: "required" as const,
      requireResidentKey: true as const,
      userVerification: "required" as const,
    },
  };
}

/** What the browser needs to ask for a passkey; of one person (to confirm), or of whoever has one here. */
export async function askForPasskey(ctx: ShopContext, personId: string | null) {
  const { generateAuthenticationOptions } = await webAuthn();
  const own =
    personId === null ? [] : await ctx.db.select().from(passkeys).where(eq(passkeys.personId, personId));
  const { rpID } = siteOf(ctx.config);
  const { challenge } = await generateAuthenticationOptions({ rpID });
  await keepChallenge(ctx, challenge, personId === null ? "sign_in" : "confirm", personId);
  return {
    challenge,
    rpId: rpID,
    timeout: challengeMs,
    userVerification: "required" as const,
    allowCredentials: own.map(credentialOf),
  };
}

function credentialOf({ credentialId }: PasskeyRow) {
  return { id: credentialId, type: "public-key" as const };
}

export type AddedPasskey =
  | { ok: true; passkey: PasskeyRow }
  | { ok: false; reason: "invalid" | "known" | "many" };

/** Keeps a passkey that the browser has made for a question of `askForNewPasskey`. */
export async function addPasskey(
  ctx: ShopContext,
  {
    personId,
    name,
    response,
    along,
  }: {
    personId: string;
    name: string;
    response: RegistrationResponseJSON;
    /** Runs in the transaction that keeps it. */
    along(tx: Db): Promise<void>;
  },
): Promise<AddedPasskey> {
  const { verifyRegistrationResponse } = await webAuthn();
  const { rpID, origin } = siteOf(ctx.config);
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => spendChallenge(ctx, challenge, "add", personId),
    expectedOrigin: origin,
    expectedRPID: rpID,
  }).catch(whyNot(ctx));
  if (!verified?.verified) return { ok: false, reason: "invalid" };
  const { credential, credentialBackedUp } = verified.registrationInfo;
  return ctx.db.transaction(async (tx) => {
    // One passkey of a person at a time: two at once are both counted.
    await tx.select({ id: people.id }).from(people).where(eq(people.id, personId)).for("update");
    if ((await tx.$count(passkeys, eq(passkeys.personId, personId))) >= passkeysMax) {
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
    await along(tx);
    return { ok: true, passkey };
  });
}

export type UsedPasskey =
  | { ok: true; personId: string; passkey: PasskeyRow }
  /** `copied`: it counted back, so that there must be two of it. */
  | { ok: false; reason: "invalid" }
  | { ok: false; reason: "copied"; personId: string; passkey: PasskeyRow };

/** Checks what a passkey has signed. `personId`: whose it must be, where somebody confirms; null: whoever signs in. */
export async function usePasskey(
  ctx: ShopContext,
  { personId, response }: { personId: string | null; response: AuthenticationResponseJSON },
): Promise<UsedPasskey> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const [found] = await ctx.db
    .select({ passkey: passkeys, deactivatedAt: people.deactivatedAt })
    .from(passkeys)
    .innerJoin(people, eq(people.id, passkeys.personId))
    .where(eq(passkeys.credentialId, response.id));
  if (!found || found.deactivatedAt !== null) return { ok: false, reason: "invalid" };
  const { passkey } = found;
  if (personId !== null && passkey.personId !== personId) return { ok: false, reason: "invalid" };
  const { rpID, origin } = siteOf(ctx.config);
  const purpose = personId === null ? "sign_in" : "confirm";
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => spendChallenge(ctx, challenge, purpose, personId),
    expectedOrigin: origin,
    expectedRPID: rpID,
    // The counter is compared below, by the one statement that also writes it.
    credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
  }).catch(whyNot(ctx));
  if (!verified?.verified) return { ok: false, reason: "invalid" };
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  const [used] = await ctx.db
    .update(passkeys)
    .set({ counter: newCounter, isSynced: credentialBackedUp, lastUsedAt: ctx.now() })
    .where(
      and(
        eq(passkeys.id, passkey.id),
        // Zero: a passkey that does not count, as all that are synced.
        sql`(${passkeys.counter} < ${newCounter} or (${passkeys.counter} = 0 and ${newCounter} = 0))`,
      ),
    )
    .returning();
  return used
    ? { ok: true, personId: passkey.personId, passkey: used }
    : { ok: false, reason: "copied", personId: passkey.personId, passkey };
}

/** Latest used first. */
export async function listPasskeys(db: Db, personId: string): Promise<Passkey[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.personId, personId))
    .orderBy(desc(sql`coalesce(${passkeys.lastUsedAt}, ${passkeys.createdAt})`), passkeys.id);
  return rows.map(viewOf);
}

export function viewOf({ id, name, isSynced, createdAt, lastUsedAt }: PasskeyRow): Passkey {
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
  const [renamed] = await db
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.personId, personId)))
    .returning();
  return renamed ?? null;
}

/** Removes one. The last only if that is meant: `evenLast`. */
export async function removePasskey(
  tx: Db,
  { personId, id, evenLast }: { personId: string; id: string; evenLast: boolean },
): Promise<{ ok: true; name: string } | { ok: false; reason: "not_found" | "last" }> {
  await tx.select({ id: people.id }).from(people).where(eq(people.id, personId)).for("update");
  const own = await tx.select().from(passkeys).where(eq(passkeys.personId, personId));
  const passkey = own.find((one) => one.id === id);
  if (!passkey) return { ok: false, reason: "not_found" };
  if (own.length === 1 && !evenLast) return { ok: false, reason: "last" };
  await tx.delete(passkeys).where(eq(passkeys.id, id));
  return { ok: true, name: passkey.name };
}

async function keepChallenge(
  { db, now }: ShopContext,
  challenge: string,
  purpose: Purpose,
  personId: string | null,
): Promise<void> {
  const expiresAt = new Date(now().getTime() + challengeMs);
  await db.insert(passkeyChallenges).values({ challenge, purpose, personId, expiresAt });
}

/** Whether it was asked, for this, of this person, not long ago and not answered yet; from now on it is answered. */
async function spendChallenge(
  { db, now }: ShopContext,
  challenge: string,
  purpose: Purpose,
  personId: string | null,
): Promise<boolean> {
  const spent = await db
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
  return spent.length === 1;
}

/** Whatever is wrong with an answer, its sender learns only that it is. */
function whyNot({ log }: ShopContext) {
  return (error: unknown) => {
    log.warn({ err: error }, "a passkey's answer was refused");
    return null;
  };
}

export const isChallengeOver = (now: Date) => lt(passkeyChallenges.expiresAt, now);
