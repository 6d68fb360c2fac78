import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { at, openShopper, type Shopper, type Size, shareBrowser } from "./shopper.ts";
import { continueToPayment, fillAddress, openPayment, payWith, purchase, seeThanks } from "./steps.ts";

shareBrowser();

/** Pictures of every page as it was tested, to be looked at. */
const artifacts = join(import.meta.dirname, "../artifacts");
beforeAll(() => mkdirSync(artifacts, { recursive: true }));

/** Pages and states that a stranger can open, each with the steps to it. */
const places: Record<string, (shopper: Shopper) => Promise<void>> = {
  home: ({ page }) => open(page, "/"),
  product: ({ page }) => open(page, "/product/pure-batana-oil"),
  "product-missing": ({ page, expectComplaint }) => {
    expectComplaint(/status of 404/);
    return open(page, "/product/snake-oil");
  },
  "not-found": ({ page, expectComplaint }) => {
    expectComplaint(/status of 404/);
    return open(page, "/no-such-page");
  },
  "cart-empty": async ({ page }) => {
    await open(page, "/cart");
    await page.getByText("Your cart is empty").waitFor();
  },
  toast: async ({ page }) => {
    await open(page, "/product/pure-batana-oil");
    await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
    await page.getByText("Added to cart").first().waitFor();
  },
  cart: async ({ page }) => {
    await fillCart(page);
    await page.getByText("Add $20.05 more for free shipping").waitFor();
  },
  "cart-free-shipping": async ({ page }) => {
    await fillCart(page);
    await page.getByRole("button", { name: "Increase quantity" }).click();
    await page.getByText("Free shipping on this order").waitFor();
  },
  checkout: async ({ page }) => {
    await fillCart(page);
    await open(page, "/checkout");
    await page.getByLabel("First Name").waitFor();
  },
  "checkout-errors": async ({ page }) => {
    await fillCart(page);
    await open(page, "/checkout");
    await page.getByRole("button", { name: /^Continue to Payment/ }).click();
    await page.getByText("Please fill out all required fields").waitFor();
  },
  "checkout-payment": ({ page }) => openPayment(page),
  "checkout-declined": async ({ page, expectComplaint }) => {
    expectComplaint(/status of 402/);
    await openPayment(page);
    await payWith(page, "Declined");
    await page.getByText("Your card was declined.").waitFor();
  },
  "checkout-authentication": async ({ page }) => {
    await openPayment(page);
    await payWith(page, "Asks for authentication");
    await page.getByRole("dialog").waitFor();
  },
  "orders-empty": ({ page }) => open(page, "/orders"),
  "order-missing": ({ page, expectComplaint }) => {
    expectComplaint(/status of 404/);
    return open(page, "/orders/00000000-0000-4000-8000-000000000000");
  },
  "find-used-up": ({ page }) => open(page, "/orders/find?token=none"),
  "admin-locked": ({ page }) => open(page, "/admin"),
};

const cases = Object.keys(places).flatMap((name) =>
  (["phone", "desktop"] as const).map((size) => ({ name, size })),
);

test.each(cases)("$name is accessible and fits ($size)", async ({ name, size }) => {
  const shopper = await openShopper({ size });
  await places[name]?.(shopper);
  await expectGoodLooks(shopper.page, `${name}-${size}`);
});

test.each(["phone", "desktop"] as const)(
  "the pages of a paid order are accessible and fit (%s)",
  async (size) => {
    const { page } = await openShopper({ size });
    await purchase(page);
    await expectGoodLooks(page, `success-${size}`);
    await page.getByRole("link", { name: "View My Orders" }).click();
    await page.getByRole("link", { name: /^View order/ }).waitFor();
    await expectGoodLooks(page, `orders-${size}`);
    await page.getByRole("link", { name: /^View order/ }).click();
    await page.getByRole("heading", { name: "Progress" }).waitFor();
    await expectGoodLooks(page, `order-${size}`);
  },
);

test("nothing scrolls sideways on the smallest screen, from the first page to the order", async () => {
  const { page, expectComplaint } = await openShopper({ size: "small" });
  expectComplaint(/status of 404/);
  for (const path of ["/", "/product/pure-batana-oil", "/cart", "/orders", "/admin", "/no-such-page"]) {
    await open(page, path);
    await expectToFit(page);
  }
  await fillCart(page);
  await expectToFit(page);
  await open(page, "/checkout");
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await expectToFit(page);
  await fillAddress(page, "a.rather.long.name.of.a.buyer@mail.example.com");
  await continueToPayment(page);
  await expectToFit(page);
  await payWith(page, "Succeeds");
  await seeThanks(page);
  await expectToFit(page);
  await page.getByRole("link", { name: "View My Orders" }).click();
  await page.getByRole("link", { name: /^View order/ }).click();
  await page.getByRole("heading", { name: "Progress" }).waitFor();
  await expectToFit(page);
});

test("the open menu of a phone is accessible", async () => {
  const { page } = await openShopper({ size: "phone" });
  await open(page, "/");
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("navigation", { name: "Mobile" }).waitFor();
  await expectGoodLooks(page, "menu-phone");
});

async function open(page: Page, path: string): Promise<void> {
  await page.goto(at(path));
}

async function fillCart(page: Page): Promise<void> {
  await open(page, "/product/pure-batana-oil");
  await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
  await open(page, "/cart");
  await page.getByRole("heading", { name: "Order Summary" }).waitFor();
}

async function expectGoodLooks(page: Page, picture: `${string}-${Size}`): Promise<void> {
  // Pictures below the fold are loaded lazily.
  await page.screenshot({ path: join(artifacts, `${picture}.png`), fullPage: true });
  await expectToFit(page);
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const found = violations.map(({ id, nodes }) => ({ id, at: nodes.map(({ html }) => html.slice(0, 160)) }));
  expect(found, "violations found by axe").toEqual([]);
}

async function expectToFit(page: Page): Promise<void> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wider, `pixels too wide: ${page.url()}`).toBeLessThanOrEqual(0);
}
