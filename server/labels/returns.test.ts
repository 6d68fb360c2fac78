import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { createTestDatabase, type TestDatabase } from "../../test/database.ts";
import { easypostKey, type FakeCarrier, startFakeEasyPost } from "../../test/fake-carriers.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { labelCosts } from "./costs.ts";
import { settleOpenLabels } from "./jobs.ts";
import { labels } from "./tables.ts";
import { runTrackParcelJob } from "./tracking.ts";

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
  const response = await browser.post(`/api/orders/${id}/return`, { reason: "The scent is not for me" });
  return { browser, id, email, returnId: response.body.data.returns[0].id };
}

const path = ({ id }: ReturnedOrder, rest = "") => `/api/admin/orders/${id}${rest}`;
const decide = ({ returnId }: ReturnedOrder, decision: object) =>
  send(owner, "PATCH", `/api/admin/returns/${returnId}`, decision);
async function placeApprovedReturn(changes: object = {}): Promise<ReturnedOrder> {
  const returnedOrder = await placeReturn(changes);
  await decide(returnedOrder, { status: "approved", answer: "Send it to 5 Palm Street." });
  return returnedOrder;
}
const requestRates = (returnedOrder: ReturnedOrder, user = owner) =>
  user.post(path(returnedOrder, "/label-rates"), { returnId: returnedOrder.returnId });
const requestRate = async (returnedOrder: ReturnedOrder) => (await requestRates(returnedOrder)).body.data[0];
const buy = (returnedOrder: ReturnedOrder, rateId: string, user = owner) =>
  user.post(path(returnedOrder, "/labels"), { rateId });
const voidLabel = (returnedOrder: ReturnedOrder, labelId: string, user = owner) =>
  user.fetch(path(returnedOrder, `/labels/${labelId}`), { method: "DELETE" });
const readLabelRows = ({ id }: ReturnedOrder) =>
  database.db.select().from(labels).where(eq(labels.orderId, id));
const fetchLabel = async ({ id, returnId }: ReturnedOrder, user: TestBrowser, query = "") => {
  const response = await user.fetch(`/api/orders/${id}/returns/${returnId}/label${query}`);
  return { status: response.status, text: Buffer.from(await response.arrayBuffer()).toString("latin1") };
};
const readLabelMails = async ({ email }: ReturnedOrder) => {
  await shop.jobsDone();
  return keptMail(shop, email, "return_label");
};
const readOrderPage = async ({ browser, id }: ReturnedOrder) => (await browser.fetch(`/orders/${id}`)).text();

