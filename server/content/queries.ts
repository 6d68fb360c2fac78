import { isDeepStrictEqual } from "node:util";
import { and, desc, eq, inArray, isNotNull, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import { roleNames } from "../../domain/people/roles.ts";
import { pick } from "../../domain/shared/pick.ts";
import { people } from "../people/tables.ts";
import type { BaseContext } from "../platform/base-context.ts";
import type { Db } from "../platform/database/database.ts";
import { cutPage } from "../platform/http/params.ts";
import { contentVersions } from "./tables.ts";

/** A text with versions: of a page or an e-mail, or the menu. */
export type Versioned<T> = {
  key: string;
  schema: v.GenericSchema<unknown, T>;
  defaultText: T;
  hash: string;
  /** Adds the default words of fields that a stored text does not have yet. Not needed for texts that always have all fields. */
  complete?(stored: T): T;
};

/** `text` is null for the default text. */
type Version<T> = { id: number; at: string; by: string; text: T | null };
type StoredVersion<T> = Version<T> & { key: string; defaultHash: string; isDraft: boolean };

const columns = {
  ...pick(contentVersions, "id", "key", "text", "defaultHash", "createdAt", "publishedAt"),
  name: people.name,
};

const select = (db: Db) =>
  db.select(columns).from(contentVersions).leftJoin(people, eq(people.id, contentVersions.personId));

type Row = Awaited<ReturnType<typeof select>>[number];

/** Null if this version of the shop cannot read it, for example because a later version wrote it. */
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
 * The published version and the draft of each text that has one. `unreadable`: the keys of texts that a later version of the
 * shop published.
 */
export async function readVersions<T>(
  db: Db,
  schema: Versioned<T>["schema"],
  keys: readonly string[],
): Promise<{ published: StoredVersion<T>[]; drafts: StoredVersion<T>[]; unreadable: string[] }> {
  const hasKey = inArray(contentVersions.key, keys);
  const latestIds = db
    .selectDistinctOn([contentVersions.key], { id: contentVersions.id })
    .from(contentVersions)
    .where(and(isNotNull(contentVersions.publishedAt), hasKey))
    .orderBy(contentVersions.key, desc(contentVersions.id));
  const rows = await select(db).where(
    and(hasKey, sql`(${contentVersions.publishedAt} is null or ${contentVersions.id} in (${latestIds}))`),
  );
  const versions = rows.flatMap((row) => readRow(schema, row) ?? []);
  return {
    published: versions.filter(({ isDraft }) => !isDraft),
    drafts: versions.filter(({ isDraft }) => isDraft),
    unreadable: rows
      .filter(({ id, publishedAt }) => publishedAt !== null && !versions.some((version) => version.id === id))
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
  const { page, nextCursor } = cutPage(rows, limit, ({ id }) => id);
  return {
    data: page.flatMap((row) => {
      const version = readRow(schema, row);
      return version ? [{ ...versionStamp(version), text: version.text }] : [];
    }),
    nextCursor,
  };
}

/** A text's current revision: the id of its latest row; null if there is none. */
export async function readRevision(db: Db, key: string): Promise<number | null> {
  const [row] = await db
    .select({ id: contentVersions.id })
    .from(contentVersions)
    .where(eq(contentVersions.key, key))
    .orderBy(desc(contentVersions.id))
    .limit(1);
  return row?.id ?? null;
}

const versionStamp = ({ id, at, by }: StoredVersion<unknown>) => ({ id, at, by });

const completeText = <T>({ complete }: Versioned<T>, text: T) => complete?.(text) ?? text;

/** Whether the default text has changed since the owner's text was published. */
function isDefaultNewer<T>(target: Versioned<T>, published: StoredVersion<T> | undefined): boolean {
  if (!published?.text) return false;
  return (
    published.defaultHash !== target.hash &&
    !isDeepStrictEqual(completeText(target, published.text), target.defaultText)
  );
}

/** Each text's published version and whether it has a draft, for a list in the order of the texts. */
export async function readTextStates<T>({ db }: Pick<BaseContext, "db">, texts: readonly Versioned<T>[]) {
  const [first] = texts;
  if (!first) return [];
  const keys = texts.map(({ key }) => key);
  const { published, drafts } = await readVersions(db, first.schema, keys);
  return texts.map((target) => {
    const version = published.find(({ key }) => key === target.key);
    const draft = drafts.find(({ key }) => key === target.key);
    return {
      published: version?.text ? versionStamp(version) : null,
      draft: draft ? versionStamp(draft) : null,
      isShippedNewer: isDefaultNewer(target, version),
    };
  });
}

/** The text as it is shown, its draft and its default, for the editor. */
export async function readEditedText<T>({ db }: Pick<BaseContext, "db">, target: Versioned<T>) {
  const [
    {
      published: [published],
      drafts: [draft],
    },
    revision,
  ] = await db.transaction(
    async (tx) =>
      [await readVersions(tx, target.schema, [target.key]), await readRevision(tx, target.key)] as const,
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  return {
    revision,
    text: published?.text ? completeText(target, published.text) : target.defaultText,
    published: published?.text ? versionStamp(published) : null,
    draft: draft?.text ? { ...versionStamp(draft), text: completeText(target, draft.text) } : null,
    shipped: target.defaultText,
    isShippedNewer: isDefaultNewer(target, published),
  };
}
