import { expect, test } from "vitest";
import { defaultShippingPolicy } from "../domain/shipping/shipping-policy.ts";
import { asOwner } from "./owner.ts";
import { forgetRateQuotes, readOrders, setPrice, setStock, shareDatabase } from "./shop-database.ts";
import { at, openShopper, shareBrowser } from "./shopper.ts";
import {
  buyer,
  continueToPayment,
  fillAddress,
  fillCart,
  openCheckout,
  openPayment,
  payWith,
  storedUnits,
  waitForPaid,
  waitForThankYouPage,
} from "./steps.ts";

shareBrowser();
shareDatabase();

test("a reload at the payment step stays there, or opens the thank-you page once the order is paid in any tab", async () => {
  const { page, openTab } = await openShopper({ size: "phone" });
  await openCheckout(page, 1, "reload@example.com");
  await continueToPayment(page);

  await page.reload();
  await page.getByLabel("Card number").waitFor();
  await page.getByText("Ada Obi, 1 Main St, Austin, TX 78701, United States").waitFor();
  await page.goBack();
  for (const [label, value] of Object.entries({ ...buyer, "Email Address": "reload@example.com" })) {
    expect(await page.getByLabel(label).inputValue()).toBe(value);
  }
  expect(await page.getByLabel("State/Province").inputValue()).toBe("TX");
  await page.reload();
  await page.goForward();
  await page.getByLabel("Card number").waitFor();
  expect(await readOrders("reload@example.com")).toHaveLength(1);

  const secondTab = await openTab();
  await secondTab.goto(at("/checkout"));
  await fillAddress(secondTab, "reload@example.com");
  await continueToPayment(secondTab);
  await payWith(secondTab, "Succeeds");
  await waitForPaid(secondTab);
  await secondTab.reload();
  await waitForThankYouPage(secondTab);
  await page.reload();
  await waitForThankYouPage(page);
  expect(await readOrders("reload@example.com")).toMatchObject([{ status: "completed" }]);
});

test("text typed and buttons pressed before the page's scripts are loaded are not lost", async () => {
  const { page } = await openShopper({ size: "phone" });
  await fillCart(page);
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await gate;
    await route.continue();
  });
  const navigation = page.goto(at("/checkout"), { waitUntil: "commit" });
  await fillAddress(page, "early@example.com");
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  release();
  await navigation;
  await page.getByLabel("Card number").waitFor();
  expect(await readOrders("early@example.com")).toMatchObject([{ country: "US", total: 3590 }]);
});

test("Back and Forward move between the steps and keep all entries", async () => {
  const { page } = await openShopper();
  await openCheckout(page, 1, "back@example.com");
  await continueToPayment(page);

  await page.goBack();
  expect(await page.getByLabel("Email Address").inputValue()).toBe("back@example.com");
  await page.goForward();
  await page.getByLabel("Card number").waitFor();
  await page.getByRole("button", { name: "Back to Shipping Information" }).click();
  await page.getByLabel("First Name").waitFor();
  await continueToPayment(page);
  await payWith(page, "Succeeds");
  await waitForPaid(page);

  await expect.poll(() => readOrders("back@example.com")).toMatchObject([{ status: "completed" }]);
});

test("an address and a gift note changed after going back are in the paid order", async () => {
  const { page } = await openShopper();
  await openCheckout(page, 1, "before@example.com");
  await continueToPayment(page);

  await page.getByRole("button", { name: "Change contact" }).click();
  await page.getByLabel("Email Address").fill("after@example.com");
  await page.getByLabel("This is a gift").check();
  await page.getByLabel("Gift note").fill("Happy\nbirthday");
  await page.reload();
  expect(await page.getByLabel("Gift note").inputValue()).toBe("Happy\nbirthday");
  await continueToPayment(page);
  await page.getByText("Happy birthday").filter({ visible: true }).first().waitFor();
  await payWith(page, "Succeeds");
  await waitForPaid(page);

  const paid = { status: "completed", note: "Happy\nbirthday" };
  await expect.poll(() => readOrders("after@example.com")).toMatchObject([paid]);
  expect((await readOrders("before@example.com")).filter(({ status }) => status === "completed")).toEqual([]);
});

