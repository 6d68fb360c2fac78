import {
  firstProduct,
  type Menu,
  type MenuLink,
  menuSchema,
  type ShownLink,
  type ShownMenu,
} from "../../../domain/content/menu.ts";
import type { ShopContext } from "../../context.ts";
import { readVersions } from "../queries.ts";
import { menuText, shippedMenu } from "./shipped.ts";

/** The menu as shoppers see it, cached until it or a product's name changes. */
export function openMenu({
  db,
  changes,
  health,
  products,
}: Pick<ShopContext, "db" | "changes" | "health" | "products">): () => Promise<ShownMenu> {
  shippedMenu();
  const published = changes.cached(["content"], async () => {
    const { key } = menuText();
    const stored = await readVersions(db, menuSchema, [key]);
    const isUnreadable = stored.unreadable.length > 0;
    health.report("menu", isUnreadable ? "cannot be read, the shop's own is shown" : null, { sells: true });
    return stored.published[0]?.text ?? shippedMenu().text;
  });
  return async () => {
    const [menu, all, [first]] = await Promise.all([published(), products.names(), products.leadingNames()]);
    return shownMenu(
      menu,
      all.map(({ slug }) => slug),
      first?.slug,
    );
  };
}

/** `slugs`: of the published products. Links to other products are left out. */
function shownMenu(
  { header, phone, footer, legal }: Menu,
  slugs: readonly string[],
  first: string | undefined,
): ShownMenu {
  const shown = (links: readonly MenuLink[]): ShownLink[] =>
    links.flatMap(({ label, to, isHidden }) => {
      const target = to === firstProduct ? first && `/product/${first}` : to;
      const isGone =
        target === undefined ||
        (target.startsWith("/product/") && !slugs.includes(target.slice("/product/".length)));
      return isHidden || isGone ? [] : [{ to: target, label }];
    });
  return {
    header: shown(header),
    phone: shown(phone),
    footer: footer.map(({ title, links }) => ({ title, links: shown(links) })),
    legal: shown(legal),
  };
}
