import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { defaultShippingPolicy } from "../../domain/shipping/shipping-policy.ts";
import { adminBrowser, send } from "../../test/admin.ts";
import { checkoutBody, confirm } from "../../test/checkout.ts";
import {
  easypostKey,
  type FakeCarrier,
  shippoKey,
  startFakeEasyPost,
  startFakeShippo,
} from "../../test/fake-carriers.ts";
import { soon } from "../../test/patience.ts";
import { type ApiResponse, openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { rateQuotes } from "../cart/tables.ts";
import { products } from "../catalog/tables.ts";
import { rateLimits } from "../http/tables.ts";

const minuteMs = 60_000;
let easypost: FakeCarrier;
let shippo: FakeCarrier;
let shop: TestShop;
let owner: TestBrowser;
beforeAll(async () => {
  [easypost, shippo] = await Promise.all([startFakeEasyPost(), startFakeShippo()]);
  shop = await openTestShop({
    PAYMENTS: "sandbox",
    SECRETS_KEY: "a key that is long enough for the test",
    EASYPOST_API_BASE: easypost.url,
    SHIPPO_API_BASE: shippo.url,
  });
  owner = await adminBrowser(shop);
});
afterAll(async () => {
  await shop.stop();
  await Promise.all([easypost.close(), shippo.close()]);
});

async function change(settings: Record<string, unknown>): Promise<void> {
  const { status, body } = await send(owner, "PATCH", "/api/admin/settings", settings);
  expect(status, JSON.stringify(body)).toBe(200);
  const current = async () => ({ ...(await shop.ctx.settings()), ...(await shop.ctx.ownerSettings()) });
  await vi.waitFor(async () => expect(await current()).toMatchObject(settings), soon);
}
const [home, ...zones] = defaultShippingPolicy.zones;
const setLive = (isLive: boolean) =>
  change({ shipping: { zones: [{ ...home, ...(isLive && { liveRates: true }) }, ...zones] } });

const body = checkoutBody();
type Parcel = { quantity?: number; shipping?: typeof body.shipping; shippingOption?: string };
const quote = (
  browser: TestBrowser,
  { quantity = 1, ...more }: Parcel & { discountCode?: string; withoutDiscounts?: string[] } = {},
) => {
  const { shipping } = { ...body, ...more };
  const items = [{ productId: 1, quantity }];
  const { country, state } = shipping;
  return browser.post("/api/cart/quote", { items, country, state, shipping, ...more });
};
const costs = ({ body }: ApiResponse) =>
  Object.fromEntries(
    body.data.shippingOptions.map(({ id, cost }: { id: string; cost: number }) => [id, cost]),
  );
const placeOrder = (browser: TestBrowser, more: object, headers = {}) =>
  browser.post("/api/stripe/create-payment-intent", { ...body, ...more }, headers);
/** The table's price of the default order. */
const tableTotal = 3590;
const refusedWith = (total: unknown) => ({ status: 409, body: { error: "price_changed", total } });

describe("without live rates", () => {
  test("an address changes neither prices nor response, and no carrier is called", async () => {
    const { items, shipping, ...plain } = { items: [{ productId: 1, quantity: 1 }], ...body };
    const withoutAddress = await shop
      .browser()
      .post("/api/cart/quote", { items, country: "US", state: "TX" });
    expect((await quote(shop.browser())).body).toEqual(withoutAddress.body);
    expect(withoutAddress.body.data).not.toHaveProperty("rateQuoteId");
    expect((await placeOrder(shop.browser(), { ...plain, shipping })).status).toBe(201);
    expect(await shop.database.db.$count(rateQuotes)).toBe(0);
  });
});

describe("live rates from the sandbox carrier", () => {
  beforeAll(() => setLive(true));

  test("replace the table's prices for a complete address, and an order is charged the shown amount", async () => {
    const browser = shop.browser();
    const quoted = await quote(browser);
    expect(costs(quoted)).toEqual({ "us-standard": 520, "us-expedited": 840 });
    expect(quoted.body.data.totals).toMatchObject({ shipping: 520, total: 3515 });
    const { rateQuoteId } = quoted.body.data;
    const started = await placeOrder(browser, { rateQuoteId, amount: 3515 });
    expect(started).toMatchObject({ status: 201, body: { totals: { shipping: 520, total: 3515 } } });
    await confirm(browser, started);
    await shop.jobsDone();
    const { data } = (await browser.get(`/api/orders/${started.body.orderId}`)).body;
    expect(data).toMatchObject({ payment: "paid", totals: { shipping: 520, total: 3515 } });
    const refund = await owner.post(`/api/admin/orders/${started.body.orderId}/refund`, {});
    expect(refund.status).toBe(200);
    await shop.jobsDone();
    expect((await browser.get(`/api/orders/${started.body.orderId}`)).body.data.totals.refunded).toBe(3515);
  });

  test("are described on the shipping and privacy pages while they are on", async () => {
    const pages = async () =>
      Promise.all(
        ["/shipping-policy", "/privacy"].map(async (page) => (await shop.browser().get(page)).body),
      );
    const sentence = "what a package there costs: it learns the address and the weight, not your name.";
    const describesLiveRates = ([policy = "", privacy = ""]: string[]) => [
      policy.includes("about $5.95"),
      privacy.includes(sentence),
    ];
    expect(describesLiveRates(await pages())).toEqual([true, true]);
    await setLive(false);
    await vi.waitFor(async () => expect(describesLiveRates(await pages())).toEqual([false, false]), soon);
    await setLive(true);
  });

  test("also set the price of Expedited, under the same quote", async () => {
    const browser = shop.browser();
    const { rateQuoteId } = (await quote(browser)).body.data;
    const expedited = { rateQuoteId, shippingOption: "us-expedited" };
    expect(await placeOrder(browser, { ...expedited, amount: 4490 })).toMatchObject(refusedWith(3835));
    expect((await placeOrder(browser, { ...expedited, amount: 3835 })).status).toBe(201);
  });

  test("are not requested without a complete address, and countries without them keep the table's prices", async () => {
    const items = [{ productId: 1, quantity: 1 }];
    const partialAddress = await shop
      .browser()
      .post("/api/cart/quote", { items, country: "US", state: "TX" });
    expect(costs(partialAddress)).toEqual({ "us-standard": 595, "us-expedited": 1495 });
    const paris = { line1: "1 Rue A", city: "Paris", state: "", postalCode: "75001", country: "FR" };
    expect((await quote(shop.browser(), { shipping: paris })).body.data).not.toHaveProperty("rateQuoteId");
    const refused = await quote(shop.browser(), { shipping: { ...body.shipping, postalCode: "" } });
    expect(refused).toMatchObject({
      status: 422,
      body: { fields: { "shipping.postalCode": expect.anything() } },
    });
  });

  test("do not apply to another visitor, address or cart, nor after half an hour", async () => {
    const browser = shop.browser();
    const { rateQuoteId } = (await quote(browser)).body.data;
    const live = { rateQuoteId, amount: 3515 };
    const refusal = refusedWith(tableTotal);
    expect(await placeOrder(shop.browser(), live)).toMatchObject(refusal);
    expect(
      await placeOrder(browser, { ...live, shipping: { ...body.shipping, postalCode: "78702" } }),
    ).toMatchObject(refusal);
    expect(await placeOrder(browser, { ...live, shipping: null })).toMatchObject(refusal);
    const two = [{ productId: 1, quantity: 2, price: 2995 }];
    const expedited = { shippingOption: "us-expedited", orderItems: two };
    expect(await placeOrder(browser, { ...live, ...expedited })).toMatchObject(refusedWith(5990 + 1495));
    expect(await placeOrder(browser, { ...live, rateQuoteId: crypto.randomUUID() })).toMatchObject(refusal);
    expect((await placeOrder(browser, { ...live, rateQuoteId: "x" })).body.fields).toEqual({
      rateQuoteId: "Must be a UUID",
    });
    shop.travel(30 * minuteMs);
    expect(await placeOrder(browser, live)).toMatchObject(refusal);
    shop.travel(-30 * minuteMs);
    expect((await placeOrder(browser, live)).status).toBe(201);
  });

  test("must be sent again by a repeated call, which finds the order even after the quote has expired", async () => {
    const browser = shop.browser();
    const { rateQuoteId } = (await quote(browser)).body.data;
    const key = { "Idempotency-Key": "one order" };
    const first = await placeOrder(browser, { rateQuoteId, amount: 3515 }, key);
    expect(first.status).toBe(201);
    expect(await placeOrder(browser, { amount: 3515 }, key)).toMatchObject({
      status: 409,
      body: { error: "invalid_state" },
    });
    await shop.database.db.delete(rateQuotes).where(eq(rateQuotes.id, rateQuoteId));
    const repeated = await placeOrder(browser, { rateQuoteId, amount: 3515 }, key);
    expect(repeated.body.orderId).toBe(first.body.orderId);
  });

  test("are reused for 20 minutes; each of two concurrent tabs is charged the amount that it shows", async () => {
    const browser = shop.browser();
    // The first response sets the visitor's cookie.
    await quote(browser, { shipping: { ...body.shipping, postalCode: "10000" } });
    const tabs = await Promise.all([quote(browser), quote(browser)]);
    const ids = tabs.map(({ body }) => body.data.rateQuoteId);
    expect(ids).toContain((await quote(browser)).body.data.rateQuoteId);
    for (const rateQuoteId of ids)
      expect((await placeOrder(browser, { rateQuoteId, amount: 3515 })).status).toBe(201);
    shop.travel(21 * minuteMs);
    const later = (await quote(browser)).body.data.rateQuoteId;
    expect(ids).not.toContain(later);
    shop.travel(-21 * minuteMs);
  });

  test("leave shipping that is free by subtotal or code free, and are taxed like the table's prices", async () => {
    const browser = shop.browser();
    const two = await quote(browser, { quantity: 2 });
    expect(costs(two)).toEqual({ "us-standard": 0, "us-expedited": 840 });
    expect(two.body.data.totals).toMatchObject({ shipping: 0, total: 5990 });
    const terms = { code: "SHIPFREE", kind: "free_shipping", value: 0, minimumSubtotal: 0 };
    await owner.post("/api/admin/discounts", terms);
    const { rateQuoteId } = (await quote(browser)).body.data;
    const free = { rateQuoteId, discountCode: "SHIPFREE", amount: 2995 };
    expect((await placeOrder(browser, free)).body.totals).toMatchObject({ shipping: 0, total: 2995 });
    await change({
      tax: { mode: "table", rates: [{ country: "US", state: "TX", percent: 10, onShipping: true }] },
    });
    const taxed = (await quote(browser)).body.data;
    expect(taxed.totals).toMatchObject({ shipping: 520, tax: 352, total: 3867 });
    expect((await placeOrder(browser, { rateQuoteId: taxed.rateQuoteId, amount: 3867 })).status).toBe(201);
    await change({ tax: { mode: "none", rates: [] } });
  });

  test("decide whether an automatic discount or a code saves more", async () => {
    const path = "/api/admin/discounts";
    await owner.post(path, { code: "POSTFREE", kind: "free_shipping" });
    const terms = { code: "Five fifty", kind: "amount", value: 550, automatic: true };
    const { id } = (await owner.post(path, terms)).body.data;
    const browser = shop.browser();
    const items = [{ productId: 1, quantity: 1 }];
    const shopPrice = { items, country: "US", state: "TX", discountCode: "POSTFREE" };
    expect((await browser.post("/api/cart/quote", shopPrice)).body.data).toMatchObject({
      discount: { code: "POSTFREE" },
      totals: { total: 2995 },
    });
    const live = (await quote(browser, { discountCode: "POSTFREE" })).body.data;
    expect(live).toMatchObject({
      discount: { code: "Five fifty", automatic: true },
      discountProblem:
        "“Five fifty” applies automatically and saves you as much or more. One discount per order.",
      totals: { shipping: 520, discount: 550, total: 2965 },
    });
    const { rateQuoteId } = live;
    const withCode = await placeOrder(browser, { rateQuoteId, discountCode: "POSTFREE", amount: 2965 });
    expect(withCode.body.fields).toEqual({ discountCode: live.discountProblem });
    expect((await placeOrder(browser, { rateQuoteId, amount: 2965 })).status).toBe(201);
    const atShopPrice = { discountCode: "POSTFREE", amount: 2995 };
    expect((await placeOrder(shop.browser(), atShopPrice)).status).toBe(201);
    await send(owner, "PATCH", `${path}/${id}`, { active: false });
  });

  test("are requested anew after the owner has changed weights, parcels or the switch", async () => {
    const browser = shop.browser();
    const { labels } = await shop.ctx.ownerSettings();
    const { rateQuoteId } = (await quote(browser)).body.data;
    await change({ labels: { ...labels, unitGrams: 1500 } });
    expect(await placeOrder(browser, { rateQuoteId, amount: 3515 })).toMatchObject(refusedWith(tableTotal));
    expect(costs(await quote(browser))).toEqual({ "us-standard": 660, "us-expedited": 1050 });
    await change({ labels });
    await setLive(false);
    expect(await placeOrder(browser, { rateQuoteId, amount: 3515 })).toMatchObject(refusedWith(tableTotal));
    await setLive(true);
  });

  test("are requested at most 40 times an hour per visitor; after that the table's price applies", async () => {
    const browser = shop.browser();
    const at = (postalCode: string) => quote(browser, { shipping: { ...body.shipping, postalCode } });
    await at("10000");
    await Promise.all(Array.from({ length: 39 }, (_, index) => at(String(10_001 + index))));
    const refused = await at("10040");
    expect(refused.status).toBe(200);
    expect(refused.body.data).not.toHaveProperty("rateQuoteId");
    expect(costs(refused)["us-standard"]).toBe(595);
    // Prices that were quoted before need no further call.
    expect((await at("10000")).body.data).toHaveProperty("rateQuoteId");
    // The next tests need the shop's limit of 60 calls a minute for themselves.
    await shop.database.db.delete(rateLimits);
  });
});

async function connect(carrier: "easypost" | "shippo", apiKey: string): Promise<void> {
  const { version } = (await owner.get("/api/admin/connections")).body.data[carrier];
  const response = await send(owner, "PUT", `/api/admin/connections/${carrier}`, { version, apiKey });
  expect(response.status).toBe(200);
}
async function disconnect(carrier: "easypost" | "shippo"): Promise<void> {
  const { version } = (await owner.get("/api/admin/connections")).body.data[carrier];
  const response = await send(owner, "DELETE", `/api/admin/connections/${carrier}?version=${version}`);
  expect(response.status).toBe(200);
}

describe("live rates from EasyPost", () => {
  beforeAll(() => connect("easypost", easypostKey));
  afterEach(() => {
    easypost.quoteFaults = [];
  });

  test("fail the go-live check if a carrier's key is missing, refused or for tests only", async () => {
    const check = async () => {
      const { checks } = (await owner.get("/api/admin/go-live")).body.data;
      return checks.find(({ id }: { id: string }) => id === "live_rates");
    };
    expect(await check()).toMatchObject({
      state: "warning",
      detail: expect.stringContaining("only a test key"),
      link: { to: "/admin/settings/keys#easypost" },
    });
    easypost.refusesKey = true;
    expect(await check()).toMatchObject({
      state: "problem",
      detail:
        "Live rates are on for United States, but EasyPost gives no prices: EasyPost does not accept the key.",
    });
    easypost.refusesKey = false;
    easypost.lookupFaults = Array(5).fill("gone");
    expect(await check()).toMatchObject({
      state: "warning",
      detail: expect.stringContaining("EasyPost could not be reached."),
      todo: expect.stringContaining("try again"),
    });
    easypost.lookupFaults = [];
    await setLive(false);
    expect(await check()).toMatchObject({ state: "ok" });
    await setLive(true);
    await disconnect("easypost");
    expect(await check()).toMatchObject({
      state: "warning",
      detail: expect.stringContaining("no carrier’s key is entered"),
    });
    await connect("easypost", easypostKey);
  });

  test("are the cheapest service for each speed and weight, requested without the buyer's name", async () => {
    await shop.database.db.update(products).set({ weightGrams: 400 });
    expect(costs(await quote(shop.browser()))).toEqual({ "us-standard": 593, "us-expedited": 690 });
    expect(easypost.shipmentRequests.at(-1)).toMatchObject({
      to_address: { name: "Customer", street1: "1 Main St", zip: "78701" },
      parcel: { weight: expect.closeTo(16.2, 1) },
    });
  });

  test("are charged as shown even with an automatic discount that makes shipping free from a certain amount", async () => {
    const percent = { code: "Ten off", automatic: true, kind: "percent", value: 10 };
    const free = { code: "Free from 40", automatic: true, kind: "free_shipping", minimumSubtotal: 4000 };
    const created = await Promise.all(
      [percent, free].map((terms) => owner.post("/api/admin/discounts", terms)),
    );
    for (const [quantity, shippingOption, shipping, discount] of [
      [1, "us-standard", 593, "Ten off"],
      [1, "us-expedited", 690, "Ten off"],
      // $6.90 for express is more than 10 % of $59.90.
      [2, "us-expedited", 0, "Free from 40"],
    ] as const) {
      const browser = shop.browser();
      const { data } = (await quote(browser, { quantity, shippingOption })).body;
      expect(data).toMatchObject({ totals: { shipping }, discount: { code: discount } });
      const orderItems = [{ ...body.orderItems[0], quantity }];
      const request = { orderItems, shippingOption, amount: data.totals.total };
      const byTable = await placeOrder(browser, request);
      expect(byTable.status, "without the quote").toBe(shipping === 0 ? 201 : 409);
      const placed = await placeOrder(browser, { ...request, rateQuoteId: data.rateQuoteId });
      expect(placed).toMatchObject({ status: 201, body: { totals: data.totals } });
    }
    for (const { body } of created)
      await send(owner, "PATCH", `/api/admin/discounts/${body.data.id}`, { active: false });
  });

  test("are used for standard shipping even without a delivery date", async () => {
    easypost.datelessPrice = "4.10";
    expect(costs(await quote(shop.browser()))).toEqual({ "us-standard": 410, "us-expedited": 690 });
    easypost.datelessPrice = null;
  });

  test.each(["error", "gone", "silent"] as const)(
    "leave the table's price if the provider is %s",
    async (trouble) => {
      easypost.quoteFaults = [trouble];
      const browser = shop.browser();
      const quoted = await quote(browser);
      expect(quoted.body.data).not.toHaveProperty("rateQuoteId");
      expect(costs(quoted)).toEqual({ "us-standard": 595, "us-expedited": 1495 });
      expect((await placeOrder(browser, {})).status).toBe(201);
      expect((await quote(browser)).body.data).toHaveProperty("rateQuoteId");
    },
  );

  test("leave the table's price if data for the customs form is missing", async () => {
    await change({ shipping: { zones: [home, { ...zones[0], liveRates: true }] } });
    const paris = { line1: "1 Rue A", city: "Paris", state: "", postalCode: "75001", country: "FR" };
    const request = { shipping: paris, shippingOption: "international-standard" };
    expect((await quote(shop.browser(), request)).body.data).not.toHaveProperty("rateQuoteId");
    await shop.database.db.update(products).set({ hsCode: "151590", originCountry: "HN" });
    expect((await quote(shop.browser(), request)).body.data).toHaveProperty("rateQuoteId");
  });
});

describe("live rates from Shippo", () => {
  beforeAll(async () => {
    await disconnect("easypost");
    await connect("shippo", shippoKey);
    await setLive(true);
    await shop.database.db.delete(rateLimits);
  });

  test("are the prices of its cheapest service, requested without the buyer's name, and are charged as shown", async () => {
    const browser = shop.browser();
    const quoted = await quote(browser);
    expect(costs(quoted)).toMatchObject({ "us-standard": 581 });
    expect(shippo.shipmentRequests.at(-1)).toMatchObject({
      address_to: { name: "Customer", street1: "1 Main St", zip: "78701" },
    });
    const { rateQuoteId, totals } = quoted.body.data;
    expect(totals).toMatchObject({ shipping: 581 });
    const placed = await placeOrder(browser, { rateQuoteId, amount: totals.total });
    expect(placed).toMatchObject({ status: 201, body: { totals } });
  });

  test.each(["error", "gone", "silent"] as const)(
    "leave the table's price if the provider is %s",
    async (trouble) => {
      shippo.quoteFaults = [trouble];
      const quoted = await quote(shop.browser());
      expect(shippo.quoteFaults).toEqual([]);
      expect(quoted.body.data).not.toHaveProperty("rateQuoteId");
      expect(costs(quoted)).toEqual({ "us-standard": 595, "us-expedited": 1495 });
    },
  );
});
