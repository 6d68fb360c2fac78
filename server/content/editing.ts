import { isDeepStrictEqual } from "node:util";
import { type ApiCall, ok } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Answer } from "../platform/http/answer.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { publish, saveDraft } from "./commands.ts";
import { readRevision, readVersions, type StoredVersion, type Versioned } from "./queries.ts";

const stamp = ({ id, at, by }: StoredVersion<unknown>) => ({ id, at, by });

const completed = <T>({ complete }: Versioned<T>, text: T) => complete?.(text) ?? text;

/** The default text has changed since the owner's text was published. */
function isShippedNewer<T>(of: Versioned<T>, published: StoredVersion<T> | undefined): boolean {
  if (!published?.text) return false;
  return published.defaultHash !== of.hash && !isDeepStrictEqual(completed(of, published.text), of.shipped);
}

/** For a list: each text's published version and whether it has a draft, in the order of the texts. */
export async function readTextStates<T>(ctx: ShopContext, texts: readonly Versioned<T>[]) {
  const [first] = texts;
  if (!first) return [];
  const keys = texts.map(({ key }) => key);
  const { published, drafts } = await readVersions(ctx.db, first.schema, keys);
  return texts.map((of) => {
    const version = published.find(({ key }) => key === of.key);
    const draft = drafts.find(({ key }) => key === of.key);
    return {
      published: version?.text ? stamp(version) : null,
      draft: draft ? stamp(draft) : null,
      isShippedNewer: isShippedNewer(of, version),
    };
  });
}

/** For the editor: the text as shown, its draft and the default. */
export async function readEditedText<T>(ctx: ShopContext, of: Versioned<T>) {
  const [stored, revision] = await ctx.db.transaction(
    async (tx) => [await readVersions(tx, of.schema, [of.key]), await readRevision(tx, of.key)] as const,
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
  const [published] = stored.published;
  const [draft] = stored.drafts;
  return {
    revision,
    text: published?.text ? completed(of, published.text) : of.shipped,
    published: published?.text ? stamp(published) : null,
    draft: draft?.text ? { ...stamp(draft), text: completed(of, draft.text) } : null,
    shipped: of.shipped,
    isShippedNewer: isShippedNewer(of, published),
  };
}

type Change<T> = Pick<
  ApiCall<unknown, unknown, { revision: number | null; text: T | null }>,
  "body" | "viewer" | "log"
>;

/**
 * Saves a draft or publishes, logs it, and returns the text for the editor. `called`: the text's name within a sentence;
 * `summary`: describes the action for the activity log.
 */
export async function changeText<T, Edited>(
  ctx: ShopContext,
  { body, viewer, log }: Change<T>,
  {
    of,
    as,
    called,
    summary,
    read,
  }: {
    of: Versioned<T>;
    as: "draft" | "publication";
    called: string;
    summary: string;
    read(): Promise<Edited>;
  },
): Promise<Answer<{ data: Edited }> | Problem> {
  const personId = viewer.admin?.person?.id ?? null;
  const change = as === "draft" ? saveDraft : publish;
  const changed = await change(ctx, { ...body, of, personId });
  if (changed === "conflict") {
    const message = `${called} was changed meanwhile, in another window or by somebody else. Nothing was saved.`;
    return problem("invalid_state", message, { current: await read() });
  }
  if (changed === "done") log({ subject: `content:${of.key}`, summary });
  return ok(await read());
}
