import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeStripe, startFakeStripe } from "../test/fake-stripe.ts";
import { openOwnShop } from "./shop-here.ts";
import { at, openShopper, type Shopper, shareBrowser } from "./shopper.ts";
import { buyer, fillAddress, openCheckout, skipPause, storedUnits, waitForThankYouPage } from "./steps.ts";

shareBrowser();

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startFakeStripe();
});
afterAll(() => stripe.stop());

// This shop takes payments through Stripe, which is faked.
openOwnShop(() => ({
  STRIPE_SECRET_KEY: stripe.secretKey,
  STRIPE_PUBLISHABLE_KEY: "pk_test_fake",
  STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
  STRIPE_API_BASE: stripe.url,
}));

/**
 * The part of Stripe's script that the shop uses. The card form has no fields: `openVisitor` decides the outcome. A wallet's
 * sheet prints the amounts it receives, and throws on errors that Stripe reports.
 */
const script = `window.Stripe = Object.assign((key) => ({
  _registerWrapper() {}, registerAppInfo() {},
  elements: ({ clientSecret, amount }) => ({
    clientSecret, amount,
    update(changes) { Object.assign(this, changes); },
    submit: async () => ({}),
    create(type, options) {
      if (type === "expressCheckout") return express(this, options);
      const listeners = {};
      return {
        on: (name, listener) => { listeners[name] = listener; },
        mount: (place) => { place.textContent = "Stripe's card form"; setTimeout(() => listeners.ready(), 0); },
        destroy() {},
      };
    },
    getElement: () => null,
  }),
  confirmPayment: async ({ elements, clientSecret = elements.clientSecret }) =>
    (await fetch("https://api.stripe.com/" + clientSecret + "?amount=" + elements.amount)).json(),
}), { version: document.currentScript.src.split("/")[3] });
const places = {
  Austin: { line1: "1 Main St", line2: null, city: "Austin", state: "TX", postal_code: "78701", country: "US" },
  Havana: { line1: "23 Harbor St", line2: null, city: "Havana", state: "", postal_code: "10400", country: "CU" },
};
function express(elements, options) {
  const listeners = {};
  const sheet = document.createElement("div");
  const announcement = document.createElement("output");
  let rate, place;
  const show = ({ lineItems, shippingRates }) => {
    const sum = lineItems.reduce((sum, { amount }) => sum + amount, 0);
    if (sum !== elements.amount) throw new Error("IntegrationError: " + sum + " is not " + elements.amount);
    rate = shippingRates[0];
    announcement.textContent = elements.amount + ": " + lineItems.map(({ name, amount }) => name + " " + amount).join(", ");
  };
  const emit = (event, details) => new Promise((resolve) => listeners[event]({
    ...details,
    resolve: (answer) => { show(answer); resolve(true); },
    reject: () => { announcement.textContent = "refused"; resolve(false); },
    paymentFailed: ({ reason }) => { announcement.textContent = reason; },
  }));
  const addButton = (name, work) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    button.onclick = work;
    sheet.append(button);
  };
  addButton("Pretend Pay", () => emit("click", {}));
  for (const name of Object.keys(places)) {
    addButton("To " + name, () => {
      place = places[name];
      const { line1, line2, ...address } = place;
      emit("shippingaddresschange", { name: "Ada", address });
    });
  }
  addButton("Expedited", () => emit("shippingratechange", { shippingRate: { id: "us-expedited" } }));
  addButton("Approve", () => emit("confirm", {
    shippingRate: rate,
    billingDetails: { name: "Ada Obi", email: "ada@example.com", phone: "" },
    shippingAddress: { name: "Ada Obi", address: place },
  }));
  sheet.append(announcement);
  return {
    on: (name, listener) => { listeners[name] = listener; },
    mount: (frame) => {
      if (!options.allowedShippingCountries.includes("US")) throw new Error("IntegrationError: countries");
      const applePay = window.hasWallet === true;
      if (applePay) frame.append(sheet);
      setTimeout(() => listeners.ready({ availablePaymentMethods: applePay ? { applePay } : undefined }), 0);
    },
    destroy() {},
  };
}`;

