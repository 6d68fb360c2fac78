import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { MiddlewareHandler } from "hono";
import type { Product } from "../../domain/catalog/product.ts";
import { defaultPicture } from "../../domain/catalog/product-image.ts";
import { contentKeys, contentPages } from "../../domain/content/pages.ts";
import type { ShopSettings } from "../../domain/settings/settings.ts";
import { productCard, shareCardName } from "../../domain/site/share-card.ts";
import { pictureSizes } from "../catalog/pictures/sizes.ts";
import { readPageContent } from "../content/page-content.ts";
import type { ShopContext } from "../context.ts";
import { type Card, createCardCache } from "./cards.ts";
import { productFeed } from "./product-feed.ts";
import { type LastChanges, readLastChanges } from "./queries.ts";
import { productPages, sitemapXml } from "./sitemap.ts";

/**
 * All pages for search engines except products; each is in the sitemap and has a share card. `title` equals that of the
 * route's `meta` (checked by a test). `picture`: a master in `assets/images`.
 */
export const indexedPages: readonly IndexedPage[] = [
  { path: "/", title: "Cold-pressed batana oil for hair and skin", picture: "hero-bottle-on-stone.jpg" },
  { path: "/benefits", title: "Benefits of batana oil", picture: "bottle-oil-pool.jpg" },
  { path: "/story", title: "Our Story", picture: "story-palms-dawn.jpg" },
  { path: "/how-to-use", title: "How to use batana oil", picture: "oil-in-palm.jpg" },
  { path: "/reviews", title: "Customer Reviews", picture: "product-front.jpg" },
  { path: "/faq", title: "Questions about batana oil and your order", picture: "dropper-oil-drop.jpg" },
  { path: "/contact", title: "Get in Touch", picture: "bottle-in-hand.jpg" },
  { path: "/shipping-policy", title: "Shipping policy", picture: "open-parcel.jpg" },
  { path: "/returns-policy", title: "Returns policy", picture: "bottle-palm-fruit.jpg" },
  { path: "/privacy", title: "Privacy policy", picture: "bottle-palm-fruit.jpg" },
  { path: "/terms", title: "Terms of sale", picture: "bottle-palm-fruit.jpg" },
];

type IndexedPage = { path: string; title: string; picture: string };

type File = { type: string; maxAgeSeconds: number; body(): Promise<string> };

/** Generated files for search engines, browsers and link previews. Other requests fall through. */
export function siteFiles(ctx: ShopContext): { path: string; serve: MiddlewareHandler }[] {
  const { publicUrl } = ctx.config;
  const lastChanges = ctx.changes.cached(["catalog", "reviews"], () => readLastChanges(ctx.db));
  const files: Record<string, File> = {
    "/robots.txt": { type: "text/plain", maxAgeSeconds: 3600, body: async () => robotsTxt(publicUrl) },
    "/sitemap.xml": {
      type: "application/xml",
      maxAgeSeconds: 600,
      body: async () => sitemapXml(publicUrl, await allPages(ctx, lastChanges)),
    },
    "/products.xml": {
      type: "application/xml",
      maxAgeSeconds: 600,
      body: async () => productFeed(publicUrl, await ctx.products.list(), await ctx.settings()),
    },
    "/.well-known/security.txt": {
      type: "text/plain",
      maxAgeSeconds: 3600,
      body: async () => securityTxt(publicUrl, (await ctx.settings()).contact, ctx.now()),
    },
    "/site.webmanifest": {
      type: "application/manifest+json",
      maxAgeSeconds: 3600,
      body: async () => JSON.stringify(webManifest((await ctx.settings()).brandName)),
    },
    "/admin.webmanifest": {
      type: "application/manifest+json",
      maxAgeSeconds: 3600,
      body: async () => JSON.stringify(panelManifest((await ctx.settings()).brandName)),
    },
  };
  return [
    ...Object.entries(files).map(([path, file]) => ({ path, serve: serveText(file) })),
    { path: "/share/:file", serve: serveCards(ctx) },
  ];
}

function serveText({ type, maxAgeSeconds, body }: File): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return next();
    c.set("route", "file");
    return c.body(await body(), 200, {
      "Content-Type": `${type}; charset=utf-8`,
      "Cache-Control": `public, max-age=${maxAgeSeconds}`,
    });
  };
}

function serveCards(ctx: ShopContext): MiddlewareHandler {
  const readCard = createCardCache(
    join(ctx.config.dataDir, "share"),
    (name) => findCard(ctx, name),
    (err) => ctx.log.warn({ err }, "a share card cannot be stored in DATA_DIR"),
  );
  return async (c, next) => {
    const card = await readCard(c.req.param("file") ?? "");
    if (!card) return next();
    c.set("route", "file");
    if (!card.found) {
      c.header("Cache-Control", "public, max-age=600");
      return c.redirect(card.movedTo, 302);
    }
    return c.body(new Uint8Array(card.jpeg), 200, {
      "Content-Type": "image/jpeg",
      // Other sites embed it beside links to the shop.
      "Cross-Origin-Resource-Policy": "cross-origin",
      "Content-Length": String(card.jpeg.byteLength),
      "Cache-Control": "public, max-age=31536000, immutable",
    });
  };
}

