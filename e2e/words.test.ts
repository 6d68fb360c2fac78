import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();

/** Metadata for a browser's "Share" and readers of structured data. */
const readHead = (page: Page) =>
  page.evaluate(() => ({
    title: document.title,
    canonicals: [...document.querySelectorAll<HTMLLinkElement>('link[rel="canonical"]')].map(
      ({ href }) => href,
    ),
    descriptions: document.querySelectorAll('meta[name="description"]').length,
    shareCards: [...document.querySelectorAll<HTMLMetaElement>('meta[property="og:image"]')].map(
      (tag) => tag.content,
    ),
    structuredDataCounts: [...document.querySelectorAll('script[type="application/ld+json"]')].map(
      (script) => JSON.parse(script.textContent)["@graph"]?.length ?? 0,
    ),
  }));

test("header, home page and footer link to the pages, mark the current one, and leave no tag of the previous page in the head", async () => {
  const { page } = await openShopper();
  await page.goto(at("/"));
  const home = await readHead(page);
  expect(home).toMatchObject({ canonicals: [at("/")], descriptions: 1, structuredDataCounts: [3] });
  const product = page.getByRole("heading", { level: 1, name: "Pure Batana Oil" });
  // Picture and name of the home page's product.
  for (const link of [page.locator("main img").first(), product]) {
    await link.click();
    await page.waitForURL(at("/product/pure-batana-oil"));
    await page.goBack();
    // The product's page has a heading of the same name: the address changes before the page does.
    await page.getByRole("link", { name: "Read our story" }).waitFor();
  }
  await page.getByRole("link", { name: "Read our story" }).click();
  await page.getByRole("heading", { level: 1, name: "From a palm in Honduras" }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "Routines and mixing ideas" }).click();
  await page.getByRole("heading", { level: 1, name: "A few drops, warm hands" }).waitFor();
  const header = page.getByRole("navigation", { name: "Main" });
  await header.getByRole("link", { name: "Benefits" }).click();
  await page.getByRole("heading", { level: 1, name: "What one good oil can do" }).waitFor();
  await header.locator("[aria-current=page]", { hasText: "Benefits" }).waitFor();
  await page.getByRole("contentinfo").getByRole("link", { name: "Pure Batana Oil" }).click();
  await product.waitFor();
  await expect
    .poll(() => readHead(page))
    .toMatchObject({
      title: "Pure Batana Oil · Palmira",
      canonicals: [at("/product/pure-batana-oil")],
      descriptions: 1,
      structuredDataCounts: [],
    });
  expect((await readHead(page)).shareCards).not.toEqual(home.shareCards);
  await page.getByRole("link", { name: /^Cart/ }).first().click();
  await expect
    .poll(() => readHead(page))
    .toEqual({
      title: "Your Cart · Palmira",
      canonicals: [],
      descriptions: 0,
      shareCards: [],
      structuredDataCounts: [],
    });
});

test("a link to a part of a page scrolls there and moves the focus", async () => {
  const { page } = await openShopper();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.goto(at("/"));
  await page.getByRole("link", { name: "oleic acid and vitamin E" }).click();
  await page.waitForURL(at("/benefits#where-this-comes-from"));
  await expect.poll(focused).toBe("Where this comes from");
  await page.getByRole("link", { name: "FAQ" }).click();
  await page.getByText("How long does a bottle keep?").click();
  await page.getByText(/Keep the bottle closed/).waitFor();
  await page.getByRole("link", { name: /^Delivery and returns/ }).click();
  await page.waitForURL(at("/faq#delivery-and-returns"));
  const top = async () =>
    (await page.getByRole("heading", { name: "Delivery and returns" }).boundingBox())?.y ?? 0;
  await expect.poll(top).toBeLessThan(900);
  expect(await top()).toBeGreaterThan(80);
});
