import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { productCard, shareCardPath } from "../../domain/site/share-card.ts";
import { insertReviews } from "../../test/reviews.ts";
import { openTestShop, type TestShop } from "../../test/shop.ts";
import { products } from "../catalog/tables.ts";
import { reviews } from "../reviews/tables.ts";
import { settings } from "../settings/tables.ts";

const publicUrl = "https://shop.example";
let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ PUBLIC_URL: publicUrl, PAYMENTS: "sandbox" });
});
afterAll(() => shop.stop());

const readPath = (path: string) => shop.browser().get(path);

describe("the sitemap", () => {
  const readSitemapEntry = async (path: string) => {
    const { body } = await readPath("/sitemap.xml");
    return /<url><loc>([^<]+)<\/loc>.*<\/url>/g
      [Symbol.matchAll](body)
      .map(([entry, path]) => ({ entry, address: path }))
      .find(({ address: pagePath }) => pagePath === publicUrl + path)?.entry;
  };
  const readLastmod = async (path: string) =>
    /<lastmod>(.+)<\/lastmod>/.exec((await readSitemapEntry(path)) ?? "")?.[1];

  test("lists pages and products with their pictures, under the shop's public URL", async () => {
    const { status, headers, body } = await readPath("/sitemap.xml");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/xml; charset=utf-8");
    expect(body).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org/,
    );
    expect(await readSitemapEntry("/")).toContain(`<image:loc>${publicUrl}/images/hero-bottle-on-stone-`);
    expect((await readSitemapEntry("/product/pure-batana-oil"))?.match(/<image:image>/g)).toHaveLength(8);
    expect(body).not.toMatch(/localhost|\/cart|\/orders|\/admin|\/checkout/);
  });

  test("dates a product by its last change and its newest review, whichever is later", async () => {
    const { db } = shop.database;
    const path = "/product/pure-batana-oil";
    const before = (await readLastmod(path)) ?? "";
    await db.update(products).set({ viewCount: 5 }).where(eq(products.id, 1));
    expect(await readLastmod(path)).toBe(before);
    await db.update(products).set({ priceCents: 3095 }).where(eq(products.id, 1));
    await expect.poll(async () => ((await readLastmod(path)) ?? "") > before).toBe(true);
    await insertReviews(shop, 5);
    await db.update(reviews).set({ createdAt: new Date("2099-05-06T07:08:09Z") });
    await expect.poll(() => readLastmod(path)).toBe("2099-05-06T07:08:09.000Z");
    await db.delete(reviews);
    await db.update(products).set({ priceCents: 2995 }).where(eq(products.id, 1));
  });

  test("leaves out unpublished products", async () => {
    const { db } = shop.database;
    await db.update(products).set({ published: false }).where(eq(products.id, 1));
    await expect.poll(() => readSitemapEntry("/product/pure-batana-oil")).toBeUndefined();
    await db.update(products).set({ published: true }).where(eq(products.id, 1));
    await expect.poll(() => readSitemapEntry("/product/pure-batana-oil")).toBeDefined();
  });
});

test("a range that a file does not have is refused without being cached", async () => {
  const headers = { Range: "bytes=999999-" };
  const response = await shop.browser().fetch("/email-logo.png", { headers });
  expect([response.status, response.headers.get("cache-control")]).toEqual([416, "no-store"]);
});

test("robots.txt excludes API calls and names the sitemap, and private pages are noindex", async () => {
  const { status, headers, body } = await readPath("/robots.txt");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const lines = body.split("\n");
  expect(lines[0]).toBe("User-agent: *");
  // Robots must be allowed to read a page to see that it is noindex.
  expect(lines.filter((line: string) => line.startsWith("Disallow:"))).toEqual(["Disallow: /api/"]);
  for (const path of [
    "/admin",
    "/cart",
    "/checkout",
    "/account",
    "/orders",
    "/unsubscribe",
    "/contact-simple",
  ])
    expect((await readPath(path)).body, path).toContain('<meta name="robots" content="noindex"');
  expect(lines).toContain(`Sitemap: ${publicUrl}/sitemap.xml`);
});