async function allPages(ctx: ShopContext, lastChanges: () => Promise<LastChanges>) {
  const [products, changes, publishedAt] = await Promise.all([
    ctx.products.list(),
    lastChanges(),
    readPublishDates(ctx),
  ]);
  const staticPages = indexedPages.map(({ path, picture }) => ({
    path,
    changedAt: path === "/reviews" ? changes.reviews : (publishedAt.get(path) ?? null),
    images: [pictureUrl(picture)],
  }));
  return [...staticPages, ...productPages(products, changes)];
}

/** When the owner last published a page's text, by path; null for default texts. */
async function readPublishDates({ content }: ShopContext): Promise<Map<string, Date | null>> {
  return new Map(
    await Promise.all(
      contentKeys.map(async (key) => [contentPages[key].path, (await content(key)).publishedAt] as const),
    ),
  );
}

/** The card of this name; null if there is none. */
async function findCard(ctx: ShopContext, name: string): Promise<Card | null> {
  const photographReader = (url: string) => () => readPicture(ctx, url);
  const page = indexedPages.find(({ path }) => shareCardName(path) === name);
  if (page)
    return {
      path: page.path,
      lines: [await readTitle(ctx, page)],
      photograph: photographReader(pictureUrl(page.picture)),
    };
  const productPath = ({ slug }: Product) => `/product/${slug}`;
  const product = (await ctx.products.list()).find(
    (candidate) => shareCardName(productPath(candidate)) === name,
  );
  if (!product) return null;
  const card = productCard(product);
  const photograph = photographReader(card.picture ?? pictureUrl(defaultPicture));
  return { path: productPath(product), ...card, photograph };
}

/** The page's title, which the owner may have edited. */
async function readTitle(ctx: ShopContext, { path, title }: IndexedPage): Promise<string> {
  const key = contentKeys.find(
    (contentKey) => contentPages[contentKey].path === path && contentPages[contentKey].kind !== "faq",
  );
  return key === undefined ? title : (await readPageContent(ctx, key)).head.title;
}

/** URL of a picture in `assets/images`. */
const pictureUrl = (file: string) => pictureSizes({ file, alt: "", width: null, height: null }).url;

/** Reads the picture at a URL, or the default picture if it is missing. */
async function readPicture({ buildDir, pictures }: ShopContext, url: string): Promise<Buffer> {
  const uploaded = url.startsWith("/images/u-") ? await pictures.size(basename(url)) : null;
  if (uploaded) return uploaded;
  return readFile(join(buildDir, url.startsWith("/images/u-") ? pictureUrl(defaultPicture) : url));
}

const dayMs = 86_400_000;
const securityTxtDays = 180;

/** Excludes only API calls. Private pages are crawled, because their `noindex` has to be read. */
function robotsTxt(publicUrl: string): string {
  return [
    "User-agent: *",
    "Disallow: /api/",
    "Allow: /api/docs",
    "",
    `Sitemap: ${publicUrl}/sitemap.xml`,
    "",
  ].join("\n");
}

/** RFC 9116. `Expires` is computed from the current day, so the file changes only once a day. */
function securityTxt(publicUrl: string, contact: ShopSettings["contact"], now: Date): string {
  const expiresAt = new Date((Math.floor(now.getTime() / dayMs) + securityTxtDays) * dayMs);
  return [
    `Contact: ${contact.email === null ? `${publicUrl}/contact` : `mailto:${contact.email}`}`,
    `Expires: ${expiresAt.toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
}

const icon = (file: string, size: number, purpose: string) => ({
  src: `/${file}`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

const appearance = {
  lang: "en",
  background_color: "#FBF7EF",
  theme_color: "#FBF7EF",
  icons: [
    { src: "/favicon.svg", type: "image/svg+xml", sizes: "any" },
    icon("icon-192.png", 192, "any"),
    icon("icon-512.png", 512, "any"),
    icon("icon-maskable-512.png", 512, "maskable"),
  ],
};

function webManifest(brandName: string): unknown {
  return {
    id: "/",
    name: brandName,
    short_name: brandName,
    start_url: "/",
    scope: "/",
    display: "browser",
    ...appearance,
  };
}

/** Manifest of the panel as an installable app: iPhones deliver notifications only to those. */
function panelManifest(brandName: string): unknown {
  return {
    id: "/admin",
    name: `${brandName} Admin`,
    short_name: brandName,
    start_url: "/admin",
    scope: "/admin",
    display: "standalone",
    ...appearance,
  };
}
