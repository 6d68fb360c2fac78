import type { Page } from "playwright-core";
import { cartKey, serializeCart, toCartProduct } from "../app/features/cart/cart-storage.ts";
import { at } from "./shopper.ts";

export const buyer = {
  "First Name": "Ada",
  "Last Name": "Obi",
  "Email Address": "ada@example.com",
  "Street Address": "1 Main St",
  City: "Austin",
  "ZIP/Postal Code": "78701",
} as const;

/** Fills the stored cart with bottles, for tests that begin with a cart. */
export async function fillCart(page: Page, quantity = 1): Promise<void> {
  const { data } = await (await page.request.get(at("/api/products/pure-batana-oil"))).json();
  const storedCart = serializeCart([{ product: toCartProduct(data), quantity }]);
  // The fastest page of the shop's origin, to which the storage belongs.
  if (page.url() !== at("/robots.txt")) await page.goto(at("/favicon.svg"));
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [cartKey, storedCart] as const);
}

/** Opens the checkout form with bottles in the cart. */
export async function openCheckout(page: Page, quantity = 1): Promise<void> {
  await fillCart(page, quantity);
  await page.goto(at("/checkout"));
  await page.getByLabel("First Name").waitFor();
}

/** From the home page to checkout with one unit. */
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

/** Turns the filled-in form into an order and waits for the card form. */
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
export async function seePaid(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Payment successful" }).waitFor();
}

export async function seeThanks(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Thank you for your order!" }).waitFor();
}

/** Waits for the success page, skipping the pause after the payment; requires an installed page clock. */
export async function hurryToThanks(page: Page): Promise<void> {
  await seePaid(page);
  await page.clock.fastForward(2000);
  await seeThanks(page);
}

/** The open payment of one unit, $35.90. */
export async function openPayment(page: Page, email?: string): Promise<void> {
  await openCheckout(page);
  await fillAddress(page, email);
  await continueToPayment(page);
}

/** A complete purchase of one unit; returns the order number shown on the success page. */
export async function purchase(page: Page, email?: string): Promise<string> {
  await page.clock.install();
  await openPayment(page, email);
  await payWith(page, "Succeeds");
  await hurryToThanks(page);
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
