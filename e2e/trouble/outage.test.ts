import pg from "pg";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { publicPaths } from "../../server/pages/public-pages.ts";
import { type RunningShop, readDatabaseUrl, startShop } from "../../test/running-shop.ts";
import { look } from "../look.ts";
import { openShopper, shareBrowser } from "../shopper.ts";
import { fillAddress } from "../steps.ts";

shareBrowser();

let shop: RunningShop;
let pool: pg.Pool;
beforeAll(async () => {
  shop = await startShop({ TRUST_PROXY: "127.0.0.1", METRICS_TOKEN: "outage" });
  const url = new URL(readDatabaseUrl(shop.dataDir));
  url.pathname = "/postgres";
  pool = new pg.Pool({ connectionString: url.href, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await shop.stop();
});

/** Waits until the shop has rendered its public pages, which happens in the background after its start. */
async function waitForPages(): Promise<void> {
  const countCachedPages = async () => {
    const response = await fetch(`${shop.url}/metrics`, { headers: { Authorization: "Bearer outage" } });
    return Number(/^page_render_duration_seconds_count\S* (\d+)$/m.exec(await response.text())?.[1] ?? 0);
  };
  await expect.poll(countCachedPages).toBeGreaterThanOrEqual(publicPaths(["pure-batana-oil"]).length);
}

/** Cuts the shop off from its database: no connection stays, none is let in. */
async function cutDatabase(): Promise<void> {
  await waitForPages();
  await pool.query("alter database palmira allow_connections false");
  await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'palmira'");
  await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status).toBe(503);
}

async function restoreDatabase(): Promise<void> {
  await pool.query("alter database palmira allow_connections true");
  await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status).toBe(200);
}

async function visit(page: Page, path: string): Promise<number | undefined> {
  return (await page.goto(shop.url + path))?.status();
}

describe("while the database is unavailable", () => {
  test("pages open as usual; checkout reports that it is paused, and resumes automatically", async () => {
    const { page, expectComplaint } = await openShopper({ size: "phone", origins: [shop.url] });
    expectComplaint(/status of 503/);
    for (const path of ["/", "/product/pure-batana-oil", "/cart", "/checkout"]) await visit(page, path);
    await cutDatabase();
    expect(await visit(page, "/")).toBe(200);
    // Pages that were never requested before are available as well, and link to each other.
    expect(await visit(page, "/story")).toBe(200);
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
    await page.getByRole("heading", { name: /privacy/i, level: 1 }).waitFor();
    expect(await visit(page, "/product/pure-batana-oil")).toBe(200);
    await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
    expect(await visit(page, "/cart")).toBe(200);
    await page.getByText("$29.95").first().waitFor();
    expect(await visit(page, "/checkout")).toBe(200);
    const pausedNotice = page.getByText("Checkout is paused for a moment.");
    await pausedNotice.waitFor();
    await fillAddress(page);
    await page.getByRole("button", { name: /^Continue to Payment/ }).click();
    await page.getByText("Your cart is safe, what you entered is saved, and nothing was charged.").waitFor();
    await look(page, "checkout-paused");
    await restoreDatabase();
    await page.getByRole("button", { name: /^Continue to Payment/ }).click();
    await page.getByRole("heading", { name: "Payment Information" }).waitFor();
    await page.getByLabel("Card number").waitFor();
    expect(await pausedNotice.count()).toBe(0);
  });

  test("pages that need the database ask the visitor to wait instead of returning 404", async () => {
    const { page, expectComplaint } = await openShopper({ origins: [shop.url] });
    expectComplaint(/status of 503/);
    await cutDatabase();
    expect(await visit(page, "/orders")).toBe(503);
    await page.getByRole("heading", { name: "We’ll be back in a moment" }).waitFor();
    await look(page, "away");
    await restoreDatabase();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "My Orders" }).waitFor();
  });
});

test("pages whose reviews cannot be loaded show an error, and can load them again", async () => {
  const connectionString = readDatabaseUrl(shop.dataDir);
  const shopPool = new pg.Pool({ connectionString, max: 1 });
  onTestFinished(() => shopPool.end());
  await shopPool.query("alter table reviews rename to reviews_elsewhere");
  // A new server, since one that has rendered a page before would serve it from its cache.
  const newServer = await startShop({ DATABASE_URL: connectionString });
  onTestFinished(() => newServer.stop());

  const { page, expectComplaint } = await openShopper({ origins: [newServer.url] });
  expectComplaint(/status of 500/);
  await page.clock.install();
  await page.goto(`${newServer.url}/reviews`);
  await page.getByRole("heading", { name: "Error Loading Reviews" }).waitFor();
  await page.getByText("We couldn’t load the reviews. Please try again later.").waitFor();
  await look(page, "reviews-unread");
  // When its reviews are near the screen, the home page requests them again: once, then after one, two and four seconds.
  // The earlier screenshot may already have scrolled them near. The page's clock may run ahead of a busy server, so requests
  // that time out without a response count, too.
  let failures = 0;
  const countFailure = (request: Request) => {
    if (request.url().includes("/api/reviews")) failures += 1;
  };
  page.on("requestfinished", countFailure);
  page.on("requestfailed", countFailure);
  await page.getByRole("link", { name: "Return to Home" }).click();

  const section = page.locator("#reviews");
  await section.getByRole("heading", { name: "Unable to load reviews" }).waitFor();
  await section.getByText("This might be due to a network issue.").waitFor();
  await look(page, "home-reviews-unread");
  await section.scrollIntoViewIfNeeded();
  const countRequests = async () => {
    await page.clock.runFor(500);
    return failures;
  };
  await expect.poll(countRequests, { interval: 10 }).toBe(4);
  await shopPool.query("alter table reviews_elsewhere rename to reviews");
  await section.getByRole("button", { name: "Try Again" }).click();
  await section.getByText("Be the first to share your experience with the product!").waitFor();
});
