import type { Locator } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { linkInMail } from "./mail.ts";
import { asOwner, buy } from "./owner.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";
import {
  buyNow,
  continueToPayment,
  fillAddress,
  orderNumber,
  purchase,
  storedUnits,
  waitForThankYouPage,
} from "./steps.ts";

shareBrowser();

test("Buy Now leads to a paid order, which is listed under My Orders and has its own page", async () => {
  const { page } = await openShopper({ size: "phone" });

  await buyNow(page);
  await fillAddress(page);
  await page.getByRole("button", { name: "Continue to Payment • $35.90" }).waitFor();
  await continueToPayment(page);
  await page.getByLabel("Card number").fill("4242424242424242");
  await page.getByLabel("Expiry date").fill("1240");
  await page.getByLabel("CVC").fill("123");
  await page.getByRole("button", { name: "Pay $35.90" }).click();

  await waitForThankYouPage(page);
  expect(await page.locator("dl").first().textContent()).toMatch(
    /^Order ID#\d{4}Total Amount\$35\.90StatusPaid$/,
  );
  await page.getByText("1 × Pure Batana Oil").waitFor();
  await page.getByText(/^\w+, it arrives \w+ \d+ – /).waitFor();
  expect(new URL(page.url()).pathname).toBe("/checkout/success");
  expect(await storedUnits(page)).toEqual({});
  await page.getByRole("link", { name: "Cart, 0 items" }).waitFor();
  const number = await orderNumber(page);
  const myOrders = page.getByRole("link", { name: "View My Orders" });
  expect(await myOrders.getAttribute("href")).toBe("/account/orders");
  await myOrders.click();
  await page.getByText("Paid, being prepared", { exact: true }).waitFor();
  await page.getByRole("link", { name: `View order ${number}` }).click();
  await page.getByRole("heading", { name: "Progress" }).waitFor();
  await page.getByText(/^Arrives \w+ \d+ – /).waitFor();
});

test("on a phone, View order is above a list of several products", async () => {
  const comb = { name: "Comb", shortDescription: "Wood.", description: "Wood.", size: "One", price: 1450 };
  const { id } = await asOwner<{ id: number }>("POST", "/api/admin/products", { ...comb, stock: 5 });
  onTestFinished(() => asOwner("PATCH", `/api/admin/products/${id}`, { published: false }).then(() => {}));
  await asOwner("PATCH", `/api/admin/products/${id}`, { published: true });
  const { page } = await openShopper({ size: "phone" });
  const oil = { productId: 1, quantity: 1, price: 2995 };
  const items = [oil, { productId: id, quantity: 1, price: comb.price }];
  const { intentId } = await buy(page.context().request, { items });
  await page.goto(at(`/checkout/success?session_id=${intentId}`));
  const button = page.getByRole("link", { name: "View order", exact: true });
  const line = page.getByRole("main").getByText("Comb");
  const topEdge = async (target: Locator) => (await target.boundingBox())?.y ?? 0;
  expect(await topEdge(button)).toBeLessThan(await topEdge(line));
  const text = (await page.getByRole("main").textContent()) ?? "";
  expect(text.indexOf("View order"), "as it is read out").toBeLessThan(text.indexOf("Comb"));
});

test("the success page survives a reload and opens in another tab, without emptying the next cart", async () => {
  const { page, openTab } = await openShopper();
  await purchase(page);
  const secondTab = await openTab();
  await secondTab.goto(at("/"));
  await secondTab.getByRole("button", { name: "Add to Cart" }).click();
  await secondTab.getByRole("link", { name: "Cart, 1 item" }).waitFor();

  await page.reload();
  await waitForThankYouPage(page);
  await secondTab.goto(page.url());
  await waitForThankYouPage(secondTab);

  expect(await storedUnits(secondTab)).toEqual({ 1: 1 });
});

test("Find my order mails a link that brings the orders to another browser", async () => {
  const buyer = await openShopper();
  const { number } = await buy(buyer.context.request, { email: "finder@example.com" });

  const { page } = await openShopper({ size: "phone" });
  await page.goto(at("/orders"));
  await page.getByLabel("Email Address").fill("finder@example.com");
  await page.getByRole("button", { name: "Send me the link" }).click();
  await page.getByText("Check your inbox.").waitFor();
  await page.goto(await linkInMail("finder@example.com", "/orders/find"));
  await page.getByRole("button", { name: "Show my orders" }).click();
  await page.getByRole("heading", { name: `Order #${number}` }).waitFor();
});
