import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();

/** Metadata for a browser's "Share" and readers of structured data. */
const headOf = (page: Page) =>
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

test("the head changes with each navigation and keeps no tag of the previous page", async () => {
  const { page } = await openShopper();
  await page.goto(at("/"));
  await page.waitForLoadState("networkidle");
  const home = await headOf(page);
  expect(home).toMatchObject({ canonicals: [at("/")], descriptions: 1, structuredDataCounts: [3] });

  await page.getByRole("contentinfo").getByRole("link", { name: "Pure Batana Oil" }).click();
  await expect
    .poll(() => headOf(page))
    .toMatchObject({
      title: "Pure Batana Oil · Palmira",
      canonicals: [at("/product/pure-batana-oil")],
      descriptions: 1,
      structuredDataCounts: [],
    });
  expect((await headOf(page)).shareCards).not.toEqual(home.shareCards);

  await page.getByRole("link", { name: /^Cart/ }).first().click();
  await expect
    .poll(() => headOf(page))
    .toEqual({
      title: "Your Cart · Palmira",
      canonicals: [],
      descriptions: 0,
      shareCards: [],
      structuredDataCounts: [],
    });
});