test("the product feed has the fields that Google Merchant Center requires, and GTIN and SKU once the owner has entered them", async () => {
  const { db } = shop.database;
  const readFeed = async (): Promise<string> => (await readPath("/products.xml")).body;
  const before = await readFeed();
  for (const part of [
    "<g:id>pure-batana-oil</g:id>",
    `<g:link>${publicUrl}/product/pure-batana-oil</g:link>`,
    `<g:image_link>${publicUrl}/images/product-front-`,
    "<g:availability>in_stock</g:availability>",
    "<g:price>29.95 USD</g:price>",
    "<g:brand>Palmira</g:brand>",
    "<g:identifier_exists>no</g:identifier_exists>",
    "<g:shipping><g:country>US</g:country><g:service>Standard</g:service><g:price>5.95 USD</g:price></g:shipping>",
  ])
    expect(before).toContain(part);
  await db.update(products).set({ name: "Oil <& more>", gtin: "4006381333931" }).where(eq(products.id, 1));
  await expect.poll(readFeed).toContain("<g:gtin>4006381333931</g:gtin>");
  expect(await readFeed()).toContain("<g:title>Oil &#60;&#38; more&#62;</g:title>");
  expect(await readFeed()).not.toContain("identifier_exists");
  await db.update(products).set({ name: "Pure Batana Oil", gtin: null }).where(eq(products.id, 1));
  await expect.poll(readFeed).toBe(before);
});

describe("security.txt", () => {
  const readFields = async () => {
    const { headers, body } = await readPath("/.well-known/security.txt");
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    return new Map<string, string>(
      body
        .trim()
        .split("\n")
        .map((line: string) => line.split(/: (.*)/)),
    );
  };

  test("has the fields of RFC 9116, and expires within a year", async () => {
    const values = await readFields();
    expect(values.get("Contact")).toBe(`${publicUrl}/contact`);
    expect(values.get("Canonical")).toBe(`${publicUrl}/.well-known/security.txt`);
    expect(values.get("Preferred-Languages")).toBe("en");
    const daysLeft = (Date.parse(values.get("Expires") ?? "") - Date.now()) / 86_400_000;
    expect(daysLeft).toBeGreaterThan(30);
    expect(daysLeft).toBeLessThan(365);
  });

  test("has an expiry date that advances every day", async () => {
    const before = (await readFields()).get("Expires") ?? "";
    shop.travel(40 * 86_400_000);
    expect(((await readFields()).get("Expires") ?? "") > before).toBe(true);
  });

  test("names the owner's address once it is set", async () => {
    const value = { email: "owner@shop.example", phone: null, location: null };
    await shop.database.db.insert(settings).values({ key: "contact", value });
    await expect.poll(async () => (await readFields()).get("Contact")).toBe("mailto:owner@shop.example");
    await shop.database.db.delete(settings);
  });
});

test("the web manifest has the brand's name, and its icons exist in the sizes it names", async () => {
  await shop.database.db.insert(settings).values({ key: "brandName", value: "Batana & Co" });
  const manifest = async () => JSON.parse(await (await shop.browser().fetch("/site.webmanifest")).text());
  await expect.poll(async () => (await manifest()).name).toBe("Batana & Co");
  await shop.database.db.delete(settings);
  const { icons } = await manifest();
  expect(icons.map(({ sizes, purpose }: { sizes: string; purpose?: string }) => [sizes, purpose])).toEqual([
    ["any", undefined],
    ["192x192", "any"],
    ["512x512", "any"],
    ["512x512", "maskable"],
  ]);
  for (const { src, type, sizes } of icons) {
    const response = await shop.browser().fetch(src);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain(type);
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    if (sizes !== "any") expect(`${width}x${height}`).toBe(sizes);
  }
  for (const file of ["/favicon.ico", "/apple-touch-icon.png"]) {
    expect((await shop.browser().fetch(file)).status).toBe(200);
  }
});

