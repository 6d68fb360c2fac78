import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseUrlOf, type RunningShop, startShop } from "../test/running-shop.ts";
import { look } from "./look.ts";
import { openShopper, shareBrowser } from "./shopper.ts";
import { fillAddress } from "./steps.ts";

shareBrowser();

let shop: RunningShop;
let pool: pg.Pool;
beforeAll(async () => {
  shop = await startShop({ TRUST_PROXY: "127.0.0.1" });
  const url = new URL(databaseUrlOf(shop.dataDir));
  url.pathname = "/postgres";
  pool = new pg.Pool({ connectionString: url.href, max: 1 });
});
afterAll(async () => {
  await pool.end();
  await shop.stop();
});

/** Cuts the shop off from its database: no connection stays, none is let in. */
async function goAway(): Promise<void> {
  await pool.query("alter database palmira allow_connections false");
  await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'palmira'");
  await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status).toBe(503);
}

async function comeBack(): Promise<void> {
  await pool.query("alter database palmira allow_connections true");
  await expect.poll(async () => (await fetch(`${shop.url}/readyz`)).status).toBe(200);
}

async function visit(page: Page, path: string): Promise<number | undefined> {
  return (await page.goto(shop.url + path))?.status();
}

describe("while the database is away", () => {
  test("the shop is looked at as ever, checkout says it is paused, and goes on by itself", async () => {
    const { page, expectComplaint } = await openShopper({ size: "phone", origins: [shop.url] });
    expectComplaint(/status of 503/);
    for (const path of ["/", "/product/pure-batana-oil", "/cart", "/checkout"]) await visit(page, path);
    await goAway();
    expect(await visit(page, "/")).toBe(200);
    // Pages that nobody has asked for before are there as well, and lead on to each other.
    expect(await visit(page, "/story")).toBe(200);
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
    await page.getByRole("heading", { name: /privacy/i, level: 1 }).waitFor();
    expect(await visit(page, "/product/pure-batana-oil")).toBe(200);
    await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
    expect(await visit(page, "/cart")).toBe(200);
    await page.getByText("$29.95").first().waitFor();
    expect(await visit(page, "/checkout")).toBe(200);
    const paused = page.getByText("Checkout is paused for a moment.");
    await paused.waitFor();
    await fillAddress(page);
    await page.getByRole("button", { name: /^Continue to Payment/ }).click();
    await page.getByText("Your cart is safe, your entries are kept, and nothing was charged.").waitFor();
    await look(page, "checkout-paused");
    await comeBack();
    await page.getByRole("button", { name: /^Continue to Payment/ }).click();
    await page.getByRole("heading", { name: "Payment Information" }).waitFor();
    await page.getByLabel("Card number").waitFor();
    expect(await paused.count()).toBe(0);
  });

  test("what only the database knows is put off, not called missing", async () => {
    const { page, expectComplaint } = await openShopper({ origins: [shop.url] });
    expectComplaint(/status of 503/);
    await goAway();
    expect(await visit(page, "/orders")).toBe(503);
    await page.getByRole("heading", { name: "We’ll be back in a moment" }).waitFor();
    await look(page, "away");
    await comeBack();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "My Orders" }).waitFor();
  });
});
