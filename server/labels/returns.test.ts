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
let secondServer: TestShop;
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
  secondServer = await openTestShop(env, { database, background: "none" });
  owner = await adminBrowser(shop);
  const person = { name: "Packer", email: "packer@example.com", role: "packer" };
  const { body } = await owner.post("/api/admin/people", person);
  packer = shop.browser();
  await packer.post("/api/admin/invitation", { token: new URL(body.data.link).searchParams.get("token") });
});
beforeEach(() => Object.assign(easypost, { purchaseFaults: [], lookupFaults: [], refundsNothing: false }));
afterAll(async () => {
  await Promise.all([shop.stop(), secondServer.stop()]);
  await Promise.all([easypost.close(), database.drop()]);
});

type ReturnedOrder = { browser: TestBrowser; id: string; email: string; returnId: string };
let buyerCount = 0;

/** Places and ships an order whose buyer then requests a return. */
async function placeReturn(changes: object = {}): Promise<ReturnedOrder> {
  buyerCount += 1;
  const email = `returns${buyerCount}@example.com`;
  const browser = shop.browser();
  const started = await order(browser, { email, ...changes });
  await confirm(browser, started);
  await shop.jobsDone();
  const id = started.body.orderId;
  await owner.post(`/api/admin/orders/${id}/ship`, { carrier: "DHL", trackingNumber: "1" });
  const answer = await browser.post(`/api/orders/${id}/return`, { reason: "The scent is not for me" });
  return { browser, id, email, returnId: answer.body.data.returns[0].id };
}

const path = ({ id }: ReturnedOrder, rest = "") => `/api/admin/orders/${id}${rest}`;
const decide = ({ returnId }: ReturnedOrder, decision: object) =>
  send(owner, "PATCH", `/api/admin/returns/${returnId}`, decision);
async function placeApprovedReturn(changes: object = {}): Promise<ReturnedOrder> {
  const placed = await placeReturn(changes);
  await decide(placed, { status: "approved", answer: "Send it to 5 Palm Street." });
  return placed;
}
const requestRates = (placed: ReturnedOrder, user = owner) =>
  user.post(path(placed, "/label-rates"), { returnId: placed.returnId });
const rateOf = async (placed: ReturnedOrder) => (await requestRates(placed)).body.data[0];
const buy = (placed: ReturnedOrder, rateId: string, user = owner) =>
  user.post(path(placed, "/labels"), { rateId });
const voidLabel = (placed: ReturnedOrder, labelId: string, user = owner) =>
  user.fetch(path(placed, `/labels/${labelId}`), { method: "DELETE" });
const rowsOf = ({ id }: ReturnedOrder) => database.db.select().from(labels).where(eq(labels.orderId, id));
const fetchLabel = async ({ id, returnId }: ReturnedOrder, user: TestBrowser, query = "") => {
  const answer = await user.fetch(`/api/orders/${id}/returns/${returnId}/label${query}`);
  return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString("latin1") };
};
const readLabelMails = async ({ email }: ReturnedOrder) => {
  await shop.jobsDone();
  return keptMail(shop, email, "return_label");
};
const readOrderPage = async ({ browser, id }: ReturnedOrder) => (await browser.fetch(`/orders/${id}`)).text();

