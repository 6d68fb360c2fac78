import { randomBytes } from "node:crypto";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { type ApiKey, maxApiKeys } from "../../domain/people/api-key.ts";
import type { NonOwnerRole } from "../../domain/people/roles.ts";
import { idempotencyHours } from "../../domain/privacy/retention.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { Admin } from "../platform/http/viewer.ts";
import { today } from "../settings/today.ts";
import { hashToken } from "../visitors/cookies.ts";
import { apiKeyAnswers, apiKeys, people } from "./tables.ts";

const keyPattern = /^palmira_[\w-]{43}$/;
/** The time of last use is written at most this often, to save a write per call. */
const lastUseIntervalMs = 5 * 60_000;

type KeyRow = { key: typeof apiKeys.$inferSelect; account: typeof people.$inferSelect };

/** Unrevoked keys by name; an expired key stays listed until it is revoked. */
export async function listApiKeys(ctx: ShopContext): Promise<ApiKey[]> {
  const rows = await selectKeys(ctx.db).orderBy(asc(sql`lower(${people.name})`), asc(people.id));
  const date = await today(ctx);
  return rows.map((row) => apiKeyView(row, date));
}

/** Creates a key. Only this response contains it: the database has its hash. Null if there are too many keys. */
export async function addApiKey(
  ctx: ShopContext,
  tx: Db,
  { name, role, expiresOn }: { name: string; role: NonOwnerRole; expiresOn: string | null },
): Promise<{ view: ApiKey; key: string } | null> {
  // Of two concurrent callers the second counts the first one's key.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('API keys', 0))`);
  if ((await tx.$count(selectKeys(tx).as("unrevoked"))) >= maxApiKeys) return null;
  const key = `palmira_${randomBytes(32).toString("base64url")}`;
  const now = ctx.now();
  const [account] = await tx
    .insert(people)
    .values({ name, email: null, role, createdAt: now, joinedAt: now })
    .returning();
  if (!account) throw new Error("the insert returned no account for the key");
  const [row] = await tx
    .insert(apiKeys)
    .values({ personId: account.id, keyHash: hashToken(key), expiresOn })
    .returning();
  if (!row) throw new Error("the insert returned no key");
  return { view: apiKeyView({ key: row, account }, await today(ctx, tx)), key };
}

/** Revokes a key, for all servers at once; the name stays for the log. Null if there is no such key. */
export async function revokeApiKey(tx: Db, id: string, now: Date): Promise<{ name: string } | null> {
  const [account] = await tx
    .update(people)
    .set({ deactivatedAt: now })
    .where(and(eq(people.id, id), isNull(people.email), isNull(people.deactivatedAt)))
    .returning({ name: people.name });
  // The key's stored responses stay: without them a retry that is waiting would run its call a second time.
  return account ?? null;
}

/** The account of an API key; null if the key is unknown, has expired or was revoked. Never cached, like sessions. */
export async function findApiKey(ctx: ShopContext, key: string, address: string): Promise<Admin | null> {
  if (!keyPattern.test(key)) return null;
  const [row] = await selectKeys(ctx.db, eq(apiKeys.keyHash, hashToken(key)));
  if (!row) return null;
  const { expiresOn, lastUsedAt } = row.key;
  if (expiresOn !== null && expiresOn < (await today(ctx))) return null;
  const now = ctx.now();
  const { id, name, role } = row.account;
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= lastUseIntervalMs) {
    await ctx.db
      .update(apiKeys)
      .set({ lastUsedAt: now, lastAddress: address })
      .where(eq(apiKeys.personId, id));
  }
  return { sessionId: id, role, person: { id, name }, confirmedAt: new Date(0), isKey: true };
}

/**
 * Adds to the money that a key has given away on a day, in the transaction of the refund or discount. A call that began before
 * midnight counts for the next day if that day's sum has begun, so that it does not reset it.
 */
export function countGivenByKey(id: string, day: string) {
  const isGivenOnDay = sql`${apiKeys.givenOn} between ${day}::date and ${day}::date + 1`;
  return async (tx: Db, cents: number): Promise<number> => {
    const [row] = await tx
      .update(apiKeys)
      .set({
        givenCents: sql`case when ${isGivenOnDay} then ${apiKeys.givenCents} else 0 end + ${cents}`,
        givenOn: sql`case when ${isGivenOnDay} then ${apiKeys.givenOn} else ${day}::date end`,
      })
      .where(eq(apiKeys.personId, id))
      .returning({ cents: apiKeys.givenCents });
    if (!row) throw new Error(`the API key ${id} is gone`);
    return row.cents;
  };
}

/** The function of `countGivenByKey` for today; null if the account is not that of an API key. */
export async function counterOfKey(ctx: ShopContext, personId: string | null) {
  if (personId === null || (await ctx.db.$count(apiKeys, eq(apiKeys.personId, personId))) === 0) return null;
  return countGivenByKey(personId, await today(ctx));
}

/** Deletes stored responses whose Idempotency-Key has expired. */
export async function purgeApiKeyResponses({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - idempotencyHours * 60 * 60_000).toISOString();
  await deleteInBatches(db, apiKeyAnswers, sql`${apiKeyAnswers.createdAt} < ${before}::timestamptz`);
}

function selectKeys(db: Db, where = sql`true`) {
  return db
    .select({ key: apiKeys, account: people })
    .from(apiKeys)
    .innerJoin(people, eq(people.id, apiKeys.personId))
    .where(and(where, isNull(people.deactivatedAt)));
}

function apiKeyView({ key, account }: KeyRow, date: string): ApiKey {
  const { expiresOn, lastUsedAt, lastAddress } = key;
  return {
    id: account.id,
    name: account.name,
    role: account.role as NonOwnerRole,
    expiresOn,
    isExpired: expiresOn !== null && expiresOn < date,
    createdAt: account.createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    lastAddress,
  };
}
