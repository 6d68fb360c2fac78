import { and, desc, eq, isNotNull, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import { type ContentKey, type ContentVersion, contentTextSchema } from "../../domain/content/content.ts";
import { roleNames } from "../../domain/people/roles.ts";
import { people } from "../people/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { contentVersions } from "./tables.ts";

export type StoredVersion = ContentVersion & { key: string; shippedHash: string; isDraft: boolean };

const columns = {
  id: contentVersions.id,
  key: contentVersions.key,
  text: contentVersions.text,
  shippedHash: contentVersions.shippedHash,
  createdAt: contentVersions.createdAt,
  publishedAt: contentVersions.publishedAt,
  name: people.name,
};

const select = (db: Db) =>
  db.select(columns).from(contentVersions).leftJoin(people, eq(people.id, contentVersions.personId));

type Row = Awaited<ReturnType<typeof select>>[number];

/** Null: this version of the shop cannot read it, as one that a later version has written. */
function readRow({ name, createdAt, publishedAt, text, ...row }: Row): StoredVersion | null {
  const parsed = v.safeParse(v.nullable(contentTextSchema), text);
  if (!parsed.success) return null;
  const at = (publishedAt ?? createdAt).toISOString();
  return { ...row, text: parsed.output, at, by: name ?? roleNames.owner, isDraft: publishedAt === null };
}

/** The published version of each text that has one, and its draft. */
export async function readContent(
  db: Db,
  key?: ContentKey,
): Promise<{ published: StoredVersion[]; drafts: StoredVersion[] }> {
  const of = key === undefined ? undefined : eq(contentVersions.key, key);
  const latest = db
    .selectDistinctOn([contentVersions.key], { id: contentVersions.id })
    .from(contentVersions)
    .where(and(isNotNull(contentVersions.publishedAt), of))
    .orderBy(contentVersions.key, desc(contentVersions.id));
  const rows = await select(db).where(
    and(of, sql`(${contentVersions.publishedAt} is null or ${contentVersions.id} in (${latest}))`),
  );
  const read = rows.flatMap((row) => readRow(row) ?? []);
  return { published: read.filter(({ isDraft }) => !isDraft), drafts: read.filter(({ isDraft }) => isDraft) };
}

/** The latest first. `cursor`: the id below which to go on. */
export async function listVersions(
  db: Db,
  key: ContentKey,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ data: ContentVersion[]; nextCursor: number | null }> {
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
      const read = readRow(row);
      return read ? [{ id: read.id, at: read.at, by: read.by, text: read.text }] : [];
    }),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

/** What a change begins from: the id of the latest row of a text; null: there is none. */
export async function readRevision(db: Db, key: ContentKey): Promise<number | null> {
  const [row] = await db
    .select({ id: contentVersions.id })
    .from(contentVersions)
    .where(eq(contentVersions.key, key))
    .orderBy(desc(contentVersions.id))
    .limit(1);
  return row?.id ?? null;
}
