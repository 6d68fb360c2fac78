import { isDeepStrictEqual } from "node:util";
import { and, eq, isNull, sql } from "drizzle-orm";
import { type ApiCall, ok } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Db } from "../platform/database/database.ts";
import type { ApiResponse } from "../platform/http/api-response.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { readRevision, readVersions, type Versioned } from "./queries.ts";
import { contentVersions } from "./tables.ts";

type Edit<T> = {
  target: Versioned<T>;
  /** The revision that the editor loaded; null if there was none. */
  revision: number | null;
  /** If null, publishing restores the default text, and saving a draft deletes the draft. */
  text: T | null;
  personId: string | null;
};

/** `same`: the text is unchanged and not written. `conflict`: another edit was saved since that revision. */
type Outcome = "done" | "same" | "conflict";

/** Saves a draft for the next person who opens the text; shoppers do not see it. */
export async function saveDraft<T>(ctx: ShopContext, edit: Edit<T>): Promise<Outcome> {
  return ctx.db.transaction(async (tx) => {
    const { key, schema } = edit.target;
    await lockText(tx, key);
    const [draft] = (await readVersions(tx, schema, [key])).drafts;
    if (isDeepStrictEqual(draft?.text ?? null, edit.text)) return "same";
    if ((await readRevision(tx, key)) !== edit.revision) return "conflict";
    await deleteDraft(tx, key);
    if (edit.text !== null) await insertVersion(tx, edit, { createdAt: ctx.now(), publishedAt: null });
    return "done";
  });
}

/** Publishes a text in place of the previous one and its draft. Publishing the same text again adds no version. */
export async function publish<T>(ctx: ShopContext, edit: Edit<T>): Promise<Outcome> {
  return ctx.db.transaction(async (tx) => {
    const { key, schema, hash } = edit.target;
    await lockText(tx, key);
    const { published, drafts } = await readVersions(tx, schema, [key]);
    const isSame =
      isDeepStrictEqual(published[0]?.text ?? null, edit.text) &&
      (edit.text === null || published[0]?.defaultHash === hash);
    if (isSame && drafts.length === 0) return "same";
    if ((await readRevision(tx, key)) !== edit.revision) return "conflict";
    await deleteDraft(tx, key);
    if (!isSame) await insertVersion(tx, edit, { createdAt: ctx.now(), publishedAt: ctx.now() });
    return "done";
  });
}

/** Serializes writers of a text, even while it has no row. */
async function lockText(tx: Db, key: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`content:${key}`}, 0))`);
}

async function deleteDraft(tx: Db, key: string): Promise<void> {
  await tx
    .delete(contentVersions)
    .where(and(eq(contentVersions.key, key), isNull(contentVersions.publishedAt)));
}

async function insertVersion<T>(
  tx: Db,
  { target: { key, hash }, text, personId }: Edit<T>,
  times: { createdAt: Date; publishedAt: Date | null },
): Promise<void> {
  await tx.insert(contentVersions).values({ key, text, defaultHash: hash, personId, ...times });
}

/** A text of a page, an e-mail or the menu, as the panel's editor works on it. */
export type EditableText<T, Edited> = {
  target: Versioned<T>;
  /** The text's name within a sentence. */
  label: string;
  read(): Promise<Edited>;
};

type Call<T> = Pick<
  ApiCall<unknown, unknown, { revision: number | null; text: T | null }>,
  "body" | "viewer" | "log"
>;

/** Saves a draft or publishes, logs it as `summary`, and returns the text for the editor. */
export async function changeText<T, Edited>(
  ctx: ShopContext,
  { body, viewer, log }: Call<T>,
  { target, label, read }: EditableText<T, Edited>,
  { write, summary }: { write: typeof saveDraft; summary: string },
): Promise<ApiResponse<{ data: Edited }> | Problem> {
  const outcome = await write(ctx, { ...body, target, personId: viewer.admin?.person?.id ?? null });
  if (outcome === "conflict") {
    const message = `${label} was changed in the meantime, in another window or by somebody else. Nothing was saved.`;
    return problem("invalid_state", message, { current: await read() });
  }
  if (outcome === "done") log({ subject: `content:${target.key}`, summary });
  return ok(await read());
}
