import * as v from "valibot";
import { fillPlaceholders, runsText } from "../../domain/content/blocks.ts";
import {
  type ContentKey,
  type ContentText,
  checkedContentSchema,
  contentChangeSchema,
  contentListSchema,
  contentParams,
  contentPreviewSchema,
  contentVersionsSchema,
  type EditedContent,
  editedContentSchema,
} from "../../domain/content/content.ts";
import { contentKeys, contentPages } from "../../domain/content/pages.ts";
import { conditionLabels, factLabels, isFact, partLabels } from "../../domain/content/placeholders.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { numericId, pageLimit } from "../platform/http/params.ts";
import { invalidFields } from "../platform/http/problem.ts";
import { checkContent } from "./check.ts";
import { changeText, type EditableText, publish, saveDraft } from "./commands.ts";
import { pageText } from "./default-texts.ts";
import { emailTextsApi } from "./emails/api.ts";
import { emailTextsMail } from "./emails/preview.ts";
import { emailTextsWatch } from "./emails/published-texts.ts";
import { menuApi } from "./menu/api.ts";
import { readFacts, shownContent } from "./page-content.ts";
import { listVersions, readEditedText, readTextStates } from "./queries.ts";

const shared = { tag: "Content", access: "admin", roles: ["staff"] } as const;
const conflict = {
  409: "`invalid_state`: the text was changed since the `revision` sent along; nothing was saved, `current` has the stored text",
};

/** Texts of editorial pages, policies and FAQ. */
const contentApi = [
  route("GET /api/admin/content", {
    ...shared,
    summary: "The texts that can be edited",
    response: dataEnvelope(contentListSchema),
    responses: { 200: "`published` is null while the default text is shown" },
    handle: async (ctx) => ok(await listContent(ctx)),
  }),
  route("GET /api/admin/content/:key", {
    ...shared,
    summary: "One text: as published, its draft, default text and placeholders",
    params: contentParams,
    response: dataEnvelope(editedContentSchema),
    responses: { 200: "The text; `isShippedNewer`: the default text has changed since it was published" },
    handle: async (ctx, { params: { key } }) => ok(await readEditedContent(ctx, key)),
  }),
  route("GET /api/admin/content/:key/versions", {
    ...shared,
    summary: "Published versions of a text, the latest first",
    params: contentParams,
    query: v.object({ limit: pageLimit(20), cursor: v.optional(numericId) }),
    response: contentVersionsSchema,
    responses: { 200: "`text` is null if the default text was restored" },
    handle: async (ctx, { params: { key }, query: { limit, cursor = null } }) => ({
      status: 200,
      body: await listVersions(ctx.db, pageText(key), { limit, cursor }),
    }),
  }),
  route("POST /api/admin/content/:key/check", {
    ...shared,
    onlyReads: true,
    summary: "Preview of a text, and its problems; nothing is saved",
    params: contentParams,
    body: contentPreviewSchema,
    response: dataEnvelope(checkedContentSchema),
    responses: { 200: "`blocks`: with current values; `problems` by field; `warnings`" },
    handle: async (ctx, { params: { key }, body: { text } }) => {
      const { blocks, problems, warnings } = checkContent(key, text);
      const facts = await readFacts(ctx);
      const { heading, lead } = shownContent(text, facts);
      return ok({ blocks: fillPlaceholders(blocks, facts), heading, lead, problems, warnings });
    },
  }),
  route("PUT /api/admin/content/:key/draft", {
    ...shared,
    summary: "Save a text as a draft, which shoppers do not see, or discard the draft with `text` null",
    params: contentParams,
    body: contentChangeSchema,
    response: dataEnvelope(editedContentSchema),
    responses: { 200: "The text with its draft, which may still have problems", ...conflict },
    handle: (ctx, call) => {
      const text = editableText(ctx, call.params.key);
      const summary = `Draft of ${text.label} ${call.body.text === null ? "discarded" : "saved"}`;
      return changeText(ctx, call, text, { write: saveDraft, summary });
    },
  }),
  route("POST /api/admin/content/:key/publish", {
    ...shared,
    // The publisher can set links to any site, and shoppers would trust them as the shop's.
    roles: [],
    summary: "Publish a text, at once on every page; `text` null restores the default text",
    params: contentParams,
    body: contentChangeSchema,
    response: dataEnvelope(editedContentSchema),
    responses: { 200: "The text; publishing the same text again changes nothing", ...conflict },
    async handle(ctx, call) {
      const { text } = call.body;
      const { problems: fields } = text === null ? { problems: {} } : checkContent(call.params.key, text);
      if (Object.keys(fields).length > 0) return invalidFields(fields);
      const page = editableText(ctx, call.params.key);
      const summary = `${page.label} ${text === null ? "reset to the default text" : "published"}`;
      return changeText(ctx, call, page, { write: publish, summary });
    },
  }),
];

function editableText(ctx: ShopContext, key: ContentKey): EditableText<ContentText, EditedContent> {
  return {
    target: pageText(key),
    label: `“${contentPages[key].name}”`,
    read: () => readEditedContent(ctx, key),
  };
}

async function listContent(ctx: ShopContext) {
  const states = await readTextStates(ctx, contentKeys.map(pageText));
  return contentKeys.flatMap((key, index) => {
    const { name, path } = contentPages[key];
    const state = states[index];
    return state ? [{ key, name, path, ...state }] : [];
  });
}

/** The data needed to edit a text. */
async function readEditedContent(ctx: ShopContext, key: ContentKey): Promise<EditedContent> {
  const text = await readEditedText(ctx, pageText(key));
  return { key, ...text, placeholders: await readPlaceholders(ctx, key) };
}

async function readPlaceholders(ctx: ShopContext, key: ContentKey): Promise<EditedContent["placeholders"]> {
  const { values } = await readFacts(ctx);
  const facts = Object.entries(factLabels).map(([name, label]) => {
    const value = (isFact(name) ? values[name] : null) ?? null;
    return { name, label, kind: "fact" as const, value: Array.isArray(value) ? runsText(value) : value };
  });
  const parts = contentPages[key].kind === "faq" ? {} : partLabels;
  const listPlaceholders = (labels: Record<string, string>, kind: "part" | "condition") =>
    Object.entries(labels).map(([name, label]) => ({ name, label, kind, value: null }));
  return [...facts, ...listPlaceholders(parts, "part"), ...listPlaceholders(conditionLabels, "condition")];
}

/** Texts of pages, policies, FAQ and e-mails, and the menu, which the owner edits. */
export const contentFeature = {
  api: [...contentApi, ...emailTextsApi, ...menuApi],
  cron: (ctx) => [emailTextsWatch(ctx)],
  mail: emailTextsMail,
} satisfies Feature;