test("double clicks create one order and one payment", async () => {
  const { page } = await openShopper();
  const confirmations: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/confirm")) confirmations.push(request.url());
  });
  await openCheckout(page, 1, "double@example.com");

  await page.getByRole("button", { name: /^Continue to Payment/ }).dblclick();
  await page.getByLabel("Card number").waitFor();
  await page.getByRole("button", { name: "Succeeds" }).click();
  await page.getByRole("button", { name: "Pay $35.90" }).dblclick();
  await waitForPaid(page);

  await expect.poll(() => readOrders("double@example.com")).toMatchObject([{ status: "completed" }]);
  expect(confirmations).toHaveLength(1);
});

test("the first press of the button counts, even if leaving a field makes a warning appear above it", async () => {
  const { page } = await openShopper({ size: "phone" });
  await openCheckout(page, 1, "press@example.com");
  const button = page.getByRole("button", { name: /^Continue to Payment/ });
  const buttonTop = async () => {
    await page.getByLabel("ZIP/Postal Code").fill("7870");
    await button.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await page.getByLabel("ZIP/Postal Code").evaluate((field) => field.focus({ preventScroll: true }));
    const { x, y, width } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    return [x + width / 2, y + 4] as const;
  };

  await page.mouse.move(...(await buttonTop()));
  await page.mouse.down();
  // Waits until the page shows the changes caused by the field's loss of focus.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await page.mouse.up();
  // The press counted: it showed the warning about the ZIP code, which is shown once.
  await page.getByText("press Continue to Payment again").first().waitFor();
  await continueToPayment(page);
  await page.goBack();
  await page.getByText(/doesn’t look like/).waitFor();

  await page.getByLabel("ZIP/Postal Code").fill("78701");
  await page.getByText(/doesn’t look like/).waitFor({ state: "detached" });
  await page.touchscreen.tap(...(await buttonTop()));
  await page.getByLabel("Card number").waitFor();
  expect(await readOrders("press@example.com")).toHaveLength(1);
});

test("two tabs share cart and order, and both show when the order is paid", async () => {
  const { page, openTab } = await openShopper();
  await openCheckout(page, 1, "tabs@example.com");
  await continueToPayment(page);
  const secondTab = await openTab();
  await secondTab.goto(at("/checkout"));
  await fillAddress(secondTab, "tabs@example.com");
  await continueToPayment(secondTab);
  expect(await readOrders("tabs@example.com")).toHaveLength(1);
  const thirdTab = await openTab();
  await thirdTab.goto(at("/cart"));
  await thirdTab.getByRole("group", { name: "Quantity of Pure Batana Oil" }).waitFor();

  await payWith(page, "Succeeds");
  await waitForPaid(page);

  await thirdTab.getByText("Your cart is empty").waitFor();
  // The second tab still shows the form of the order that has been paid in the first.
  await payWith(secondTab, "Succeeds");
  await waitForPaid(secondTab);
  await expect.poll(() => readOrders("tabs@example.com")).toMatchObject([{ status: "completed" }]);
});

test("the keyboard alone is enough to buy", async () => {
  const { page } = await openShopper();
  await page.goto(at("/"));
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: element } = document;
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : element;
      return label?.textContent?.trim() ?? "";
    });
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      if (name.test(await focused())) return;
    }
    throw new Error(`Tab does not reach ${name}, but ${await focused()}`);
  };

  await tabTo(/^Buy Now$/);
  // On the product's page, Tab reaches the buttons without passing through the gallery.
  await page.goto(at("/product/pure-batana-oil"));
  for (let presses = 0; presses < 8 && (await focused()) !== "Add to Cart"; presses += 1)
    await page.keyboard.press("Tab");
  expect(await focused()).toBe("Add to Cart");
  await tabTo(/^Buy Now$/);
  await page.keyboard.press("Enter");
  await page.getByLabel("First Name").waitFor();
  for (const [label, text] of Object.entries(buyer)) {
    if (label === "ZIP/Postal Code") {
      await page.keyboard.press("Tab");
      await page.keyboard.type("Texas");
    }
    await tabTo(new RegExp(`^${label}`));
    await page.keyboard.type(label === "Email Address" ? "keys@example.com" : text);
  }
  await page.keyboard.press("Enter");
  await page.getByLabel("Card number").waitFor();
  // Focus is on the step's heading: the card is next.
  await tabTo(/^Card number/);
  await page.keyboard.type("4242424242424242");
  await page.keyboard.press("Tab");
  await page.keyboard.type("1240");
  await page.keyboard.press("Tab");
  await page.keyboard.type("123");
  await tabTo(/^Pay \$35\.90/);
  await page.keyboard.press("Space");
  await waitForPaid(page);

  await expect.poll(() => readOrders("keys@example.com")).toMatchObject([{ status: "completed" }]);
});

