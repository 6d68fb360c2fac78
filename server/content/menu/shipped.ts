import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type Menu, menuSchema } from "../../../domain/content/menu.ts";
import type { Versioned } from "../queries.ts";

let shipped: { text: Menu; hash: string } | null = null;

/** The default menu: `content/menu.md`. */
export function shippedMenu(): { text: Menu; hash: string } {
  if (shipped === null) {
    const file = readFileSync(join(import.meta.dirname, "../../../content/menu.md"), "utf8");
    shipped = { text: readFile(file), hash: createHash("sha256").update(file).digest("hex").slice(0, 16) };
  }
  return shipped;
}

/** The menu as stored in its versions. */
export function menuText(): Versioned<Menu> {
  const { text, hash } = shippedMenu();
  return { key: "menu", schema: menuSchema, shipped: text, hash };
}

/** "# header" and the like, with links below; the footer's columns begin with "## Title". */
function readFile(file: string): Menu {
  const parts = new Map(file.split(/^# /m).map((part) => [part.split("\n", 1)[0] ?? "", part]));
  const columns = (parts.get("footer") ?? "").split(/^## /m).slice(1);
  return v.parse(menuSchema, {
    header: linksOf(parts.get("header")),
    phone: linksOf(parts.get("phone")),
    footer: columns.map((column) => ({ title: column.split("\n", 1)[0] ?? "", links: linksOf(column) })),
    legal: linksOf(parts.get("legal")),
  });
}

function linksOf(part = "") {
  return [...part.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, label, to]) => ({
    label,
    to,
    isHidden: false,
  }));
}
