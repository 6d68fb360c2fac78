import { isDeepStrictEqual } from "node:util";
import { textOfRuns } from "../../domain/content/blocks.ts";
import {
  type ContentKey,
  type ContentText,
  contentTextSchema,
  type EditedContent,
} from "../../domain/content/content.ts";
import { contentKeys, contentPages } from "../../domain/content/pages.ts";
import { conditionLabels, factLabels, isFact, partLabels } from "../../domain/content/placeholders.ts";
import type { ShopContext } from "../context.ts";
import { readRevision, readVersions, type StoredVersion } from "./queries.ts";
import { shippedContent } from "./shipped.ts";
import { readFacts } from "./shown.ts";

export const stamp = (version: StoredVersion<unknown> | undefined) =>
  version === undefined ? null : { id: version.id, at: version.at, by: version.by };

/** The owner's own words were published beside other ones of the shop than this version brings. */
function isShippedNewer(key: ContentKey, published: StoredVersion<ContentText> | undefined): boolean {
  if (!published?.text) return false;
  const { hash, text } = shippedContent(key);
  return published.defaultHash !== hash && !isDeepStrictEqual(published.text, text);
}

export async function listContent(ctx: ShopContext) {
  const { published, drafts } = await readVersions(ctx.db, contentTextSchema, contentKeys);
  return contentKeys.map((key) => {
    const version = published.find((one) => one.key === key);
    const { name, path } = contentPages[key];
    return {
      key,
      name,
      path,
      published: version?.text ? stamp(version) : null,
      draft: stamp(drafts.find((one) => one.key === key)),
      isShippedNewer: isShippedNewer(key, version),
    };
  });
}

/** All that is needed to edit a text. */
export async function readEdited(ctx: ShopContext, key: ContentKey): Promise<EditedContent> {
  const [stored, revision] = await ctx.db.transaction(
    async (tx) => [await readVersions(tx, contentTextSchema, [key]), await readRevision(tx, key)] as const,
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  const [published] = stored.published;
  const [draft] = stored.drafts;
  const shipped = shippedContent(key).text;
  return {
    key,
    revision,
    text: published?.text ?? shipped,
    published: published?.text ? stamp(published) : null,
    draft: draft?.text ? { id: draft.id, at: draft.at, by: draft.by, text: draft.text } : null,
    shipped,
    isShippedNewer: isShippedNewer(key, published),
    placeholders: await readPlaceholders(ctx, key),
  };
}

async function readPlaceholders(ctx: ShopContext, key: ContentKey): Promise<EditedContent["placeholders"]> {
  const { named } = await readFacts(ctx);
  const facts = Object.entries(factLabels).map(([name, label]) => {
    const value = (isFact(name) ? named[name] : null) ?? null;
    return { name, label, kind: "fact" as const, value: Array.isArray(value) ? textOfRuns(value) : value };
  });
  const parts = contentPages[key].kind === "faq" ? {} : partLabels;
  const others = (labels: Record<string, string>, kind: "part" | "condition") =>
    Object.entries(labels).map(([name, label]) => ({ name, label, kind, value: null }));
  return [...facts, ...others(parts, "part"), ...others(conditionLabels, "condition")];
}