test("an incomplete form is not sent: one line links to the first missing field, and each field shows its error", async () => {
  const { page } = await openShopper({ size: "phone" });
  await openCheckout(page);
  await page.getByLabel("Email Address").fill("ada@gmial.com");
  await page.getByLabel("Phone Number").fill("12");
  await page.getByRole("button", { name: "Did you mean ada@gmail.com?" }).click();
  expect(await page.getByLabel("Email Address").inputValue()).toBe("ada@gmail.com");
  await page.getByText("Please check this number.").waitFor();
  await page.getByLabel("Email Address").fill("not-an-address");

  await page.getByRole("button", { name: /^Continue to Payment/ }).click();

  const summary = page.getByRole("alert").filter({ hasText: "Please fill out all required fields" });
  await summary.waitFor();
  expect(await summary.evaluate((banner) => banner === document.activeElement)).toBe(true);
  await summary.getByText(/ and \d more below$/).waitFor();
  expect(await summary.getByRole("link").count()).toBe(1);
  await summary.getByRole("link").click();
  const email = page.getByLabel("Email Address");
  expect(await email.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByText("Enter your city").waitFor();
  expect(await page.getByLabel("City").getAttribute("aria-invalid")).toBe("true");
  expect(await readOrders("not-an-address")).toEqual([]);
});

test("choosing another country changes provinces, shipping and total", async () => {
  const { page } = await openShopper({ size: "phone" });
  await openCheckout(page, 1, "abroad@example.com");
  await page.getByRole("radio", { name: /Expedited/ }).check();
  await page.getByRole("button", { name: "Continue to Payment • $44.90" }).waitFor();

  await page.getByLabel("Country").selectOption("Canada");
  await page.getByLabel("Province").selectOption("Quebec");
  await page.getByLabel("Postal Code").fill("12345");
  await page.getByLabel("City").fill("Montréal");
  // Only a warning: the form can still be sent.
  await page
    .getByText(/Canad/)
    .filter({ hasText: /postal code/i })
    .waitFor();
  expect(await page.getByRole("radio").count()).toBe(1);
  await page.getByRole("button", { name: "Continue to Payment • $35.90" }).waitFor();
  await page.getByLabel("Country").selectOption("Ireland");
  await page.getByLabel(/^County/).fill("Co. Cork");
  await page.getByLabel("Eircode").fill("");
  await continueToPayment(page);

  expect(await readOrders("abroad@example.com")).toMatchObject([
    { country: "IE", option: "International Standard", total: 3590 },
  ]);
});

test("a lost connection is reported, and the same button continues once it is back", async () => {
  const { page, context, expectComplaint } = await openShopper();
  expectComplaint(/ERR_INTERNET_DISCONNECTED/);
  // The connection is lost before the notice's own script arrives.
  await page.route(/assets\/checkout-notice/, (route) => route.abort("internetdisconnected"));
  await openCheckout(page, 1, "offline@example.com");

  await context.setOffline(true);
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByText("Could not initialize payment. Please try again.").waitFor();
  expect(await page.getByLabel("City").inputValue()).toBe("Austin");
  await context.setOffline(false);
  // A file of the payment's form is lost, too, which the browser does not fetch again before a reload.
  await page.route(/assets\/form-/, (route) => route.abort("internetdisconnected"), { times: 1 });
  await continueToPayment(page);

  expect(await readOrders("offline@example.com")).toHaveLength(1);
});

test("a price change during checkout is shown with the new total, which has to be confirmed", async () => {
  const { page, expectComplaint } = await openShopper();
  expectComplaint(/status of 409/);
  // If the price changed before the page's own quote, the button would already show the new total.
  const firstQuote = page.waitForResponse("**/api/cart/quote");
  await openCheckout(page, 1, "price@example.com");
  await firstQuote;
  await setPrice(3195);

  await page.getByRole("button", { name: "Continue to Payment • $35.90" }).click();
  await page.getByText("A price has changed.").waitFor();
  await page.getByText("The new total is $37.90.").waitFor();
  expect(await readOrders("price@example.com")).toEqual([]);
  await page.getByRole("button", { name: "Continue to Payment • $37.90" }).click();
  await payWith(page, "Succeeds");
  await waitForPaid(page);

  await expect.poll(() => readOrders("price@example.com")).toMatchObject([{ status: "completed" }]);
});

test("a shortage during checkout is shown with the units left, and the quantity can be adjusted", async () => {
  const { page, expectComplaint } = await openShopper({ size: "phone" });
  expectComplaint(/status of 409/);
  await openCheckout(page, 2, "short@example.com");
  await setStock(1);

  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByText("Pure Batana Oil: Only 1 left").waitFor();
  expect(await readOrders("short@example.com")).toEqual([]);
  await page.getByRole("button", { name: "Adjust my cart" }).click();
  await continueToPayment(page);

  expect(await storedUnits(page)).toEqual({ 1: 1 });
  expect(await readOrders("short@example.com")).toHaveLength(1);
});

test("a cart left empty by the adjustment shows which items are not available", async () => {
  const { page, expectComplaint } = await openShopper({ size: "phone" });
  expectComplaint(/status of 409/);
  await openCheckout(page, 2, "gone@example.com");
  await setStock(0);
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByText("Pure Batana Oil: Sold out").waitFor();
  await page.getByRole("button", { name: "Adjust my cart" }).click();
  await page.getByRole("heading", { name: "Your cart is empty" }).waitFor();
  await page
    .getByText("Pure Batana Oil isn’t available right now, so it’s no longer in your cart.")
    .waitFor();
  expect(await page.getByText("Looks like you haven’t added any products").count()).toBe(0);
});

test("the page of an unpaid order links to checkout while the cart has its items, and afterwards to the shop", async () => {
  const { page } = await openShopper({ size: "phone" });
  await openPayment(page, "later@example.com");
  await page.goto(at("/orders"));
  await page.getByRole("link", { name: /^View order/ }).click();
  await page.getByRole("link", { name: "Go to checkout" }).click();
  await page.getByLabel("First Name").waitFor();

  await page.goto(at("/cart"));
  await page.getByRole("button", { name: "Clear Cart" }).click();
  await page.goto(at("/orders"));
  await page.getByRole("link", { name: /^View order/ }).click();
  await page.getByText("this order is cancelled and nothing is charged").waitFor();
  await page.getByRole("link", { name: "Continue Shopping" }).click();
  await page.getByRole("button", { name: "Buy Now" }).first().waitFor();
});

test("carriers' prices appear once the address is complete and are charged; late ones do not delay the checkout", async () => {
  const [homeZone, ...zones] = defaultShippingPolicy.zones;
  const setZones = (zone: object) =>
    asOwner("PATCH", "/api/admin/settings", { shipping: { zones: [zone, ...zones] } });
  await setZones({ ...homeZone, liveRates: true });
  try {
    const { page, expectComplaint } = await openShopper({ size: "phone" });
    await openCheckout(page);
    const method = page.getByRole("group", { name: "Shipping Method" });
    const button = page.getByRole("button", { name: /Continue to Payment/ });
    const height = async () => (await method.boundingBox())?.height;
    await method.getByText("Prices may change with your address.").waitFor();
    await page.getByText("Continue to Payment • $35.90").waitFor();
    const heightBefore = await height();
    await fillAddress(page, "live@example.com");
    await method.getByText("Prices for your address.").waitFor();
    expect(await method.getByText(/^\$/).allTextContents()).toEqual(["$5.20", "$8.40"]);
    expect(await height()).toBe(heightBefore);
    await page.getByLabel("Expedited").check();
    await page.getByText("Continue to Payment • $38.35").waitFor();

    expectComplaint(/status of 409/);
    // Deletes the rate quote, as after half an hour: the page requests another one, and shows no notice if the price is the same.
    await forgetRateQuotes();
    await button.click();
    await page.getByLabel("Card number").waitFor();
    expect(await readOrders("live@example.com")).toMatchObject([{ total: 3835 }]);

    await page.route("**/api/cart/quote", async (route) => {
      if (route.request().postData()?.includes("78702"))
        await new Promise((resolve) => setTimeout(resolve, 2_500));
      await route.continue().catch(() => {});
    });
    await page.goBack();
    await page.getByLabel("ZIP/Postal Code").fill("78702");
    await method.getByText("Checking prices for your address…").waitFor();
    await page.getByText("Continue to Payment • $44.90").waitFor();
    await method.getByText("Prices for your address.").waitFor();
    await button.click();
    await page.getByLabel("Card number").waitFor();
    expect((await readOrders("live@example.com")).at(-1)).toMatchObject({ total: 4490 });
  } finally {
    await setZones({ ...homeZone });
  }
});
