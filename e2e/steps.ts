import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type CartItem, cartKey, serializeCart, toCartProduct } from "../app/features/cart/cart-storage.ts";
import { emptyAddressForm } from "../app/features/checkout/address/address-form.ts";
import { checkoutKeys } from "../app/features/checkout/stored-checkout.ts";
import { checkoutBody } from "../test/checkout.ts";
import { at } from "./shopper.ts";

export const buyer = {
  "Email Address": "ada@example.com",
  "First Name": "Ada",
  "Last Name": "Obi",
  "Street Address": "1 Main St",
  City: "Austin",
  "ZIP/Postal Code": "78701",
} as const;

/** Fills the stored cart with bottles, for tests that begin with a cart. */
export async function fillCart(page: Page, quantity = 1): Promise<CartItem[]> {
  const { data } = await (await page.request.get(at("/api/products/pure-batana-oil"))).json();
  const items = [{ product: toCartProduct(data), quantity }];
  // Storage belongs to an origin: open its cheapest file first, unless robots.txt of the shop is already open.
  if (page.url() !== at("/robots.txt")) await page.goto(at("/favicon.svg"));
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    cartKey,
    serializeCart(items),
  ] as const);
  return items;
}

/** The checkout form's entries as the browser stores them, with all required fields. */
function addressFormJson(email: string): string {
  return JSON.stringify({
    ...emptyAddressForm,
    firstName: buyer["First Name"],
    lastName: buyer["Last Name"],
    email,
    line1: buyer["Street Address"],
    city: buyer.City,
    state: "TX",
    postalCode: buyer["ZIP/Postal Code"],
  });
}

function storeInSession(page: Page, entries: Record<string, string>): Promise<void> {
  return page.evaluate((entries) => {
    for (const [key, text] of Object.entries(entries)) sessionStorage.setItem(key, text);
  }, entries);
}

/** Opens the checkout form with bottles in the cart; with an `email`, all required fields are filled in, as after a reload. */
export async function openCheckout(page: Page, quantity = 1, email?: string): Promise<void> {
  await fillCart(page, quantity);
  if (email !== undefined) await storeInSession(page, { [checkoutKeys.form]: addressFormJson(email) });
  await page.goto(at("/checkout"));
  await page.getByLabel("First Name").waitFor();
}

/** Goes from the home page to checkout with one unit. */
export async function buyNow(page: Page): Promise<void> {
  await page.goto(at("/"));
  await page.getByRole("button", { name: "Buy Now" }).first().click();
  await page.getByLabel("First Name").waitFor();
}

/** Fills in the form's required fields. */
export async function fillAddress(page: Page, email: string = buyer["Email Address"]): Promise<void> {
  for (const [label, value] of Object.entries(buyer)) {
    await page.getByLabel(label).fill(label === "Email Address" ? email : value);
  }
  await page.getByLabel("State/Province").selectOption("TX");
}

/** Submits the filled-in form, which creates an order, and waits for the card form. */
export async function continueToPayment(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByLabel("Card number").waitFor();
}

type TestCard = "Succeeds" | "Declined" | "Insufficient funds" | "Asks for authentication";

/** Pays with one of the sandbox's cards. */
export async function payWith(page: Page, card: TestCard): Promise<void> {
  await page.getByRole("button", { name: card }).click();
  await page.getByRole("button", { name: /^Pay \$/ }).click();
}

/** Waits until the payment has succeeded, without the redirect to the success page, which takes two seconds more. */
export async function waitForPaid(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Payment successful" }).waitFor();
}

export async function waitForThankYouPage(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Thank you for your order!" }).waitFor();
}

/** Skips the pause between payment and success page, on the open page: call it before the payment. */
export function skipPause(page: Page): Promise<void> {
  return page.evaluate(() => {
    const setTimeoutOriginal = window.setTimeout.bind(window);
    const setTimeoutFast = (work: () => void, ms?: number) => setTimeoutOriginal(work, ms === 2000 ? 0 : ms);
    Object.assign(window, { setTimeout: setTimeoutFast });
  });
}

/** Opens the payment step for one unit ($35.90) as after a reload; the order is created by an API call instead of the form. */
export async function openPayment(page: Page, email: string = buyer["Email Address"]): Promise<void> {
  const items = await fillCart(page);
  const orderResponse = await page.request.post(at("/api/stripe/create-payment-intent"), {
    data: checkoutBody({ email }),
  });
  expect(orderResponse.status(), await orderResponse.text()).toBe(201);
  const { paymentIntentId } = await orderResponse.json();
  const form = addressFormJson(email);
  const order = {
    paymentIntentId,
    optionName: "Standard",
    discountCode: null,
    items: serializeCart(items),
    form,
  };
  await storeInSession(page, { [checkoutKeys.form]: form, [checkoutKeys.order]: JSON.stringify(order) });
  await page.goto(at("/checkout#payment"));
  await page.getByLabel("Card number").waitFor();
}

/** Buys one unit; returns the order's number from the success page. */
export async function purchase(page: Page, email?: string): Promise<string> {
  await openPayment(page, email);
  await skipPause(page);
  await payWith(page, "Succeeds");
  await waitForThankYouPage(page);
  return orderNumber(page);
}

/** The order number on the success page, such as "1001". */
export async function orderNumber(page: Page): Promise<string> {
  const text = await page.locator("dt", { hasText: "Order ID" }).locator("+ dd").textContent();
  return text?.replace("#", "") ?? "";
}

/** The cart stored in the browser: units by product id. */
export function storedUnits(page: Page): Promise<Record<number, number>> {
  return page.evaluate(() => {
    const lines: { product: { id: number }; quantity: number }[] = JSON.parse(
      localStorage.getItem("cart") ?? "[]",
    );
    return Object.fromEntries(lines.map(({ product, quantity }) => [product.id, quantity]));
  });
}
