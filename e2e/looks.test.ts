import { describe, expect, test } from "vitest";
import { expectToFit, look, lookAtLayout } from "./look.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";
import {
  continueToPayment,
  fillAddress,
  fillCart,
  payWith,
  skipPause,
  waitForThankYouPage,
} from "./steps.ts";

shareBrowser();

// crawl.test.ts checks pages as they open; these tests check them after a shopper's actions.
describe("pages are accessible and fit the screen", () => {
  test("from the home page to the card form", async () => {
    const { page } = await openShopper({ size: "phone" });
    await page.goto(at("/"));
    await page.getByRole("button", { name: "Open menu" }).click();
    await look(page, "menu");
    await page.goto(at("/product/pure-batana-oil"));
    for (const part of await page.locator("article summary").all()) await part.click();
    await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
    await page.getByText("Added to cart").first().waitFor();
    await look(page, "toast");
    await page.goto(at("/checkout"));
    await page.getByRole("button", { name: /^Continue to Payment/ }).click();
    await page.getByText("Please fill out all required fields").waitFor();
    await look(page, "checkout-errors");
    await fillAddress(page);
    await continueToPayment(page);
    await look(page, "payment");
  });

  test("with free shipping, after a declined card, and in the bank's 3-D Secure dialog", async () => {
    const { page, expectComplaint } = await openShopper();
    expectComplaint(/status of 402/);
    await fillCart(page, 2);
    await page.goto(at("/cart"));
    await page.getByText("Free shipping on this order").waitFor();
    await lookAtLayout(page, "cart-free-shipping");
    await page.goto(at("/checkout"));
    const leftEdgeOf = async (label: string) => (await page.getByLabel(label).boundingBox())?.x;
    expect(await leftEdgeOf("First Name"), "the name fields begin a row").toBe(
      await leftEdgeOf("Email Address"),
    );
    await fillAddress(page);
    await continueToPayment(page);
    await payWith(page, "Declined");
    await page.getByText("Your card was declined.").waitFor();
    await lookAtLayout(page, "declined");
    await payWith(page, "Asks for authentication");
    await page.getByRole("dialog").waitFor();
    await look(page, "authentication");
  });
});

test("on the smallest screen no page from the home page to the order scrolls sideways", async () => {
  const { page, expectComplaint } = await openShopper({ size: "small" });
  expectComplaint(/status of 404/);
  for (const path of ["/", "/cart", "/orders", "/admin", "/no-such-page", "/product/pure-batana-oil"]) {
    await page.goto(at(path));
    await expectToFit(page);
  }
  await page.locator("article").getByRole("button", { name: "Buy Now" }).click();
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await expectToFit(page);
  await page.getByRole("link", { name: "Back to cart" }).click();
  await page.getByRole("heading", { name: "Order Summary" }).waitFor();
  await expectToFit(page);
  await page.goBack();
  await fillAddress(page, "a.rather.long.name.of.a.buyer@mail.example.com");
  await continueToPayment(page);
  await expectToFit(page);
  await skipPause(page);
  await payWith(page, "Succeeds");
  await waitForThankYouPage(page);
  await expectToFit(page);
  await page.getByRole("link", { name: "View My Orders" }).click();
  await page.getByRole("link", { name: /^View order/ }).click();
  await page.getByRole("heading", { name: "Progress" }).waitFor();
  await expectToFit(page);
});
