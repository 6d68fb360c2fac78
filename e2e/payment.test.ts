import { beforeEach, expect, test } from "vitest";
import { ordersOf, shareDatabase } from "./shop-database.ts";
import { openShopper, type Shopper, shareBrowser } from "./shopper.ts";
import { continueToPayment, openPayment, payWith, seePaid } from "./steps.ts";

shareBrowser();
shareDatabase();

const refusedPayment = /status of 402/;
let email: string;
let tests = 0;

beforeEach(() => {
  tests += 1;
  email = `payer-${tests}@example.com`;
});

async function openPayer(): Promise<Shopper> {
  const shopper = await openShopper({ size: tests % 2 ? "phone" : "desktop" });
  await openPayment(shopper.page, email);
  return shopper;
}

test("a declined card can be followed by one that pays, for the same order", async () => {
  const { page, expectComplaint } = await openPayer();
  expectComplaint(refusedPayment);

  await payWith(page, "Declined");
  const error = page.getByRole("alert").filter({ hasText: "Your card was declined." });
  await error.waitFor();
  expect(await error.textContent()).toContain("You have not been charged.");
  await payWith(page, "Succeeds");

  await seePaid(page);
  await expect.poll(() => ordersOf(email)).toMatchObject([{ status: "completed" }]);
});

test("a card without money is told so in its own words, and nothing is paid", async () => {
  const { page, expectComplaint } = await openPayer();
  expectComplaint(refusedPayment);

  await payWith(page, "Insufficient funds");

  await page.getByRole("alert").filter({ hasText: "Your card has insufficient funds." }).waitFor();
  expect(await ordersOf(email)).toMatchObject([{ status: "pending" }]);
});

test("a payment that the bank has approved is paid", async () => {
  const { page } = await openPayer();

  await payWith(page, "Asks for authentication");
  await page.getByRole("dialog").getByText("$35.90").waitFor();
  await page.getByRole("button", { name: "Complete authentication" }).click();

  await seePaid(page);
  await expect.poll(() => ordersOf(email)).toMatchObject([{ status: "completed" }]);
});

test("a payment that the bank has not approved is not paid, and can be tried again", async () => {
  const { page, expectComplaint } = await openPayer();
  expectComplaint(refusedPayment);

  await payWith(page, "Asks for authentication");
  await page.getByRole("button", { name: "Fail authentication" }).click();
  await page.getByRole("alert").filter({ hasText: "We are unable to authenticate" }).waitFor();
  expect(await ordersOf(email)).toMatchObject([{ status: "pending" }]);

  await payWith(page, "Succeeds");
  await seePaid(page);
});

test("after five declined tries the payment is closed, and starting again keeps the entries", async () => {
  const { page, expectComplaint } = await openPayer();
  expectComplaint(refusedPayment);
  expectComplaint(/status of 409/);

  for (let tries = 1; tries <= 6; tries += 1) {
    await payWith(page, "Declined");
    // The button is back once the answer is there.
    await page.getByRole("alert").filter({ hasText: "You have not been charged" }).waitFor();
    if (await page.getByRole("button", { name: "Start again" }).isVisible()) break;
  }
  await page.getByRole("button", { name: "Start again" }).click();
  expect(await page.getByLabel("Email Address").inputValue()).toBe(email);
  await continueToPayment(page);
  await payWith(page, "Succeeds");

  await seePaid(page);
  await expect.poll(() => ordersOf(email)).toMatchObject([{ status: "cancelled" }, { status: "completed" }]);
});

test("a payment that went through although its answer was lost is not taken for a failure", async () => {
  const { page, expectComplaint } = await openPayer();
  expectComplaint(/ERR_FAILED/);
  await page.route("**/confirm", async (route) => {
    await route.fetch();
    await route.abort("failed");
  });

  await payWith(page, "Succeeds");

  await seePaid(page);
  await expect.poll(() => ordersOf(email)).toMatchObject([{ status: "completed" }]);
});

test("a card that is typed wrong is told field by field before anything is sent", async () => {
  const { page } = await openPayer();

  await page.getByLabel("Card number").fill("4242424242424241");
  await page.getByLabel("Expiry date").fill("0120");
  await page.getByRole("button", { name: "Pay $35.90" }).click();

  await page.getByText("This card number is not valid").waitFor();
  await page.getByText("Enter the CVC").waitFor();
  expect(await page.getByLabel("Card number").evaluate((field) => field === document.activeElement)).toBe(
    true,
  );
});

test("nothing of a card is kept in the browser, and neither secret nor card in the address", async () => {
  const { page } = await openPayer();
  await page.getByLabel("Card number").fill("4242424242424242");
  await page.getByLabel("CVC").fill("987");
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href]),
  );
  expect(kept).toContain(email);
  expect(kept).not.toMatch(/42424242|"987\b|_secret_/);
});
