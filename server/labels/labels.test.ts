import { randomUUID } from "node:crypto";
import { and, eq, lte, ne, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { callInTurn } from "../../test/database.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { orders } from "../orders/tables.ts";
import { addJob } from "../platform/jobs/jobs.ts";
import { buyLabelsJob, settleOpenLabels } from "./jobs.ts";
import { labelJobOrders, labelJobs, labels } from "./tables.ts";

let shop: TestShop;
let owner: TestBrowser;
let packer: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop({ PAYMENTS: "sandbox" });
  owner = await adminBrowser(shop);
  const person = { name: "Packer", email: "packer@example.com", role: "packer" };
  const { body } = await owner.post("/api/admin/people", person);
  packer = shop.browser();
  await packer.post("/api/admin/invitation", { token: new URL(body.data.link).searchParams.get("token") });
});
afterAll(() => shop.stop());

type PaidOrder = { browser: TestBrowser; id: string; number: number; email: string };
let buyerCount = 0;

async function placePaidOrder(changes: object = {}): Promise<PaidOrder> {
  buyerCount += 1;
  const email = `labels${buyerCount}@example.com`;
  const browser = shop.browser();
  const started = await order(browser, { email, ...changes });
  await confirm(browser, started);
  await shop.jobsDone();
  return { browser, email, id: started.body.orderId, number: started.body.orderNumber };
}

const path = ({ id }: Pick<PaidOrder, "id">, rest = "") => `/api/admin/orders/${id}${rest}`;
const readOrder = async (paidOrder: Pick<PaidOrder, "id">) => (await owner.get(path(paidOrder))).body.data;
const fetchRates = async (paidOrder: Pick<PaidOrder, "id">, user = owner) =>
  (await user.post(path(paidOrder, "/label-rates"))).body.data;
const buy = (paidOrder: Pick<PaidOrder, "id">, rateId: string, user = owner, fields: object = {}) =>
  user.post(path(paidOrder, "/labels"), { rateId, ...fields });
const voidLabel = async (paidOrder: Pick<PaidOrder, "id">, labelId: string) =>
  (await owner.fetch(path(paidOrder, `/labels/${labelId}`), { method: "DELETE" })).status;
const saveLabelSettings = (part: object) =>
  owner.fetch("/api/admin/settings", {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ labels: part }),
  });
const readFile = async (url: string, user = owner) => {
  const response = await user.fetch(url);
  return { status: response.status, text: Buffer.from(await response.arrayBuffer()).toString("latin1") };
};
const countPages = (pdf: string) => pdf.match(/\/Type \/Page\b/g)?.length ?? 0;

test("the sizes and weights of parcels and products are shown in both systems of units", async () => {
  const readText = async (page: string): Promise<string> =>
    (await owner.get(page)).body.replace(/<script.*?<\/script>/gs, "").replace(/<[^>]*>/g, " ");
  const settingsText = await readText("/admin/settings/labels");
  for (const text of ["15.2 cm", "10.2 cm", "2.1 oz", "g (5.3 oz)", "weigh 360 g (12.7 oz)"])
    expect(settingsText).toContain(text);
  expect((await send(owner, "PATCH", "/api/admin/products/1", { weightGrams: 170 })).status).toBe(200);
  expect(await readText("/admin/products/1?tab=price")).toContain("With bottle and box, 6.0 oz");
  await send(owner, "PATCH", "/api/admin/products/1", { weightGrams: null });
});

test("labels to other countries that cost more than the buyers paid for shipping are named by the go-live check", async () => {
  const readCheck = async () =>
    (await owner.get("/api/admin/go-live")).body.data.checks.find(
      ({ id }: { id: string }) => id === "postage_abroad",
    );
  const buyFor = async (country: string, amountCents: number) => {
    const abroad = await placePaidOrder({ country, shippingOption: "international-standard" });
    const [rate] = await fetchRates(abroad);
    expect((await buy(abroad, rate.rateId)).status).toBe(201);
    await shop.database.db.update(labels).set({ amountCents }).where(eq(labels.orderId, abroad.id));
    return eq(labels.orderId, abroad.id);
  };
  const toGermany = await buyFor("DE", 1850);
  // Prices of the sandbox say nothing.
  expect(await readCheck()).toMatchObject({ state: "ok", todo: null });
  await shop.database.db.update(labels).set({ mode: "live" }).where(toGermany);
  expect(await readCheck()).toMatchObject({
    state: "warning",
    detail:
      "Labels to Germany cost $18.50 in the last 90 days, but buyers paid only $5.95 for shipping (1 order).",
    link: { to: "/admin/settings/shipping#shipping" },
  });
  const toFrance = await buyFor("FR", 500);
  await shop.database.db.update(labels).set({ mode: "live" }).where(toFrance);
  expect((await readCheck()).detail).not.toContain("Other countries");
  await shop.database.db.update(labels).set({ mode: "sandbox" }).where(toGermany);
  expect((await readCheck()).detail).toBe(
    "What buyers paid for shipping abroad covered its labels in the last 90 days.",
  );
  await shop.database.db.update(labels).set({ mode: "sandbox" }).where(toFrance);
});

