import * as v from "valibot";
import {
  checkedMenuSchema,
  type EditedMenu,
  editedMenuSchema,
  type Menu,
  type MenuLink,
  menuChangeSchema,
  menuLimits,
  menuPages,
  menuPreviewSchema,
  menuVersionsSchema,
  neededInFooter,
} from "../../../domain/content/menu.ts";
import { directionControls, isVisible } from "../../../domain/shared/required-text.ts";
import { hasUserInfo } from "../../../domain/shared/url-user-info.ts";
import { dataEnvelope, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { numericId, pageLimit } from "../../platform/http/params.ts";
import { invalidFields } from "../../platform/http/problem.ts";
import { changeText, type EditableText, publish, saveDraft } from "../commands.ts";
import { listVersions, readEditedText } from "../queries.ts";
import { menuText } from "./menu.ts";

const shared = { tag: "Content", access: "admin", roles: ["staff"] } as const;
const conflict = {
  409: "`invalid_state`: the menu was changed since the `revision` sent along; nothing was saved, `current` has the stored menu",
};

/** The links of header and footer. */
export const menuApi = [
  route("GET /api/admin/menu", {
    ...shared,
    summary: "The menu: as published, its draft, default, and the allowed targets of its links",
    response: dataEnvelope(editedMenuSchema),
    responses: { 200: "`header`, `phone` (below it in the phone menu), `footer` (three columns), `legal`" },
    handle: async (ctx) => ok(await readEditedMenu(ctx)),
  }),
  route("GET /api/admin/menu/versions", {
    ...shared,
    summary: "Published versions of the menu, the latest first",
    query: v.object({ limit: pageLimit(20), cursor: v.optional(numericId) }),
    response: menuVersionsSchema,
    responses: { 200: "`text` is null if the default menu was restored" },
    handle: async (ctx, { query: { limit, cursor = null } }) => ({
      status: 200,
      body: await listVersions(ctx.db, menuText(), { limit, cursor }),
    }),
  }),
  route("POST /api/admin/menu/check", {
    ...shared,
    onlyReads: true,
    summary: "Problems of a menu; nothing is saved",
    body: menuPreviewSchema,
    response: dataEnvelope(checkedMenuSchema),
    responses: { 200: "`problems` by place: `header.1.label`, `footer`" },
    handle: async (ctx, { body: { text } }) => ok({ problems: menuProblems(text, await listSlugs(ctx)) }),
  }),
  route("PUT /api/admin/menu/draft", {
    ...shared,
    summary: "Save a menu as a draft, which shoppers do not see, or discard the draft with `text` null",
    body: menuChangeSchema,
    response: dataEnvelope(editedMenuSchema),
    responses: { 200: "The menu with its draft, which may still have problems", ...conflict },
    handle: (ctx, call) => {
      const summary = `Draft of the menu ${call.body.text === null ? "discarded" : "saved"}`;
      return changeText(ctx, call, editableMenu(ctx), { write: saveDraft, summary });
    },
  }),
  route("POST /api/admin/menu/publish", {
    ...shared,
    // The publisher can set links to any site, and shoppers would trust them as the shop's.
    roles: [],
    summary: "Publish a menu, at once on every page; `text` null restores the default",
    body: menuChangeSchema,
    response: dataEnvelope(editedMenuSchema),
    responses: { 200: "The menu; publishing the same menu again changes nothing", ...conflict },
    async handle(ctx, call) {
      const { text } = call.body;
      const fields = text === null ? {} : menuProblems(text, await listSlugs(ctx));
      if (Object.keys(fields).length > 0) return invalidFields(fields);
      const summary = `Menu ${text === null ? "reset to the default" : "published"}`;
      return changeText(ctx, call, editableMenu(ctx), { write: publish, summary });
    },
  }),
];

const listSlugs = async ({ products }: ShopContext) => (await products.names()).map(({ slug }) => slug);

async function readEditedMenu(ctx: ShopContext): Promise<EditedMenu> {
  const products = (await ctx.products.names()).map(({ name, slug }) => ({ to: `/product/${slug}`, name }));
  return { ...(await readEditedText(ctx, menuText())), targets: [...menuPages, ...products] };
}

function editableMenu(ctx: ShopContext): EditableText<Menu, EditedMenu> {
  return { target: menuText(), label: "The menu", read: () => readEditedMenu(ctx) };
}

type Limits = { links: number; label: number; totalCharacters: number | null };

/**
 * Problems that keep a menu from being published, by their place: `header.1.label`, `footer`. `slugs` are those of the
 * published products.
 */
function menuProblems(menu: Menu, slugs: readonly string[]): Record<string, string> {
  const problems: Record<string, string> = {};
  const checkLinks = (place: string, links: readonly MenuLink[], limits: Limits) => {
    for (const [index, link] of links.entries()) {
      const badLabel = labelProblem(link.label, limits.label);
      if (badLabel !== null) problems[`${place}.${index}.label`] = badLabel;
      const badTarget = targetProblem(link, slugs);
      if (badTarget !== null) problems[`${place}.${index}.to`] = badTarget;
      else if (links.findIndex(({ to }) => to === link.to) < index)
        problems[`${place}.${index}.to`] = "Another link here leads to the same place";
    }
    const visibleLinks = links.filter(({ isHidden }) => !isHidden);
    const characters = visibleLinks.reduce((sum, { label }) => sum + label.length, 0);
    if (visibleLinks.length > limits.links)
      problems[place] = `At most ${limits.links} links, hide or remove some`;
    else if (limits.totalCharacters !== null && characters > limits.totalCharacters)
      problems[place] =
        `The labels have ${characters} characters together; ${limits.totalCharacters} fit on narrow screens`;
  };
  checkLinks("header", menu.header, menuLimits.header);
  checkLinks("phone", menu.phone, menuLimits.phone);
  checkLinks("legal", menu.legal, menuLimits.legal);
  for (const [index, { title, links }] of menu.footer.entries()) {
    checkLinks(`footer.${index}`, links, menuLimits.column);
    const problem = labelProblem(title, menuLimits.columnTitle);
    if (problem !== null) problems[`footer.${index}.title`] = problem;
    else if (menu.footer.findIndex((column) => column.title === title) < index)
      problems[`footer.${index}.title`] = "Another column has this title";
  }
  const footerTargets = new Set(
    [...menu.legal, ...menu.footer.flatMap(({ links }) => links)]
      .filter(({ isHidden }) => !isHidden)
      .map(({ to }) => to),
  );
  const missingPages = neededInFooter.filter(({ oneOf }) => !oneOf.some((to) => footerTargets.has(to)));
  if (missingPages.length > 0)
    problems.footer = `The footer must lead to: ${missingPages.map(({ name }) => name).join(", ")}. Buyers have a right to find them on every page`;
  return problems;
}

function labelProblem(label: string, maxLength: number): string | null {
  if (!isVisible(label)) return "Please enter a label";
  if (label.length > maxLength) return `At most ${maxLength} characters`;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(label)) return "Must be one line";
  if (directionControls.test(label)) return "Contains characters that change the direction of text";
  const longWord = label.split(/[\s-]+/).find((word) => word.length > menuLimits.word);
  return longWord === undefined
    ? null
    : `“${longWord}” is too long for small screens: at most ${menuLimits.word} letters`;
}

const productPath = /^\/product\/([a-z0-9-]{1,80})$/;

function targetProblem({ to }: MenuLink, slugs: readonly string[]): string | null {
  if (to === "") return "Please choose where it leads";
  if (menuPages.some((page) => page.to === to)) return null;
  const [, slug] = productPath.exec(to) ?? [];
  if (slug !== undefined) return slugs.includes(slug) ? null : "This product is hidden";
  if (to.startsWith("/")) return "The shop has no such page";
  return isHttps(to) ? null : "Must be a page of the shop, or an address that begins with https://";
}

function isHttps(url: string): boolean {
  if (!/^https:\/\/[^\s\\]+$/i.test(url) || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" && !hasUserInfo(url) && hostname.includes(".");
}