describe("share cards", () => {
  const cardPath = async () => {
    const { body } = await readPath("/api/products/pure-batana-oil");
    return shareCardPath("/product/pure-batana-oil", productCard(body.data));
  };
  const listCardFiles = () => readdirSync(join(shop.dataDir, "share"));

  test("are drawn once, in the size of previews, and cached", async () => {
    const path = await cardPath();
    const responses = await Promise.all([1, 2, 3].map(() => shop.browser().fetch(path)));
    const pictures = await Promise.all(
      responses.map(async (response) => Buffer.from(await response.arrayBuffer())),
    );
    expect(pictures[1]?.equals(pictures[0] ?? Buffer.alloc(0))).toBe(true);
    expect(pictures[0]?.byteLength).toBeLessThan(300_000);
    expect(await sharp(pictures[0]).metadata()).toMatchObject({ format: "jpeg", width: 1200, height: 630 });
    expect(responses[0]?.headers.get("content-type")).toBe("image/jpeg");
    expect(responses[0]?.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(listCardFiles()).toEqual([path.replace("/share/", "")]);
  });

  test("change with the price, and old links redirect to them", async () => {
    const { db } = shop.database;
    const before = await cardPath();
    const drawnBefore = await (await shop.browser().fetch(before)).arrayBuffer();
    await db.update(products).set({ priceCents: 12_345 }).where(eq(products.id, 1));
    await expect.poll(cardPath).not.toBe(before);
    const after = await cardPath();
    // Left by a process that was killed, of any card.
    const half = join(shop.dataDir, "share", ".contact.0123abcd.jpg.half");
    writeFileSync(half, "half");
    utimesSync(half, 0, 0);
    const redirect = await shop.browser().fetch(before);
    expect(redirect.status).toBe(302);
    expect(redirect.headers.get("location")).toBe(after);
    expect(redirect.headers.get("cache-control")).not.toContain("immutable");
    const drawnAfter = await (await shop.browser().fetch(after)).arrayBuffer();
    expect(Buffer.from(drawnAfter).equals(Buffer.from(drawnBefore))).toBe(false);
    expect(listCardFiles()).toEqual([after.replace("/share/", "")]);
    await db.update(products).set({ priceCents: 2995 }).where(eq(products.id, 1));
  });

  test("work with long names in any script", async () => {
    const { db } = shop.database;
    const name = `Öl <b>&</b> "${"sehr ".repeat(10)}${"W".repeat(45)} 油 \u{1f334}`;
    await db.update(products).set({ name }).where(eq(products.id, 1));
    await expect
      .poll(async () => (await readPath("/api/products/pure-batana-oil")).body.data.name)
      .toBe(name);
    expect((await shop.browser().fetch(await cardPath())).status).toBe(200);
    await db.update(products).set({ name: "Pure Batana Oil" }).where(eq(products.id, 1));
    await expect
      .poll(async () => (await readPath("/api/products/pure-batana-oil")).body.data.name)
      .not.toBe(name);
  });

  test("are served without a database if their page needs none; other requests return 503 rather than 404", async () => {
    const path = shareCardPath("/contact", { lines: ["Get in Touch"] });
    await shop.database.goAway();
    expect((await shop.browser().fetch(path)).status).toBe(200);
    expect((await shop.browser().fetch("/robots.txt")).status).toBe(200);
    expect((await shop.browser().fetch("/sitemap.xml")).status).toBe(503);
    expect((await shop.browser().fetch("/share/product-pure-batana-oil.1.jpg")).status).toBe(503);
    await shop.database.comeBack();
    await expect.poll(async () => (await shop.browser().fetch("/sitemap.xml")).status).toBe(200);
  });

  test.each(["nothing.1abc.jpg", "..%2F..%2Fetc%2Fpasswd", "home", "admin.1.jpg"])(
    "are not drawn for %s",
    async (file) => {
      expect((await shop.browser().fetch(`/share/${file}`)).status).not.toBe(200);
    },
  );
});
