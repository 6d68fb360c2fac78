import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { look, lookAtLayout } from "./look.ts";
import { linkInMail } from "./mail.ts";
import { makeReminderDue, remindedCart, shareDatabase } from "./shop-database.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";
import {
  continueToPayment,
  fillAddress,
  fillCart,
  openCheckout,
  payWith,
  skipPause,
  storedUnits,
  waitForThankYouPage,
} from "./steps.ts";

shareBrowser();
shareDatabase();

const label = "Email me this cart once if I don’t finish";
const newEmail = () => `ada-${randomUUID()}@example.com`;

/** Asks for a reminder of a cart with one unit, as the checkout form does. Returns the link to the cart in the e-mail. */
async function mailCartLink(email: string): Promise<string> {
  const { context } = await openShopper();
  const items = [{ productId: 1, quantity: 1 }];
  const response = await context.request.post(at("/api/checkout/reminder"), { data: { email, items } });
  expect(response.status()).toBe(200);
  await makeReminderDue(email);
  const link = await linkInMail(email, "Your cart", "/cart");
  return link.replace(/^https?:\/\/[^/]+/, at(""));
}

describe("an unfinished cart", () => {
  test("is e-mailed only on request, opened in another browser, and unsubscribed with one click", async () => {
    const { page } = await openShopper({ size: "phone" });
    const email = newEmail();
    await openCheckout(page);
    const checkbox = page.getByLabel(label);
    expect(await checkbox.isChecked()).toBe(false);
    await checkbox.check();
    await fillAddress(page, email);
    await page.getByText("Saved. One email after four hours").waitFor();
    await lookAtLayout(page, "reminder-box");
    expect(await remindedCart(email)).toEqual({ 1: 1 });
    await page.reload();
    expect(await page.getByLabel(label).isChecked()).toBe(true);
    await makeReminderDue(email);
    const cartLink = await linkInMail(email, "Your cart", "/cart");

    const { page: otherPage } = await openShopper();
    // Where Back leads below: the page before may be of another test's shop.
    await otherPage.goto(at("/favicon.svg"));
    await otherPage.goto(cartLink.replace(/^https?:\/\/[^/]+/, at("")));
    await otherPage.getByText("Your cart is back.").waitFor();
    expect(await storedUnits(otherPage)).toEqual({ 1: 1 });
    await expect.poll(() => new URL(otherPage.url()).search).toBe("");
    await lookAtLayout(otherPage, "reminder-cart");
    await otherPage.goBack();
    await otherPage.goto(cartLink.replace(/^https?:\/\/[^/]+/, at("")));
    await otherPage.getByText("Your cart is back.").waitFor();
    expect(await storedUnits(otherPage)).toEqual({ 1: 1 });

    const unsubscribe = await linkInMail(email, "Your cart", "/unsubscribe");
    await otherPage.goto(unsubscribe.replace(/^https?:\/\/[^/]+/, at("")));
    await look(otherPage, "unsubscribe");
    await otherPage.getByRole("button", { name: "Unsubscribe" }).click();
    await otherPage.getByRole("heading", { name: "You’re unsubscribed" }).waitFor();
    await lookAtLayout(otherPage, "unsubscribed");
  });
});

test("a cart link that fails to load shows an error instead of an empty cart, and works on the next try", async () => {
  const cartLink = await mailCartLink(newEmail());
  const { page: otherPage, expectComplaint } = await openShopper({ size: "phone" });
  expectComplaint(/failed: GET .*\/reminder/);
  expectComplaint(/ERR_FAILED|Failed to load/);
  await otherPage.route("**/api/checkout/reminder?*", (route) => route.abort());
  await otherPage.goto(cartLink);
  await otherPage.getByText("Your cart could not be opened.").waitFor();
  expect(await otherPage.getByText("Your cart is empty").count()).toBe(0);
  await lookAtLayout(otherPage, "reminder-cart-unreachable-phone");
  await otherPage.unroute("**/api/checkout/reminder?*");
  await otherPage.getByRole("button", { name: "Try Again" }).click();
  await otherPage.getByText("Your cart is back.").waitFor();
});

test("clearing the checkbox deletes the stored cart", async () => {
  const { page } = await openShopper();
  const email = newEmail();
  await openCheckout(page, 1, email);
  expect(await remindedCart(email)).toBeNull();
  await page.getByLabel(label).check();
  await expect.poll(() => remindedCart(email)).toEqual({ 1: 1 });
  await page.getByLabel(label).uncheck();
  await expect.poll(() => remindedCart(email)).toBeNull();
});

test("a purchase cancels the reminder, and the next cart offers it again", async () => {
  const { page } = await openShopper();
  const email = newEmail();
  await openCheckout(page, 1, email);
  await page.getByLabel(label).check();
  await expect.poll(() => remindedCart(email)).toEqual({ 1: 1 });
  await continueToPayment(page);
  await skipPause(page);
  await payWith(page, "Succeeds");
  await waitForThankYouPage(page);
  expect(await remindedCart(email)).toBeNull();
  await openCheckout(page);
  expect(await page.getByLabel(label).isChecked()).toBe(false);
});

test("a failure to save the reminder checkbox is shown and does not block the order", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/status of 503/);
  await page.route("**/api/checkout/reminder", (route) => route.fulfill({ status: 503, json: {} }));
  await openCheckout(page, 1, newEmail());
  await page.getByLabel(label).check();
  await page.getByText("We couldn’t save this, so no email will come.").waitFor();
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByLabel("Card number").waitFor();
});

test("opening an e-mailed cart keeps the items of a cart that is not empty", async () => {
  const link = await mailCartLink(newEmail());
  const { page: otherPage } = await openShopper();
  await fillCart(otherPage, 2);
  await otherPage.goto(link);
  await otherPage.getByText("Your cart is back.").waitFor();
  expect(await storedUnits(otherPage)).toEqual({ 1: 2 });
});

test("a link to a deleted cart reports it, and the current cart stays", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/status of 404/);
  await openCheckout(page);
  await page.goto(at("/cart?restore=none"));
  await page.getByText("This cart is no longer saved.").waitFor();
  expect(await storedUnits(page)).toEqual({ 1: 1 });
  await expect.poll(() => new URL(page.url()).search).toBe("");
});
