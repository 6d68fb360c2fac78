import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import { proofLinkHours } from "../../domain/privacy/retention.ts";
import { emailSchema } from "../../domain/shared/email-address.ts";
import type { ShopContext } from "../context.ts";
import { mayMailStranger } from "../outbox/mail-caps.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { addJob, defineJob, type Task, task } from "../platform/jobs/jobs.ts";
import { knownAddress } from "../privacy/person.ts";
import { hashToken } from "../visitors/cookies.ts";
import { attachOrdersByEmail } from "./commands.ts";
import { enqueueLookup, lookupKinds } from "./mail.ts";
import { buyerAddress } from "./queries.ts";
import { type LookupPurpose, orderLookups } from "./tables.ts";

const lookupLinkMs = proofLinkHours * 60 * 60 * 1000;
/** Maximum number of links per address and hour, because anyone can enter another person's address. */
const linksPerHour = 5;

const lookupPurposes = ["orders", "export", "deletion"] as const satisfies LookupPurpose[];

const sendLookupJob = defineJob({
  name: "send_lookup",
  payload: v.object({ email: emailSchema, purpose: v.picklist(lookupPurposes) }),
  lane: "mail",
  priority: 0,
  maxAttempts: 5,
});

/** A link to send; `lookupId` identifies the request without its token. */
export type Lookup = {
  purpose: LookupPurpose;
  lookupId: string;
  email: string;
  token: string;
  expiresAt: Date;
};

/**
 * Requests a link that proves an address. A job looks the address up, so that neither the text nor the duration of the response
 * reveals whether it has orders.
 */
export async function requestLookup(
  db: Db,
  request: { email: string; purpose: LookupPurpose },
): Promise<void> {
  await addJob(db, sendLookupJob, request);
}

export function lookupTask(ctx: ShopContext): Task {
  return task(sendLookupJob, (request) => sendLookup(ctx, request));
}

/** Creates and sends the link, if the address is known and below its hourly limit. */
async function sendLookup(
  ctx: ShopContext,
  { email, purpose }: { email: string; purpose: LookupPurpose },
): Promise<void> {
  const { db, now } = ctx;
  const token = randomBytes(32).toString("base64url");
  await db.transaction(async (tx) => {
    const address = email.toLowerCase();
    // Serializes the requests for an address, so that each of several concurrent requests counts the links of the earlier ones.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`lookup:${address}`}, 0))`);
    const isForOrders = purpose === "orders";
    const recipient = isForOrders ? await buyerAddress(tx, address) : await knownAddress(ctx, tx, address);
    if (recipient === null) return;
    const sentCount = await tx.$count(
      orderLookups,
      and(eq(sql`lower(${orderLookups.email})`, address), gt(orderLookups.expiresAt, now())),
    );
    if (sentCount >= linksPerHour) return;
    if (!(await mayMailStranger(tx, { kind: lookupKinds[purpose], email: recipient, now: now() }))) return;
    const tokenHash = hashToken(token);
    const expiresAt = new Date(now().getTime() + lookupLinkMs);
    await tx.insert(orderLookups).values({ tokenHash, purpose, email: recipient, expiresAt });
    await enqueueLookup(tx, {
      purpose,
      lookupId: tokenHash.toString("hex"),
      email: recipient,
      token,
      expiresAt,
    });
  });
}

/** A valid link's purpose and the address it proves, without using the link up. Null if it was used, has expired or is unknown. */
export async function findLookup(
  db: Db,
  token: string,
  now: Date,
): Promise<{ purpose: LookupPurpose; email: string } | null> {
  const [lookup] = await db
    .select({ purpose: orderLookups.purpose, email: orderLookups.email })
    .from(orderLookups)
    .where(isUsable(token, now));
  return lookup ?? null;
}

/** Uses up a link and returns the address it proves. Null if it was used, has expired or is for another purpose. */
export async function redeemLookup(
  tx: Db,
  { token, purpose, now }: { token: string; purpose: LookupPurpose; now: Date },
): Promise<string | null> {
  const [redeemed] = await tx
    .update(orderLookups)
    .set({ usedAt: now })
    .where(and(isUsable(token, now), eq(orderLookups.purpose, purpose)))
    .returning({ email: orderLookups.email });
  return redeemed?.email ?? null;
}

/** Permanently gives this browser access to the orders of a link's address. False if the link was used or has expired. */
export async function redeemOrdersLink(
  db: Database,
  { token, visitorId, now }: { token: string; visitorId: VisitorId; now: Date },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const email = await redeemLookup(tx, { token, purpose: "orders", now });
    if (email === null) return false;
    await attachOrdersByEmail(tx, { email, visitorId, now });
    return true;
  });
}

/** Deletes links that ended more than a day ago. */
export async function purgeLookups({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - 24 * lookupLinkMs);
  await deleteInBatches(db, orderLookups, lt(orderLookups.expiresAt, before));
}

function isUsable(token: string, now: Date) {
  return and(
    eq(orderLookups.tokenHash, hashToken(token)),
    isNull(orderLookups.usedAt),
    gt(orderLookups.expiresAt, now),
  );
}
