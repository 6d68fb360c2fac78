import { eq } from "drizzle-orm";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { products } from "../../server/catalog/tables.ts";
import { settings } from "../../server/settings/tables.ts";
import { readHead } from "../../test/page-head.ts";
import { openTestShop } from "../../test/shop.ts";
import routes from "../routes.ts";

const publicUrl = "https://shop.example";
const shop = await openTestShop({ PUBLIC_URL: publicUrl, PAYMENTS: "sandbox" });
afterAll(() => shop.stop());

const open = async (path: string) => {
  const { status, body, headers } = await shop.browser().get(path);
  return { path, status, headers, html: String(body), head: readHead(String(body)) };
};

/** All paths of the site without parameters. */
function allPaths(table: typeof routes = routes, parent = ""): string[] {
  return table.flatMap(({ path, children }) => {
    const full = path === undefined ? parent : `${parent}/${path}`;
    return [...(children ? [] : [full || "/"]), ...(children ? allPaths(children, full) : [])];
  });
}

async function sitemapPaths(): Promise<string[]> {
  const { body } = await shop.browser().get("/sitemap.xml");
  return [...body.matchAll(/<url><loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => url.slice(publicUrl.length));
}

test("every page of the site is either in the sitemap or hidden from search engines", async () => {
  const indexedPaths = await sitemapPaths();
  for (const path of allPaths().filter((path) => !/[:*]/.test(path))) {
    const { status, head } = await open(path);
    if (status >= 300 && status < 400) continue;
    const robots = head.metas.get("robots") ?? [];
    if (indexedPaths.includes(path)) expect(robots, path).toEqual(["max-image-preview:large"]);
    else expect(robots, path).toEqual(["noindex"]);
  }
});

describe("every page in the sitemap", () => {
  const openSitemapPages = async () => Promise.all((await sitemapPaths()).map(open));

  test("is in English, and has one title, one description and its own canonical URL", async () => {
    for (const { path, status, head } of await openSitemapPages()) {
      expect(status, path).toBe(200);
      expect(head.lang, path).toBe("en");
      expect(head.titles, path).toHaveLength(1);
      expect(head.titles[0], path).toMatch(/^.{4,60} · Palmira$/);
      expect(head.canonicals, path).toEqual([publicUrl + path]);
      const [description = "", ...others] = head.metas.get("description") ?? [];
      expect(others, path).toEqual([]);
      expect(description.length, `${path}: ${description}`).toBeGreaterThanOrEqual(50);
      expect(description.length, `${path}: ${description}`).toBeLessThanOrEqual(160);
      expect(description, path).not.toMatch(/[<>]|\s{2}/);
      for (const [name, values] of head.metas) expect(values, `${path} ${name}`).toHaveLength(1);
    }
  });

  test("has a unique title, description and share picture", async () => {
    const heads = (await openSitemapPages()).map(({ head }) => head);
    for (const read of [
      (head: (typeof heads)[number]) => head.titles[0],
      (head: (typeof heads)[number]) => head.metas.get("description")?.[0],
      (head: (typeof heads)[number]) => head.metas.get("og:image")?.[0],
    ]) {
      expect(new Set(heads.map(read)).size).toBe(heads.length);
    }
  });

  test("repeats its title, description and URL in its Open Graph and Twitter tags", async () => {
    for (const { path, head } of await openSitemapPages()) {
      const meta = (name: string) => head.metas.get(name)?.[0];
      expect(meta("og:url"), path).toBe(head.canonicals[0]);
      expect(head.titles[0], path).toBe(`${meta("og:title")} · Palmira`);
      expect(meta("og:description"), path).toBe(meta("description"));
      expect(meta("og:site_name"), path).toBe("Palmira");
      expect(meta("og:image:alt"), path).toBeTruthy();
      expect(meta("twitter:card"), path).toBe("summary_large_image");
      expect(meta("twitter:image"), path).toBe(meta("og:image"));
    }
  });

  test("has a share card, to which the card URLs of former versions redirect", async () => {
    for (const { path, head } of await openSitemapPages()) {
      const imageUrl = head.metas.get("og:image")?.[0] ?? "";
      expect(imageUrl, path).toMatch(/^https:\/\/shop\.example\/share\//);
      // A card whose text on the server differs from the page's would redirect to another URL.
      const { pathname } = new URL(imageUrl);
      const former = pathname.replace(/\.\w+\.jpg$/, ".former.jpg");
      const { status, headers } = await shop.browser().get(former);
      expect([status, headers.get("location")], path).toEqual([302, pathname]);
    }
  });
});

// Drawing a card takes half a second of a core, so only a product's and one other page's are tested.
test.each(["/product/pure-batana-oil", "/story"])(
  "the share card of %s has the size that the page states",
  async (path) => {
    const { head } = await open(path);
    const imageUrl = head.metas.get("og:image")?.[0] ?? "";
    const response = await shop.browser().fetch(new URL(imageUrl).pathname);
    expect(response.status).toBe(200);
    const { width, height, format } = await sharp(await response.arrayBuffer()).metadata();
    expect({ width: String(width), height: String(height), format }).toEqual({
      width: head.metas.get("og:image:width")?.[0],
      height: head.metas.get("og:image:height")?.[0],
      format: "jpeg",
    });
  },
);

test("page titles end with the brand name from the settings", async () => {
  await shop.database.db.insert(settings).values({ key: "brandName", value: "Batana <Co>" });
  await expect.poll(async () => (await open("/cart")).head.titles).toEqual(["Your Cart · Batana <Co>"]);
  const { head } = await open("/");
  expect(head.metas.get("og:site_name")).toEqual(["Batana <Co>"]);
  await shop.database.db.delete(settings);
  await expect.poll(async () => (await open("/cart")).head.titles).toEqual(["Your Cart · Palmira"]);
});

describe("a missing page", () => {
  test.each(["/nothing", "/index.html", "/product/nothing", "/product/nothing/more", "/%2f%2fevil.example/"])(
    "returns 404 and is not indexed: %s",
    async (path) => {
      const { status, head } = await open(path);
      expect(status).toBe(404);
      expect(head.metas.get("robots")).toEqual(["noindex"]);
      expect(head.canonicals).toEqual([]);
      expect(head.things).toEqual([]);
    },
  );

  test("of a product that was withdrawn from sale returns 410, with an explanation and a link home", async () => {
    const { db } = shop.database;
    await db.update(products).set({ published: false }).where(eq(products.id, 1));
    await expect.poll(async () => (await open("/product/pure-batana-oil")).status).toBe(410);
    const { html, head } = await open("/product/pure-batana-oil");
    expect(html).toContain("Product Not Found");
    expect(html).toContain("Orders placed for it are not affected.");
    expect(html).toContain("Return to Home");
    expect(head.metas.get("robots")).toEqual(["noindex"]);
    expect(head.canonicals).toEqual([]);
    await db.update(products).set({ published: true }).where(eq(products.id, 1));
    await expect.poll(async () => (await open("/product/pure-batana-oil")).status).toBe(200);
  });
});

describe("a URL with capitals, a final slash or extra slashes", () => {
  test.each([
    ["/Product/PURE-Batana-Oil?Ref=A", "/product/pure-batana-oil?Ref=A"],
    ["/cart/", "/cart"],
    ["/CART/?utm_source=Letter", "/cart?utm_source=Letter"],
  ])("redirects permanently: %s to %s", async (path, canonical) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await shop.browser().fetch(path, { method });
      expect(response.status).toBe(301);
      expect(response.headers.get("location")).toBe(canonical);
    }
  });

  test("is not redirected for POST requests or under /api", async () => {
    expect((await shop.browser().fetch("/Cart/", { method: "POST" })).status).not.toBe(301);
    expect((await shop.browser().get("/api/Products/")).status).toBe(404);
  });

  test.each(["//evil.example/", "/%5cevil.example/", "/%2F%2Fevil.example/", "/\\evil.example/"])(
    "never redirects to another host: %s",
    async (path) => {
      const response = await shop.app.request(`${publicUrl}${path}`);
      expect(response.headers.get("location")).toBeNull();
      expect(response.status).toBe(404);
    },
  );

  test("finds the product in the API, in upper or lower case", async () => {
    expect((await shop.browser().get("/api/products/Pure-Batana-OIL")).body.data.id).toBe(1);
  });
});
