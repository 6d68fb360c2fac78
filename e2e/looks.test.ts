import { describe, expect, test } from "vitest";
import { expectToFitSmall, look, lookAtLayout } from "./look.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";
import { continueToPayment, fillAddress, fillCart, payWith } from "./steps.ts";

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
    await expectToFitSmall(page);
    await fillAddress(page, "a.rather.long.name.of.a.buyer@mail.example.com");
    await continueToPayment(page);
    await look(page, "payment");
    await expectToFitSmall(page);
  });

  test("with free shipping, after a declined card, and in the bank's 3-D Secure dialog", async () => {
    const { page, expectComplaint } = await openShopper();
    expectComplaint(/status of 402/);
    await fillCart(page, 2);
    await page.goto(at("/cart"));
    await page.getByText("Free shipping on this order").waitFor();
    await lookAtLayout(page, "cart-free-shipping");
    await page.goto(at("/checkout"));
    const leftEdge = async (label: string) => (await page.getByLabel(label).boundingBox())?.x;
    expect(await leftEdge("First Name"), "the name fields begin a row").toBe(await leftEdge("Email Address"));
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
