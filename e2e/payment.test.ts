import { beforeEach, expect, test } from "vitest";
import { readOrders, shareDatabase } from "./shop-database.ts";
import { openShopper, type Shopper, shareBrowser } from "./shopper.ts";
import { continueToPayment, openCheckout, openPayment, payWith, waitForPaid } from "./steps.ts";

shareBrowser();
shareDatabase();

const refusedPayment = /status of 402/;
let email: string;
let testCount = 0;

beforeEach(() => {
  testCount += 1;
  email = `payer-${testCount}@example.com`;
});

async function openPayer(): Promise<Shopper> {
  const shopper = await openShopper({ size: testCount % 2 ? "phone" : "desktop" });
  await openPayment(shopper.page, email);
  return shopper;
}

test("each declined card has its own message, and another card can then pay the same order", async () => {
  const { page, expectComplaint } = await openPayer();
  expectComplaint(refusedPayment);

  await payWith(page, "Insufficient funds");
  await page.getByRole("alert").filter({ hasText: "Your card has insufficient funds." }).waitFor();
  expect(await readOrders(email)).toMatchObject([{ status: "pending" }]);

  await payWith(page, "Declined");
  const error = page.getByRole("alert").filter({ hasText: "Your card was declined." });
  await error.waitFor();
  expect(await error.textContent()).toContain("You haven’t been charged.");

  await payWith(page, "Succeeds");
  await waitForPaid(page);
  await expect.poll(() => readOrders(email)).toMatchObject([{ status: "completed" }]);
});

test("a payment not approved by the bank stays unpaid, and is paid once the bank approves it", async () => {
  const { page, expectComplaint } = await openPayer();
  expectComplaint(refusedPayment);

  await payWith(page, "Asks for authentication");
  await page.getByRole("button", { name: "Fail authentication" }).click();
  await page.getByRole("alert").filter({ hasText: "We are unable to authenticate" }).waitFor();
  expect(await readOrders(email)).toMatchObject([{ status: "pending" }]);

  await payWith(page, "Asks for authentication");
  await page.getByRole("dialog").getByText("$35.90").waitFor();
  await page.getByRole("button", { name: "Complete authentication" }).click();
  await waitForPaid(page);
  await expect.poll(() => readOrders(email)).toMatchObject([{ status: "completed" }]);
});

test("after five declined tries the payment is closed, and starting again keeps the entries", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(refusedPayment);
  expectComplaint(/status of 409/);
  await openCheckout(page, 1, email);
  await continueToPayment(page);

  for (let tries = 1; tries <= 6; tries += 1) {
    await payWith(page, "Declined");
    // The button returns once the payment has been answered.
    await page.getByRole("alert").filter({ hasText: "You haven’t been charged" }).waitFor();
    if (await page.getByRole("button", { name: "Start again" }).isVisible()) break;
  }
  await page.getByRole("button", { name: "Start again" }).click();
  expect(await page.getByLabel("Email Address").inputValue()).toBe(email);
  await continueToPayment(page);
  await payWith(page, "Succeeds");

  await waitForPaid(page);
  await expect
    .poll(() => readOrders(email))
    .toMatchObject([{ status: "cancelled" }, { status: "completed" }]);
});

test("a successful payment whose response was lost is not shown as a failure", async () => {
  const { page, expectComplaint } = await openPayer();
  expectComplaint(/ERR_FAILED/);
  await page.route("**/confirm", async (route) => {
    await route.fetch();
    await route.abort("failed");
  });

  await payWith(page, "Succeeds");

  await waitForPaid(page);
  await expect.poll(() => readOrders(email)).toMatchObject([{ status: "completed" }]);
});

test("an invalid card is reported field by field before any request, and no card is kept in storage or URL", async () => {
  const { page } = await openPayer();

  await page.getByLabel("Card number").fill("4242424242424241");
  await page.getByLabel("Expiry date").fill("0120");
  await page.getByRole("button", { name: "Pay $35.90" }).click();

  await page.getByText("This card number is not valid").waitFor();
  await page.getByText("Enter the CVC").waitFor();
  expect(await page.getByLabel("Card number").evaluate((field) => field === document.activeElement)).toBe(
    true,
  );

  await page.getByLabel("Card number").fill("4242424242424242");
  await page.getByLabel("CVC").fill("987");
  const storedTexts = await page.evaluate(() =>
    JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href]),
  );
  expect(storedTexts).toContain(email);
  expect(storedTexts).not.toMatch(/42424242|"987\b|_secret_/);
});
