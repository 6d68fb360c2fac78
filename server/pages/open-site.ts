import type { ShopContext } from "../context.ts";
import { serveBuiltFiles } from "../site/built-files.ts";
import { siteFiles } from "../site/files.ts";
import { createCachedPages } from "./cached-pages.ts";
import { createPageCache } from "./page-cache.ts";
import { publicAddresses } from "./public-pages.ts";
import { createPages } from "./render.ts";
import type { Shop } from "./shop.ts";
import { staticFiles } from "./static-files.ts";

/** Beyond this number, product pages are rendered when first requested. */
const warmProductsMax = 100;

export function openSite(ctx: ShopContext, shop: Shop) {
  const { buildDir, changes, config, isStopping, metrics, vite } = ctx;
  const pages = createPages({ publicUrl: config.publicUrl, shop, buildDir, vite });
  const pageCache = createPageCache({
    changes,
    count: metrics.countCachedPage,
    countMade: metrics.countPageMade,
    report: shop.report,
  });
  // A separate cache: pages are few and large, and only their use is counted.
  const answers = createPageCache({ changes, count() {}, countMade() {}, report: shop.report });
  const otherBuilds = serveBuiltFiles(ctx);
  const cachedPages = vite ? null : createCachedPages(pages, pageCache);
  return {
    pages,
    cachedPages,
    cache: vite ? null : answers,
    files: [
      ...siteFiles(ctx),
      ...staticFiles(buildDir, ctx.pictures),
      ...["/assets/*", "/images/*"].map((path) => ({ path, serve: otherBuilds })),
    ],
    /** Renders the public pages before they are requested. Never throws. */
    async warmUp() {
      try {
        const slugs = (await shop.productNames()).slice(0, warmProductsMax).map(({ slug }) => slug);
        await cachedPages?.warmUp(publicAddresses(slugs), isStopping);
      } catch (error) {
        if (!isStopping()) shop.report(error);
      }
    },
  };
}
