import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { products } from "../catalog/tables.ts";
import { trackingToken } from "../connections/carrier-keys.ts";
import { shipments } from "../order-desk/tables.ts";
import { orders } from "../orders/tables.ts";
import { settleOpenLabels } from "./jobs.ts";
import { labels } from "./tables.ts";
import { lookAfterParcels } from "./tracking.ts";

const minuteMs = 60_000;
let database: TestDatabase;
let easypost: FakeCarrier;
let shippo: FakeCarrier;
let shop: TestShop;
let second: TestShop;
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
  second = await openTestShop(env, { database, background: "none" });
});
beforeEach(async () => {
  owner = await adminBrowser(shop);
  for (const fake of [easypost, shippo]) {
    fake.buying = [];
    fake.reading = [];
    fake.refundsNothing = false;
  }
});
afterAll(async () => {
  await Promise.all([shop.stop(), second.stop()]);
  await Promise.all([easypost.close(), shippo.close(), database.drop()]);
});

type Placed = { browser: TestBrowser; id: string; number: number; email: string };
let buyers = 0;

async function placePaid(more: object = {}): Promise<Placed> {
  buyers += 1;
  const email = `parcels${buyers}@example.com`;
  const browser = shop.browser();
  const started = await order(browser, { email, ...more });
  await confirm(browser, started);
  await shop.jobsDone();
  return { browser, email, id: started.body.orderId, number: started.body.orderNumber };
}

const path = ({ id }: Pick<Placed, "id">, rest = "") => `/api/admin/orders/${id}${rest}`;
const look = async (placed: Pick<Placed, "id">) => (await owner.get(path(placed))).body.data;
const ratesOf = async (placed: Pick<Placed, "id">) =>
  (await owner.post(path(placed, "/label-rates"))).body.data;
const buy = (placed: Pick<Placed, "id">, rateId: string, by = owner) =>
  by.post(path(placed, "/labels"), { rateId });
const buyFirst = async (placed: Placed) => buy(placed, (await ratesOf(placed))[0].rateId);
const labelOf = async ({ id }: Placed) => {
  const [row] = await database.db.select().from(labels).where(eq(labels.orderId, id));
  if (!row) throw new Error("no label");
  return row;
};
const setting = (part: object) => send(owner, "PATCH", "/api/admin/settings", { labels: part });
const stateOf = async () => (await owner.get("/api/admin/connections")).body.data;
const connect = async (name: "easypost" | "shippo", apiKey: string) => {
  const { version } = (await stateOf())[name];
  return send(owner, "PUT", `/api/admin/connections/${name}`, { version, apiKey });
};
const disconnect = async (name: "easypost" | "shippo") => {
  const { version } = (await stateOf())[name];
  const query = `version=${version}`;
  return owner.fetch(`/api/admin/connections/${name}?${query}`, { method: "DELETE" });
};
const moveClock = (ms: number) => {
  shop.travel(ms);
  second.travel(ms);
};

describe("keys of EasyPost and Shippo", () => {
  test("are tested, stored, used by every server and never shown; both report parcels to the shop", async () => {
    expect((await connect("easypost", "nonsense")).status).toBe(422);
    expect((await connect("easypost", "EZTKwrong")).body.message).toContain(
      "EasyPost does not accept the key",
    );
    const kept = await connect("easypost", easypostKey);
    expect(kept.body.data.easypost).toMatchObject({ source: "panel", mode: "test", hasWebhook: true });
    expect(JSON.stringify(kept.body)).not.toContain(easypostKey);
    expect((await connect("shippo", shippoKey)).body.data.shippo).toMatchObject({
      mode: "test",
      hasWebhook: true,
    });
    const address = `https://palmira.example/api/parcels/${await trackingToken(shop.ctx)}`;
    expect([easypost.webhooks, shippo.webhooks]).toEqual([[address], [address]]);
    await expect.poll(() => second.ctx.config.labelKeys.shippo).toBe(shippoKey);
    expect((await owner.post("/api/admin/connections/shippo/try")).body.data.failure).toBe(null);
    // Entered again, the addresses are known.
    await connect("easypost", easypostKey);
    expect(easypost.webhooks).toHaveLength(1);
  });

  test("offer the services of both, propose the cheapest, and sell no test label for an order that was really paid", async () => {
    const placed = await placePaid();
    const offered = (await ratesOf(placed)).map(
      ({ carrier, service, amount }: Record<string, unknown>) => `${carrier} ${service} ${amount}`,
    );
    expect(offered).toEqual([
      ...["USPS Ground Advantage 581", "USPS Ground Advantage 593", "USPS Priority 690", "UPS Ground 915"],
      "USPS Express 3310",
    ]);
    // Without one of them, the other's are offered.
    await disconnect("shippo");
    expect((await ratesOf(placed))[0]).toMatchObject({ service: "Ground Advantage", amount: 593 });
    await setting({ services: { standard: ["priority"], expedited: [] } });
    expect(await ratesOf(placed)).toMatchObject([{ service: "Priority" }]);
    await setting({ services: { standard: [], expedited: [] } });
    await database.db.update(orders).set({ mode: "live" }).where(eq(orders.id, placed.id));
    expect((await owner.post(path(placed, "/label-rates"))).status).toBe(503);
  });
});