describe("the label of a return", () => {
  test("is e-mailed to the buyer, can be printed from the order's page and is a cost in the books, until it is voided", async () => {
    const returnedOrder = await placeReturn();
    const beforeApproval = await requestRates(returnedOrder);
    expect([beforeApproval.status, beforeApproval.body.message]).toEqual([
      409,
      "Approve this return before you send its label.",
    ]);
    expect(await readOrderPage(returnedOrder)).not.toContain("Print return label");
    await decide(returnedOrder, { status: "approved", answer: "Send it to 5 Palm Street." });
    const rate = await requestRate(returnedOrder);
    expect(rate).toMatchObject({ service: "Ground", amount: 520 });
    const costs = async () =>
      (await database.db.execute(sql`select coalesce(sum(cents), 0)::int as cents from ${labelCosts}`))
        .rows[0]?.cents;
    expect(await costs()).toBe(0);
    const { status, body } = await buy(returnedOrder, rate.rateId);
    expect(await costs()).toBe(520);
    expect([status, body.data.amount]).toEqual([201, 520]);
    const [mail, ...others] = await readLabelMails(returnedOrder);
    expect(others).toEqual([]);
    expect(mail).toContain("hand the package to Sandbox carrier");
    const token = /token=([^\s"]+)/.exec(mail ?? "")?.[1] ?? "";
    expect(await readOrderPage(returnedOrder)).toContain("Print return label");
    expect((await fetchLabel(returnedOrder, returnedOrder.browser)).text).toContain("Label \\(TEST\\)");
    const otherBrowser = shop.browser();
    expect((await fetchLabel(returnedOrder, otherBrowser)).status).toBe(404);
    expect((await fetchLabel(returnedOrder, otherBrowser, `?token=${token}`)).status).toBe(200);
    // The order itself is unchanged: its own parcel was shipped without a label.
    expect((await owner.get(path(returnedOrder))).body.data).toMatchObject({
      status: "shipped",
      shipments: [{ carrier: "DHL" }],
    });
    await settleOpenLabels(shop.ctx);
    const { labels: orderLabels } = (await owner.get(path(returnedOrder, "/labels"))).body.data;
    expect(orderLabels).toMatchObject([
      { returnId: returnedOrder.returnId, state: "bought", isShipped: false },
    ]);
    const { data: entries } = (await owner.get("/api/admin/activity")).body;
    expect(entries[0].summary).toContain("Return label bought for order #");
    expect((await voidLabel(returnedOrder, body.data.labelId)).status).toBe(200);
    expect(await costs()).toBe(0);
    expect((await fetchLabel(returnedOrder, returnedOrder.browser)).status).toBe(404);
    expect(await readOrderPage(returnedOrder)).not.toContain("Print return label");
    expect((await owner.get(path(returnedOrder))).body.data.status).toBe("shipped");
    // After that, another label can be bought.
    expect((await buy(returnedOrder, (await requestRate(returnedOrder)).rateId)).status).toBe(201);
    expect(await readLabelMails(returnedOrder)).toHaveLength(2);
  });

  test("is not reused for the next return of an order, even with the same price and day", async () => {
    const returnedOrder = await placeApprovedReturn();
    const { rateId } = await requestRate(returnedOrder);
    await buy(returnedOrder, rateId);
    await decide(returnedOrder, { status: "closed" });
    const { body } = await returnedOrder.browser.post(`/api/orders/${returnedOrder.id}/return`, {
      reason: "Again",
    });
    const nextReturn = { ...returnedOrder, returnId: body.data.returns.at(-1).id };
    await decide(nextReturn, { status: "approved", answer: "Send it to 5 Palm Street." });
    expect((await requestRate(nextReturn)).rateId).not.toBe(rateId);
  });

  test("cannot be priced, bought or voided by packers, nor be bought from abroad or for a closed return", async () => {
    const returnedOrder = await placeApprovedReturn();
    const { rateId } = await requestRate(returnedOrder);
    expect((await requestRates(returnedOrder, packer)).status).toBe(403);
    expect((await buy(returnedOrder, rateId, packer)).status).toBe(403);
    const { data: label } = (await buy(returnedOrder, rateId)).body;
    expect((await voidLabel(returnedOrder, label.labelId, packer)).status).toBe(403);
    expect(JSON.stringify((await packer.get(path(returnedOrder, "/labels"))).body.data)).not.toContain(
      "amount",
    );
    await decide(returnedOrder, { status: "closed" });
    expect((await requestRates(returnedOrder)).status).toBe(409);
    const abroad = await placeApprovedReturn({ country: "DE", shippingOption: null });
    expect((await requestRates(abroad)).body.message).toContain("within your own country");
  });
});

describe("the label of a return bought at EasyPost", () => {
  beforeAll(async () => {
    const { version } = (await owner.get("/api/admin/connections")).body.data.easypost;
    const response = await send(owner, "PUT", "/api/admin/connections/easypost", {
      version,
      apiKey: easypostKey,
    });
    expect(response.status).toBe(200);
    await vi.waitFor(() => expect(secondServer.ctx.config.labelKeys.easypost).toBe(easypostKey));
  });

  test("is addressed from the buyer to the shop, and is bought and e-mailed once for callers on two servers", async () => {
    const returnedOrder = await placeApprovedReturn();
    const { rateId } = await requestRate(returnedOrder);
    expect(easypost.shipmentRequests.at(-1)).toMatchObject({
      from_address: { name: "Ada Obi", street1: "1 Main St" },
      to_address: { name: "Sample sender", street1: "1 Sample Street" },
    });
    const before = easypost.sold.length;
    const ownerAtSecondServer = await adminBrowser(secondServer);
    const responses = await Promise.all([
      buy(returnedOrder, rateId),
      buy(returnedOrder, rateId, ownerAtSecondServer),
      buy(returnedOrder, rateId),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(easypost.sold.length - before).toBe(1);
    expect(await readLabelMails(returnedOrder)).toHaveLength(1);
    expect((await requestRates(returnedOrder)).status).toBe(200);
    const [, otherRate] = (await requestRates(returnedOrder)).body.data;
    expect((await buy(returnedOrder, otherRate.rateId)).body.message).toContain("This return has a label.");
  });

  test("is found after a lost response, and then e-mailed; its delivery does not mark the order as delivered", async () => {
    const returnedOrder = await placeApprovedReturn();
    Object.assign(easypost, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
    const { rateId } = await requestRate(returnedOrder);
    expect((await buy(returnedOrder, rateId)).status).toBe(502);
    expect(await readLabelMails(returnedOrder)).toEqual([]);
    await Promise.all([settleOpenLabels(shop.ctx), settleOpenLabels(secondServer.ctx)]);
    expect(await readLabelMails(returnedOrder)).toHaveLength(1);
    const [row] = await readLabelRows(returnedOrder);
    if (!row) throw new Error("no label");
    const sold = easypost.sold.at(-1);
    if (sold) sold.tracking = "delivered";
    await runTrackParcelJob(shop.ctx, row.id, { isLastAttempt: false });
    expect((await owner.get(path(returnedOrder))).body.data.status).toBe("shipped");
    expect((await owner.get(path(returnedOrder, "/labels"))).body.data.labels).toMatchObject([
      { tracking: "delivered" },
    ]);
    expect((await voidLabel(returnedOrder, row.id)).status).toBe(409);
  });

  test("is voided and not e-mailed if sold after its return was closed or its buyer's data deleted", async () => {
    const [closed, erased] = [await placeApprovedReturn(), await placeApprovedReturn()];
    for (const returnedOrder of [closed, erased]) {
      Object.assign(easypost, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
      expect((await buy(returnedOrder, (await requestRate(returnedOrder)).rateId)).status).toBe(502);
      if (returnedOrder === closed) await decide(returnedOrder, { status: "closed" });
      else {
        await database.db.transaction(async (tx) => {
          for (const { eraseOrders } of shop.ctx.personalData)
            await eraseOrders?.(tx, [returnedOrder.id], shop.ctx);
        });
      }
      await settleOpenLabels(shop.ctx);
      expect(await readLabelRows(returnedOrder)).toMatchObject([
        { state: "voided", recipient: null, picture: null },
      ]);
      expect(easypost.sold.at(-1)?.isRefunded).toBe(true);
      expect(await readLabelMails(returnedOrder)).toEqual([]);
    }
  });

  test("is voided if sold after its return was closed, even if the server dies before it requests the voiding", async () => {
    const returnedOrder = await placeApprovedReturn();
    Object.assign(easypost, { purchaseFaults: ["cut"], lookupFaults: ["gone"] });
    expect((await buy(returnedOrder, (await requestRate(returnedOrder)).rateId)).status).toBe(502);
    await decide(returnedOrder, { status: "closed" });
    await database.pool.query(`create function die() returns trigger language plpgsql as $$ begin raise 'killed'; end $$;
      create trigger die before update on labels for each row when (old.state = 'bought' and new.state = 'voiding')
        execute function die()`);
    await settleOpenLabels(shop.ctx);
    await database.pool.query("drop function die cascade");
    await settleOpenLabels(shop.ctx);
    expect(await readLabelRows(returnedOrder)).toMatchObject([{ state: "voided" }]);
  });
});
