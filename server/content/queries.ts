import { and, desc, eq, inArray, isNotNull, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import { roleNames } from "../../domain/people/roles.ts";
import { people } from "../people/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { contentVersions } from "./tables.ts";

/** A text that has versions: of a page, an e-mail, or the menu. */
export type Versioned<T> = {
  key: string;
  schema: v.GenericSchema<unknown, T>;
  /** The default text, and its fingerprint. */
  shipped: T;
  hash: string;
  /** A stored text with the default words of fields that it does not have yet; missing: it has all. */
  complete?(stored: T): T;
};

/** `text` null: the default text. */
export type Version<T> = { id: number; at: string; by: string; text: T | null };
export type StoredVersion<T> = Version<T> & { key: string; defaultHash: string; isDraft: boolean };

const columns = {
  id: contentVersions.id,
  key: contentVersions.key,
  text: contentVersions.text,
  defaultHash: contentVersions.defaultHash,
  createdAt: contentVersions.createdAt,
  publishedAt: contentVersions.publishedAt,
  name: people.name,
};

const select = (db: Db) =>
  db.select(columns).from(contentVersions).leftJoin(people, eq(people.id, contentVersions.personId));

type Row = Awaited<ReturnType<typeof select>>[number];

/** Null: this version of the shop cannot read it, e.g. written by a later version. */
function readRow<T>(
  schema: Versioned<T>["schema"],
  { name, createdAt, publishedAt, text, ...row }: Row,
): StoredVersion<T> | null {
  const parsed = text === null ? null : v.safeParse(schema, text);
  if (parsed !== null && !parsed.success) return null;
  const at = (publishedAt ?? createdAt).toISOString();
  return {
    ...row,
    text: parsed === null ? null : parsed.output,
    at,
    by: name ?? roleNames.owner,
    isDraft: publishedAt === null,
  };
}

/**
 * The published version of each text that has one, and its draft. `unreadable`: the keys of those that were published by a
 * later version of the shop.
 */
export async function readVersions<T>(
  db: Db,
  schema: Versioned<T>["schema"],
  keys: readonly string[],
): Promise<{ published: StoredVersion<T>[]; drafts: StoredVersion<T>[]; unreadable: string[] }> {
  const of = inArray(contentVersions.key, keys);
  const latest = db
    .selectDistinctOn([contentVersions.key], { id: contentVersions.id })
    .from(contentVersions)
    .where(and(isNotNull(contentVersions.publishedAt), of))
    .orderBy(contentVersions.key, desc(contentVersions.id));
  const rows = await select(db).where(
    and(of, sql`(${contentVersions.publishedAt} is null or ${contentVersions.id} in (${latest}))`),
  );
  const read = rows.flatMap((row) => readRow(schema, row) ?? []);
  return {
    published: read.filter(({ isDraft }) => !isDraft),
    drafts: read.filter(({ isDraft }) => isDraft),
    unreadable: rows
      .filter(({ id, publishedAt }) => publishedAt !== null && !read.some((one) => one.id === id))
      .map(({ key }) => key),
  };
}

/** Newest first. `cursor`: continues below this id. */
export async function listVersions<T>(
  db: Db,
  { key, schema }: Versioned<T>,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ data: Version<T>[]; nextCursor: number | null }> {
  const rows = await select(db)
    .where(
      and(
        eq(contentVersions.key, key),
        isNotNull(contentVersions.publishedAt),
        cursor === null ? undefined : lt(contentVersions.id, cursor),
      ),
    )
    .orderBy(desc(contentVersions.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return {
    data: page.flatMap((row) => {
      const read = readRow(schema, row);
      return read ? [{ id: read.id, at: read.at, by: read.by, text: read.text }] : [];
    }),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** A text's current revision: the id of its latest row; null: there is none. */
export async function readRevision(db: Db, key: string): Promise<number | null> {
  const [row] = await db
    .select({ id: contentVersions.id })
    .from(contentVersions)
    .where(eq(contentVersions.key, key))
    .orderBy(desc(contentVersions.id))
    .limit(1);
  return row?.id ?? null;
}