type StripeResponse = { paymentIntent: { status: string } } | { error: { type: string; message: string } };

/** Opens a shopper's browser with the fake Stripe script. `pay` returns the bank's answer for an intent. */
async function openVisitor(
  pay: (intentId: string, amount: number) => StripeResponse,
  canLoadScript: () => boolean = () => true,
): Promise<Shopper> {
  const shopper = await openShopper({
    origins: [at(""), "https://js.stripe.com", "https://api.stripe.com"],
  });
  const { context } = shopper;
  await context.route("https://js.stripe.com/**", (route) =>
    canLoadScript() ? route.fulfill({ contentType: "text/javascript", body: script }) : route.abort("failed"),
  );
  await context.route("https://api.stripe.com/**", (route) =>
    route.fulfill({
      headers: { "Access-Control-Allow-Origin": "*" },
      json: fakeResponse(new URL(route.request().url())),
    }),
  );
  const fakeResponse = ({ pathname, searchParams }: URL) =>
    pay(pathname.slice(1).replace(/_secret_.*/, ""), Number(searchParams.get("amount")));
  return shopper;
}

/** Like `openVisitor`, with the checkout form open and filled in. */
async function openFilledCheckout(...args: Parameters<typeof openVisitor>): Promise<Shopper> {
  const shopper = await openVisitor(...args);
  const { page } = shopper;
  await openCheckout(page, 1, buyer["Email Address"]);
  return shopper;
}

function succeed(intentId: string): StripeResponse {
  stripe.pay(intentId);
  return { paymentIntent: { status: "succeeded" } };
}

test("the thank-you page appears after a Stripe payment even if no webhook arrives", async () => {
  let scriptRequests = 0;
  const { page } = await openVisitor(succeed, () => {
    scriptRequests += 1;
    return true;
  });
  await page.goto(at("/"));
  await page.mouse.wheel(0, 2000);
  await page.goto(at("/product/pure-batana-oil"));
  await page.waitForLoadState("networkidle");
  expect(await page.getByText("Test mode").count()).toBe(0);
  expect(scriptRequests, "no request to Stripe while a shopper only browses").toBe(0);
  await page.locator("article").getByRole("button", { name: "Buy Now" }).click();
  await fillAddress(page);

  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByText("Stripe's card form").waitFor();
  await skipPause(page);
  await page.getByRole("button", { name: "Pay $35.90" }).click();

  await waitForThankYouPage(page);
  expect(await storedUnits(page)).toEqual({});
});

test("while Stripe or its script is unavailable the shopper sees an explanation, keeps all entries and can try again", async () => {
  let isScriptReachable = false;
  const { page, expectComplaint } = await openFilledCheckout(succeed, () => isScriptReachable);
  expectComplaint(/status of 502/);
  expectComplaint(/js\.stripe\.com/);
  const continueButton = page.getByRole("button", { name: /^Continue to Payment/ });
  stripe.failNext({ path: "/v1/payment_intents", method: "POST", how: 503, times: 10 });
  await continueButton.click();
  await page.getByText("Could not initialize payment. Please try again.").waitFor();
  await page.getByText("Nothing was charged, and what you entered is saved.").waitFor();
  expect(await page.getByLabel("City").inputValue()).toBe("Austin");

  stripe.endTrouble();
  await continueButton.click();
  const tryAgain = page.getByRole("button", { name: "Try again" });
  await tryAgain.waitFor();
  await page.getByText("Could not initialize payment. Please try again.").waitFor();
  isScriptReachable = true;
  await tryAgain.click();
  await page.getByText("Stripe's card form").waitFor();
});

