import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { createTestDatabase, type TestDatabase } from "../../test/database.ts";
import { easypostKey, type FakeCarrier, startFakeEasyPost } from "../../test/fake-carriers.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { labelCostsOf } from "./costs.ts";
import { settleOpenLabels } from "./jobs.ts";
import { labels } from "./tables.ts";
import { lookAfterParcelOf } from "./tracking.ts";

let database: TestDatabase;
let easypost: FakeCarrier;
let shop: TestShop;
let second: TestShop;
let owner: TestBrowser;
let packer: TestBrowser;

beforeAll(async () => {
  [database, easypost] = await Promise.all([createTestDatabase(), startFakeEasyPost()]);
  const env = {
    PAYMENTS: "sandbox",
    PUBLIC_URL: "https://palmira.example",
    SECRETS_KEY: "the key of two servers that is long enough",
    EASYPOST_API_BASE: easypost.url,
  };
  shop = await openTestShop(env, { database });
  second = await openTestShop(env, { database, background: "none" });
  owner = await adminBrowser(shop);
  const person = { name: "Packer", email: "packer@example.com", role: "packer" };
  const { body } = await owner.post("/api/admin/people", person);
  packer = shop.browser();
  await packer.post("/api/admin/invitation", { token: new URL(body.data.link).searchParams.get("token") });
});
beforeEach(() => Object.assign(easypost, { buying: [], reading: [], refundsNothing: false }));
afterAll(async () => {
  await Promise.all([shop.stop(), second.stop()]);
  await Promise.all([easypost.close(), database.drop()]);
});

type Placed = { browser: TestBrowser; id: string; email: string; returnId: string };
let buyers = 0;

/** A shipped order whose buyer asked for a return. */
async function placeReturn(more: object = {}): Promise<Placed> {
  buyers += 1;
  const email = `returns${buyers}@example.com`;
  const browser = shop.browser();
  const started = await order(browser, { email, ...more });
  await confirm(browser, started);
  await shop.jobsDone();
  const id = started.body.orderId;
  await owner.post(`/api/admin/orders/${id}/ship`, { carrier: "DHL", trackingNumber: "1" });
  const answer = await browser.post(`/api/orders/${id}/return`, { reason: "The scent is not for me" });
  return { browser, id, email, returnId: answer.body.data.returns[0].id };
}

const path = ({ id }: Placed, rest = "") => `/api/admin/orders/${id}${rest}`;
const decide = ({ returnId }: Placed, decision: object) =>
  send(owner, "PATCH", `/api/admin/returns/${returnId}`, decision);
async function placeApproved(more: object = {}): Promise<Placed> {
  const placed = await placeReturn(more);
  await decide(placed, { status: "approved", answer: "Send it to 5 Palm Street." });
  return placed;
}
const askForRates = (placed: Placed, by = owner) =>
  by.post(path(placed, "/label-rates"), { returnId: placed.returnId });
const rateOf = async (placed: Placed) => (await askForRates(placed)).body.data[0];
const buy = (placed: Placed, rateId: string, by = owner) => by.post(path(placed, "/labels"), { rateId });
const voidLabel = (placed: Placed, labelId: string, by = owner) =>
  by.fetch(path(placed, `/labels/${labelId}`), { method: "DELETE" });
const rowsOf = ({ id }: Placed) => database.db.select().from(labels).where(eq(labels.orderId, id));
const printed = async ({ id, returnId }: Placed, by: TestBrowser, query = "") => {
  const answer = await by.fetch(`/api/orders/${id}/returns/${returnId}/label${query}`);
  return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString("latin1") };
};
const lettersTo = async ({ email }: Placed) => {
  await shop.jobsDone();
  return keptMail(shop, email, "return_label");
};
const pageOf = async ({ browser, id }: Placed) => (await browser.fetch(`/orders/${id}`)).text();

