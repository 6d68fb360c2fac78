import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { expectToFit } from "./look.ts";
import { buy } from "./owner.ts";
import {
  fillStock,
  setName,
  setPrice,
  setStock,
  shareDatabase,
  storeSetting,
  unpublishOil,
} from "./shop-database.ts";
import { at, openShopper, shareBrowser, sizes } from "./shopper.ts";
import { fillAddress, fillCart, openCheckout } from "./steps.ts";

shareBrowser();
shareDatabase();

/** Opens the cart page with one unit in the cart. */
async function openCart(page: Page): Promise<void> {
  await fillCart(page);
  await page.goto(at("/cart"));
  await page.getByRole("heading", { name: "Order Summary" }).waitFor();
}

async function addToCart(page: Page): Promise<void> {
  await page.goto(at("/product/pure-batana-oil"));
  await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
}

/** Simulates the shopper's return from another window. */
async function returnToTab(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
}

function summary(page: Page): Promise<string | null> {
  return page.locator("div", { has: page.locator("> #order-summary") }).textContent();
}

test("quantities change all totals and stay between 1 and 99", async () => {
  await fillStock();
  const { page } = await openShopper({ size: "phone" });
  await openCart(page);
  await page.getByText("Add $20.05 more for free shipping").waitFor();
  expect(await summary(page)).toContain("Subtotal$29.95Shipping$5.95Tax$0.00Total$35.90");
  await expect.poll(() => page.getByRole("button", { name: "Decrease quantity" }).isDisabled()).toBe(true);

  await page.getByRole("button", { name: "Increase quantity" }).click();
  await page.getByText("Free shipping on this order").waitFor();
  expect(await summary(page)).toContain("Subtotal$59.90ShippingFreeTax$0.00Total$59.90");

  const quantity = page.getByRole("textbox", { name: "Quantity of Pure Batana Oil" });
  await quantity.fill("500");
  await expect.poll(() => quantity.inputValue()).toBe("99");
  await expect.poll(() => page.getByRole("button", { name: "Increase quantity" }).isDisabled()).toBe(true);
  await quantity.fill("many");
  await expect.poll(() => quantity.inputValue()).toBe("1");
  await page.getByRole("link", { name: "Cart, 1 item" }).waitFor();
});

test("Remove and Clear Cart empty the cart, which stays empty and leads back to the shop", async () => {
  const { page } = await openShopper({ size: "phone" });
  await openCart(page);
  await page.getByRole("button", { name: "Remove Pure Batana Oil" }).click();
  await page.getByText("Looks like you haven’t added any products to your cart yet.").waitFor();
  await openCart(page);
  await page.getByRole("button", { name: "Clear Cart" }).click();
  await page.getByText("Your cart is empty").waitFor();
  await page.reload();
  await page.getByText("Your cart is empty").waitFor();

  await page.getByRole("main").getByRole("link", { name: "Continue Shopping" }).click();
  await page.getByRole("button", { name: "Buy Now" }).first().waitFor();
});

test("a product's name with a long word fits into the cart, the footer's column and the order's page", async () => {
  await setName("Donaudampfschifffahrtsgesellschaftskapitän’s Hair Oil");
  const { page } = await openShopper({ size: "small" });
  await openCart(page);
  await expectToFit(page);
  await page.setViewportSize(sizes.desktop.viewport);
  await expectToFit(page);
  const link = page
    .getByRole("contentinfo")
    .getByRole("link", { name: /^Donaudampf/ })
    .last();
  const [linkBox, columnBox] = await Promise.all([
    link.boundingBox(),
    link.locator("xpath=ancestor::ul").boundingBox(),
  ]);
  expect(linkBox?.width).toBeLessThanOrEqual(columnBox?.width ?? 0);
  const { orderId } = await buy(page.context().request);
  await page.goto(at(`/orders/${orderId}`));
  await page.getByRole("heading", { name: "Items" }).waitFor();
  await expectToFit(page);
});

test("Refresh Prices loads the shop's current price past all caches, and keeps a price that cannot be loaded", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/status of 500/);
  await openCart(page);
  await setPrice(3195);

  const request = page.waitForRequest(/\/api\/products\/pure-batana-oil\?/);
  await page.getByRole("button", { name: "Refresh Prices" }).click();
  expect(Number(new URL((await request).url()).searchParams.get("_t"))).toBeGreaterThan(1.7e12);
  await page.getByText("Prices are up to date.").waitFor();
  expect(await summary(page)).toContain("$37.90");

  await page.route("**/api/products/**", (route) => route.fulfill({ status: 500, json: {} }));

  await page.getByRole("button", { name: "Refresh Prices" }).click();

  await page.getByText("Some prices could not be checked and were kept.").waitFor();
  expect(await summary(page)).toContain("$37.90");
});

