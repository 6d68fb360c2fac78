import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { at, openShopper, shareBrowser } from "./shopper.ts";
import { storedUnits } from "./steps.ts";

shareBrowser();

const productPath = "/product/pure-batana-oil";
const buyNow = (page: Page) => page.locator("article").getByRole("button", { name: "Buy Now" });

test("Buy Now and Add to Cart add one unit only for a double tap, a tap after Back and taps before scripts have loaded", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.goto(at(productPath));
  await page.waitForSelector("[data-buy=live]");
  await buyNow(page).dblclick({ delay: 20 });
  await page.getByLabel("First Name").waitFor();
  expect(await storedUnits(page)).toEqual({ 1: 1 });

  // The double tap caused a single navigation: one step back leads to the product.
  await page.goBack();
  await buyNow(page).click();
  await page.getByLabel("First Name").waitFor();
  await page.goBack();
  await page.reload();
  await page.waitForSelector("[data-buy=live]");
  await buyNow(page).click();
  await page.getByLabel("First Name").waitFor();
  expect(await storedUnits(page)).toEqual({ 1: 1 });

  await page.goBack();
  // At the third tap the drawer is open, with its checkout link where the button was.
  const addToCart = page.locator("article").getByRole("button", { name: "Add to Cart" });
  const { x, y, width, height } = (await addToCart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await addToCart.dblclick();
  await page.getByText("1 × Pure Batana Oil added to your cart").first().waitFor();
  await page.mouse.click(x + width / 2, y + height / 2);
  expect(await storedUnits(page)).toEqual({ 1: 2 });
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.reload();

  // The scripts are delayed until both taps are done.
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await gate;
    await route.continue();
  });
  const opening = page.goto(at(productPath));
  await buyNow(page).click();
  await buyNow(page).click();
  expect(await buyNow(page).getAttribute("aria-busy")).toBe("true");
  release();
  await opening;
  await page.getByLabel("First Name").waitFor();
  await page.unroute("**/assets/*.js");
  expect(await storedUnits(page)).toEqual({ 1: 3 });
});

test("without JavaScript the cart can be filled, changed and taken to checkout; once scripts run, they show the same cart", async () => {
  const withoutScripts = await openShopper({ size: "phone", javaScriptEnabled: false });
  const { page } = withoutScripts;
  await page.goto(at("/"));
  await page.locator("main").getByRole("button", { name: "Add to Cart" }).first().click();
  await page.getByRole("heading", { name: "Order Summary" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/cart");
  const quantity = page.getByLabel("Quantity of Pure Batana Oil");
  await quantity.fill("3");
  await page.getByRole("button", { name: "Update" }).click();
  await page.getByText("$89.85").first().waitFor();
  await page.getByRole("button", { name: "Remove Pure Batana Oil" }).click();
  await page.getByText("Your cart is empty").waitFor();

  await page.goto(at(productPath));
  const quantityField = page.locator("article").getByRole("textbox", { name: "Quantity" });
  await quantityField.fill("2");
  const expectTwoInCheckout = async () => {
    await page.waitForURL(/\/checkout/);
    expect(await page.textContent("body")).toContain("2 × Pure Batana Oil");
  };
  await buyNow(page).click();
  await expectTwoInCheckout();
  await page.goBack();
  await quantityField.fill("2");
  await buyNow(page).click();
  await expectTwoInCheckout();

  // The header of every page links to this address.
  await page.goto(at("/cart"));
  await page.getByLabel("Quantity of Pure Batana Oil").waitFor();
  expect(await page.getByLabel("Quantity of Pure Batana Oil").inputValue()).toBe("2");
  await page.getByRole("button", { name: "Secure Checkout" }).click();
  await expectTwoInCheckout();

  const withScripts = await openShopper({ size: "phone" });
  await withScripts.context.addCookies(await withoutScripts.context.cookies());
  await withScripts.page.goto(at("/cart"));
  await withScripts.page.getByRole("link", { name: "Cart, 2 items" }).waitFor();
  expect(await storedUnits(withScripts.page)).toEqual({ 1: 2 });
  expect(await withScripts.page.evaluate(() => document.cookie)).not.toContain("cart-posts");
});
