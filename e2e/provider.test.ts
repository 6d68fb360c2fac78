import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeStripe, startFakeStripe } from "../test/fake-stripe.ts";
import { type RunningShop, startShop } from "../test/running-shop.ts";
import { openShopper, type Shopper, shareBrowser } from "./shopper.ts";
import { fillAddress, hurryToThanks, storedUnits } from "./steps.ts";

shareBrowser();

let stripe: FakeStripe;
let shop: RunningShop;

/** A shop that takes payments through Stripe; nothing of Stripe is real. */
beforeAll(async () => {
  stripe = await startFakeStripe();
  shop = await startShop({
    TRUST_PROXY: "127.0.0.1",
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: "pk_test_fake",
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_BASE: stripe.url,
  });
});
afterAll(async () => {
  await shop.stop();
  await stripe.stop();
});

/** Stripe's script as far as the shop uses it: the card form is a button, and the card is told from outside. */
const script = `window.Stripe = Object.assign((key) => ({
  _registerWrapper() {}, registerAppInfo() {},
  elements: ({ clientSecret }) => ({
    create: () => {
      const listeners = {};
      return {
        on: (name, listener) => { listeners[name] = listener; },
        mount: (place) => { place.textContent = "Stripe's card form"; setTimeout(() => listeners.ready(), 0); },
        destroy() {},
      };
    },
    getElement: () => null,
    clientSecret,
  }),
  confirmPayment: async ({ elements }) =>
    (await fetch("https://api.stripe.com/" + elements.clientSecret)).json(),
}), { version: document.currentScript.src.split("/")[3] });`;

type StripeAnswer = { paymentIntent: { status: string } } | { error: { type: string; message: string } };

/** A shopper with a filled-in form. `pay` is what the bank says, by the intent's id. */
async function openBuyer(
  pay: (intentId: string) => StripeAnswer,
  scriptAnswers: () => boolean = () => true,
): Promise<Shopper> {
  const shopper = await openShopper({
    origins: [shop.url, "https://js.stripe.com", "https://api.stripe.com"],
  });
  const { page, context } = shopper;
  await context.route("https://js.stripe.com/**", (route) =>
    scriptAnswers() ? route.fulfill({ contentType: "text/javascript", body: script }) : route.abort("failed"),
  );
  await context.route("https://api.stripe.com/**", (route) =>
    route.fulfill({
      headers: { "Access-Control-Allow-Origin": "*" },
      json: pay(new URL(route.request().url()).pathname.slice(1).replace(/_secret_.*/, "")),
    }),
  );
  await page.goto(`${shop.url}/`);
  await page.getByRole("button", { name: "Buy Now" }).first().click();
  await fillAddress(page);
  return shopper;
}

function paid(intentId: string): StripeAnswer {
  stripe.pay(intentId);
  return { paymentIntent: { status: "succeeded" } };
}

test("a payment through Stripe is thanked for although its webhook never came", async () => {
  let scriptsAsked = 0;
  const { page } = await openBuyer(paid, () => {
    scriptsAsked += 1;
    return true;
  });
  expect(await page.getByText("Test mode").count()).toBe(0);
  expect(scriptsAsked, "Stripe hears nothing of shoppers who are not paying").toBe(0);

  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByText("Stripe's card form").waitFor();
  await page.clock.install();
  await page.getByRole("button", { name: "Pay $35.90" }).click();

  await hurryToThanks(page);
  expect(await storedUnits(page)).toEqual({});
});

test("while Stripe is away the shopper is told so, keeps the entries and can try again", async () => {
  const { page, expectComplaint } = await openBuyer(paid);
  expectComplaint(/status of 502/);
  stripe.failNext({ path: "/v1/payment_intents", method: "POST", how: 503, times: 10 });

  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByText("Could not initialize payment. Please try again.").waitFor();
  await page.getByText("Nothing was charged, and your entries are kept.").waitFor();
  expect(await page.getByLabel("City").inputValue()).toBe("Austin");

  stripe.endTrouble();
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByText("Stripe's card form").waitFor();
});

test("when Stripe's script cannot be loaded, Try again loads it", async () => {
  let isReachable = false;
  const { page, expectComplaint } = await openBuyer(paid, () => isReachable);
  expectComplaint(/js\.stripe\.com/);

  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByText("Could not initialize payment. Please try again.").waitFor();
  isReachable = true;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Stripe's card form").waitFor();
});

test("a payment that Stripe is still processing is waited for on the success page", async () => {
  let intentId = "";
  const { page } = await openBuyer((id) => {
    intentId = id;
    stripe.processing(id);
    return { paymentIntent: { status: "processing" } };
  });
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByRole("button", { name: "Pay $35.90" }).click();
  await page.getByRole("heading", { name: "Processing your payment" }).waitFor();

  stripe.pay(intentId);
  await page.getByRole("heading", { name: "Thank you for your order!" }).waitFor();
});

test("a payment that fails while it is processed says so at once, with the way to pay again", async () => {
  let intentId = "";
  const { page } = await openBuyer((id) => {
    intentId = id;
    stripe.processing(id);
    return { paymentIntent: { status: "processing" } };
  });
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByRole("button", { name: "Pay $35.90" }).click();
  await page.getByRole("heading", { name: "Processing your payment" }).waitFor();
  await page.goto(`${shop.url}/orders`);
  await page.getByText("Payment processing").waitFor();
  await page.getByRole("link", { name: /^View order/ }).click();
  await page.getByText("Your payment is being processed.").waitFor();
  expect(await page.getByRole("button", { name: "Cancel order" }).count()).toBe(0);

  await page.goto(`${shop.url}/checkout/success?session_id=${intentId}`);
  await page.getByRole("heading", { name: "Processing your payment" }).waitFor();
  stripe.decline(intentId);
  await page.getByRole("heading", { name: "Your payment didn’t go through" }).waitFor();
  await page.getByRole("link", { name: "Back to checkout" }).click();
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByText("Stripe's card form").waitFor();
});

test("a refused card is told in the bank's words, and an address that claims a payment proves nothing", async () => {
  let intentId = "";
  const { page } = await openBuyer((id) => {
    intentId = id;
    return { error: { type: "card_error", message: "Your card has expired." } };
  });
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByRole("button", { name: "Pay $35.90" }).click();
  await page.getByRole("alert").filter({ hasText: "Your card has expired." }).waitFor();

  await page.goto(`${shop.url}/checkout/success?session_id=${intentId}&redirect_status=succeeded`);
  await page.getByRole("heading", { name: "Your payment didn’t go through" }).waitFor();
  await page.getByRole("link", { name: "Back to checkout" }).click();
  await page.getByRole("button", { name: /^Continue to Payment/ }).waitFor();
});

test("a payment that was made before the shopper came back is not asked for again", async () => {
  const { page } = await openBuyer(paid);
  const ordered = page.waitForResponse("**/create-payment-intent");
  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  const { paymentIntentId } = await (await ordered).json();
  await page.getByText("Stripe's card form").waitFor();
  await page.reload();
  stripe.pay(paymentIntentId);

  await page.getByRole("button", { name: /^Continue to Payment/ }).click();
  await page.getByRole("heading", { name: "Thank you for your order!" }).waitFor();
  expect(await storedUnits(page)).toEqual({});
});