test("a price that changed since a product was added is reported when the cart opens", async () => {
  const { page, context } = await openShopper({ size: "phone" });
  // A quote on its way would already respond with the new price, and the page would be left with the message.
  const firstQuote = page.waitForResponse("**/api/cart/quote");
  await openCart(page);
  await firstQuote;
  await setPrice(3295);
  const product = at("/api/products/pure-batana-oil");
  await expect.poll(async () => (await context.request.get(product)).text()).toContain('"price":3295');
  await page.reload();
  await page
    .getByRole("region", { name: /^Notifications/ })
    .getByText("Your cart shows the new price.")
    .first()
    .waitFor();
  expect(await summary(page)).toContain("$38.90");
});

test("sold-out lines are marked and block checkout once prices are refreshed, the cart opens or the shopper returns to the tab", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/status of 503/);
  const checkout = page.getByRole("button", { name: "Secure Checkout" }).first();
  await openCart(page);
  await setStock(0);
  await page.getByRole("button", { name: "Refresh Prices" }).click();
  await page.getByText("Sold out", { exact: true }).waitFor();
  await expect.poll(() => checkout.isDisabled()).toBe(true);
  await page.reload();
  await page.getByText("Sold out", { exact: true }).waitFor();
  await expect.poll(() => checkout.isDisabled()).toBe(true);

  await setStock(3);
  await returnToTab(page);
  await page.getByRole("link", { name: "Secure Checkout" }).first().waitFor();
  expect(await page.getByText("Sold out").count()).toBe(0);

  await setStock(0);
  await returnToTab(page);
  await page.getByText("Sold out", { exact: true }).waitFor();
  await page.route("**/api/cart/quote", (route) => route.fulfill({ status: 503, json: {} }));
  await returnToTab(page);
  await page.getByText("Sold out", { exact: true }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Secure Checkout" }).first().waitFor();

  await page.unroute("**/api/cart/quote");
  await returnToTab(page);
  await page.getByText("The total still counts everything.").waitFor();
  await page.getByRole("button", { name: "Remove unavailable items" }).click();
  await page.getByText("Your cart is empty").waitFor();
  await page
    .getByText("Pure Batana Oil isn’t available right now, so it’s no longer in your cart.")
    .waitFor();

  await page.goto(at("/product/pure-batana-oil"));
  const soldOut = page.locator("article").getByRole("button", { name: "Sold out" }).last();
  await expect.poll(() => soldOut.isDisabled()).toBe(true);
});

test("checkout and drawer report sold-out items, and checkout continues once they are available again", async () => {
  const { page } = await openShopper({ size: "phone" });
  await setStock(1);
  await openCheckout(page, 3);
  const notice = page.getByRole("alert").filter({ hasText: "Some items aren’t available right now." });
  await notice.getByText("Only 1 left").waitFor();
  const quoteArrived = Promise.withResolvers<void>();
  const quoteReleased = Promise.withResolvers<void>();
  const holdQuote = async (route: Route) => {
    const response = await route.fetch();
    quoteArrived.resolve();
    await quoteReleased.promise;
    await route.fulfill({ response });
  };
  await page.route("**/api/cart/quote", holdQuote, { times: 1 });
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await quoteArrived.promise;
  await notice.waitFor();
  expect(await page.getByText("Enter your first name").count()).toBe(0);

  await setStock(500);
  await returnToTab(page);
  await notice.waitFor({ state: "detached" });
  quoteReleased.resolve();
  // The press is not lost: it continues to the form.
  await page.getByText("Enter your first name").waitFor();
  expect(await notice.count()).toBe(0);

  await setStock(1);
  await page.goto(at("/product/pure-batana-oil"));
  await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
  const reason = page.getByRole("dialog").getByRole("status").filter({ hasText: "Change or remove them" });
  await reason.waitFor();
  await page.getByRole("button", { name: "Change to 1 Pure Batana Oil" }).click();
  await reason.waitFor({ state: "detached" });
  const focused = page.getByRole("dialog").locator("input:focus");
  expect(await focused.getAttribute("aria-label")).toBe("Quantity of Pure Batana Oil");
  expect(await focused.inputValue()).toBe("1");
  await page.getByRole("dialog").getByRole("link", { name: "Secure Checkout" }).waitFor();
});

test("a line whose product was removed is marked and blocks checkout until it is removed", async () => {
  const { page, expectComplaint } = await openShopper({ size: "phone" });
  expectComplaint(/status of 404/);
  await openCart(page);
  await unpublishOil();

  await page.getByRole("button", { name: "Refresh Prices" }).click();
  await page.getByText("No longer available").waitFor();
  // Returning to the tab fetches a new quote, which leaves the line unchanged.
  const finishedQuotes = () =>
    page.evaluate(
      () =>
        performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/api/cart/quote"))
          .length,
    );
  const quotesBefore = await finishedQuotes();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect.poll(finishedQuotes).toBeGreaterThan(quotesBefore);
  await page.getByText("No longer available").waitFor();
  await page.getByText("Change or remove them to continue.").waitFor();
  await page.getByRole("button", { name: "Remove Pure Batana Oil" }).click();
  await page.getByText("Your cart is empty").waitFor();
});

