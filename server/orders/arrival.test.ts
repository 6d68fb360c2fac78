import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { arrivalText } from "../../domain/shipping/arrival.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { checkoutBody, confirm } from "../../test/checkout.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { type ApiResponse, openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { orders } from "./tables.ts";

let shop: TestShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop();
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());

async function placePaid(browser: TestBrowser, email: string, overrides: object = {}): Promise<ApiResponse> {
  const checkout = await browser.post("/api/stripe/create-payment-intent", {
    ...checkoutBody({ email }),
    ...overrides,
  });
  expect(checkout.status).toBe(201);
  await confirm(browser, checkout);
  await shop.jobsDone();
  return checkout;
}

async function ship({ body }: ApiResponse, trackingNumber: string | null = null): Promise<void> {
  const parcel = { carrier: "UPS", trackingNumber };
  expect((await owner.post(`/api/admin/orders/${body.orderId}/ship`, parcel)).status).toBe(200);
  await shop.jobsDone();
}

const oneLine = (text = "") => text.replaceAll(/\s+/g, " ");

describe("the promised arrival of an order", () => {
  test("is shown as quoted at checkout on pages and in e-mails, even if the calendar changes later", async () => {
    const browser = shop.browser();
    const cart = { items: [{ productId: 1, quantity: 1 }], country: "US", shippingOption: "us-standard" };
    const readQuotedArrival = async () =>
      (await browser.post("/api/cart/quote", cart)).body.data.shippingOptions.find(
        ({ id }: { id: string }) => id === cart.shippingOption,
      ).arrival;
    const arrival = await readQuotedArrival();
    const promise = arrivalText(arrival);

    const email = "arrival@example.com";
    const placed = await placePaid(browser, email);
    const { orderId, paymentIntentId } = placed.body;
    const calendar = { cutOff: "14:00", workingDays: [1], holidays: [] };
    const { status } = await owner.fetch("/api/admin/settings", {
      method: "PATCH",
      body: JSON.stringify({ calendar }),
      headers: { "Content-Type": "application/json" },
    });
    expect(status).toBe(200);
    expect(await readQuotedArrival()).not.toEqual(arrival);
    expect((await browser.get(`/api/orders/${orderId}`)).body.data.arrival).toEqual(arrival);
    const fetchHtml = async (page: string) => (await browser.get(page)).body;
    expect(await fetchHtml(`/checkout/success?session_id=${paymentIntentId}`)).toContain(`${promise}.`);
    expect(await fetchHtml(`/orders/${orderId}`)).toContain(`>${promise}<`);
    const promiseInSentence = promise.replace("Arrives", "arrives");
    expect(oneLine(keptMail(shop, email, "order_confirmation").at(-1))).toContain(`It ${promiseInSentence} `);

    await ship(placed);
    expect(oneLine(keptMail(shop, email, "order_shipped").at(-1))).toContain(`${promise} `);
    expect(await fetchHtml(`/orders/${orderId}`)).toContain(`>${promise}<`);
  });
});

test("a parcel's promised arrival is compared with its day of shipment in the shop's time zone", async () => {
  await send(owner, "PATCH", "/api/admin/settings", { timeZone: "Etc/GMT+12" });
  await expect.poll(() => shop.shop.timeZone()).toBe("Etc/GMT+12");
  const browser = shop.browser();
  const email = "evening@example.com";
  const placed = await placePaid(browser, email);
  const { orderId } = placed.body;
  const { db } = shop.database;
  // The shop's clock is set to 1:00 UTC, when it is still the day before in the shop.
  const dayMs = 24 * 60 * 60 * 1000;
  const today = new Date(Math.floor(shop.ctx.now().getTime() / dayMs) * dayMs);
  shop.travel(today.getTime() + 60 * 60 * 1000 - shop.ctx.now().getTime());
  // A session dated ahead of the clock is over.
  owner = await adminBrowser(shop);
  const arrivesFrom = today.toISOString().slice(0, 10);
  const arrivesUntil = new Date(today.getTime() + 9 * dayMs).toISOString().slice(0, 10);
  await db.update(orders).set({ arrivesFrom, arrivesUntil }).where(eq(orders.id, orderId));
  await ship(placed);
  const promise = arrivalText({ earliest: arrivesFrom, latest: arrivesUntil });
  expect(oneLine(keptMail(shop, email, "order_shipped").at(-1))).toContain(`${promise} `);
  expect((await browser.get(`/orders/${orderId}`)).body).toContain(`>${promise}<`);
});

describe("the page of a shipped order", () => {
  test("links to the parcel's carrier, even once it is delivered", async () => {
    const browser = shop.browser();
    const placed = await placePaid(browser, "tracked@example.com");
    const { orderId } = placed.body;
    const readPage = async () => (await browser.get(`/orders/${orderId}`)).body;
    await ship(placed, "1Z999AA10123456784");
    expect((await readPage()).match(/Track package/g)).toHaveLength(1);
    expect((await owner.post(`/api/admin/orders/${orderId}/deliver`, {})).status).toBe(200);
    const delivered = await readPage();
    expect(delivered.match(/Track package/g)).toHaveLength(1);
    expect(delivered).toMatch(/>Arrived[^a-z]*<time/);
  });

  test.each([
    ["asks its buyer for a review", null, true],
    ["does not ask the buyer of a gift for a review", { note: "Happy birthday", from: "Eve" }, false],
  ])("%s", async (_, gift, isAsked) => {
    const browser = shop.browser();
    const placed = await placePaid(browser, `${isAsked}@example.com`, gift === null ? {} : { gift });
    const linksToReviewForm = async () =>
      (await browser.get(`/orders/${placed.body.orderId}`)).body.includes("/reviews/new?product=");
    expect(await linksToReviewForm()).toBe(false);
    await ship(placed);
    expect(await linksToReviewForm()).toBe(isAsked);
  });
});