describe("the label of a return", () => {
  test("is sent to the buyer by the owner, printed on the order's page and a cost in the books, until it is voided", async () => {
    const placed = await placeReturn();
    const early = await askForRates(placed);
    expect([early.status, early.body.message]).toEqual([
      409,
      "Approve this return before you send its label.",
    ]);
    expect(await pageOf(placed)).not.toContain("Print return label");
    await decide(placed, { status: "approved", answer: "Send it to 5 Palm Street." });
    const rate = await rateOf(placed);
    expect(rate).toMatchObject({ service: "Ground", amount: 520 });
    const costs = () => labelCostsOf(shop.ctx, { from: new Date(0), before: new Date("9999-01-01") });
    expect(await costs()).toBe(0);
    const { status, body } = await buy(placed, rate.rateId);
    expect(await costs()).toBe(520);
    expect([status, body.data.amount]).toEqual([201, 520]);
    const [letter, ...others] = await lettersTo(placed);
    expect(others).toEqual([]);
    expect(letter).toContain("hand the package to Sandbox carrier");
    const token = /token=([^\s"]+)/.exec(letter ?? "")?.[1] ?? "";
    expect(await pageOf(placed)).toContain("Print return label");
    expect((await printed(placed, placed.browser)).text).toContain("Label \\(TEST\\)");
    const elsewhere = shop.browser();
    expect((await printed(placed, elsewhere)).status).toBe(404);
    expect((await printed(placed, elsewhere, `?token=${token}`)).status).toBe(200);
    // The order is as before: its own parcel was shipped by hand.
    expect((await owner.get(path(placed))).body.data).toMatchObject({
      status: "shipped",
      shipments: [{ carrier: "DHL" }],
    });
    await settleOpenLabels(shop.ctx);
    const { labels: listed } = (await owner.get(path(placed, "/labels"))).body.data;
    expect(listed).toMatchObject([{ returnId: placed.returnId, state: "bought", isShipped: false }]);
    const { data: sums } = (await owner.get("/api/admin/activity")).body;
    expect(sums[0].summary).toContain("Return label bought for order #");
    expect((await voidLabel(placed, body.data.labelId)).status).toBe(200);
    expect(await costs()).toBe(0);
    expect((await printed(placed, placed.browser)).status).toBe(404);
    expect(await pageOf(placed)).not.toContain("Print return label");
    expect((await owner.get(path(placed))).body.data.status).toBe("shipped");
    // Another one may be sent.
    expect((await buy(placed, (await rateOf(placed)).rateId)).status).toBe(201);
    expect(await lettersTo(placed)).toHaveLength(2);
  });

  test("is another one for the next return of an order, although its price and day are the same", async () => {
    const placed = await placeApproved();
    const { rateId } = await rateOf(placed);
    await buy(placed, rateId);
    await decide(placed, { status: "closed" });
    const { body } = await placed.browser.post(`/api/orders/${placed.id}/return`, { reason: "Again" });
    const next = { ...placed, returnId: body.data.returns.at(-1).id };
    await decide(next, { status: "approved", answer: "Send it to 5 Palm Street." });
    expect((await rateOf(next)).rateId).not.toBe(rateId);
  });

  test("is neither priced, bought nor voided by packers, and not sold for other countries and settled returns", async () => {
    const placed = await placeApproved();
    const { rateId } = await rateOf(placed);
    expect((await askForRates(placed, packer)).status).toBe(403);
    expect((await buy(placed, rateId, packer)).status).toBe(403);
    const { data: label } = (await buy(placed, rateId)).body;
    expect((await voidLabel(placed, label.labelId, packer)).status).toBe(403);
    expect(JSON.stringify((await packer.get(path(placed, "/labels"))).body.data)).not.toContain("amount");
    await decide(placed, { status: "closed" });
    expect((await askForRates(placed)).status).toBe(409);
    const abroad = await placeApproved({ country: "DE", shippingOption: null });
    expect((await askForRates(abroad)).body.message).toContain("within your own country");
  });
});

describe("the label of a return by EasyPost", () => {
  beforeAll(async () => {
    const { version } = (await owner.get("/api/admin/connections")).body.data.easypost;
    const kept = await send(owner, "PUT", "/api/admin/connections/easypost", {
      version,
      apiKey: easypostKey,
    });
    expect(kept.status).toBe(200);
    await vi.waitFor(() => expect(second.ctx.config.labelKeys.easypost).toBe(easypostKey));
  });

  test("goes from the buyer to the shop, and is one for callers on two servers, with one e-mail", async () => {
    const placed = await placeApproved();
    const { rateId } = await rateOf(placed);
    expect(easypost.asked.at(-1)).toMatchObject({
      from_address: { name: "Ada Obi", street1: "1 Main St" },
      to_address: { name: "Sample sender", street1: "1 Sample Street" },
    });
    const before = easypost.sold.length;
    const elsewhere = await adminBrowser(second);
    const twins = await Promise.all([
      buy(placed, rateId),
      buy(placed, rateId, elsewhere),
      buy(placed, rateId),
    ]);
    expect(twins.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(easypost.sold.length - before).toBe(1);
    expect(await lettersTo(placed)).toHaveLength(1);
    expect((await askForRates(placed)).status).toBe(200);
    const [, other] = (await askForRates(placed)).body.data;
    expect((await buy(placed, other.rateId)).body.message).toContain("This return has a label.");
  });

  test("is found again after a lost answer, and sent then; what it brings back delivers no order", async () => {
    const placed = await placeApproved();
    Object.assign(easypost, { buying: ["cut"], reading: ["gone"] });
    const { rateId } = await rateOf(placed);
    expect((await buy(placed, rateId)).status).toBe(502);
    expect(await lettersTo(placed)).toEqual([]);
    await Promise.all([settleOpenLabels(shop.ctx), settleOpenLabels(second.ctx)]);
    expect(await lettersTo(placed)).toHaveLength(1);
    const [row] = await rowsOf(placed);
    if (!row) throw new Error("no label");
    const sold = easypost.sold.at(-1);
    if (sold) sold.tracking = "delivered";
    await lookAfterParcelOf(shop.ctx, row.id);
    expect((await owner.get(path(placed))).body.data.status).toBe("shipped");
    expect((await owner.get(path(placed, "/labels"))).body.data.labels).toMatchObject([
      { tracking: "delivered" },
    ]);
    expect((await voidLabel(placed, row.id)).status).toBe(409);
  });

  test("that is sold after its return was settled, or its buyer's data deleted, is voided and sent to nobody", async () => {
    const [settled, erased] = [await placeApproved(), await placeApproved()];
    for (const placed of [settled, erased]) {
      Object.assign(easypost, { buying: ["cut"], reading: ["gone"] });
      expect((await buy(placed, (await rateOf(placed)).rateId)).status).toBe(502);
      if (placed === settled) await decide(placed, { status: "closed" });
      else {
        await database.db.transaction(async (tx) => {
          for (const { eraseOrders } of shop.ctx.personalData) await eraseOrders?.(tx, [placed.id], shop.ctx);
        });
      }
      await settleOpenLabels(shop.ctx);
      expect(await rowsOf(placed)).toMatchObject([{ state: "voided", recipient: null, picture: null }]);
      expect(easypost.sold.at(-1)?.isRefunded).toBe(true);
      expect(await lettersTo(placed)).toEqual([]);
    }
  });
});
