import { eq, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { createTestDatabase, type TestDatabase } from "../../test/database.ts";
import {
  easypostKey,
  type FakeCarrier,
  shippoKey,
  startFakeEasyPost,
  startFakeShippo,
} from "../../test/fake-carriers.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { findRuleViolations } from "../../test/order-rules.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { products } from "../catalog/tables.ts";
import { trackingWebhookKey } from "../connections/carrier-keys.ts";
import { shipments } from "../order-desk/tables.ts";
import { orders } from "../orders/tables.ts";
import { labelCosts } from "./costs.ts";
import { settleOpenLabels } from "./jobs.ts";
import { labels } from "./tables.ts";
import { runTrackParcelJob, trackParcels } from "./tracking.ts";

const minuteMs = 60_000;
let database: TestDatabase;
let easypost: FakeCarrier;
let shippo: FakeCarrier;
let shop: TestShop;
let secondServer: TestShop;
let owner: TestBrowser;

beforeAll(async () => {
  [database, easypost, shippo] = await Promise.all([
    createTestDatabase(),
    startFakeEasyPost(),
    startFakeShippo(),
  ]);
  const env = {
    PAYMENTS: "sandbox",
    PUBLIC_URL: "https://palmira.example",
    SECRETS_KEY: "the key of two servers that is long enough",
    EASYPOST_API_BASE: easypost.url,
    SHIPPO_API_BASE: shippo.url,
  };
  shop = await openTestShop(env, { database });
  secondServer = await openTestShop(env, { database, background: "none" });
});
beforeEach(async () => {
  owner = await adminBrowser(shop);
  for (const fake of [easypost, shippo]) {
    fake.purchaseFaults = [];
    fake.lookupFaults = [];
    fake.refundsNothing = false;
  }
});
afterAll(async () => {
  await Promise.all([shop.stop(), secondServer.stop()]);
  await Promise.all([easypost.close(), shippo.close(), database.drop()]);
});

type PaidOrder = { browser: TestBrowser; id: string; number: number; email: string };
let buyerCount = 0;

async function placePaidOrder(changes: object = {}): Promise<PaidOrder> {
  buyerCount += 1;
  const email = `parcels${buyerCount}@example.com`;
  const browser = shop.browser();
  const started = await order(browser, { email, ...changes });
  await confirm(browser, started);
  await shop.jobsDone();
  return { browser, email, id: started.body.orderId, number: started.body.orderNumber };
}

const path = ({ id }: Pick<PaidOrder, "id">, rest = "") => `/api/admin/orders/${id}${rest}`;
const readOrder = async (paidOrder: Pick<PaidOrder, "id">) => (await owner.get(path(paidOrder))).body.data;
const fetchRates = async (paidOrder: Pick<PaidOrder, "id">) =>
  (await owner.post(path(paidOrder, "/label-rates"))).body.data;
const buy = (paidOrder: Pick<PaidOrder, "id">, rateId: string, user = owner) =>
  user.post(path(paidOrder, "/labels"), { rateId });
const buyFirst = async (paidOrder: PaidOrder) => buy(paidOrder, (await fetchRates(paidOrder))[0].rateId);
const readLabel = async ({ id }: PaidOrder) => {
  const [row] = await database.db.select().from(labels).where(eq(labels.orderId, id));
  if (!row) throw new Error("no label");
  return row;
};
const saveLabelSettings = (part: object) => send(owner, "PATCH", "/api/admin/settings", { labels: part });
const readConnections = async () => (await owner.get("/api/admin/connections")).body.data;
const connect = async (name: "easypost" | "shippo", apiKey: string) => {
  const { version } = (await readConnections())[name];
  return send(owner, "PUT", `/api/admin/connections/${name}`, { version, apiKey });
};
const disconnect = async (name: "easypost" | "shippo") => {
  const { version } = (await readConnections())[name];
  const query = `version=${version}`;
  return owner.fetch(`/api/admin/connections/${name}?${query}`, { method: "DELETE" });
};
const readPostage = async () =>
  Number(
    (await database.db.execute(sql`select coalesce(sum(cents), 0) as cents from ${labelCosts}`)).rows[0]
      ?.cents,
  );
const moveClock = (ms: number) => {
  shop.travel(ms);
  secondServer.travel(ms);
};

describe("keys of EasyPost and Shippo", () => {
  test("are tested, stored, used by every server and never shown; both services get the shop's webhook URL", async () => {
    expect((await connect("easypost", "nonsense")).status).toBe(422);
    expect((await connect("easypost", "EZTKwrong")).body.message).toContain(
      "EasyPost does not accept the key",
    );
    const connected = await connect("easypost", easypostKey);
    expect(connected.body.data.easypost).toMatchObject({ source: "panel", mode: "test", hasWebhook: true });
    expect(JSON.stringify(connected.body)).not.toContain(easypostKey);
    expect((await connect("shippo", shippoKey)).body.data.shippo).toMatchObject({
      mode: "test",
      hasWebhook: true,
    });
    const address = `https://palmira.example/api/parcels?key=${await trackingWebhookKey(shop.ctx)}`;
    expect([easypost.webhooks, shippo.webhooks]).toEqual([[address], [address]]);
    await expect.poll(() => secondServer.ctx.config.labelKeys.shippo).toBe(shippoKey);
    expect((await owner.post("/api/admin/connections/shippo/try")).body.data.failure).toBe(null);
    // Entering the key again adds no second webhook.
    await connect("easypost", easypostKey);
    expect(easypost.webhooks).toHaveLength(1);
  });

  test("offer the rates of both, cheapest first, and buy no test label for an order paid with real money", async () => {
    const paidOrder = await placePaidOrder();
    const services = (await fetchRates(paidOrder)).map(
      ({ carrier, service, amount }: Record<string, unknown>) => `${carrier} ${service} ${amount}`,
    );
    expect(services).toEqual([
      ...["USPS Ground Advantage 581", "USPS Ground Advantage 593", "USPS Priority 690", "UPS Ground 915"],
      "USPS Express 3310",
    ]);
    // Without Shippo, EasyPost's rates are still offered.
    await disconnect("shippo");
    expect((await fetchRates(paidOrder))[0]).toMatchObject({ service: "Ground Advantage", amount: 593 });
    await saveLabelSettings({ services: { standard: ["priority"], expedited: [] } });
    expect(await fetchRates(paidOrder)).toMatchObject([{ service: "Priority" }]);
    await saveLabelSettings({ services: { standard: [], expedited: [] } });
    await database.db.update(orders).set({ mode: "live" }).where(eq(orders.id, paidOrder.id));
    expect((await owner.post(path(paidOrder, "/label-rates"))).status).toBe(503);
  });
});

describe("a label bought at EasyPost", () => {
  test("is bought once by callers on two servers, is printed from its picture, and is refunded when it is voided", async () => {
    const paidOrder = await placePaidOrder();
    const [rate] = await fetchRates(paidOrder);
    const ownerAtSecondServer = await adminBrowser(secondServer);
    const responses = await Promise.all([
      buy(paidOrder, rate.rateId),
      buy(paidOrder, rate.rateId, ownerAtSecondServer),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(easypost.sold).toHaveLength(1);
    const { labelId, labelUrl, trackingNumber } = responses[0].body.data;
    expect(trackingNumber).toBe(easypost.sold[0]?.number);
    expect((await readOrder(paidOrder)).shipments).toMatchObject([{ carrier: "USPS", trackingNumber }]);
    const pdf = await owner.fetch(labelUrl);
    expect(pdf.status).toBe(200);
    expect(Buffer.from(await pdf.arrayBuffer()).toString("latin1")).toContain("/Subtype /Image");
    const voidLabel = () => owner.fetch(path(paidOrder, `/labels/${labelId}`), { method: "DELETE" });
    expect((await Promise.all([voidLabel(), voidLabel()])).map(({ status }) => status)).toEqual([200, 200]);
    expect(easypost.sold[0]?.isRefunded).toBe(true);
    expect((await buy(paidOrder, rate.rateId)).status).toBe(409);
  });

  test.each([
    ["the first answer is lost", ["cut"], [], [201, 200]],
    ["the answer and the first look-up are lost", ["cut"], ["gone"], [502, 200]],
    ["EasyPost is down for a while", ["error", "gone"], [], [502, 502]],
  ] as const)("is bought once even if %s", async (_, buying, reading, statuses) => {
    const paidOrder = await placePaidOrder();
    const [rate] = await fetchRates(paidOrder);
    const before = easypost.sold.length;
    Object.assign(easypost, { purchaseFaults: [...buying], lookupFaults: [...reading] });
    const responses = [await buy(paidOrder, rate.rateId), await buy(paidOrder, rate.rateId)];
    expect(responses.map(({ status }) => status)).toEqual(statuses);
    await Promise.all([settleOpenLabels(shop.ctx), settleOpenLabels(secondServer.ctx)]);
    expect(easypost.sold.length - before).toBe(1);
    expect(await readLabel(paidOrder)).toMatchObject({
      state: "bought",
      trackingNumber: easypost.sold.at(-1)?.number,
    });
    expect((await readOrder(paidOrder)).shipments).toHaveLength(1);
  });

  test("is voided if the order was cancelled before it was sold, or raises an issue if it cannot be", async () => {
    const [voided, unvoidable] = [await placePaidOrder(), await placePaidOrder()];
    for (const paidOrder of [voided, unvoidable]) {
      Object.assign(easypost, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
      expect((await buyFirst(paidOrder)).status).toBe(502);
      expect((await paidOrder.browser.post(`/api/orders/${paidOrder.id}/cancel`)).status).toBe(200);
      easypost.refundsNothing = paidOrder === unvoidable;
      await settleOpenLabels(shop.ctx);
    }
    expect((await readLabel(voided)).state).toBe("voided");
    expect(easypost.sold.at(-2)?.isRefunded).toBe(true);
    expect(await readLabel(unvoidable)).toMatchObject({ state: "bought", shippedAt: null });
    expect((await readOrder(unvoidable)).needsAttention).toContain(
      "could not be voided: EasyPost: Refund is not available.",
    );
    expect((await readOrder(unvoidable)).shipments).toEqual([]);
  });

  test("raises an issue if its carrier does not respond for hours, until it does", async () => {
    const paidOrder = await placePaidOrder();
    Object.assign(easypost, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
    expect((await buyFirst(paidOrder)).status).toBe(502);
    easypost.refusesKey = true;
    await settleOpenLabels(shop.ctx);
    expect((await readOrder(paidOrder)).needsAttention).toBe(null);
    moveClock(121 * minuteMs);
    owner = await adminBrowser(shop);
    await settleOpenLabels(shop.ctx);
    expect((await readOrder(paidOrder)).needsAttention).toContain(
      "USPS does not say whether it sold a label",
    );
    easypost.refusesKey = false;
    await settleOpenLabels(shop.ctx);
    expect((await readLabel(paidOrder)).state).toBe("bought");
    expect((await readOrder(paidOrder)).needsAttention).toBe(null);
  });

  test("is settled once the clock is right, even if it waited for a response while the clock was a year ahead", async () => {
    const yearMs = 365 * 24 * 60 * minuteMs;
    moveClock(yearMs);
    owner = await adminBrowser(shop);
    const [sold, refused] = [await placePaidOrder(), await placePaidOrder()];
    Object.assign(easypost, { purchaseFaults: ["cut", "gone"], lookupFaults: ["gone", "gone"] });
    for (const paidOrder of [sold, refused]) expect((await buyFirst(paidOrder)).status).toBe(502);
    moveClock(-yearMs);
    owner = await adminBrowser(shop);
    await settleOpenLabels(shop.ctx);
    expect([(await readLabel(sold)).state, (await readLabel(refused)).state]).toEqual(["bought", "bought"]);
  });

  test("that was voided while the carrier rejected the key becomes void once the key is accepted again", async () => {
    const paidOrder = await placePaidOrder();
    const { labelId } = (await buyFirst(paidOrder)).body.data;
    easypost.refusesKey = true;
    expect((await send(owner, "DELETE", path(paidOrder, `/labels/${labelId}`))).status).toBe(502);
    easypost.refusesKey = false;
    await settleOpenLabels(shop.ctx);
    expect((await readLabel(paidOrder)).state).toBe("voided");
  });

  test("that is voided after the delivery leaves its parcel delivered", async () => {
    const paidOrder = await placePaidOrder();
    const { labelId } = (await buyFirst(paidOrder)).body.data;
    easypost.refusesKey = true;
    await send(owner, "DELETE", path(paidOrder, `/labels/${labelId}`));
    easypost.refusesKey = false;
    expect((await owner.post(path(paidOrder, "/deliver"))).status).toBe(200);
    await settleOpenLabels(shop.ctx);
    expect((await readLabel(paidOrder)).state).toBe("voided");
    expect(await readOrder(paidOrder)).toMatchObject({
      status: "delivered",
      shipments: [{ deliveredAt: expect.any(String) }],
      items: [{ toShip: 0 }],
    });
    expect(await findRuleViolations(database.db)).toEqual([]);
  });

  test("is refunded if its purchase was refused while an earlier call had no response, and that call has bought it after all", async () => {
    const paidOrder = await placePaidOrder();
    easypost.purchaseFaults = ["gone", "refused"];
    expect((await buyFirst(paidOrder)).status).toBe(502);
    await settleOpenLabels(shop.ctx);
    const { state, parcelRef: id, rateRef: rate } = await readLabel(paidOrder);
    expect(state).toBe("failed");
    easypost.sold.push({ id, rate, number: "9400", isRefunded: false, tracking: "unknown" });
    moveClock(61 * minuteMs);
    await settleOpenLabels(shop.ctx);
    expect((await readLabel(paidOrder)).state).toBe("voided");
    expect(easypost.sold.at(-1)?.isRefunded).toBe(true);
  });

  test("without a response for a day counts as failed and raises an issue, and the order can get another one", async () => {
    const paidOrder = await placePaidOrder();
    Object.assign(easypost, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
    expect((await buyFirst(paidOrder)).status).toBe(502);
    easypost.refusesKey = true;
    moveClock(25 * 60 * minuteMs);
    owner = await adminBrowser(shop);
    // One o'clock in UTC is still the day before in the shop.
    await send(owner, "PATCH", "/api/admin/settings", { timeZone: "Etc/GMT+12" });
    await expect.poll(() => shop.shop.timeZone()).toBe("Etc/GMT+12");
    const createdAt = new Date(`${new Date().toISOString().slice(0, 10)}T01:00:00Z`);
    await shop.database.db.update(labels).set({ createdAt }).where(eq(labels.orderId, paidOrder.id));
    const dayBefore = new Date(createdAt.getTime() - 12 * 60 * minuteMs).toISOString().slice(0, 10);
    await settleOpenLabels(shop.ctx);
    await settleOpenLabels(shop.ctx);
    expect((await readLabel(paidOrder)).state).toBe("failed");
    expect((await readOrder(paidOrder)).needsAttention).toContain(`on ${dayBefore} could not be found out`);
    easypost.refusesKey = false;
    expect((await buyFirst(paidOrder)).status).toBe(201);
  });

  test.each([
    ["", 0],
    [", also if it was bought while the clock was two days ahead", 2 * 24 * 60 * minuteMs],
  ])(
    "is voided after an hour if its picture cannot be loaded, so that another one can be bought%s",
    async (_, aheadMs) => {
      moveClock(aheadMs);
      owner = await adminBrowser(shop);
      const paidOrder = await placePaidOrder();
      easypost.losesPictures = true;
      expect((await buyFirst(paidOrder)).status).toBe(502);
      moveClock(-aheadMs);
      owner = await adminBrowser(shop);
      await settleOpenLabels(shop.ctx);
      expect((await readLabel(paidOrder)).state).toBe("buying");
      moveClock(61 * minuteMs);
      easypost.refundsNothing = true;
      for (let runs = 0; runs < 2; runs += 1) await settleOpenLabels(shop.ctx);
      const { id, state, shippedAt } = await readLabel(paidOrder);
      expect([state, shippedAt]).toEqual(["bought", null]);
      expect((await readOrder(paidOrder)).needsAttention).toContain("could not be voided");
      easypost.refundsNothing = false;
      expect((await owner.fetch(path(paidOrder, `/labels/${id}`), { method: "DELETE" })).status).toBe(200);
      expect(easypost.sold.at(-1)?.isRefunded).toBe(true);
      easypost.losesPictures = false;
      expect((await buyFirst(paidOrder)).status).toBe(201);
    },
  );

  test("is requested only after pauses while its carrier does not respond", async () => {
    const orderIds = [];
    for (let count = 0; count < 6; count += 1) orderIds.push((await placePaidOrder()).id);
    const { timeout } = AbortSignal;
    const timeoutSpy = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 100));
    Object.assign(easypost, { isSilent: true, calls: 0 });
    const { jobId } = (await owner.post("/api/admin/labels", { orderIds })).body.data;
    await shop.jobsDone();
    expect(easypost.calls).toBeLessThanOrEqual(4);
    const job = (await owner.get(`/api/admin/labels/jobs/${jobId}`)).body.data;
    expect(job.status).toBe("done");
    expect(job.rows.map(({ problem }: { problem: string }) => problem)).toEqual(
      Array(6).fill("The carrier could not be reached. Try again in a minute."),
    );
    easypost.isSilent = false;
    // A test of the key is sent immediately; its response ends the pause.
    const { failure } = (await owner.post("/api/admin/connections/easypost/try")).body.data;
    timeoutSpy.mockRestore();
    expect(failure).toBeNull();
    expect((await fetchRates({ id: orderIds[0] ?? "" }))[0]).toMatchObject({ carrier: "USPS" });
  });

  test("is voided if sold after the buyer's data was deleted, and none of that data is stored", async () => {
    const paidOrder = await placePaidOrder();
    Object.assign(easypost, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
    expect((await buyFirst(paidOrder)).status).toBe(502);
    await database.db.transaction(async (tx) => {
      for (const { eraseOrders } of shop.ctx.personalData) await eraseOrders?.(tx, [paidOrder.id], shop.ctx);
    });
    await settleOpenLabels(shop.ctx);
    const emptied = { recipient: null, picture: null, trackingNumber: null };
    expect(await readLabel(paidOrder)).toMatchObject({ state: "voided", ...emptied });
    expect(easypost.sold.at(-1)?.isRefunded).toBe(true);
  });

  test("is preceded by an address check: a corrected or unknown address is shown, and stops a bulk purchase", async () => {
    const paidOrder = await placePaidOrder();
    const check = async () => (await owner.post(path(paidOrder, "/label-address"))).body.data;
    const entered = { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };
    expect(await check()).toMatchObject({ problem: null, correction: null, entered });
    easypost.addresses = ["correct", "unknown", "correct", "unknown"];
    expect(await check()).toMatchObject({
      correction: { ...entered, line1: "417 Main St", postalCode: "78701-4101" },
      entered,
    });
    expect(await check()).toMatchObject({ problem: "Address not found.", correction: null });
    for (const problem of ["Compare both", "Address not found."]) {
      const { jobId } = (await owner.post("/api/admin/labels", { orderIds: [paidOrder.id] })).body.data;
      await shop.jobsDone();
      const { rows } = (await owner.get(`/api/admin/labels/jobs/${jobId}`)).body.data;
      expect(rows).toMatchObject([{ ok: false, problem: expect.stringContaining(problem) }]);
    }
    expect((await buyFirst(paidOrder)).status).toBe(201);
  });

  test("to another country has a customs form, and is not bought while data for the form is missing", async () => {
    const paidOrder = await placePaidOrder({ country: "DE", shippingOption: null });
    const refused = await owner.post(path(paidOrder, "/label-rates"));
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining("the owner or staff must first enter the HS code and the country of origin"),
    ]);
    await database.db
      .update(products)
      .set({ hsCode: "151590", originCountry: "HN" })
      .where(eq(products.id, 1));
    expect((await buyFirst(paidOrder)).status).toBe(201);
    expect(easypost.shipmentRequests.at(-1)).toMatchObject({
      customs_info: {
        eel_pfc: "NOEEI 30.37(a)",
        customs_items: [{ quantity: 1, value: "29.95", hs_tariff_number: "151590", origin_country: "HN" }],
      },
    });
  });
});

describe("a parcel on its way", () => {
  const receiveReport = async (body: object, key?: string) =>
    shop.browser().post(`/api/parcels?key=${key ?? (await trackingWebhookKey(shop.ctx))}`, body);
  const reportTracking = async (paidOrder: PaidOrder, tracking: string) => {
    const label = await readLabel(paidOrder);
    const sold = easypost.sold.find(({ number }) => number === label.trackingNumber);
    if (sold) sold.tracking = tracking;
    const message = { description: "tracker.updated", result: { tracking_code: label.trackingNumber } };
    expect((await receiveReport(message)).status).toBe(200);
    await shop.jobsDone();
  };

  /** The tracking state and page text that the buyer sees. */
  const readAsBuyer = async ({ browser, id }: PaidOrder) => {
    const page = await (await browser.fetch(`/orders/${id}`)).text();
    const text = page.replace(/<script.*?<\/script>/gs, "").replace(/<[^>]*>/g, "");
    return { text, tracking: (await browser.get(`/api/orders/${id}`)).body.data.shipments[0]?.tracking };
  };

  test("marks its order as delivered and, depending on the settings, as shipped once it is scanned; the buyer is e-mailed", async () => {
    await saveLabelSettings({ shippedWhen: "scanned" });
    const paidOrder = await placePaidOrder();
    expect((await buyFirst(paidOrder)).status).toBe(201);
    expect((await receiveReport({ result: {} }, "guessed")).status).toBe(404);
    expect((await receiveReport({ something: "else" })).status).toBe(200);
    expect((await receiveReport({ result: { tracking_code: "1Z\0" } })).status).toBe(200);
    await reportTracking(paidOrder, "pre_transit");
    expect((await readOrder(paidOrder)).status).toBe("completed");
    await reportTracking(paidOrder, "in_transit");
    expect((await readOrder(paidOrder)).status).toBe("shipped");
    const onTheWay = await readAsBuyer(paidOrder);
    expect(onTheWay.tracking).toEqual({ state: "on_the_way", since: expect.stringMatching(/Z$/) });
    expect(onTheWay.text).toContain("On the way");
    await reportTracking(paidOrder, "delivered");
    expect((await readOrder(paidOrder)).status).toBe("delivered");
    expect(await readAsBuyer(paidOrder)).toMatchObject({
      tracking: null,
      text: expect.not.stringContaining("On the way"),
    });
    await shop.jobsDone();
    expect(keptMail(shop, paidOrder.email, "order_delivered")).toHaveLength(1);
    await saveLabelSettings({ shippedWhen: "bought" });
  });

  test("raises an issue and is shown to the buyer as delayed while it has a problem", async () => {
    const paidOrder = await placePaidOrder();
    expect((await buyFirst(paidOrder)).status).toBe(201);
    await reportTracking(paidOrder, "return_to_sender");
    expect((await readOrder(paidOrder)).needsAttention).toContain("USPS reports a problem with parcel");
    expect((await readAsBuyer(paidOrder)).text).toContain("Delayed in transitUSPS reported a problem on");
    await reportTracking(paidOrder, "in_transit");
    expect((await readOrder(paidOrder)).needsAttention).toBe(null);
    expect((await readAsBuyer(paidOrder)).text).not.toContain("Held up");
    await reportTracking(paidOrder, "failure");
    expect((await readOrder(paidOrder)).needsAttention).toContain("USPS reports a problem with parcel");
    const reason = "It takes too long";
    expect((await paidOrder.browser.post(`/api/orders/${paidOrder.id}/return`, { reason })).status).toBe(200);
    const [{ id: returnId }] = (await readOrder(paidOrder)).returns;
    await send(owner, "PATCH", `/api/admin/returns/${returnId}`, { status: "closed" });
    expect((await readAsBuyer(paidOrder)).text).not.toContain("nothing you need to do");
    // After the tracking number is corrected, the buyer sees no report about the old number.
    await database.db
      .update(shipments)
      .set({ trackingNumber: "9400" })
      .where(eq(shipments.orderId, paidOrder.id));
    expect((await readAsBuyer(paidOrder)).tracking).toBe(null);
  });

  test("raises an issue if it is returned after its delivery; only the owner closes it", async () => {
    const placeDelivered = async () => {
      const paidOrder = await placePaidOrder();
      expect((await buyFirst(paidOrder)).status).toBe(201);
      await reportTracking(paidOrder, "delivered");
      expect((await readOrder(paidOrder)).status).toBe("delivered");
      return paidOrder;
    };
    const problem = /USPS reports a problem with parcel \S+, which counts as delivered/;
    const paidOrder = await placeDelivered();
    await reportTracking(paidOrder, "in_transit");
    expect((await readOrder(paidOrder)).needsAttention).toBe(null);
    await reportTracking(paidOrder, "return_to_sender");
    expect((await readOrder(paidOrder)).needsAttention).toMatch(problem);
    await reportTracking(paidOrder, "in_transit");
    expect((await readOrder(paidOrder)).needsAttention).toMatch(problem);
    // Perhaps to the sender.
    await reportTracking(paidOrder, "delivered");
    expect((await readOrder(paidOrder)).needsAttention).toMatch(problem);
    expect(keptMail(shop, paidOrder.email, "parcel_delayed")).toEqual([]);

    // Without a message of the carrier, it is looked up once a day for two weeks.
    const silent = await placeDelivered();
    const sold = easypost.sold.at(-1);
    if (sold) sold.tracking = "return_to_sender";
    const lookUpAfter = async (change: Record<string, SQL>) => {
      await database.db.update(labels).set(change).where(eq(labels.orderId, silent.id));
      await trackParcels(shop.ctx);
      return (await readOrder(silent)).needsAttention;
    };
    const earlier = (column: AnyPgColumn, time: string) => sql`${column} - ${time}::interval`;
    const { trackedAt, trackingSince } = labels;
    expect(await lookUpAfter({ trackedAt: earlier(trackedAt, "7 hours") })).toBe(null);
    const over = {
      trackedAt: earlier(trackedAt, "18 hours"),
      trackingSince: earlier(trackingSince, "15 days"),
    };
    expect(await lookUpAfter(over)).toBe(null);
    expect(await lookUpAfter({ trackingSince: earlier(trackingSince, "-2 days") })).toMatch(problem);
  });

  test("causes at most one e-mail a week about a problem, and only while it is still on its way", async () => {
    const sendDelayed = async (paidOrder: PaidOrder) => {
      await database.db.execute(sql`update jobs set run_at = now() where name = 'send_message'`);
      await shop.jobsDone();
      return keptMail(shop, paidOrder.email, "parcel_delayed");
    };
    const placeShipped = async () => {
      const paidOrder = await placePaidOrder();
      expect((await buyFirst(paidOrder)).status).toBe(201);
      await shop.jobsDone();
      return paidOrder;
    };
    const paidOrder = await placeShipped();
    const { id: labelId } = await readLabel(paidOrder);
    Object.assign(easypost.sold.at(-1) ?? {}, { tracking: "failure" });
    const look = ({ ctx }: TestShop) => runTrackParcelJob(ctx, labelId, { isLastAttempt: false });
    await Promise.all([look(shop), look(secondServer)]);
    const [mail = "", ...others] = await sendDelayed(paidOrder);
    expect(others).toEqual([]);
    expect(mail).toContain(`Order #${paidOrder.number} is delayed: USPS has reported a problem on the way`);
    expect(mail).toContain("https://tools.usps.com/");

    const moveOnAndFail = async () => {
      await reportTracking(paidOrder, "in_transit");
      await reportTracking(paidOrder, "failure");
      return sendDelayed(paidOrder);
    };
    expect(await moveOnAndFail()).toHaveLength(1);
    await database.db.execute(
      sql`update messages set created_at = created_at - interval '8 days' where kind = 'parcel_delayed'`,
    );
    expect(await moveOnAndFail()).toHaveLength(2);

    const [moving, delivered, refunded] = [await placeShipped(), await placeShipped(), await placeShipped()];
    for (const label of [moving, delivered, refunded]) await reportTracking(label, "failure");
    await reportTracking(moving, "in_transit");
    await reportTracking(delivered, "delivered");
    const { refundableCents: amount } = await readOrder(refunded);
    await owner.post(path(refunded, "/refund"), { amount });
    expect((await readOrder(refunded)).status).toBe("refunded");
    for (const label of [moving, delivered, refunded]) expect(await sendDelayed(label)).toEqual([]);

    const unannounced = await placeShipped();
    const setShippedMail = (status: string) =>
      database.db.execute(
        sql`update messages set status = ${status} where kind = 'order_shipped' and order_id = ${unannounced.id}`,
      );
    await setShippedMail("queued");
    await reportTracking(unannounced, "failure");
    expect(await sendDelayed(unannounced)).toEqual([]);
    await setShippedMail("kept");
    expect(await sendDelayed(unannounced)).toHaveLength(1);
  });

  test("is looked up if its carrier sends no webhook", async () => {
    const paidOrder = await placePaidOrder();
    expect((await buyFirst(paidOrder)).status).toBe(201);
    await trackParcels(shop.ctx);
    const sold = easypost.sold.at(-1);
    if (sold) sold.tracking = "delivered";
    await trackParcels(shop.ctx);
    expect((await readOrder(paidOrder)).status).toBe("shipped");
    // A server whose clock is a little ahead looked it up.
    await database.db.update(labels).set({ trackedAt: sql`tracked_at + interval '30 minutes'` });
    await trackParcels(shop.ctx);
    expect((await readOrder(paidOrder)).status).toBe("shipped");
    await database.db.update(labels).set({ trackedAt: sql`tracked_at - interval '7 hours'` });
    await trackParcels(shop.ctx);
    expect((await readOrder(paidOrder)).status).toBe("delivered");
  });

  test("leaves no failed job if its carrier does not respond", async () => {
    const paidOrder = await placePaidOrder();
    expect((await buyFirst(paidOrder)).status).toBe(201);
    const { id } = await readLabel(paidOrder);
    easypost.lookupFaults = ["error", "error"];
    const look = (isLastAttempt: boolean) => runTrackParcelJob(shop.ctx, id, { isLastAttempt });
    await expect(look(false)).rejects.toThrow("EasyPost answered 503");
    await look(true);
    expect(easypost.lookupFaults).toEqual([]);
  });
});

describe.each([
  ["EasyPost", { fake: () => easypost, use: () => connect("easypost", easypostKey), leave: "shippo" }],
  ["Shippo", { fake: () => shippo, use: () => connect("shippo", shippoKey), leave: "easypost" }],
] as const)("the refund of a label voided at %s", (_, { fake, use, leave }) => {
  const hourMs = 60 * minuteMs;
  const readLabels = async (paidOrder: PaidOrder) =>
    (await owner.get(path(paidOrder, "/labels"))).body.data.labels;
  /** Buys and voids a label; returns its order. */
  const voidOne = async () => {
    const paidOrder = await placePaidOrder();
    const { labelId } = (await buyFirst(paidOrder)).body.data;
    expect((await send(owner, "DELETE", path(paidOrder, `/labels/${labelId}`))).status).toBe(200);
    return paidOrder;
  };
  const settleLater = async () => {
    moveClock(7 * hourMs);
    owner = await adminBrowser(shop);
    await Promise.all([settleOpenLabels(countingCtx(shop)), settleOpenLabels(countingCtx(secondServer))]);
  };
  /** The shop accepts test payments, and these are test labels. */
  const countingCtx = ({ ctx }: TestShop) => ({
    ...ctx,
    provider: { ...ctx.provider, mode: "test" as const },
  });
  beforeAll(async () => {
    owner = await adminBrowser(shop);
    await disconnect(leave);
    await use();
  });

  test("is checked until it is final; a rejected one counts as a shipping cost again and raises an issue", async () => {
    const before = await readPostage();
    const [rejected, refunded] = [await voidOne(), await voidOne()];
    expect(await readPostage()).toBe(before);
    fake().lookupFaults = ["error", "gone"];
    await settleLater();
    await settleLater();
    for (const paidOrder of [rejected, refunded])
      expect(await readLabels(paidOrder)).toMatchObject([{ state: "voided", refund: "pending" }]);

    const [first, second] = fake().sold.slice(-2);
    Object.assign(first ?? {}, { refund: "rejected" });
    Object.assign(second ?? {}, { refund: "refunded" });
    await settleLater();
    await settleLater();
    const [{ amount, refund }] = await readLabels(rejected);
    expect([refund, (await readPostage()) - before]).toEqual(["rejected", amount]);
    expect((await readOrder(rejected)).needsAttention).toMatch(
      /^The label \d+ of USPS was voided, but the carrier has refused to give its price back since: \$5\.\d\d count/,
    );
    expect(await readLabels(refunded)).toMatchObject([{ state: "voided", refund: null }]);
    expect((await readOrder(refunded)).needsAttention).toBeNull();
    const { rows } = await database.pool.query(
      "select count(*)::int as issues from issues where kind = 'label_not_refunded' and order_id = $1",
      [rejected.id],
    );
    expect(rows).toEqual([{ issues: 1 }]);
  });

  test("raises an issue if the carrier leaves it open for 60 days, and is not checked again", async () => {
    const paidOrder = await voidOne();
    moveClock(61 * 24 * hourMs);
    await settleLater();
    expect((await readOrder(paidOrder)).needsAttention).toMatch(
      /after 60 days the carrier has still not said .* the books count it as given back/,
    );
    expect(await readLabel(paidOrder)).toMatchObject({ askingUntil: null, refundRejectedAt: null });
    expect(await readLabels(paidOrder)).toMatchObject([{ refund: "unknown" }]);
  });

  test("raises no issue for a test label in a live shop if the carrier rejects or never decides it", async () => {
    const [rejected, open] = [await voidOne(), await voidOne()];
    Object.assign(fake().sold.at(-2) ?? {}, { refund: "rejected" });
    moveClock(61 * 24 * hourMs);
    owner = await adminBrowser(shop);
    await settleOpenLabels(shop.ctx);
    for (const paidOrder of [rejected, open]) {
      expect((await readLabel(paidOrder)).askingUntil).toBeNull();
      expect((await readOrder(paidOrder)).needsAttention).toBeNull();
    }
  });
});

describe("a label bought at Shippo, which sells one rate as often as it is requested", () => {
  beforeAll(async () => {
    owner = await adminBrowser(shop);
    await disconnect("easypost");
    await connect("shippo", shippoKey);
  });

  test("is found after lost responses, and a second label of the same rate is refunded", async () => {
    const [paidOrder, soldTwice] = [await placePaidOrder(), await placePaidOrder()];
    shippo.purchaseFaults = ["cut"];
    expect((await buyFirst(paidOrder)).status).toBe(201);
    Object.assign(shippo, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
    expect((await buyFirst(soldTwice)).status).toBe(502);
    const [first] = shippo.sold.slice(-1);
    if (first) shippo.sold.push({ ...first, id: "twin", number: "94001234567890123456" });
    await settleOpenLabels(shop.ctx);
    expect((await readLabel(soldTwice)).state).toBe("bought");
    expect(shippo.sold.slice(-2).map(({ isRefunded }) => isRefunded)).toEqual([false, true]);
  });

  test("is bought once by callers on two servers, even if the first caller's response is lost", async () => {
    const paidOrder = await placePaidOrder();
    const [rate] = await fetchRates(paidOrder);
    const ownerAtSecondServer = await adminBrowser(secondServer);
    const before = shippo.sold.length;
    Object.assign(shippo, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
    const responses = await Promise.all([
      buy(paidOrder, rate.rateId),
      buy(paidOrder, rate.rateId, ownerAtSecondServer),
    ]);
    expect(responses.map(({ status }) => status).filter((status) => status === 502)).toHaveLength(1);
    expect([shippo.sold.length - before, (await readLabel(paidOrder)).state]).toEqual([1, "bought"]);
  });

  test("that the current key's account does not list counts as voided only once it is found", async () => {
    const paidOrder = await placePaidOrder();
    const { labelId } = (await buyFirst(paidOrder)).body.data;
    const { sold } = shippo;
    shippo.sold = [];
    const voided = await owner.fetch(path(paidOrder, `/labels/${labelId}`), { method: "DELETE" });
    expect([voided.status, (await readLabel(paidOrder)).state]).toEqual([502, "voiding"]);
    shippo.sold = sold;
    await settleOpenLabels(shop.ctx);
    expect((await readLabel(paidOrder)).state).toBe("voided");
    expect(sold.at(-1)?.isRefunded).toBe(true);
  });

  test("counts as failed if it cannot be found, and is refunded if it appears after another was bought", async () => {
    const paidOrder = await placePaidOrder();
    const before = shippo.sold.length;
    shippo.purchaseFaults = ["gone"];
    expect((await buyFirst(paidOrder)).status).toBe(502);
    await settleOpenLabels(shop.ctx);
    expect((await readLabel(paidOrder)).state).toBe("buying");
    moveClock(11 * minuteMs);
    await settleOpenLabels(shop.ctx);
    const failed = await readLabel(paidOrder);
    expect([failed.state, shippo.sold.length - before]).toEqual(["failed", 0]);
    owner = await adminBrowser(shop);
    expect((await buyFirst(paidOrder)).status).toBe(201);
    shippo.sold.push({
      id: "late",
      rate: failed.rateRef,
      number: "9400",
      isRefunded: false,
      tracking: "UNKNOWN",
    });
    moveClock(61 * minuteMs);
    await settleOpenLabels(shop.ctx);
    expect(shippo.sold.map(({ isRefunded }) => isRefunded).slice(before)).toEqual([false, true]);
    const rows = await database.db.select().from(labels).where(eq(labels.orderId, paidOrder.id));
    expect(rows.map(({ state }) => state).sort()).toEqual(["bought", "voided"]);
  });

  test("raises an issue if its carrier does not confirm a void for hours, until it does", async () => {
    const paidOrder = await placePaidOrder();
    const { labelId } = (await buyFirst(paidOrder)).body.data;
    const settleInVain = async (minutes: number) => {
      moveClock(minutes * minuteMs);
      owner = await adminBrowser(shop);
      shippo.lookupFaults = ["error"];
      await settleOpenLabels(shop.ctx);
      return (await readOrder(paidOrder)).needsAttention;
    };
    moveClock(121 * minuteMs);
    owner = await adminBrowser(shop);
    shippo.lookupFaults = ["error"];
    expect((await send(owner, "DELETE", path(paidOrder, `/labels/${labelId}`))).status).toBe(502);
    expect(await settleInVain(1)).toBe(null);
    expect(await settleInVain(121)).toContain("USPS does not say whether it voids a label");
    await settleOpenLabels(shop.ctx);
    expect((await readLabel(paidOrder)).state).toBe("voided");
    expect((await readOrder(paidOrder)).needsAttention).toBe(null);
  });

  test("can be marked as void by the owner without the carrier's response, and is then checked until the carrier decides", async () => {
    const [refunded, refused] = [await placePaidOrder(), await placePaidOrder()];
    for (const paidOrder of [refunded, refused]) {
      const rates = await fetchRates(paidOrder);
      const before = await readPostage();
      const { labelId } = (await buy(paidOrder, rates[0].rateId)).body.data;
      const countAsVoid = (user = owner) => user.post(path(paidOrder, `/labels/${labelId}/count-as-void`));
      expect((await countAsVoid()).status).toBe(409);
      shippo.lookupFaults = ["error"];
      expect((await send(owner, "DELETE", path(paidOrder, `/labels/${labelId}`))).status).toBe(502);
      const blocked = await buy(paidOrder, rates[1].rateId);
      expect([blocked.status, blocked.body.message]).toEqual([
        409,
        "The carrier has not confirmed yet that the label of this order is void. The owner can count it as void, in the order, and buy another one.",
      ]);
      expect((await countAsVoid(shop.browser())).status).toBe(401);
      expect((await countAsVoid()).body.data).toEqual({ labelId, state: "voided" });
      expect((await countAsVoid()).status).toBe(200);
      const [entry] = (await owner.get("/api/admin/activity")).body.data;
      expect(entry.summary).toContain("counted as void without the word of USPS, which may still charge $");
      expect(await readOrder(paidOrder)).toMatchObject({ status: "completed", shipments: [] });
      const sold = shippo.sold.at(-1);
      const another = await buyFirst(paidOrder);
      expect(another.status).toBe(201);
      expect([sold?.isRefunded, (await readPostage()) - before]).toEqual([false, another.body.data.amount]);
      shippo.refundsNothing = paidOrder === refused;
      await settleOpenLabels(shop.ctx);
      expect(sold?.isRefunded).toBe(paidOrder === refunded);
      const both = rates[0].amount + another.body.data.amount;
      expect((await readPostage()) - before).toBe(paidOrder === refused ? both : another.body.data.amount);
      const states = await database.db
        .select({ state: labels.state })
        .from(labels)
        .where(eq(labels.orderId, paidOrder.id));
      expect(states.map(({ state }) => state).sort()).toEqual(["bought", "voided"]);
      expect(await findRuleViolations(database.db)).toEqual([]);
    }
  });

  test("without a response raises an issue after a day if its carrier was disconnected in the meantime", async () => {
    const paidOrder = await placePaidOrder();
    shippo.purchaseFaults = ["gone"];
    await buyFirst(paidOrder);
    moveClock(11 * minuteMs);
    await settleOpenLabels(shop.ctx);
    const failed = await readLabel(paidOrder);
    expect(failed.state).toBe("failed");
    owner = await adminBrowser(shop);
    await disconnect("shippo");
    moveClock(61 * minuteMs);
    await settleOpenLabels(shop.ctx).catch(() => null);
    owner = await adminBrowser(shop);
    expect((await readOrder(paidOrder)).needsAttention).toBe(null);
    moveClock(24 * 60 * minuteMs);
    await settleOpenLabels(shop.ctx);
    owner = await adminBrowser(shop);
    expect((await readOrder(paidOrder)).needsAttention).toContain(
      `Look for the shipment ${failed.parcelRef} at your account with Shippo`,
    );
    expect((await readLabel(paidOrder)).askingUntil).toBe(null);
    await connect("shippo", shippoKey);
  });

  test("without a response while the clock was ahead is awaited as long as any other once the clock is right", async () => {
    const [waiting, failed] = [await placePaidOrder(), await placePaidOrder()];
    const aheadMs = 2 * 24 * 60 * minuteMs;
    const settleAfter = async (minutes: number) => {
      moveClock(minutes * minuteMs);
      await settleOpenLabels(shop.ctx).catch(() => null);
      return [(await readLabel(waiting)).state, (await readLabel(failed)).state];
    };
    moveClock(aheadMs);
    owner = await adminBrowser(shop);
    shippo.purchaseFaults = ["gone", "gone"];
    await buyFirst(failed);
    moveClock(11 * minuteMs);
    await settleOpenLabels(shop.ctx);
    owner = await adminBrowser(shop);
    await buyFirst(waiting);
    moveClock(-aheadMs);
    owner = await adminBrowser(shop);
    // The second call is about the failed purchase, about which the shop goes on asking.
    shippo.lookupFaults = ["error", "error"];
    expect(await settleAfter(0)).toEqual(["buying", "failed"]);
    expect((await readOrder(failed)).needsAttention).toBe(null);
    expect((await readLabel(failed)).askingUntil).not.toBe(null);
    expect(await settleAfter(0)).toEqual(["buying", "failed"]);
    expect(await settleAfter(11)).toEqual(["failed", "failed"]);
  });

  test("keeps its tracking number if a second label appears later, which raises an issue if it is not refunded", async () => {
    const paidOrder = await placePaidOrder();
    expect((await buyFirst(paidOrder)).status).toBe(201);
    const used = shippo.sold.at(-1);
    if (!used) throw new Error("no label was sold");
    const twin = { ...used, id: "newer", number: "94001234567890123457" };
    // The provider lists the newest first.
    shippo.sold.unshift(twin);
    shippo.refundsNothing = true;
    const lookAfter = async () => {
      await database.db.update(labels).set({ trackedAt: null });
      await trackParcels(shop.ctx);
    };
    await lookAfter();
    expect((await readOrder(paidOrder)).needsAttention).toBe(
      "USPS sold the label of this order more than once, and does not refund 94001234567890123457. Ask the carrier for the price, and close this when it is settled",
    );
    shippo.refundsNothing = false;
    await lookAfter();
    expect([used.isRefunded, twin.isRefunded]).toEqual([false, true]);
  });

  test("counts as a shipping cost and raises an issue if it appears late and is not refunded", async () => {
    const paidOrder = await placePaidOrder();
    shippo.purchaseFaults = ["gone"];
    await buyFirst(paidOrder);
    moveClock(11 * minuteMs);
    await settleOpenLabels(shop.ctx);
    const failed = await readLabel(paidOrder);
    const late = { id: "later", rate: failed.rateRef, number: "9401", isRefunded: false };
    shippo.sold.push({ ...late, tracking: "UNKNOWN" });
    shippo.refundsNothing = true;
    moveClock(61 * minuteMs);
    const before = await readPostage();
    await settleOpenLabels(shop.ctx);
    expect((await readPostage()) - before).toBe(failed.amountCents);
    owner = await adminBrowser(shop);
    expect((await readOrder(paidOrder)).needsAttention).toContain("The label 9401 of USPS was bought, and");
  });
});
