import { describe, test } from "vitest";
import { expectToFit, look } from "./look.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";
import { continueToPayment, fillAddress, hurryToThanks, payWith } from "./steps.ts";

shareBrowser();

describe.each(["phone", "desktop"] as const)("accessible and as wide as the screen (%s)", (size) => {
  test("from the home page to the card form", async () => {
    const { page } = await openShopper({ size });
    await page.goto(at("/"));
    await look(page, `home-${size}`);
    if (size === "phone") {
      await page.getByRole("button", { name: "Open menu" }).click();
      await look(page, "menu-phone");
    }
    await page.goto(at("/product/pure-batana-oil"));
    await look(page, `product-${size}`);
    for (const part of await page.locator("article summary").all()) await part.click();
    await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
    await page.getByText("Added to cart").first().waitFor();
    await look(page, `toast-${size}`);
    await page.goto(at("/cart"));
    await page.getByText("Add $20.05 more for free shipping").waitFor();
    await look(page, `cart-${size}`);
    await page.goto(at("/checkout"));
    await page.getByRole("button", { name: /^Continue to Payment/ }).click();
    await page.getByText("Please fill out all required fields").waitFor();
    await look(page, `checkout-errors-${size}`);
    await fillAddress(page);
    await look(page, `checkout-${size}`);
    await continueToPayment(page);
    await look(page, `payment-${size}`);
  });

  test("from a declined card to the order", async () => {
    const { page, expectComplaint } = await openShopper({ size });
    expectComplaint(/status of 402/);
    await page.clock.install();
    await page.goto(at("/product/pure-batana-oil"));
    await page.getByRole("button", { name: "Increase quantity" }).click();
    await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
    await page.goto(at("/cart"));
    await page.getByText("Free shipping on this order").waitFor();
    await look(page, `cart-free-shipping-${size}`);
    await page.goto(at("/checkout"));
    await fillAddress(page);
    await continueToPayment(page);
    await payWith(page, "Declined");
    await page.getByText("Your card was declined.").waitFor();
    await look(page, `declined-${size}`);
    await payWith(page, "Asks for authentication");
    await page.getByRole("dialog").waitFor();
    await look(page, `authentication-${size}`);
    await page.getByRole("button", { name: "Complete authentication" }).click();
    await hurryToThanks(page);
    await look(page, `success-${size}`);
    await page.getByRole("link", { name: "View My Orders" }).click();
    await page.getByRole("link", { name: /^View order/ }).waitFor();
    await look(page, `orders-${size}`);
    await page.getByRole("link", { name: /^View order/ }).click();
    await page.getByRole("heading", { name: "Progress" }).waitFor();
    await look(page, `order-${size}`);
  });
});

test("nothing scrolls sideways on the smallest screen, from the first page to the order", async () => {
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
  await page.clock.install();
  await continueToPayment(page);
  await expectToFit(page);
  await payWith(page, "Succeeds");
  await hurryToThanks(page);
  await expectToFit(page);
  await page.getByRole("link", { name: "View My Orders" }).click();
  await page.getByRole("link", { name: /^View order/ }).click();
  await page.getByRole("heading", { name: "Progress" }).waitFor();
  await expectToFit(page);
});