test("the success page waits for a payment that Stripe is processing, and reports immediately when it fails or succeeds", async () => {
  let intentId = "";
  const { page } = await openFilledCheckout((id) => {
    intentId = id;
    stripe.processing(id);
    return { paymentIntent: { status: "processing" } };
  });
  const payUntilProcessing = async () => {
    await page.getByRole("button", { name: /^Continue to Payment/ }).click();
    await page.getByRole("button", { name: "Pay $35.90" }).click();
    await page.getByRole("heading", { name: "Processing your payment" }).waitFor();
  };
  await payUntilProcessing();
  await page.goto(at("/orders"));
  await page.getByText("Payment processing").waitFor();
  await page.getByRole("link", { name: /^View order/ }).click();
  await page.getByText("Your payment is being processed").waitFor();
  expect(await page.getByRole("button", { name: "Cancel order" }).count()).toBe(0);

  await page.goto(at(`/checkout/success?session_id=${intentId}`));
  await page.getByRole("heading", { name: "Processing your payment" }).waitFor();
  stripe.decline(intentId);
  await page.getByRole("heading", { name: "Your payment didn’t go through" }).waitFor();
  await page.getByRole("link", { name: "Back to checkout" }).click();

  await payUntilProcessing();
  stripe.pay(intentId);
  await page.getByRole("heading", { name: "Thank you for your order!" }).waitFor();
});

test("a declined card is reported in the bank's words, and a forged success URL is not accepted", async () => {
  let intentId = "";
  const { page } = await openFilledCheckout((id) => {
    intentId = id;
    return { error: { type: "card_error", message: "Your card has expired." } };
  });
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByRole("button", { name: "Pay $35.90" }).click();
  await page.getByRole("alert").filter({ hasText: "Your card has expired." }).waitFor();

  await page.goto(at(`/checkout/success?session_id=${intentId}&redirect_status=succeeded`));
  await page.getByRole("heading", { name: "Your payment didn’t go through" }).waitFor();
  await page.getByRole("link", { name: "Back to checkout" }).click();
  await page.getByRole("button", { name: /^Continue to Payment/ }).waitFor();
});

test("a wallet on the product's page buys that product alone, at the price shown in its sheet", async () => {
  const chargedAmounts: unknown[] = [];
  const { page } = await openVisitor((intentId, amount) => {
    const intent = stripe.intent(intentId);
    chargedAmounts.push([intent.amount, amount, intent.shipping]);
    return succeed(intentId);
  });
  await page.addInitScript("window.hasWallet = true");
  await page.goto(at("/product/pure-batana-oil"));
  await page.locator("article").getByRole("button", { name: "Add to Cart" }).click();
  await page.getByRole("button", { name: "Pretend Pay" }).click();
  const output = page.locator("output");
  await output.getByText("3590: Pure Batana Oil 2995, Shipping 595").waitFor();

  await page.getByRole("button", { name: "To Havana" }).click();
  await output.getByText("refused").waitFor();
  await page.getByRole("alert").filter({ hasText: "We don’t ship to Cuba." }).waitFor();
  await page.getByRole("button", { name: "To Austin" }).click();
  await output.getByText("3590:").waitFor();
  await page.getByRole("button", { name: "Expedited" }).click();
  await output.getByText("4490: Pure Batana Oil 2995, Shipping 1495").waitFor();
  await page.getByRole("button", { name: "Approve" }).dblclick();

  await waitForThankYouPage(page);
  expect(chargedAmounts).toEqual([[4490, 4490, null]]);
  expect(await storedUnits(page)).toEqual({ 1: 1 });
});

test("a payment that succeeded before the shopper returned is not requested again", async () => {
  const { page } = await openFilledCheckout(succeed);
  const orderResponse = page.waitForResponse("**/create-payment-intent");
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  const { paymentIntentId } = await (await orderResponse).json();
  await page.getByText("Stripe's card form").waitFor();
  stripe.pay(paymentIntentId);
  await page.reload();
  await page.getByRole("heading", { name: "Thank you for your order!" }).waitFor();
  expect(await storedUnits(page)).toEqual({});
});
