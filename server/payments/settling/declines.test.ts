import { afterAll, afterEach, expect, test } from "vitest";
import { checkoutBody, order } from "../../../test/checkout.ts";
import type { TestBrowser } from "../../../test/shop.ts";
import { openStripeShop } from "../../../test/stripe-shop.ts";

const shop = await openStripeShop();
afterAll(() => shop.stop());
afterEach(async () => {
  await shop.expectConserved();
});

const hourMs = 60 * 60 * 1000;
const declineCards = (intentId: string, times: number) =>
  Array.from({ length: times }, () => shop.stripe.decline(intentId));

/** Places a further order from the same browser, even if it has open ones. */
async function placeAnother(browser: TestBrowser): Promise<{ status: number; id: string; intentId: string }> {
  const { status, body } = await order(browser, {}, { "Idempotency-Key": crypto.randomUUID() });
  return { status, id: body.orderId, intentId: body.paymentIntentId };
}

async function readOrderStatus(browser: TestBrowser, id: string): Promise<string> {
  return (await browser.get(`/api/orders/${id}`)).body.data.status;
}

test("declined cards reported only by the provider's responses are counted, and the fifth closes the payment", async () => {
  const browser = shop.browser();
  const checkout = await order(browser);
  const { orderId, paymentIntentId } = checkout.body;
  for (let tries = 1; tries <= 5; tries += 1) {
    expect(await readOrderStatus(browser, orderId)).toBe("pending");
    shop.stripe.decline(paymentIntentId);
    if (tries % 2 === 0) await browser.get(`/api/order-details?session_id=${paymentIntentId}`);
    else expect((await order(browser)).status).toBe(201);
  }
  await shop.jobsDone();
  expect(shop.stripe.intent(paymentIntentId).status).toBe("canceled");
  expect(await readOrderStatus(browser, orderId)).toBe("cancelled");
});

test("a decline that event, response and reconciliation all report counts once", async () => {
  const browser = shop.browser();
  const { body } = await order(browser);
  for (let tries = 1; tries <= 4; tries += 1) {
    const event = shop.stripe.decline(body.paymentIntentId);
    await order(browser);
    await shop.send(event, { ...event, id: `${event.id}b` });
    await browser.get(`/api/order-details?session_id=${body.paymentIntentId}`);
    await shop.jobsDone();
  }
  expect(await readOrderStatus(browser, body.orderId)).toBe("pending");
  await shop.send(shop.stripe.decline(body.paymentIntentId));
  await shop.jobsDone();
  expect(await readOrderStatus(browser, body.orderId)).toBe("cancelled");
});

test("after 20 declined cards in an hour all visitors of a network must wait, and the next decline closes an open payment", async () => {
  const address = "203.0.113.77";
  const openOrder = await placeAnother(shop.browser(address));
  for (let count = 0; count < 4; count += 1) {
    const { status, intentId } = await placeAnother(shop.browser(address));
    expect(status).toBe(201);
    await shop.send(...declineCards(intentId, 5));
    await shop.jobsDone();
  }
  expect((await placeAnother(shop.browser(address))).status).toBe(429);
  expect((await placeAnother(shop.browser("203.0.113.78"))).status).toBe(201);
  await shop.send(shop.stripe.decline(openOrder.intentId));
  await shop.jobsDone();
  expect(shop.stripe.intent(openOrder.intentId).status).toBe("canceled");
});

test("a visitor with 10 declined cards in an hour must wait on every network", async () => {
  const browser = shop.browser();
  for (const times of [4, 4, 2]) {
    const { status, intentId } = await placeAnother(browser);
    expect(status).toBe(201);
    await shop.send(...declineCards(intentId, times));
    await shop.jobsDone();
  }
  for (const path of ["create-payment-intent", "create-checkout-session"]) {
    const refused = await browser.post(`/api/stripe/${path}`, checkoutBody());
    expect([refused.status, refused.body.error]).toEqual([429, "rate_limited"]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(hourMs / 1000);
  }
  shop.travel(hourMs + 60_000);
  expect((await placeAnother(browser)).status).toBe(201);
});
