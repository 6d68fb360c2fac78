import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, MiddlewareHandler } from "hono";
import type { PictureStore } from "../catalog/pictures/store.ts";
import type { ShopContext } from "../context.ts";
import { serveBuiltFiles } from "../site/built-files.ts";
import { siteFiles } from "../site/files.ts";
import { createCachedPages } from "./cached-pages.ts";
import { createPageCache } from "./page-cache.ts";
import { publicPaths } from "./public-pages.ts";
import { createPages } from "./render.ts";
import type { Shop } from "./shop.ts";

/** Further product pages are rendered when they are first requested. */
const maxWarmProducts = 100;

export function openSite(ctx: ShopContext, shop: Shop) {
  const { buildDir, changes, config, isStopping, metrics, vite } = ctx;
  const pages = createPages({ publicUrl: config.publicUrl, shop, buildDir, vite });
  const pageCache = createPageCache({
    changes,
    count: metrics.countCachedPage,
    observeRenderSeconds: metrics.observePageRender,
    report: shop.report,
  });
  // API responses have their own cache: pages are few and large, and the metrics count only pages.
  const apiCache = createPageCache({
    changes,
    count() {},
    observeRenderSeconds() {},
    report: shop.report,
  });
  const otherBuilds = serveBuiltFiles(ctx);
  const cachedPages = vite ? null : createCachedPages(pages, pageCache);
  return {
    pages,
    cachedPages,
    cache: vite ? null : apiCache,
    files: [
      ...siteFiles(ctx),
      ...staticFiles(buildDir, ctx.pictures),
      ...["/assets/*", "/images/*"].map((path) => ({ path, serve: otherBuilds })),
    ],
    /** Renders the public pages before they are requested. Never throws. */
    async warmUp() {
      try {
        const slugs = (await shop.productNames()).slice(0, maxWarmProducts).map(({ slug }) => slug);
        await cachedPages?.warmUp(publicPaths(slugs), isStopping);
      } catch (error) {
        if (!isStopping()) shop.report(error);
      }
    },
  };
}

const immutable = "public, max-age=31536000, immutable";
const oneDay = "public, max-age=86400";
/** The service worker fetches the pages that it caches. */
const serviceWorkerHeaders = { "Content-Security-Policy": "default-src 'none'; connect-src 'self'" };
/** Search engines, other sites and web mail clients may embed these pictures. */
const crossOriginHeaders = { "Cross-Origin-Resource-Policy": "cross-origin" };
/** E-mails use the pages' fonts, which programs load only with this header. */
const fontHeaders = { ...crossOriginHeaders, "Access-Control-Allow-Origin": "*" };

/**
 * Serves the built files: scripts and styles (`/assets`) and pictures (`/images`), whose names change with their
 * content and are cached forever, then the few files of the site's root. `pictures` resizes uploaded pictures.
 * Other requests fall through.
 */
function staticFiles(buildDir: string, pictures: PictureStore): { path: string; serve: MiddlewareHandler }[] {
  const serveFolder = (
    path: string,
    root: string,
    cacheControl: string,
    extraHeaders: Record<string, string> = {},
  ) =>
    existsSync(root)
      ? [{ path, serve: serveFiles(root, { "Cache-Control": cacheControl, ...extraHeaders }) }]
      : [];
  return [
    { path: "/images/:file{u-.+}", serve: serveUploaded(pictures) },
    ...serveFolder("/images/*", buildDir, immutable, crossOriginHeaders),
    ...serveFolder("/assets/:font{.+\\.woff2}", join(buildDir, "client"), immutable, fontHeaders),
    ...serveFolder("/assets/*", join(buildDir, "client"), immutable),
    ...serveFolder("/sw.js", join(buildDir, "client"), "no-cache", serviceWorkerHeaders),
    ...serveFolder("/admin-sw.js", join(buildDir, "client"), "no-cache"),
    ...serveFolder("/email-logo.png", join(buildDir, "client"), oneDay, crossOriginHeaders),
    ...serveFolder("/*", join(buildDir, "client"), oneDay),
  ];
}

function serveFiles(root: string, headers: Record<string, string>): MiddlewareHandler {
  const fileContexts = new WeakSet<Context>();
  const serve = serveStatic({ root, precompressed: true, onFound: (_path, c) => void fileContexts.add(c) });
  return async (c, next) => {
    const file = await serve(c, next);
    if (!file || !fileContexts.has(c)) return;
    c.set("route", "file");
    // Set on the response itself, which was created before `onFound` was called.
    for (const [name, value] of Object.entries(headers)) file.headers.set(name, value);
    // A cache that kept the refusal of a range would serve it to later requests.
    if (file.status >= 400) file.headers.set("Cache-Control", "no-store");
    return file;
  };
}

const typeByExtension: Record<string, string> = {
  ".avif": "image/avif",
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
};

function serveUploaded(pictures: PictureStore): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return next();
    const name = c.req.param("file") ?? "";
    const bytes = await pictures.size(name);
    if (bytes === null) return next();
    c.set("route", "file");
    return c.body(new Uint8Array(bytes), 200, {
      "Content-Type": typeByExtension[extname(name)] ?? "application/octet-stream",
      "Content-Length": String(bytes.byteLength),
      "Cache-Control": immutable,
      ...crossOriginHeaders,
    });
  };
}
