import { isDeepStrictEqual } from "node:util";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import { readRevision, readVersions, type Versioned } from "./queries.ts";
import { contentVersions } from "./tables.ts";

type Change<T> = {
  of: Versioned<T>;
  /** The revision that the editor loaded; null: there was none. */
  revision: number | null;
  /** Null: the default text; of a draft: it is deleted. */
  text: T | null;
  personId: string | null;
};

/** `same`: the text is unchanged and not written. `conflict`: another change was saved since that revision. */
export type Changed = "done" | "same" | "conflict";

/** Saves a draft for the next person who opens the text; shoppers do not see it. */
export async function saveDraft<T>(ctx: ShopContext, change: Change<T>): Promise<Changed> {
  return ctx.db.transaction(async (tx) => {
    const { key, schema } = change.of;
    await lockText(tx, key);
    const [draft] = (await readVersions(tx, schema, [key])).drafts;
    if (isDeepStrictEqual(draft?.text ?? null, change.text)) return "same";
    if ((await readRevision(tx, key)) !== change.revision) return "conflict";
    await deleteDraft(tx, key);
    if (change.text !== null) await write(tx, change, ctx.now(), null);
    return "done";
  });
}

/** Publishes a text in place of the previous one and its draft. The same text again adds no version. */
export async function publish<T>(ctx: ShopContext, change: Change<T>): Promise<Changed> {
  return ctx.db.transaction(async (tx) => {
    const { key, schema, hash } = change.of;
    await lockText(tx, key);
    const { published, drafts } = await readVersions(tx, schema, [key]);
    const isSame =
      isDeepStrictEqual(published[0]?.text ?? null, change.text) &&
      (change.text === null || published[0]?.defaultHash === hash);
    if (isSame && drafts.length === 0) return "same";
    if ((await readRevision(tx, key)) !== change.revision) return "conflict";
    await deleteDraft(tx, key);
    if (!isSame) await write(tx, change, ctx.now(), ctx.now());
    return "done";
  });
}

/** Serializes writers of a text, including the first ones. */
async function lockText(tx: Db, key: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`content:${key}`}, 0))`);
}

async function deleteDraft(tx: Db, key: string): Promise<void> {
  await tx
    .delete(contentVersions)
    .where(and(eq(contentVersions.key, key), isNull(contentVersions.publishedAt)));
}

async function write<T>(
  tx: Db,
  { of: { key, hash }, text, personId }: Change<T>,
  at: Date,
  publishedAt: Date | null,
): Promise<void> {
  await tx.insert(contentVersions).values({
    key,
    text,
    defaultHash: hash,
    createdAt: at,
    personId,
    publishedAt,
  });
}
