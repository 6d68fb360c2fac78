import {
  type Menu,
  type MenuLink,
  menuLimits,
  menuPages,
  neededInFooter,
} from "../../../domain/content/menu.ts";
import { isVisible, turnsText } from "../../../domain/shared/required-text.ts";
import { hasUserInfo } from "../../../domain/shared/web-address.ts";

type Limits = { links: number; label: number; inAll: number | null };

/**
 * Problems that keep a menu from being published, by their place: `header.1.label`, `footer`. `slugs`: of the
 * published products.
 */
export function menuProblems(menu: Menu, slugs: readonly string[]): Record<string, string> {
  const problems: Record<string, string> = {};
  const look = (place: string, links: readonly MenuLink[], limits: Limits) => {
    for (const [index, link] of links.entries()) {
      const label = labelProblem(link.label, limits.label);
      if (label !== null) problems[`${place}.${index}.label`] = label;
      const target = targetProblem(link, slugs);
      if (target !== null) problems[`${place}.${index}.to`] = target;
      else if (links.findIndex(({ to }) => to === link.to) < index)
        problems[`${place}.${index}.to`] = "Another link here leads to the same place";
    }
    const shown = links.filter(({ isHidden }) => !isHidden);
    const characters = shown.reduce((sum, { label }) => sum + label.length, 0);
    if (shown.length > limits.links) problems[place] = `At most ${limits.links} links, hide or remove some`;
    else if (limits.inAll !== null && characters > limits.inAll)
      problems[place] =
        `The labels have ${characters} characters together; ${limits.inAll} fit on narrow screens`;
  };
  look("header", menu.header, menuLimits.header);
  look("phone", menu.phone, menuLimits.phone);
  look("legal", menu.legal, menuLimits.legal);
  for (const [index, { title, links }] of menu.footer.entries()) {
    look(`footer.${index}`, links, menuLimits.column);
    const problem = labelProblem(title, menuLimits.columnTitle);
    if (problem !== null) problems[`footer.${index}.title`] = problem;
    else if (menu.footer.findIndex((column) => column.title === title) < index)
      problems[`footer.${index}.title`] = "Another column has this title";
  }
  const inFooter = new Set(
    [...menu.legal, ...menu.footer.flatMap(({ links }) => links)]
      .filter(({ isHidden }) => !isHidden)
      .map(({ to }) => to),
  );
  const missing = neededInFooter.filter(({ oneOf }) => !oneOf.some((to) => inFooter.has(to)));
  if (missing.length > 0)
    problems.footer = `The footer must lead to: ${missing.map(({ name }) => name).join(", ")}. Buyers have a right to find them on every page`;
  return problems;
}

function labelProblem(label: string, most: number): string | null {
  if (!isVisible(label)) return "Please write what it says";
  if (label.length > most) return `At most ${most} characters`;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(label)) return "Must be one line";
  if (turnsText.test(label)) return "Contains characters that change the direction of text";
  const long = label.split(/[\s-]+/).find((word) => word.length > menuLimits.word);
  return long === undefined
    ? null
    : `“${long}” is too long for small screens: at most ${menuLimits.word} letters`;
}

const productPath = /^\/product\/([a-z0-9-]{1,80})$/;

function targetProblem({ to }: MenuLink, slugs: readonly string[]): string | null {
  if (to === "") return "Please choose where it leads";
  if (menuPages.some((page) => page.to === to)) return null;
  const [, slug] = productPath.exec(to) ?? [];
  if (slug !== undefined) return slugs.includes(slug) ? null : "This product is not on show";
  if (to.startsWith("/")) return "The shop has no such page";
  return isHttps(to) ? null : "Must be a page of the shop, or an address that begins with https://";
}

function isHttps(address: string): boolean {
  if (!/^https:\/\/[^\s\\]+$/i.test(address) || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" && !hasUserInfo(address) && hostname.includes(".");
}