describe("a label of EasyPost", () => {
  test("is bought once by callers on two servers, is printed from its picture, and is refunded once when it is voided", async () => {
    const placed = await placePaid();
    const [rate] = await ratesOf(placed);
    const elsewhere = await adminBrowser(second);
    const twins = await Promise.all([buy(placed, rate.rateId), buy(placed, rate.rateId, elsewhere)]);
    expect(twins.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(easypost.sold).toHaveLength(1);
    const { labelId, labelUrl, trackingNumber } = twins[0].body.data;
    expect(trackingNumber).toBe(easypost.sold[0]?.number);
    expect((await look(placed)).shipments).toMatchObject([{ carrier: "USPS", trackingNumber }]);
    const pdf = await owner.fetch(labelUrl);
    expect(pdf.status).toBe(200);
    expect(Buffer.from(await pdf.arrayBuffer()).toString("latin1")).toContain("/Subtype /Image");
    const voidIt = () => owner.fetch(path(placed, `/labels/${labelId}`), { method: "DELETE" });
    expect((await Promise.all([voidIt(), voidIt()])).map(({ status }) => status)).toEqual([200, 200]);
    expect(easypost.sold[0]?.isRefunded).toBe(true);
    expect((await buy(placed, rate.rateId)).status).toBe(409);
  });

  test.each([
    ["the answer is lost", ["cut"], [], [201, 200]],
    ["the answer and the first look-up are lost", ["cut"], ["gone"], [502, 200]],
    ["it is down for a while", ["error", "gone"], [], [502, 502]],
  ] as const)("is bought once although %s", async (_, buying, reading, statuses) => {
    const placed = await placePaid();
    const [rate] = await ratesOf(placed);
    const before = easypost.sold.length;
    Object.assign(easypost, { buying: [...buying], reading: [...reading] });
    const answers = [await buy(placed, rate.rateId), await buy(placed, rate.rateId)];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    await Promise.all([settleOpenLabels(shop.ctx), settleOpenLabels(second.ctx)]);
    expect(easypost.sold.length - before).toBe(1);
    expect(await labelOf(placed)).toMatchObject({
      state: "bought",
      trackingNumber: easypost.sold.at(-1)?.number,
    });
    expect((await look(placed)).shipments).toHaveLength(1);
  });

  test("that is sold for an order cancelled meanwhile is voided, or raises an issue for the owner", async () => {
    const [voided, kept] = [await placePaid(), await placePaid()];
    for (const placed of [voided, kept]) {
      Object.assign(easypost, { buying: ["cut"], reading: ["gone"] });
      expect((await buyFirst(placed)).status).toBe(502);
      expect((await placed.browser.post(`/api/orders/${placed.id}/cancel`)).status).toBe(200);
      easypost.refundsNothing = placed === kept;
      await settleOpenLabels(shop.ctx);
    }
    expect((await labelOf(voided)).state).toBe("voided");
    expect(easypost.sold.at(-2)?.isRefunded).toBe(true);
    expect(await labelOf(kept)).toMatchObject({ state: "bought", shippedAt: null });
    expect((await look(kept)).needsAttention).toContain(
      "could not be voided: EasyPost: Refund is not available.",
    );
    expect((await look(kept)).shipments).toEqual([]);
  });

  test("that is sold after the buyer's data was deleted stores none of it, and is voided", async () => {
    const placed = await placePaid();
    Object.assign(easypost, { buying: ["cut"], reading: ["gone"] });
    expect((await buyFirst(placed)).status).toBe(502);
    await database.db.transaction(async (tx) => {
      for (const { eraseOrders } of shop.ctx.personalData) await eraseOrders?.(tx, [placed.id], shop.ctx);
    });
    await settleOpenLabels(shop.ctx);
    const nothing = { recipient: null, picture: null, trackingNumber: null };
    expect(await labelOf(placed)).toMatchObject({ state: "voided", ...nothing });
    expect(easypost.sold.at(-1)?.isRefunded).toBe(true);
  });

  test("is bought after its address was checked: another spelling or an unknown address is shown, and stops a bulk purchase", async () => {
    const placed = await placePaid();
    const check = async () => (await owner.post(path(placed, "/label-address"))).body.data;
    const entered = { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };
    expect(await check()).toMatchObject({ problem: null, correction: null, entered });
    easypost.addresses = ["correct", "unknown", "correct", "unknown"];
    expect(await check()).toMatchObject({
      correction: { ...entered, line1: "417 Main St", postalCode: "78701-4101" },
      entered,
    });
    expect(await check()).toMatchObject({ problem: "Address not found.", correction: null });
    for (const words of ["Compare both", "Address not found."]) {
      const { jobId } = (await owner.post("/api/admin/labels", { orderIds: [placed.id] })).body.data;
      await shop.jobsDone();
      const { rows } = (await owner.get(`/api/admin/labels/jobs/${jobId}`)).body.data;
      expect(rows).toMatchObject([{ ok: false, problem: expect.stringContaining(words) }]);
    }
    expect((await buyFirst(placed)).status).toBe(201);
  });

  test("to another country has a customs form, and is not bought while its facts are missing", async () => {
    const placed = await placePaid({ country: "DE", shippingOption: null });
    const refused = await owner.post(path(placed, "/label-rates"));
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining("enter the HS code and the country of origin"),
    ]);
    await database.db
      .update(products)
      .set({ hsCode: "151590", originCountry: "HN" })
      .where(eq(products.id, 1));
    expect((await buyFirst(placed)).status).toBe(201);
    expect(easypost.asked.at(-1)).toMatchObject({
      customs_info: {
        eel_pfc: "NOEEI 30.37(a)",
        customs_items: [{ quantity: 1, value: "29.95", hs_tariff_number: "151590", origin_country: "HN" }],
      },
    });
  });
});

