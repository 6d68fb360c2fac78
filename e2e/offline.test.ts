import { expect, test } from "vitest";
import { soon } from "../test/patience.ts";
import { look } from "./look.ts";
import { openOwner } from "./owner.ts";
import { at, openShopper, shareBrowser, sizes } from "./shopper.ts";

shareBrowser();

test("offline, visited pages and the cart open, other pages state that the browser is offline, and all recover automatically", async () => {
  const { page, context, expectComplaint } = await openShopper({ size: "phone", keepsPages: true });
  // Pictures that are not in the cache.
  expectComplaint(/ERR_INTERNET_DISCONNECTED|ERR_CACHE_MISS/);
  await page.goto(at("/story"));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  // Pages are cached whether they are opened by address or, like the returns policy, by a link within the shop.
  await page.goto(at("/product/pure-batana-oil"));
  await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
  await page.getByText("Added to cart").first().waitFor();
  await page.goto(at("/checkout"));
  await page.goto(at("/orders"));
  await page.goto(at("/contact"));
  await page.getByRole("contentinfo").getByRole("link", { name: "Returns" }).click();
  await page.getByRole("heading", { name: "Returns policy" }).waitFor();
  const cachedPages = () =>
    page.evaluate(async () =>
      (await (await caches.open("visited")).keys()).map(({ url }) => new URL(url).pathname).sort(),
    );
  await expect.poll(cachedPages).toContain("/returns-policy");
  // `/story` was opened before the service worker was active, and is stored anyway.
  const storedPaths = ["/contact", "/product/pure-batana-oil", "/returns-policy", "/story"];
  expect(await cachedPages()).toEqual(storedPaths);

  // Files of former builds are deleted, except those that stored pages need.
  await page.evaluate(async () => {
    const files = await caches.open("files");
    const names = Array.from({ length: 260 }, (_, index) => `/assets/former-${index}.js`);
    await Promise.all(names.map((name) => files.put(name, new Response(""))));
  });
  await page.goto(at("/benefits"));
  const fileNames = () =>
    page.evaluate(async () =>
      (await (await caches.open("files")).keys()).map(({ url }) => new URL(url).pathname),
    );
  await expect.poll(async () => (await fileNames()).filter((name) => name.includes("former"))).toEqual([]);
  const neededFiles = await page.evaluate(async () => {
    const html = (await (await caches.match("/cart"))?.text()) ?? "";
    return [...html.matchAll(/"(\/assets\/[^"\s]+\.(?:css|js|woff2|svg))"/g)].map(([, path = ""]) => path);
  });
  expect(neededFiles.length).toBeGreaterThan(5);
  expect(await fileNames()).toEqual(expect.arrayContaining(neededFiles));

  await context.setOffline(true);
  const notice = page.getByText("Prices and stock are as last seen.");
  await notice.waitFor();
  await page.reload();
  await notice.waitFor();
  await page.goto(at("/product/pure-batana-oil"));
  await notice.waitFor();
  // A larger picture, which is not stored, is replaced by the size that was loaded.
  await page.setViewportSize(sizes.desktop.viewport);
  const widthOfLargerPicture = () =>
    page
      .locator(".gallery img")
      .first()
      .evaluate((img: HTMLImageElement) => (img.currentSrc.includes("-768.") ? img.naturalWidth : 0));
  await expect.poll(widthOfLargerPicture, soon).toBeGreaterThan(0);
  await page.setViewportSize(sizes.phone.viewport);
  await look(page, "offline-product");
  await page.getByRole("link", { name: "Cart, 1 item" }).click();
  await page.getByRole("row").getByRole("link", { name: "Pure Batana Oil", exact: true }).waitFor();
  await page.getByRole("contentinfo").locator("summary", { hasText: "Shop" }).click();
  await page.getByRole("contentinfo").getByRole("link", { name: "My Orders" }).click();
  await page.getByRole("heading", { name: "You are offline" }).waitFor();
  const readablePages = page.getByRole("navigation", { name: "Pages you can read now" });
  const names = ["Benefits of batana oil", "Returns policy", "Get in Touch", "Pure Batana Oil", "Our Story"];
  await expect.poll(() => readablePages.getByRole("link").allTextContents()).toEqual(names);
  await look(page, "offline");

  await context.setOffline(false);
  await page.getByRole("heading", { name: "My Orders" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/orders");
  await page.goto(at("/product/pure-batana-oil"));
  expect(await notice.count()).toBe(0);
});

test("offline, a page of the panel that was never opened states that it could not be loaded, and opens with Retry", async () => {
  const { page, context, expectComplaint } = await openOwner();
  expectComplaint(/ERR_INTERNET_DISCONNECTED/);
  await page.goto(at("/admin/orders"));
  const hasScript = () =>
    page.evaluate(() =>
      performance.getEntriesByType("resource").some(({ name }) => /admin-customers/.test(name)),
    );
  await expect.poll(hasScript, soon).toBe(true);
  await context.setOffline(true);
  await page.getByRole("link", { name: "Customers" }).click();
  await page.getByText("Failed to load customers").waitFor();
  await context.setOffline(false);
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("searchbox", { name: "Search customers" }).waitFor();
});