describe("the label of a return", () => {
  test("is e-mailed to the buyer, can be printed from the order's page and is a cost in the books, until it is voided", async () => {
    const placed = await placeReturn();
    const beforeApproval = await requestRates(placed);
    expect([beforeApproval.status, beforeApproval.body.message]).toEqual([
      409,
      "Approve this return before you send its label.",
    ]);
    expect(await readOrderPage(placed)).not.toContain("Print return label");
    await decide(placed, { status: "approved", answer: "Send it to 5 Palm Street." });
    const rate = await rateOf(placed);
    expect(rate).toMatchObject({ service: "Ground", amount: 520 });
    const costs = () => labelCostsOf(shop.ctx, { from: new Date(0), before: new Date("9999-01-01") });
    expect(await costs()).toBe(0);
    const { status, body } = await buy(placed, rate.rateId);
    expect(await costs()).toBe(520);
    expect([status, body.data.amount]).toEqual([201, 520]);
    const [mail, ...others] = await readLabelMails(placed);
    expect(others).toEqual([]);
    expect(mail).toContain("hand the package to Sandbox carrier");
    const token = /token=([^\s"]+)/.exec(mail ?? "")?.[1] ?? "";
    expect(await readOrderPage(placed)).toContain("Print return label");
    expect((await fetchLabel(placed, placed.browser)).text).toContain("Label \\(TEST\\)");
    const otherBrowser = shop.browser();
    expect((await fetchLabel(placed, otherBrowser)).status).toBe(404);
    expect((await fetchLabel(placed, otherBrowser, `?token=${token}`)).status).toBe(200);
    // The order itself is unchanged: its own parcel was shipped without a label.
    expect((await owner.get(path(placed))).body.data).toMatchObject({
      status: "shipped",
      shipments: [{ carrier: "DHL" }],
    });
    await settleOpenLabels(shop.ctx);
    const { labels: orderLabels } = (await owner.get(path(placed, "/labels"))).body.data;
    expect(orderLabels).toMatchObject([{ returnId: placed.returnId, state: "bought", isShipped: false }]);
    const { data: entries } = (await owner.get("/api/admin/activity")).body;
    expect(entries[0].summary).toContain("Return label bought for order #");
    expect((await voidLabel(placed, body.data.labelId)).status).toBe(200);
    expect(await costs()).toBe(0);
    expect((await fetchLabel(placed, placed.browser)).status).toBe(404);
    expect(await readOrderPage(placed)).not.toContain("Print return label");
    expect((await owner.get(path(placed))).body.data.status).toBe("shipped");
    // After that, another label can be bought.
    expect((await buy(placed, (await rateOf(placed)).rateId)).status).toBe(201);
    expect(await readLabelMails(placed)).toHaveLength(2);
  });

  test("is a new one for the next return of an order, even with the same price and day", async () => {
    const placed = await placeApprovedReturn();
    const { rateId } = await rateOf(placed);
    await buy(placed, rateId);
    await decide(placed, { status: "closed" });
    const { body } = await placed.browser.post(`/api/orders/${placed.id}/return`, { reason: "Again" });
    const nextReturn = { ...placed, returnId: body.data.returns.at(-1).id };
    await decide(nextReturn, { status: "approved", answer: "Send it to 5 Palm Street." });
    expect((await rateOf(nextReturn)).rateId).not.toBe(rateId);
  });

  test("cannot be priced, bought or voided by packers, nor be bought from abroad or for a closed return", async () => {
    const placed = await placeApprovedReturn();
    const { rateId } = await rateOf(placed);
    expect((await requestRates(placed, packer)).status).toBe(403);
    expect((await buy(placed, rateId, packer)).status).toBe(403);
    const { data: label } = (await buy(placed, rateId)).body;
    expect((await voidLabel(placed, label.labelId, packer)).status).toBe(403);
    expect(JSON.stringify((await packer.get(path(placed, "/labels"))).body.data)).not.toContain("amount");
    await decide(placed, { status: "closed" });
    expect((await requestRates(placed)).status).toBe(409);
    const abroad = await placeApprovedReturn({ country: "DE", shippingOption: null });
    expect((await requestRates(abroad)).body.message).toContain("within your own country");
  });
});

describe("the label of a return bought at EasyPost", () => {
  beforeAll(async () => {
    const { version } = (await owner.get("/api/admin/connections")).body.data.easypost;
    const answer = await send(owner, "PUT", "/api/admin/connections/easypost", {
      version,
      apiKey: easypostKey,
    });
    expect(answer.status).toBe(200);
    await vi.waitFor(() => expect(secondServer.ctx.config.labelKeys.easypost).toBe(easypostKey));
  });

  test("is addressed from the buyer to the shop, and is bought and e-mailed once for callers on two servers", async () => {
    const placed = await placeApprovedReturn();
    const { rateId } = await rateOf(placed);
    expect(easypost.shipmentRequests.at(-1)).toMatchObject({
      from_address: { name: "Ada Obi", street1: "1 Main St" },
      to_address: { name: "Sample sender", street1: "1 Sample Street" },
    });
    const before = easypost.sold.length;
    const ownerAtSecondServer = await adminBrowser(secondServer);
    const answers = await Promise.all([
      buy(placed, rateId),
      buy(placed, rateId, ownerAtSecondServer),
      buy(placed, rateId),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(easypost.sold.length - before).toBe(1);
    expect(await readLabelMails(placed)).toHaveLength(1);
    expect((await requestRates(placed)).status).toBe(200);
    const [, otherRate] = (await requestRates(placed)).body.data;
    expect((await buy(placed, otherRate.rateId)).body.message).toContain("This return has a label.");
  });

  test("is found after a lost answer and e-mailed then; its delivery does not mark the order as delivered", async () => {
    const placed = await placeApprovedReturn();
    Object.assign(easypost, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
    const { rateId } = await rateOf(placed);
    expect((await buy(placed, rateId)).status).toBe(502);
    expect(await readLabelMails(placed)).toEqual([]);
    await Promise.all([settleOpenLabels(shop.ctx), settleOpenLabels(secondServer.ctx)]);
    expect(await readLabelMails(placed)).toHaveLength(1);
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

  test("that is sold after its return was closed, or its buyer's data deleted, is voided and not e-mailed", async () => {
    const [closed, erased] = [await placeApprovedReturn(), await placeApprovedReturn()];
    for (const placed of [closed, erased]) {
      Object.assign(easypost, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
      expect((await buy(placed, (await rateOf(placed)).rateId)).status).toBe(502);
      if (placed === closed) await decide(placed, { status: "closed" });
      else {
        await database.db.transaction(async (tx) => {
          for (const { eraseOrders } of shop.ctx.personalData) await eraseOrders?.(tx, [placed.id], shop.ctx);
        });
      }
      await settleOpenLabels(shop.ctx);
      expect(await rowsOf(placed)).toMatchObject([{ state: "voided", recipient: null, picture: null }]);
      expect(easypost.sold.at(-1)?.isRefunded).toBe(true);
      expect(await readLabelMails(placed)).toEqual([]);
    }
  });
});
