import { expect, test } from "vitest";
import { at, openShopper, shareBrowser } from "./shopper.ts";

shareBrowser();

test("header, menu and home page link to the pages, and mark the current one", async () => {
  const { page } = await openShopper();
  await page.goto(at("/"));
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
  await header.getByRole("link", { name: "Shop" }).click();
  await page.waitForURL(at("/product/pure-batana-oil"));
  await product.waitFor();

  const phone = await openShopper({ size: "phone" });
  await phone.page.goto(at("/benefits"));
  await phone.page.getByRole("button", { name: "Open menu" }).click();
  await phone.page
    .getByRole("navigation", { name: "Mobile" })
    .getByRole("link", { name: "Our Story" })
    .click();
  await phone.page.getByRole("heading", { level: 1, name: "From a palm in Honduras" }).waitFor();
  expect(await phone.page.getByRole("navigation", { name: "Mobile" }).isVisible()).toBe(false);
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