describe("a label of the sandbox carrier", () => {
  test("offers the cheapest service first, ships the order once, and opens as PDF", async () => {
    const paidOrder = await placePaidOrder();
    const rates = await fetchRates(paidOrder);
    expect(rates[0]).toEqual({
      rateId: expect.any(String),
      carrier: "Sandbox carrier",
      service: "Ground",
      amount: 520,
      arrivesOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(rates.map(({ service }: { service: string }) => service)).toEqual([
      "Ground",
      "Priority",
      "Express",
    ]);
    const responses = await Promise.all([1, 2, 3].map(() => buy(paidOrder, rates[0].rateId)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const [label] = responses.map(({ body }) => body.data);
    for (const { body } of responses) expect(body.data).toEqual(label);
    expect(label).toMatchObject({ amount: 520, trackingNumber: expect.stringMatching(/^TEST\d{18}$/) });
    expect((await buy(paidOrder, rates[1].rateId)).status).toBe(409);
    expect((await owner.post(path(paidOrder, "/label-rates"))).status).toBe(409);
    expect(await readOrder(paidOrder)).toMatchObject({
      status: "shipped",
      fulfilment: { carrier: "Sandbox carrier", trackingNumber: label.trackingNumber },
    });
    await shop.jobsDone();
    expect(keptMail(shop, paidOrder.email, "order_shipped")).toHaveLength(1);
    const { status, text } = await readFile(label.labelUrl);
    expect([status, text.slice(0, 5), countPages(text)]).toEqual([200, "%PDF-", 1]);
    expect(text).toContain("Label \\(TEST\\)");
    expect((await readFile(label.labelUrl, shop.browser())).status).toBe(401);
    expect(countPages((await readFile(`${label.labelUrl}?slips=1`)).text)).toBe(2);
  });

  test("can be voided, after which the order is unshipped again and can get another label", async () => {
    const paidOrder = await placePaidOrder();
    const [rate] = await fetchRates(paidOrder);
    const { data: label } = (await buy(paidOrder, rate.rateId)).body;
    expect((await owner.post(path(paidOrder, `/shipments/${label.labelId}/undo`))).status).toBe(409);
    const responses = await Promise.all([1, 2].map(() => voidLabel(paidOrder, label.labelId)));
    expect(responses).toEqual([200, 200]);
    expect(await voidLabel(paidOrder, label.labelId)).toBe(200);
    expect(await readOrder(paidOrder)).toMatchObject({
      status: "completed",
      fulfilment: null,
      shipments: [],
    });
    expect((await readFile(label.labelUrl)).status).toBe(404);
    // Repeating the first purchase buys nothing.
    expect((await buy(paidOrder, rate.rateId)).status).toBe(409);
    const [nextRate] = await fetchRates(paidOrder);
    expect((await buy(paidOrder, nextRate.rateId)).status).toBe(201);
    const { labels: allLabels } = (await owner.get(path(paidOrder, "/labels"))).body.data;
    expect(allLabels.map(({ state }: { state: string }) => state)).toEqual(["voided", "bought"]);
    const other = await placePaidOrder();
    expect(await voidLabel(other, label.labelId)).toBe(404);
    // The id is that of the first order's parcel, even while that parcel counts as not shipped.
    const parcel = { carrier: "UPS", trackingNumber: "1Z999AA10123456784", shipmentId: label.labelId };
    const response = await packer.post(path(other, "/ship"), parcel);
    expect([response.status, response.body.message]).toEqual([
      409,
      expect.stringContaining("of another order"),
    ]);
  });

  test("for an order on hold needs a reason, which packers cannot give", async () => {
    const paidOrder = await placePaidOrder();
    const [rate] = await fetchRates(paidOrder);
    await owner.post(path(paidOrder, "/hold"), { held: true, reason: "Asked the buyer" });
    const refused = await buy(paidOrder, rate.rateId);
    expect([refused.status, refused.body.error]).toEqual([409, "invalid_state"]);
    const override = { force: true, reason: "Buyer has answered" };
    expect((await buy(paidOrder, rate.rateId, packer, override)).status).toBe(403);
    expect((await buy(paidOrder, rate.rateId, owner, override)).status).toBe(201);
    const [entry] = (await owner.get("/api/admin/activity")).body.data;
    expect(entry.summary).toContain("although it is held back: Buyer has answered");
  });

  test("can be bought by packers at the proposed rate only, and they see no amounts", async () => {
    const paidOrder = await placePaidOrder();
    const rates = await fetchRates(paidOrder, packer);
    expect(JSON.stringify(rates)).not.toContain("amount");
    expect((await buy(paidOrder, rates[2].rateId, packer)).status).toBe(403);
    const { status, body } = await buy(paidOrder, rates[0].rateId, packer);
    expect([status, Object.keys(body.data).sort()]).toEqual([201, ["labelId", "labelUrl", "trackingNumber"]]);
    const packersView = (await packer.get(path(paidOrder, "/labels"))).body.data;
    expect(JSON.stringify(packersView)).not.toContain("amount");
  });

  test("is bought only once if two packers buy it at rates requested separately", async () => {
    const paidOrder = await placePaidOrder();
    const [packersRates, ownersRates] = await Promise.all([
      fetchRates(paidOrder, packer),
      fetchRates(paidOrder),
    ]);
    const bought = await Promise.all([
      buy(paidOrder, packersRates[0].rateId, packer),
      buy(paidOrder, ownersRates[0].rateId),
    ]);
    expect(bought.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(await shop.database.db.$count(labels, eq(labels.orderId, paidOrder.id))).toBe(1);
  });

  test("cannot be bought for orders that cannot ship or were paid with real money, or without signing in", async () => {
    const paidOrder = await placePaidOrder();
    const [rate] = await fetchRates(paidOrder);
    expect((await buy(paidOrder, "rate_unknown")).status).toBe(409);
    expect((await shop.browser().post(path(paidOrder, "/label-rates"))).status).toBe(401);
    await shop.database.db.update(orders).set({ mode: "live" }).where(eq(orders.id, paidOrder.id));
    expect((await owner.post(path(paidOrder, "/label-rates"))).status).toBe(503);
    await shop.database.db.update(orders).set({ mode: "sandbox" }).where(eq(orders.id, paidOrder.id));
    await paidOrder.browser.post(`/api/orders/${paidOrder.id}/cancel`);
    expect((await buy(paidOrder, rate.rateId)).body.message).toContain("cancelled");
  });
});

describe("an order with a label", () => {
  test("counts as shipped once the label is printed, depending on the settings; if it is cancelled before that, the label is voided", async () => {
    await saveLabelSettings({ shippedWhen: "printed" });
    const [printed, cancelled] = [await placePaidOrder(), await placePaidOrder()];
    const bought = [];
    for (const paidOrder of [printed, cancelled]) {
      const [rate] = await fetchRates(paidOrder);
      bought.push((await buy(paidOrder, rate.rateId)).body.data);
      expect((await readOrder(paidOrder)).status).toBe("completed");
    }
    const labelIds = bought.map(({ labelId }) => labelId);
    await cancelled.browser.post(`/api/orders/${cancelled.id}/cancel`);
    const response = await owner.post("/api/admin/labels/printed", { labelIds: labelIds.slice(0, 1) });
    expect(response.body.data).toEqual({ shipped: 1, busy: [] });
    expect((await readOrder(printed)).status).toBe("shipped");
    await settleOpenLabels(shop.ctx);
    const rows = await shop.database.db.select().from(labels).where(eq(labels.orderId, cancelled.id));
    expect(rows).toMatchObject([{ state: "voided", shippedAt: null }]);
    await saveLabelSettings({ shippedWhen: "bought" });
  });

  test("is marked as printed except for an order locked by another transaction, which is reported", async () => {
    const [held, free] = [await placePaidOrder(), await placePaidOrder()];
    const labelIds: string[] = [];
    for (const paidOrder of [held, free]) {
      const [rate] = await fetchRates(paidOrder);
      labelIds.push((await buy(paidOrder, rate.rateId)).body.data.labelId);
    }
    const { pool } = shop.database;
    // The error that PostgreSQL reports for a row that stays locked.
    await pool.query(`
      create function hold_label() returns trigger language plpgsql as $$ begin
        raise exception 'canceling statement due to lock timeout' using errcode = '55P03';
      end $$;
      create trigger hold_label before update on labels for each row
        when (old.id = '${labelIds[0]}') execute function hold_label()`);
    const response = await owner.post("/api/admin/labels/printed", { labelIds });
    await pool.query("drop function hold_label cascade");
    const { number } = await readOrder(held);
    expect(response).toMatchObject({ status: 200, body: { data: { shipped: 0, busy: [number] } } });
    const rows = await shop.database.db.select().from(labels).where(eq(labels.orderId, free.id));
    expect(rows).toMatchObject([{ printedAt: expect.any(Date) }]);
  });

  test("is not shipped with a label that is being voided", async () => {
    await saveLabelSettings({ shippedWhen: "printed" });
    const paidOrder = await placePaidOrder();
    const [rate] = await fetchRates(paidOrder);
    const { labelId } = (await buy(paidOrder, rate.rateId)).body.data;
    await saveLabelSettings({ shippedWhen: "bought" });
    const [status] = await callInTurn(
      shop.database,
      sql`select from orders where id = ${paidOrder.id} for update`,
      () => voidLabel(paidOrder, labelId),
      () => settleOpenLabels(shop.ctx),
    );
    expect(status).toBe(200);
    await shop.jobsDone();
    const { events } = await readOrder(paidOrder);
    expect(events.map(({ to }: { to: string }) => to)).not.toContain("shipped");
    expect(keptMail(shop, paidOrder.email, "order_shipped")).toEqual([]);
  });

  test("has an interrupted purchase of a label completed once, or the label voided if the order was cancelled in the meantime", async () => {
    const [interrupted, cancelled] = [await placePaidOrder(), await placePaidOrder()];
    for (const paidOrder of [interrupted, cancelled]) {
      const [rate] = await fetchRates(paidOrder);
      const { data: label } = (await buy(paidOrder, rate.rateId)).body;
      await voidLabel(paidOrder, label.labelId);
      // The state left by a server that is killed while it waits for the carrier's response.
      await shop.database.db
        .update(labels)
        .set({
          state: "buying",
          askingUntil: new Date(Date.now() - 1000),
          boughtAt: null,
          voidedAt: null,
          shippedAt: null,
        })
        .where(eq(labels.id, label.labelId));
    }
    await cancelled.browser.post(`/api/orders/${cancelled.id}/cancel`);
    await Promise.all([settleOpenLabels(shop.ctx), settleOpenLabels(shop.ctx)]);
    expect((await readOrder(interrupted)).shipments).toHaveLength(1);
    const readLabelStates = async ({ id }: PaidOrder) =>
      (await shop.database.db.select().from(labels).where(eq(labels.orderId, id))).map(({ state }) => state);
    expect([await readLabelStates(interrupted), await readLabelStates(cancelled)]).toEqual([
      ["bought"],
      ["voided"],
    ]);
    expect((await readOrder(cancelled)).shipments).toEqual([]);
  });

  test("has an interrupted purchase of a label completed before refunds are checked, a few per run", async () => {
    const [voided, interrupted] = [await placePaidOrder(), await placePaidOrder()];
    for (const paidOrder of [voided, interrupted]) {
      const [rate] = await fetchRates(paidOrder);
      const { data: label } = (await buy(paidOrder, rate.rateId)).body;
      await voidLabel(paidOrder, label.labelId);
    }
    const { db } = shop.database;
    const [label] = await db.select().from(labels).where(eq(labels.orderId, voided.id));
    if (!label) throw new Error("no label");
    const askingUntil = new Date(Date.now() - 1000);
    await db
      .insert(labels)
      .values(Array.from({ length: 25 }, () => ({ ...label, id: randomUUID(), askingUntil })));
    await db
      .update(labels)
      .set({ state: "buying", askingUntil, boughtAt: null, voidedAt: null, shippedAt: null })
      .where(eq(labels.orderId, interrupted.id));
    const openRefunds = () =>
      db.$count(labels, and(eq(labels.orderId, voided.id), lte(labels.askingUntil, askingUntil)));
    let looks = 0;
    // The server stops after the first label.
    const signal = {
      get aborted() {
        return looks++ > 0;
      },
    } as AbortSignal;
    await settleOpenLabels(shop.ctx, signal);
    expect((await readOrder(interrupted)).shipments).toHaveLength(1);
    expect(await openRefunds()).toBe(25);
    await settleOpenLabels(shop.ctx);
    expect(await openRefunds()).toBe(5);
  });

  test("has its label voided after a cancellation even if the check of another label fails", async () => {
    await saveLabelSettings({ shippedWhen: "printed" });
    const [broken, ...cancelled] = [
      await placePaidOrder(),
      await placePaidOrder(),
      await placePaidOrder(),
      await placePaidOrder(),
    ];
    for (const paidOrder of [broken, ...cancelled] as PaidOrder[]) {
      const [rate] = await fetchRates(paidOrder);
      expect((await buy(paidOrder, rate.rateId)).status).toBe(201);
    }
    const brokenLabelCondition = eq(labels.orderId, broken?.id ?? "");
    await shop.database.db
      .update(labels)
      .set({ lines: {} as never })
      .where(brokenLabelCondition);
    for (const { browser, id } of cancelled) await browser.post(`/api/orders/${id}/cancel`);
    await expect(settleOpenLabels(shop.ctx)).rejects.toThrow();
    const rows = await shop.database.db
      .select()
      .from(labels)
      .where(ne(labels.lines, {} as never));
    const states = cancelled.map(({ id }) => rows.find(({ orderId }) => orderId === id)?.state);
    expect(states).toEqual(["voided", "voided", "voided"]);
    await shop.database.db.update(labels).set({ lines: [], state: "failed" }).where(brokenLabelCondition);
    await saveLabelSettings({ shippedWhen: "bought" });
  });

  test("is not shipped by printing the label if its address changed or it was put on hold in the meantime", async () => {
    await saveLabelSettings({ shippedWhen: "printed" });
    const [readdressed, onHold] = [await placePaidOrder(), await placePaidOrder()];
    const buyLabel = async (paidOrder: PaidOrder, fields: object = {}) => {
      const [rate] = await fetchRates(paidOrder);
      return (await buy(paidOrder, rate.rateId, owner, fields)).body.data.labelId as string;
    };
    const setHold = (isHeld: boolean, reason: string | null) =>
      owner.post(path(onHold, "/hold"), { held: isHeld, ...(reason && { reason }) });
    await setHold(true, "Asked the buyer");
    const labelIds = [
      await buyLabel(readdressed),
      await buyLabel(onHold, { force: true, reason: "Buyer has answered" }),
    ];
    await setHold(false, null);
    await setHold(true, "The card was stolen");
    const { contactVersion: version, shipping, customerName, email } = await readOrder(readdressed);
    const contact = { version, customerName, email, phone: "", shipping: { ...shipping, line1: "9 Elm St" } };
    expect((await send(owner, "PATCH", path(readdressed, "/contact"), contact)).status).toBe(200);
    expect((await packer.post("/api/admin/labels/printed", { labelIds })).body.data).toEqual({
      shipped: 0,
      busy: [],
    });
    for (const paidOrder of [readdressed, onHold])
      expect((await readOrder(paidOrder)).status).toBe("completed");
    await settleOpenLabels(shop.ctx);
    expect((await readOrder(readdressed)).needsAttention).toContain("address or contents have changed");
    // A label that was not printed is voided.
    const labelCondition = eq(labels.orderId, readdressed.id);
    await shop.database.db.update(labels).set({ printedAt: null }).where(labelCondition);
    await settleOpenLabels(shop.ctx);
    expect(await shop.database.db.select().from(labels).where(labelCondition)).toMatchObject([
      { state: "voided" },
    ]);
    await saveLabelSettings({ shippedWhen: "bought" });
  });

  test("has the label's cost in the books, and its reversal when the label is voided", async () => {
    const day = new Date().toISOString().slice(0, 10);
    const readCost = async () =>
      (await owner.get(`/api/admin/books?from=${day}&to=${day}`)).body.data.postageCents;
    const before = await readCost();
    const paidOrder = await placePaidOrder();
    const [rate] = await fetchRates(paidOrder);
    const { data: label } = (await buy(paidOrder, rate.rateId)).body;
    expect((await readCost()) - before).toBe(rate.amount);
    const ledger = (await readFile(`/api/admin/books/ledger?from=${day}&to=${day}`)).text;
    expect(ledger).toMatch(new RegExp(`Label of order #${paidOrder.number} bought.*Postage,5\\.20`));
    await voidLabel(paidOrder, label.labelId);
    expect((await readCost()) - before).toBe(0);
  });

  test("has the label's address deleted together with the buyer's data", async () => {
    const paidOrder = await placePaidOrder();
    const [rate] = await fetchRates(paidOrder);
    await buy(paidOrder, rate.rateId);
    await shop.database.db.transaction(async (tx) => {
      for (const { eraseOrders } of shop.ctx.personalData) await eraseOrders?.(tx, [paidOrder.id], shop.ctx);
    });
    const [row] = await shop.database.db.select().from(labels).where(eq(labels.orderId, paidOrder.id));
    expect(row).toMatchObject({ recipient: null, picture: null, trackingNumber: null });
  });
});

describe("labels bought outside the shop", () => {
  test("are prepared by a file of addresses; a pasted list of their tracking numbers is checked before it is saved", async () => {
    const [first, second, held] = [await placePaidOrder(), await placePaidOrder(), await placePaidOrder()];
    await owner.post(path(held, "/hold"), { held: true, reason: "Wait" });
    const file = (await readFile("/api/admin/label-tool.csv")).text;
    expect(file).toContain("Order Number,Order Date,Recipient Name");
    expect(file).toMatch(
      new RegExp(`${first.number},[^\\r]*1 Main St,[^\\r]*Austin,TX,78701,US,1 x Pure Batana Oil`),
    );
    expect(file).not.toContain(`\n${held.number},`);
    expect((await readFile("/api/admin/label-tool.csv", packer)).status).toBe(403);
    const matchNumbers = async (text: string) =>
      (await packer.post("/api/admin/tracking/match", { text })).body.data.map(
        ({ number, carrier, problem }: Record<string, unknown>) => [number, carrier, problem],
      );
    const ups = "1Z5R89390357567127";
    expect(
      await matchNumbers(
        `"Order Number";"Tracking Number";"Carrier"\n#${first.number};${ups};ups\n${held.number};X;"A; B"\n9999999;1;\n;2;`,
      ),
    ).toEqual([
      [first.number, "UPS", null],
      [held.number, "A; B", expect.stringContaining("on hold")],
      [null, null, "There is no order 9999999."],
      [null, null, "This row has no order number."],
    ]);
    expect(
      await matchNumbers(`${ups}\t${second.number}\n#${second.number} ${ups}\n${second.number}`),
    ).toEqual([
      [second.number, "UPS", null],
      [second.number, "UPS", "This order stands above already."],
      [second.number, null, "This row has no tracking number."],
    ]);
    expect((await readOrder(first)).status).toBe("completed");
    expect((await owner.post("/api/admin/tracking/match", { text: "1001\n".repeat(101) })).status).toBe(422);
  });
});

describe("labels for several orders", () => {
  const buyLabels = async (orderIds: string[], user = owner) => {
    const { status, body } = await user.post("/api/admin/labels", { orderIds });
    expect(status).toBe(202);
    await shop.jobsDone();
    return (await user.get(`/api/admin/labels/jobs/${body.data.jobId}`)).body.data;
  };

  test("are bought independently, listed with their failures, and printed in one file", async () => {
    const paidOrders = [await placePaidOrder(), await placePaidOrder(), await placePaidOrder()];
    const [first, second, held] = paidOrders.map(({ id }) => id);
    await owner.post(path({ id: held ?? "" }, "/hold"), { held: true, reason: "Wait" });
    const unknown = "7f4df2f3-6a0f-4a3c-9d0a-0f4df2f36a0f";
    const job = await buyLabels(
      [first, second, held, unknown, "nonsense", first?.toUpperCase()] as string[],
      packer,
    );
    expect(job).toMatchObject({
      status: "done",
      rows: [
        { orderId: first, ok: true, labelId: expect.any(String) },
        { orderId: second, ok: true },
        { orderId: held, ok: false, problem: expect.stringContaining("on hold") },
        { orderId: unknown, ok: false, problem: "There is no such order." },
        { orderId: "nonsense", ok: false },
      ],
    });
    expect(JSON.stringify(job)).not.toContain("amount");
    expect(countPages((await readFile(job.pdfUrl)).text)).toBe(2);
    expect(countPages((await readFile(`${job.pdfUrl}?slips=1`)).text)).toBe(4);
    await saveLabelSettings({ paper: "letter" });
    expect(countPages((await readFile(job.pdfUrl)).text)).toBe(1);
    await saveLabelSettings({ paper: "4x6" });
    const repeatedJob = await buyLabels([first, second] as string[]);
    expect(repeatedJob.rows.map(({ labelId }: { labelId: string }) => labelId)).toEqual(
      job.rows.slice(0, 2).map(({ labelId }: { labelId: string }) => labelId),
    );
    expect((await owner.get(`/api/admin/labels/jobs/${unknown}`)).status).toBe(404);
    expect((await owner.post("/api/admin/labels", { orderIds: [] })).status).toBe(422);
  });

  test("are listed as failed after their job's last attempt, and can be bought by a new job", async () => {
    const { id } = await placePaidOrder();
    const { db } = shop.database;
    const [lost, waiting] = [randomUUID(), randomUUID()];
    for (const jobId of [lost, waiting]) {
      await db.insert(labelJobs).values({ id: jobId, createdAt: new Date() });
      await db.insert(labelJobOrders).values({ jobId, position: 0, orderId: id });
    }
    const runAt = new Date(Date.now() + 3_600_000);
    await addJob(db, buyLabelsJob, { jobId: waiting }, { runAt });
    await addJob(db, buyLabelsJob, { jobId: lost }, { runAt });
    // The state after the server was killed in the last attempt.
    await db.execute(
      sql`update jobs set attempts = max_attempts, leased_until = now() where payload ->> 'jobId' = ${lost}`,
    );
    await settleOpenLabels(shop.ctx);
    const readJob = async (jobId: string) => (await owner.get(`/api/admin/labels/jobs/${jobId}`)).body.data;
    expect(await readJob(lost)).toMatchObject({
      status: "done",
      rows: [{ orderId: id, ok: false, problem: expect.stringContaining("Try this order again.") }],
    });
    expect(await readJob(waiting)).toMatchObject({ status: "running", rows: [{ ok: false }] });
    await db.execute(sql`delete from jobs where name = ${buyLabelsJob.name}`);
    expect(await buyLabels([id])).toMatchObject({ status: "done", rows: [{ orderId: id, ok: true }] });
  });

  test("have packing slips with the order's date in the shop's time zone", async () => {
    const { id } = await placePaidOrder();
    const { pdfUrl } = await buyLabels([id]);
    const printSlip = async (at: string, timeZone: string) => {
      await shop.database.db
        .update(orders)
        .set({ createdAt: new Date(at) })
        .where(eq(orders.id, id));
      await send(owner, "PATCH", "/api/admin/settings", { timeZone });
      await expect.poll(() => shop.shop.timeZone()).toBe(timeZone);
      const { text } = await readFile(`${pdfUrl}?slips=1`);
      return text.replaceAll(/\(D:\d+Z\)|\/ID \[.*?\]/gs, "");
    };
    const evening = await printSlip("2026-11-21T01:00:00Z", "America/New_York");
    expect(evening).toBe(await printSlip("2026-11-20T12:00:00Z", "UTC"));
    expect(evening).not.toBe(await printSlip("2026-11-21T12:00:00Z", "UTC"));
  });

  test("have packing slips with the sender's address", async () => {
    const { id } = await placePaidOrder();
    const readSlip = async () => (await packer.get(`/admin/packing-slips?order=${id}`)).body;
    expect(await readSlip()).not.toContain("If undeliverable");
    const sender = { name: "Palmira Works", phone: null, line1: "9 Dock Rd", line2: null, city: "Houston" };
    await saveLabelSettings({ sender: { ...sender, state: "TX", postalCode: "77002", country: "US" } });
    await expect.poll(readSlip).toMatch(/return to.*Palmira Works.*9 Dock Rd.*Houston, TX 77002/s);
  });
});