describe("a parcel on its way", () => {
  const hear = async (body: object, token?: string) =>
    shop.browser().post(`/api/parcels/${token ?? (await trackingToken(shop.ctx))}`, body);
  const hearOf = async (placed: Placed, tracking: string) => {
    const label = await labelOf(placed);
    const sold = easypost.sold.find(({ number }) => number === label.trackingNumber);
    if (sold) sold.tracking = tracking;
    const message = { description: "tracker.updated", result: { tracking_code: label.trackingNumber } };
    expect((await hear(message)).status).toBe(200);
    await shop.jobsDone();
  };

  /** The order as its buyer sees it, and the words of its page. */
  const lookAsBuyer = async ({ browser, id }: Placed) => {
    const page = await (await browser.fetch(`/orders/${id}`)).text();
    const words = page.replace(/<script.*?<\/script>/gs, "").replace(/<[^>]*>/g, "");
    return { words, tracking: (await browser.get(`/api/orders/${id}`)).body.data.shipments[0]?.tracking };
  };

  test("ships its order when it is scanned, if the owner chose so, and delivers it; the buyer is e-mailed", async () => {
    await setting({ shippedWhen: "scanned" });
    const placed = await placePaid();
    expect((await buyFirst(placed)).status).toBe(201);
    expect((await hear({ result: {} }, "guessed")).status).toBe(404);
    expect((await hear({ something: "else" })).status).toBe(200);
    await hearOf(placed, "pre_transit");
    expect((await look(placed)).status).toBe("completed");
    await hearOf(placed, "in_transit");
    expect((await look(placed)).status).toBe("shipped");
    const onTheWay = await lookAsBuyer(placed);
    expect(onTheWay.tracking).toEqual({ state: "on_the_way", since: expect.stringMatching(/Z$/) });
    expect(onTheWay.words).toContain("On the way");
    await hearOf(placed, "delivered");
    expect((await look(placed)).status).toBe("delivered");
    expect(await lookAsBuyer(placed)).toMatchObject({
      tracking: null,
      words: expect.not.stringContaining("On the way"),
    });
    await shop.jobsDone();
    expect(keptMail(shop, placed.email, "order_delivered")).toHaveLength(1);
    await setting({ shippedWhen: "bought" });
  });

  test("that has a problem raises an issue and is shown to the buyer as delayed, until it moves on", async () => {
    const placed = await placePaid();
    expect((await buyFirst(placed)).status).toBe(201);
    await hearOf(placed, "return_to_sender");
    expect((await look(placed)).needsAttention).toContain("USPS reports a problem with parcel");
    expect((await lookAsBuyer(placed)).words).toContain("Held up on its wayUSPS reported a problem on");
    await hearOf(placed, "in_transit");
    expect((await look(placed)).needsAttention).toBe(null);
    expect((await lookAsBuyer(placed)).words).not.toContain("Held up");
    await hearOf(placed, "failure");
    expect((await look(placed)).needsAttention).toContain("USPS reports a problem with parcel");
    // What the carrier says of another number does not concern the corrected one.
    await database.db
      .update(shipments)
      .set({ trackingNumber: "9400" })
      .where(eq(shipments.orderId, placed.id));
    expect((await lookAsBuyer(placed)).tracking).toBe(null);
  });

  test("is looked up when its carrier reports nothing", async () => {
    const placed = await placePaid();
    expect((await buyFirst(placed)).status).toBe(201);
    await lookAfterParcels(shop.ctx);
    const sold = easypost.sold.at(-1);
    if (sold) sold.tracking = "delivered";
    await lookAfterParcels(shop.ctx);
    expect((await look(placed)).status).toBe("shipped");
    await database.db.update(labels).set({ trackedAt: sql`tracked_at - interval '7 hours'` });
    await lookAfterParcels(shop.ctx);
    expect((await look(placed)).status).toBe("delivered");
  });
});

