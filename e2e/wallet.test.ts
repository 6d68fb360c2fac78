import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { asOwner } from "./owner.ts";
import { at, openShopper, shareBrowser, sizes } from "./shopper.ts";
import { fillCart, openCheckout, storedUnits, waitForThankYouPage } from "./steps.ts";

shareBrowser();

async function setPrice(price: number): Promise<void> {
  await asOwner("PUT", "/api/products/1/price", { price });
}

test("the test wallet buys a single product, and a cart with its discount code, at the price in its sheet", async () => {
  await asOwner("POST", "/api/admin/discounts", { code: "WALLET10", kind: "percent", value: 10 });
  onTestFinished(() => setPrice(2995));
  const { page, expectComplaint } = await openShopper({ size: "phone" });
  expectComplaint(/status of 402/);
  expectComplaint(/status of 409/);
  expectComplaint(/status of 422/);
  await fillCart(page);
  await page.goto(at("/product/pure-batana-oil"));
  await page.getByRole("button", { name: "Increase quantity" }).click();
  await openSheet(page);
  await page.getByRole("button", { name: "Pay $59.90" }).waitFor();

  await page.getByRole("radio", { name: /Havana/ }).click();
  await page.getByRole("alert").filter({ hasText: "We don’t ship to Cuba." }).waitFor();
  expect(await page.getByRole("button", { name: "Pay", exact: true }).isDisabled()).toBe(true);
  await page.getByRole("radio", { name: /Austin/ }).click();
  await page.getByRole("button", { name: "Pay $59.90" }).waitFor();
  await page.getByRole("radio", { name: /Expedited/ }).click();
  await page.getByLabel("Card").selectOption({ label: "Declined" });
  await page.getByRole("button", { name: "Pay $74.85" }).click();
  await page
    .getByRole("alert")
    .filter({ hasText: /declined/ })
    .waitFor();

  await setPrice(3195);
  await page.getByLabel("Card").selectOption({ label: "Succeeds" });
  await page.getByLabel("Email").fill("wallet@example.com ");
  await page.getByRole("radio", { name: /Berlin/ }).click();
  await page.getByRole("button", { name: "Pay $69.85" }).waitFor();
  await setPrice(2995);
  await page.getByRole("button", { name: "Pay $69.85" }).click();
  await page
    .getByRole("alert")
    .filter({ hasText: "The total is now $65.85. Nothing was charged." })
    .waitFor();
  await page.keyboard.press("Escape");
  await openSheet(page);
  await page.getByRole("button", { name: "Pay $59.90" }).dblclick();
  await waitForThankYouPage(page);
  await page.getByText("$59.90").first().waitFor();
  expect(await storedUnits(page)).toEqual({ 1: 1 });

  await page.setViewportSize(sizes.desktop.viewport);
  await openCheckout(page);
  await page.getByRole("button", { name: "Add a discount code" }).first().click();
  await page.getByLabel("Discount code").fill("WALLET10");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: "Continue to Payment • $32.90" }).waitFor();
  await openSheet(page);
  await page.getByText("Discount WALLET10").waitFor();
  await page.getByLabel("Card").selectOption({ label: "Asks for authentication" });
  await page.getByRole("button", { name: "Pay $32.90" }).click();
  await page.getByRole("button", { name: "Complete authentication" }).click();
  await waitForThankYouPage(page);
  expect(await storedUnits(page)).toEqual({});

  // Whether a share link's code applies is known only with the e-mail address. A refused code is not used again.
  await asOwner("POST", "/api/admin/discounts", {
    code: "FIRST10",
    kind: "percent",
    value: 10,
    firstOrderOnly: true,
  });
  await fillCart(page);
  await page.goto(at("/cart?code=FIRST10"));
  await openSheet(page);
  await page.getByText("Discount FIRST10").waitFor();
  await page.getByLabel("Email").fill("wallet@example.com");
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await page.getByRole("alert").filter({ hasText: "for a first order only" }).waitFor();
  await page.reload();
  await openSheet(page);
  await page.getByRole("button", { name: "Pay $35.90" }).waitFor();

  // So does whether an automatic discount applies: the next sheet is without it, and so is the form's total.
  const automatic = {
    code: "Five to start",
    kind: "amount",
    value: 500,
    automatic: true,
    firstOrderOnly: true,
  };
  const { id } = await asOwner<{ id: number }>("POST", "/api/admin/discounts", automatic);
  onTestFinished(async () => void (await asOwner("PATCH", `/api/admin/discounts/${id}`, { active: false })));
  await page.goto(at("/cart"));
  await page.getByText("“Five to start” applies automatically.").waitFor();
  await openSheet(page);
  await page.getByText("Discount Five to start").waitFor();
  await page.getByLabel("Email").fill("wallet@example.com");
  await page.getByRole("button", { name: "Pay $30.90" }).click();
  await page
    .getByRole("alert")
    .filter({ hasText: "The total is now $35.90. Nothing was charged." })
    .waitFor();
  await page.keyboard.press("Escape");
  await openSheet(page);
  // An address that can have the discount gets the lower total, and pays it.
  await page.getByLabel("Email").fill("first@example.com");
  await page.getByRole("button", { name: "Pay $35.90" }).click();
  await page
    .getByRole("alert")
    .filter({ hasText: "The total is now $30.90. Nothing was charged." })
    .waitFor();
  await page.keyboard.press("Escape");
  await openSheet(page);
  await page.getByLabel("Email").fill("first@example.com");
  await page.getByRole("button", { name: "Pay $30.90" }).click();
  await waitForThankYouPage(page);
  await openCheckout(page, 1, "wallet@example.com");
  await page.getByRole("button", { name: "Continue to Payment • $30.90" }).click();
  await page.getByText("“Five to start” can’t be used for this order.").waitFor();
  await page.getByRole("button", { name: "Continue to Payment • $35.90" }).click();
  await page.getByLabel("Card number").waitFor();
});

async function openSheet(page: Page): Promise<void> {
  await page.mouse.move(5, 5);
  await page.getByRole("button", { name: "Test wallet" }).press("Enter");
  await page.getByRole("dialog", { name: "Test wallet" }).waitFor();
}
