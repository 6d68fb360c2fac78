import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import {
  firstProduct,
  type Menu,
  type MenuLink,
  menuSchema,
  type ShownLink,
  type ShownMenu,
} from "../../../domain/content/menu.ts";
import type { ShopContext } from "../../context.ts";
import { readVersions, type Versioned } from "../queries.ts";

let defaultMenu: { text: Menu; hash: string } | null = null;

function readDefaultMenu(): { text: Menu; hash: string } {
  if (defaultMenu === null) {
    const file = readFileSync(join(import.meta.dirname, "../../../content/menu.md"), "utf8");
    defaultMenu = {
      text: parseMenu(file),
      hash: createHash("sha256").update(file).digest("hex").slice(0, 16),
    };
  }
  return defaultMenu;
}

export function menuText(): Versioned<Menu> {
  const { text, hash } = readDefaultMenu();
  return { key: "menu", schema: menuSchema, defaultText: text, hash };
}

/** Parses sections such as "# header", with links below; the footer's columns begin with "## Title". */
function parseMenu(file: string): Menu {
  const parts = new Map(file.split(/^# /m).map((part) => [part.split("\n", 1)[0] ?? "", part]));
  const columns = (parts.get("footer") ?? "").split(/^## /m).slice(1);
  return v.parse(menuSchema, {
    header: parseLinks(parts.get("header")),
    phone: parseLinks(parts.get("phone")),
    footer: columns.map((column) => ({ title: column.split("\n", 1)[0] ?? "", links: parseLinks(column) })),
    legal: parseLinks(parts.get("legal")),
  });
}

function parseLinks(part = "") {
  return [...part.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, label, to]) => ({
    label,
    to,
    isHidden: false,
  }));
}

/** The published menu, cached until it or a product's name changes. */
export function openMenu({
  db,
  changes,
  health,
  products,
}: Pick<ShopContext, "db" | "changes" | "health" | "products">): () => Promise<ShownMenu> {
  readDefaultMenu();
  const readPublishedMenu = changes.cached(["content"], async () => {
    const { key } = menuText();
    const { published, unreadable } = await readVersions(db, menuSchema, [key]);
    const isUnreadable = unreadable.length > 0;
    health.report("menu", isUnreadable ? "cannot be read, the default menu is shown" : null, {
      canSell: true,
    });
    return published[0]?.text ?? readDefaultMenu().text;
  });
  return async () => {
    const [menu, productNames, [firstFamily]] = await Promise.all([
      readPublishedMenu(),
      products.names(),
      products.familyNames(),
    ]);
    return shownMenu(
      menu,
      productNames.map(({ slug }) => slug),
      firstFamily?.slug,
    );
  };
}

/** The visible links of a menu. `slugs` are those of the published products; links to other products are left out. */
function shownMenu(
  { header, phone, footer, legal }: Menu,
  slugs: readonly string[],
  firstSlug: string | undefined,
): ShownMenu {
  const visibleLinks = (links: readonly MenuLink[]): ShownLink[] =>
    links.flatMap(({ label, to, isHidden }) => {
      const target = to === firstProduct ? firstSlug && `/product/${firstSlug}` : to;
      const isTargetMissing =
        target === undefined ||
        (target.startsWith("/product/") && !slugs.includes(target.slice("/product/".length)));
      return isHidden || isTargetMissing ? [] : [{ to: target, label }];
    });
  return {
    header: visibleLinks(header),
    phone: visibleLinks(phone),
    footer: footer.map(({ title, links }) => ({ title, links: visibleLinks(links) })),
    legal: visibleLinks(legal),
  };
}