describe("a label of Shippo, which sells one rate as often as it is requested", () => {
  beforeAll(async () => {
    owner = await adminBrowser(shop);
    await disconnect("easypost");
    await connect("shippo", shippoKey);
  });

  test("is found again after lost answers, and a second one of the same rate is returned for a refund", async () => {
    const [placed, doubled] = [await placePaid(), await placePaid()];
    shippo.buying = ["cut"];
    expect((await buyFirst(placed)).status).toBe(201);
    Object.assign(shippo, { buying: ["cut"], reading: ["gone"] });
    expect((await buyFirst(doubled)).status).toBe(502);
    const [first] = shippo.sold.slice(-1);
    if (first) shippo.sold.push({ ...first, id: "twin", number: "94001234567890123456" });
    await settleOpenLabels(shop.ctx);
    expect((await labelOf(doubled)).state).toBe("bought");
    expect(shippo.sold.slice(-2).map(({ isRefunded }) => isRefunded)).toEqual([false, true]);
  });

  test("is bought once by callers on two servers, although the first caller's answer is lost", async () => {
    const placed = await placePaid();
    const [rate] = await ratesOf(placed);
    const elsewhere = await adminBrowser(second);
    const before = shippo.sold.length;
    Object.assign(shippo, { buying: ["cut"], reading: ["gone"] });
    const twins = await Promise.all([buy(placed, rate.rateId), buy(placed, rate.rateId, elsewhere)]);
    expect(twins.map(({ status }) => status).filter((status) => status === 502)).toHaveLength(1);
    expect([shippo.sold.length - before, (await labelOf(placed)).state]).toEqual([1, "bought"]);
  });

  test("is never bought twice: if it cannot be found it counts as failed, and it is refunded if it appears later", async () => {
    const placed = await placePaid();
    const before = shippo.sold.length;
    shippo.buying = ["gone"];
    expect((await buyFirst(placed)).status).toBe(502);
    await settleOpenLabels(shop.ctx);
    expect((await labelOf(placed)).state).toBe("buying");
    moveClock(11 * minuteMs);
    await settleOpenLabels(shop.ctx);
    const failed = await labelOf(placed);
    expect([failed.state, shippo.sold.length - before]).toEqual(["failed", 0]);
    owner = await adminBrowser(shop);
    expect((await buyFirst(placed)).status).toBe(201);
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
    const rows = await database.db.select().from(labels).where(eq(labels.orderId, placed.id));
    expect(rows.map(({ state }) => state).sort()).toEqual(["bought", "voided"]);
  });
});
