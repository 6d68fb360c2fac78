import { setTimeout as delay } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import routes from "../../app/routes.ts";
import { order } from "../../test/checkout.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import type { CachedPage } from "./cached-page.ts";
import { createCachedPages } from "./cached-pages.ts";
import { publicPaths, publicRoutes } from "./public-pages.ts";
import type { Pages } from "./render.ts";
import { isPanelRoute } from "./shop-manifest.ts";

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ METRICS_TOKEN: "metrics-token" });
});
afterAll(() => shop.stop());

const productPath = "/product/pure-batana-oil";

/** Number of pages rendered so far. */
async function renderCount(): Promise<number> {
  const headers = { Authorization: "Bearer metrics-token" };
  const text = await (await shop.browser().fetch("/metrics", { headers })).text();
  return Number(/^page_render_duration_seconds_count (\d+)/m.exec(text)?.[1]);
}

async function countRenders(act: () => Promise<unknown>): Promise<number> {
  const before = await renderCount();
  await act();
  return (await renderCount()) - before;
}

async function readBytes(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

describe("a public page", () => {
  test("has headers for caches and a Content-Length", async () => {
    for (const round of ["just rendered", "from the cache"]) {
      const response = await shop.browser().fetch("/");
      const { headers } = response;
      expect(headers.get("cache-control"), round).toBe(
        "public, max-age=0, s-maxage=60, stale-while-revalidate=300, stale-if-error=86400",
      );
      expect(headers.get("vary"), round).toBe("Accept-Encoding");
      expect(headers.get("etag"), round).toMatch(/^"[\w-]{22}"$/);
      expect(headers.get("x-frame-options"), round).toBe("DENY");
      expect(headers.get("content-security-policy"), round).toContain("script-src 'self' 'sha256-");
      expect(headers.has("set-cookie"), round).toBe(false);
      expect(Number(headers.get("content-length")), round).toBe((await readBytes(response)).length);
    }
  });

  test("is cached by the warm-up, before the first request", async () => {
    await shop.warmUp();
    const paths = publicPaths(["pure-batana-oil"]);
    expect(paths.length).toBe(2 * publicRoutes.length);
    const requestAll = async () => {
      for (const path of paths) {
        expect((await shop.browser().fetch(path)).status, path).toBe(200);
      }
    };
    expect(await countRenders(requestAll)).toBe(0);
  });

  test("is followed by a pause of the warm-up that is several times as long as its rendering, but less than seconds", async () => {
    const times: { startedAt: number; endedAt: number }[] = [];
    const rendering = async (path: string) => {
      const startedAt = performance.now();
      await delay(path === "/" ? 1_000 : 50);
      times.push({ startedAt, endedAt: performance.now() });
      return {} as CachedPage;
    };
    const cache = { peek: () => null, get: rendering };
    await createCachedPages({} as Pages, cache).warmUp(["/", "/cart", "/reviews"], () => false);
    const pauses = times.slice(1).map(({ startedAt }, at) => startedAt - (times[at]?.endedAt ?? 0));
    expect(pauses[0]).toBeLessThan(3_000);
    expect(pauses[1]).toBeGreaterThan(3 * 50);
  });

  test("has a new request id with each response", async () => {
    const ids = [];
    for (let time = 0; time < 3; time += 1) {
      ids.push((await shop.browser().fetch("/")).headers.get("x-request-id"));
    }
    expect(new Set(ids).size).toBe(3);
  });

  test("is rendered once for concurrent requests", async () => {
    const requestAtOnce = () =>
      Promise.all(Array.from({ length: 40 }, () => shop.browser().fetch("/reviews?rating=3")));
    expect(await countRenders(requestAtOnce)).toBe(1);
  });

  test.each([
    ["br", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip;q=0.5", "gzip", gunzipSync],
    ["gzip;q=0", null, (body: Buffer) => body],
  ])("is compressed as Accept-Encoding %s asks, with a separate ETag", async (accepted, encoding, unpack) => {
    const plain = await shop.browser().fetch("/");
    const headers = { "Accept-Encoding": accepted };
    const compressed = await shop.browser().fetch("/", { headers });
    expect(compressed.headers.get("content-encoding")).toBe(encoding);
    expect(compressed.headers.get("etag") === plain.headers.get("etag")).toBe(encoding === null);
    const body = await readBytes(compressed);
    expect(compressed.headers.get("content-length")).toBe(String(body.length));
    expect(unpack(body).equals(await readBytes(plain))).toBe(true);
    const etag = compressed.headers.get("etag") ?? "";
    const again = await shop.browser().fetch("/", { headers: { ...headers, "If-None-Match": etag } });
    expect(again.status).toBe(304);
  });

  test("returns 304 to a client with a current copy", async () => {
    const first = await shop.browser().fetch("/");
    const etag = first.headers.get("etag") ?? "";
    const requestIfNoneMatch = (ifNoneMatch: string) =>
      shop.browser().fetch("/", { headers: { "If-None-Match": ifNoneMatch } });
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await requestIfNoneMatch(match);
      expect([response.status, response.headers.get("etag"), await response.text()], match).toEqual([
        304,
        etag,
        "",
      ]);
      expect(response.headers.get("content-security-policy"), match).toBe(
        first.headers.get("content-security-policy"),
      );
      expect(response.headers.has("content-length"), match).toBe(false);
    }
    for (const other of ['"other"', "", "nonsense", etag.replace(/"$/, '-br"')]) {
      expect((await requestIfNoneMatch(other)).status, other).toBe(200);
    }
  });

  test("responds to HEAD as to GET, without a body", async () => {
    for (const path of ["/", productPath]) {
      const [head, get] = [
        await shop.browser().fetch(path, { method: "HEAD" }),
        await shop.browser().fetch(path),
      ];
      expect(await head.text()).toBe("");
      for (const name of ["etag", "content-length", "content-type", "cache-control"]) {
        expect(head.headers.get(name), name).toBe(get.headers.get(name));
      }
    }
  });

  test("ignores unknown query parameters and foreign headers, and is cached once for all of them", async () => {
    await shop.browser().fetch(productPath);
    const renders = await countRenders(async () => {
      for (let visit = 0; visit < 20; visit += 1) {
        const headers = { Host: "evil.example", "X-Forwarded-Host": "evil.example", "User-Agent": "evil" };
        const page = await shop.browser().fetch(`${productPath}?utm_source=evil${visit}`, { headers });
        expect(await page.text()).not.toContain("evil");
      }
    });
    expect(renders).toBe(0);
  });

  test("is rendered again only when its data has changed", async () => {
    const { pool } = shop.database;
    const readText = async (path: string) => (await shop.browser().fetch(path)).text();
    for (const path of ["/", productPath, "/cart"]) await readText(path);
    await pool.query("update products set price_cents = 3195 where id = 1");
    await expect.poll(() => readText(productPath)).toContain("$31.95");
    expect(await readText("/")).toContain("$31.95");
    await pool.query("update products set price_cents = 2995 where id = 1");
    await expect.poll(() => readText(productPath)).toContain("$29.95");
    for (const path of ["/", productPath, "/cart"]) await readText(path);

    // The cart page shows no product's stock.
    await pool.query("update stock set on_hand = 4 where product_id = 1");
    await expect.poll(() => countRenders(() => readText(productPath))).toBe(1);
    expect(await countRenders(() => readText("/cart"))).toBe(0);
    await pool.query("update stock set on_hand = 100 where product_id = 1");
    await expect.poll(() => countRenders(() => readText(productPath))).toBe(1);

    // Views do not cause a new rendering.
    expect(
      await countRenders(async () => {
        await shop.browser().post("/api/products/pure-batana-oil/views");
        await readText(productPath);
      }),
    ).toBe(0);
  });

  test("is never replaced by an older version", async () => {
    const { pool } = shop.database;
    const readPrice = async () =>
      /\$(\d\d)\.11/.exec(await (await shop.browser().fetch(productPath)).text())?.[1];
    for (let dollars = 40; dollars < 60; dollars += 1) {
      await pool.query("update products set price_cents = $1 where id = 1", [dollars * 100 + 11]);
      await Promise.all(Array.from({ length: 5 }, readPrice));
      await expect.poll(readPrice, { interval: 1 }).toBe(String(dollars));
      expect(new Set(await Promise.all(Array.from({ length: 5 }, readPrice)))).toEqual(
        new Set([String(dollars)]),
      );
    }
    await pool.query("update products set price_cents = 2995 where id = 1");
  });

  test("sends its data for client-side navigation with the same caching headers", async () => {
    const { headers, status } = await shop.browser().fetch(`${productPath}.data?_routes=routes%2Fproduct`);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toMatch(/^public, max-age=0/);
    expect(headers.get("etag")).toMatch(/^"/);
  });
});

describe("public and private pages", () => {
  /** Every route is listed as public or private, so that a new route needs a decision. */
  const privateRoutes = [
    "routes/checkout-success",
    "routes/orders",
    "routes/orders-find",
    "routes/order",
    "routes/account-orders",
    "routes/account",
    "routes/account-data",
    "routes/contact-sent",
    "routes/unsubscribe",
    "routes/account-file",
    "routes/cart-add",
    "routes/reviews-new",
    "routes/questions-new",
    "routes/reviews-helpful",
    "routes/order-again",
    "routes/back-in-stock",
    "routes/newsletter",
    "routes/sandbox-checkout",
    "routes/pay",
    "routes/not-found",
  ];
  /** All pages of the panel are private (see admin/gate.test.ts). */
  const isPrivate = (page: string) => privateRoutes.includes(page) || isPanelRoute(page);

  test("are a complete list of all routes, each either public or private", () => {
    type Route = (typeof routes)[number];
    const pages = (list: readonly Route[]): string[] =>
      list.flatMap((route) => (route.children ? pages(route.children) : [route.file.replace(/\.\w+$/, "")]));
    for (const page of pages(routes)) {
      const decisions = [publicRoutes.includes(page), isPrivate(page)].filter(Boolean);
      expect(decisions, `${page}: list it in public-pages.ts, or here as private`).toHaveLength(1);
    }
  });

  test("are the same for a buyer, the owner and a stranger if they are public", async () => {
    const { buyer, owner } = await buyerAndOwner();
    for (const path of ["/", productPath, "/cart", "/checkout", "/_.data"]) {
      const [firstPage, ...otherPages] = await Promise.all(
        [shop.browser(), buyer, owner].map(async (browser) => {
          const response = await browser.fetch(path);
          expect(response.headers.has("set-cookie"), path).toBe(false);
          return response.text();
        }),
      );
      for (const otherPage of otherPages) expect(otherPage, path).toBe(firstPage);
    }
  });

  test("are not served to other visitors if they are private", async () => {
    const { buyer, owner, orderId } = await buyerAndOwner();
    for (const path of ["/orders", `/orders/${orderId}`, "/admin", "/nothing", `${productPath}?review=1.2`]) {
      for (const browser of [buyer, owner, shop.browser()]) {
        const response = await browser.fetch(path);
        expect(response.headers.get("cache-control"), path).toBe("private, no-store");
        expect(response.headers.has("etag"), path).toBe(false);
      }
    }
    expect((await buyer.get(`/orders/${orderId}`)).status).toBe(200);
    expect((await shop.browser().get(`/orders/${orderId}`)).status).toBe(404);
  });

  test("never send a URL that may contain a token as the referrer", async () => {
    const { headers } = await shop.browser().fetch("/orders/find?token=secret");
    expect(headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin)$/);
  });

  async function buyerAndOwner(): Promise<{ buyer: TestBrowser; owner: TestBrowser; orderId: string }> {
    const [buyer, owner] = [shop.browser(), shop.browser()];
    const placed = await order(buyer);
    await owner.post("/api/admin/verify", { accessCode: "open-sesame-1234" });
    return { buyer, owner, orderId: placed.body.orderId };
  }
});

test("a page that fails because of an error in the shop does not blame the visitor's connection", async () => {
  const failingShop = await openTestShop();
  const visitor = failingShop.browser();
  const { orderId } = (await order(visitor)).body;
  await failingShop.database.pool.query("alter table order_lines rename to lost_lines");
  const page = await visitor.get(`/orders/${orderId}`);
  expect(page.status).toBe(500);
  expect(page.body).toContain("Something went wrong on our side.");
  expect(page.body).not.toMatch(/check your connection/i);
});

test("while the database is down cached pages are served and others return 503; afterwards all work again", async () => {
  const failingShop = await openTestShop();
  const browser = failingShop.browser();
  const home = await failingShop.browser().fetch("/");
  const visitor = failingShop.browser();
  await visitor.post("/api/cart/add", { productId: 1, quantity: 1 });
  await failingShop.database.goAway();
  // Cached data is used until the change feed reports its connection lost.
  await expect.poll(async () => (await browser.get(productPath)).status).toBe(503);
  for (let time = 0; time < 3; time += 1) {
    const fromCache = await browser.fetch("/");
    expect([fromCache.status, fromCache.headers.get("etag")]).toEqual([200, home.headers.get("etag")]);
  }
  for (const [path, client] of [
    [productPath, browser],
    ["/checkout", browser],
    ["/orders", browser],
    ["/orders", visitor],
  ] as const) {
    const page = await client.get(path);
    expect([page.status, page.headers.get("retry-after")], path).toEqual([503, "5"]);
    expect(page.headers.get("cache-control"), path).toMatch(/no-store$/);
    expect(page.body, path).toMatch(/be back in a moment|Checkout is paused for a moment/);
    expect(page.body, path).not.toMatch(/not found|check your connection/i);
  }
  expect((await browser.get("/no-such-page")).status).not.toBe(200);
  await failingShop.database.comeBack();
  await failingShop.database.pool.query("update products set price_cents = 4242 where id = 1");
  await expect.poll(async () => (await browser.get("/")).body).toContain("$42.42");
  expect((await browser.get(productPath)).status).toBe(200);
  expect((await visitor.get("/orders")).status).toBe(200);
  await failingShop.stop();
});