test("in a browser whose storage is full, a shopper can buy as long as the page stays open", async () => {
  const { page } = await openShopper();
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.goto(at("/"));
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await page.getByRole("link", { name: "Cart, 1 item" }).click();
  await page.getByRole("link", { name: "Secure Checkout" }).first().click();
  await page.getByRole("button", { name: "Continue to Payment • $35.90" }).waitFor();
});

test("a change in one tab shows in the other immediately", async () => {
  const { page, openTab } = await openShopper();
  await openCart(page);
  const secondTab = await openTab();
  await secondTab.goto(at("/cart"));
  await secondTab.getByRole("button", { name: "Increase quantity" }).click();
  await page.getByRole("link", { name: "Cart, 2 items" }).waitFor();
  await page.getByRole("button", { name: "Clear Cart" }).click();
  await secondTab.getByText("Your cart is empty").waitFor();
});

test("a page that Back restores from the browser's memory shows the current cart", async () => {
  const { page } = await openShopper();
  await fillCart(page);
  await page.goto(at("/cart"));
  await page.getByRole("link", { name: "Cart, 1 item" }).waitFor();
  // Another page of the same tab changes the cart while this one is frozen; the tests' browser freezes none.
  await page.evaluate(() => {
    const savedCart = localStorage.getItem("cart") ?? "";
    localStorage.setItem("cart", savedCart.replace(/"quantity":\d+}\]$/, '"quantity":3}]'));
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await page.getByRole("link", { name: "Cart, 3 items" }).waitFor();
  await page.getByText("$89.85").first().waitFor();
});

test("a browser that has lost its storage gets its cart back from the server", async () => {
  const { page } = await openShopper();
  await page.goto(at("/"));
  const addResponse = page.waitForResponse("**/api/cart/add");
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await addResponse;
  await page.evaluate(() => localStorage.clear());
  await page.goto(at("/cart"));
  await page.getByRole("group", { name: "Quantity of Pure Batana Oil" }).waitFor();
});

test("shipping notes apply to the shopper's country, which the browser guesses and the shopper can change", async () => {
  const { page } = await openShopper({ size: "phone" });
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "language", { get: () => "de" });
  });
  // The button must not be shown before its code is loaded.
  const scriptLoaded = Promise.withResolvers<void>();
  const script = /\/assets\/change-country-/;
  await page.route(script, async (route) => {
    await scriptLoaded.promise;
    await route.continue();
  });
  await page.goto(at("/product/pure-batana-oil"));
  const changeButton = page.getByRole("button", { name: "Change country" });
  expect(await page.getByText("Change country").count()).toBe(1);
  expect(await changeButton.isVisible()).toBe(false);
  scriptLoaded.resolve();
  await changeButton.waitFor();
  await page.unroute(script);
  const shippingNotes = page.getByRole("article").getByRole("list").filter({ hasText: "Secure checkout" });
  await shippingNotes.getByText("Shipping from $5.95").waitFor();
  await shippingNotes.getByText(/^Arrives .* in Germany$/).waitFor();
  expect(await page.getByText("Free shipping").count()).toBe(0);
  await addToCart(page);
  await page.getByRole("dialog").getByText("Subtotal").waitFor();
  expect(await page.getByText("free shipping").count()).toBe(0);

  await page.goto(at("/cart"));
  await page.getByText(/^Arrives .* in Germany$/).waitFor();
  expect(await page.getByText("free shipping").count()).toBe(0);
  await page.getByRole("button", { name: "Change country" }).click();
  await page.getByRole("combobox", { name: "Country we ship to" }).selectOption("United States");
  await page.getByText("Add $20.05 more for free shipping").waitFor();

  await page.goto(at("/product/pure-batana-oil"));
  await shippingNotes.getByText("Free shipping on orders over $50").waitFor();
  await page.goto(at("/checkout"));
  await expect.poll(() => page.getByLabel("Country").inputValue()).toBe("US");
});

test("if tax is added by a table of rates, the cart shows no total before an address is known", async () => {
  const { page } = await openShopper();
  await storeSetting("tax", {
    mode: "table",
    rates: [{ country: "US", state: "TX", percent: 8.25, onShipping: true }],
  });
  await openCart(page);
  await expect.poll(() => summary(page)).toContain("Shipping$5.95Taxat checkoutTotal before tax$35.90");

  await page.goto(at("/checkout"));
  const aside = page.getByRole("complementary");
  await aside.getByText("depends on your state").waitFor();
  await aside.getByText("Total before tax").waitFor();
  await fillAddress(page);
  await aside.getByText("$2.96").waitFor();
  expect(await aside.getByText("Total before tax").count()).toBe(0);
  await page.goto(at("/cart"));
  await expect.poll(() => summary(page)).toContain("Shipping$5.95Tax$2.96Total$38.86");
});
