import { isDeepStrictEqual } from "node:util";
import {
  type EditedEmail,
  type EmailWords,
  emailWordsSchema,
} from "../../../domain/content/emails/email-edit.ts";
import {
  type EmailTextKind,
  emailTextGroups,
  emailTextOf,
  isEmailTextKind,
} from "../../../domain/content/emails/texts.ts";
import type { ShopContext } from "../../context.ts";
import { stamp } from "../edited.ts";
import { readRevision, readVersions, type StoredVersion } from "../queries.ts";
import { readSamples } from "./preview.ts";
import { shippedEmail } from "./shipped.ts";
import { emailKey, emailKeys, wholeEmail } from "./stored.ts";

/** The owner's own words were published beside other ones of the shop than this version brings. */
function isShippedNewer(kind: EmailTextKind, published: StoredVersion<EmailWords> | undefined): boolean {
  if (!published?.text) return false;
  const { hash, text } = shippedEmail(kind);
  return published.defaultHash !== hash && !isDeepStrictEqual(wholeEmail(kind, published.text), text);
}

export async function listEmails(ctx: ShopContext) {
  const { published, drafts } = await readVersions(ctx.db, emailWordsSchema, emailKeys);
  return emailTextGroups.map(({ key, name, texts }) => ({
    key,
    name,
    emails: Object.keys(texts)
      .filter(isEmailTextKind)
      .map((kind) => {
        const version = published.find((one) => one.key === emailKey(kind));
        const { name, when } = emailTextOf(kind);
        return {
          kind,
          name,
          when,
          published: version?.text ? stamp(version) : null,
          draft: stamp(drafts.find((one) => one.key === emailKey(kind))),
          isShippedNewer: isShippedNewer(kind, version),
        };
      }),
  }));
}

/** All that is needed to edit a text. */
export async function readEditedEmail(ctx: ShopContext, kind: EmailTextKind): Promise<EditedEmail> {
  const key = emailKey(kind);
  const [stored, revision] = await ctx.db.transaction(
    async (tx) => [await readVersions(tx, emailWordsSchema, [key]), await readRevision(tx, key)] as const,
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  const [published] = stored.published;
  const [draft] = stored.drafts;
  const shipped = shippedEmail(kind).text;
  const { name, when, facts, fields } = emailTextOf(kind);
  return {
    kind,
    name,
    when,
    revision,
    text: published?.text ? wholeEmail(kind, published.text) : shipped,
    published: published?.text ? stamp(published) : null,
    draft: draft?.text
      ? { id: draft.id, at: draft.at, by: draft.by, text: wholeEmail(kind, draft.text) }
      : null,
    shipped,
    isShippedNewer: isShippedNewer(kind, published),
    fields: Object.entries(fields).map(
      ([name, { label, hint = null, kind, most, isOptional = false, needs = [] }]) => ({
        name,
        label,
        hint,
        kind,
        most,
        isOptional,
        needs: [...needs],
      }),
    ),
    facts: Object.entries(facts).map(([name, label]) => ({ name, label })),
    samples: (await readSamples(ctx, kind)).map(({ name }) => name),
  };
}
