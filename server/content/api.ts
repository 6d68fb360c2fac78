import * as v from "valibot";
import { withFacts } from "../../domain/content/blocks.ts";
import {
  type ContentKey,
  checkedContentSchema,
  contentChangeSchema,
  contentListSchema,
  contentParams,
  contentPreviewSchema,
  contentVersionsSchema,
  editedContentSchema,
} from "../../domain/content/content.ts";
import { contentPages } from "../../domain/content/pages.ts";
import { type ApiCall, dataOf, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { idText } from "../platform/http/id-params.ts";
import { pageLimit } from "../platform/http/page-limit.ts";
import { problem } from "../platform/http/problem.ts";
import { checkContent } from "./check.ts";
import { listContent, readEdited } from "./edited.ts";
import { changeText } from "./editing.ts";
import { listVersions } from "./queries.ts";
import { pageText } from "./shipped.ts";
import { headOf, readFacts } from "./shown.ts";

const shared = { tag: "Content", access: "admin", roles: ["staff"], limit: "none" } as const;
const conflict = {
  409: "`invalid_state`: the text was changed since the `revision` sent along; nothing was saved, `current` has the text as it is",
};

/** Texts of editorial pages, policies and FAQ. */
export const contentApi = [
  route("GET /api/admin/content", {
    ...shared,
    summary: "The texts that can be edited",
    response: dataOf(contentListSchema),
    answers: { 200: "`published` null: the shop’s own words are shown" },
    handle: async (ctx) => ok(await listContent(ctx)),
  }),
  route("GET /api/admin/content/:key", {
    ...shared,
    summary: "One text: as shown, its draft, the shop’s own words and the placeholders it may use",
    params: contentParams,
    response: dataOf(editedContentSchema),
    answers: { 200: "The text; `isShippedNewer`: the shop’s own words have changed since it was published" },
    handle: async (ctx, { params: { key } }) => ok(await readEdited(ctx, key)),
  }),
  route("GET /api/admin/content/:key/versions", {
    ...shared,
    summary: "What was published of a text, the latest first",
    params: contentParams,
    query: v.object({ limit: pageLimit(20), cursor: v.optional(idText) }),
    response: contentVersionsSchema,
    answers: { 200: "`text` null: it went back to the shop’s own words" },
    handle: async (ctx, { params: { key }, query: { limit, cursor = null } }) => ({
      status: 200,
      body: await listVersions(ctx.db, pageText(key), { limit, cursor }),
    }),
  }),
  route("POST /api/admin/content/:key/check", {
    ...shared,
    onlyReads: true,
    summary: "What a text would look like, and what is wrong with it; nothing is saved",
    params: contentParams,
    body: contentPreviewSchema,
    response: dataOf(checkedContentSchema),
    answers: { 200: "`blocks`: with today’s facts; `problems` by field; `warnings`" },
    handle: async (ctx, { params: { key }, body: { text } }) => {
      const { blocks, problems, warnings } = checkContent(key, text);
      const facts = await readFacts(ctx);
      const { heading, lead } = headOf(text, facts);
      return ok({ blocks: withFacts(blocks, facts), heading, lead, problems, warnings });
    },
  }),
  route("PUT /api/admin/content/:key/draft", {
    ...shared,
    summary: "Keep a text as a draft, or discard the draft with `text` null; shoppers see nothing of it",
    params: contentParams,
    body: contentChangeSchema,
    response: dataOf(editedContentSchema),
    answers: { 200: "The text with its draft, which may still have problems", ...conflict },
    handle: (ctx, call) => {
      const done = call.body.text === null ? "discarded" : "saved";
      return change(ctx, call, "draft", (name) => `Draft of “${name}” ${done}`);
    },
  }),
  route("POST /api/admin/content/:key/publish", {
    ...shared,
    // The publisher can set links to any site, and shoppers would trust them as the shop's.
    roles: [],
    summary: "Show a text to shoppers, at once on every page; `text` null: the shop’s own words again",
    params: contentParams,
    body: contentChangeSchema,
    response: dataOf(editedContentSchema),
    answers: { 200: "The text; the same one again changes nothing", ...conflict },
    async handle(ctx, call) {
      const { text } = call.body;
      const { problems: fields } = text === null ? { problems: {} } : checkContent(call.params.key, text);
      if (Object.keys(fields).length > 0) {
        return problem("validation_failed", "Please check the highlighted fields.", { fields });
      }
      const done = text === null ? "set back to the shop’s own words" : "published";
      return change(ctx, call, "publication", (name) => `“${name}” ${done}`);
    },
  }),
];

type Call = Pick<
  ApiCall<{ key: ContentKey }, unknown, v.InferOutput<typeof contentChangeSchema>>,
  "params" | "body" | "viewer" | "log"
>;

function change(
  ctx: ShopContext,
  call: Call,
  as: "draft" | "publication",
  summaryOf: (name: string) => string,
) {
  const { key } = call.params;
  const { name } = contentPages[key];
  const read = () => readEdited(ctx, key);
  return changeText(ctx, call, {
    of: pageText(key),
    as,
    called: `“${name}”`,
    summary: summaryOf(name),
    read,
  });
}
