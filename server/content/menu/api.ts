import * as v from "valibot";
import {
  checkedMenuSchema,
  type EditedMenu,
  editedMenuSchema,
  menuChangeSchema,
  menuPages,
  menuPreviewSchema,
  menuVersionsSchema,
} from "../../../domain/content/menu.ts";
import { type ApiCall, dataOf, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { idText } from "../../platform/http/id-params.ts";
import { pageLimit } from "../../platform/http/page-limit.ts";
import { problem } from "../../platform/http/problem.ts";
import { changeText, readEditedText } from "../editing.ts";
import { listVersions } from "../queries.ts";
import { menuProblems } from "./check.ts";
import { menuText } from "./shipped.ts";

const shared = { tag: "Content", access: "admin", roles: ["staff"], limit: "none" } as const;
const conflict = {
  409: "`invalid_state`: the menu was changed since the `revision` sent along; nothing was saved, `current` has it as it is",
};

/** The links of header and footer. */
export const menuApi = [
  route("GET /api/admin/menu", {
    ...shared,
    summary: "The menu: as shown, its draft, the shop’s own, and where links may lead",
    response: dataOf(editedMenuSchema),
    answers: { 200: "`header`, `phone` (below it in the menu of phones), `footer` (three columns), `legal`" },
    handle: async (ctx) => ok(await readEditedMenu(ctx)),
  }),
  route("GET /api/admin/menu/versions", {
    ...shared,
    summary: "What was published of the menu, the latest first",
    query: v.object({ limit: pageLimit(20), cursor: v.optional(idText) }),
    response: menuVersionsSchema,
    answers: { 200: "`text` null: it went back to the shop’s own" },
    handle: async (ctx, { query: { limit, cursor = null } }) => ({
      status: 200,
      body: await listVersions(ctx.db, menuText(), { limit, cursor }),
    }),
  }),
  route("POST /api/admin/menu/check", {
    ...shared,
    onlyReads: true,
    summary: "What is wrong with a menu; nothing is saved",
    body: menuPreviewSchema,
    response: dataOf(checkedMenuSchema),
    answers: { 200: "`problems` by place: `header.1.label`, `footer`" },
    handle: async (ctx, { body: { text } }) => ok({ problems: menuProblems(text, await slugsOf(ctx)) }),
  }),
  route("PUT /api/admin/menu/draft", {
    ...shared,
    summary: "Keep a menu as a draft, or discard the draft with `text` null; shoppers see nothing of it",
    body: menuChangeSchema,
    response: dataOf(editedMenuSchema),
    answers: { 200: "The menu with its draft, which may still have problems", ...conflict },
    handle: (ctx, call) => {
      const done = call.body.text === null ? "discarded" : "saved";
      return change(ctx, call, "draft", `Draft of the menu ${done}`);
    },
  }),
  route("POST /api/admin/menu/publish", {
    ...shared,
    // The publisher can set links to any site, and shoppers would trust them as the shop's.
    roles: [],
    summary: "Show a menu to shoppers, at once on every page; `text` null: the shop’s own again",
    body: menuChangeSchema,
    response: dataOf(editedMenuSchema),
    answers: { 200: "The menu; the same one again changes nothing", ...conflict },
    async handle(ctx, call) {
      const { text } = call.body;
      const fields = text === null ? {} : menuProblems(text, await slugsOf(ctx));
      if (Object.keys(fields).length > 0) {
        return problem("validation_failed", "Please check the highlighted fields.", { fields });
      }
      const done = text === null ? "set back to the shop’s own" : "published";
      return change(ctx, call, "publication", `Menu ${done}`);
    },
  }),
];

const slugsOf = async ({ products }: ShopContext) => (await products.names()).map(({ slug }) => slug);

async function readEditedMenu(ctx: ShopContext): Promise<EditedMenu> {
  const products = (await ctx.products.names()).map(({ name, slug }) => ({ to: `/product/${slug}`, name }));
  return { ...(await readEditedText(ctx, menuText())), targets: [...menuPages, ...products] };
}

type Call = Pick<
  ApiCall<unknown, unknown, v.InferOutput<typeof menuChangeSchema>>,
  "body" | "viewer" | "log"
>;

function change(ctx: ShopContext, call: Call, as: "draft" | "publication", summary: string) {
  const read = () => readEditedMenu(ctx);
  return changeText(ctx, call, { of: menuText(), as, called: "The menu", summary, read });
}
