import { eq, ne } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { confirm, order } from "../../test/checkout.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { orders } from "../orders/tables.ts";
import { settleOpenLabels } from "./jobs.ts";
import { labels } from "./tables.ts";

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

type Placed = { browser: TestBrowser; id: string; number: number; email: string };
let buyers = 0;

async function placePaid(more: object = {}): Promise<Placed> {
  buyers += 1;
  const email = `labels${buyers}@example.com`;
  const browser = shop.browser();
  const started = await order(browser, { email, ...more });
  await confirm(browser, started);
  await shop.jobsDone();
  return { browser, email, id: started.body.orderId, number: started.body.orderNumber };
}

const path = ({ id }: Pick<Placed, "id">, rest = "") => `/api/admin/orders/${id}${rest}`;
const look = async (placed: Pick<Placed, "id">) => (await owner.get(path(placed))).body.data;
const ratesOf = async (placed: Pick<Placed, "id">, by = owner) =>
  (await by.post(path(placed, "/label-rates"))).body.data;
const buy = (placed: Pick<Placed, "id">, rateId: string, by = owner, more: object = {}) =>
  by.post(path(placed, "/labels"), { rateId, ...more });
const voidLabel = async (placed: Pick<Placed, "id">, labelId: string) =>
  (await owner.fetch(path(placed, `/labels/${labelId}`), { method: "DELETE" })).status;
const setting = (part: object) =>
  owner.fetch("/api/admin/settings", {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ labels: part }),
  });
const bytesOf = async (url: string, by = owner) => {
  const answer = await by.fetch(url);
  return { status: answer.status, text: Buffer.from(await answer.arrayBuffer()).toString("latin1") };
};
const pagesIn = (pdf: string) => pdf.match(/\/Type \/Page\b/g)?.length ?? 0;

describe("a label of the sandbox carrier", () => {
  test("is of the cheapest service that keeps the promised day, ships the order once, and opens as PDF", async () => {
    const placed = await placePaid();
    const rates = await ratesOf(placed);
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
    const twins = await Promise.all([1, 2, 3].map(() => buy(placed, rates[0].rateId)));
    expect(twins.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const [label] = twins.map(({ body }) => body.data);
    for (const { body } of twins) expect(body.data).toEqual(label);
    expect(label).toMatchObject({ amount: 520, trackingNumber: expect.stringMatching(/^TEST\d{18}$/) });
    expect((await buy(placed, rates[1].rateId)).status).toBe(409);
    expect((await owner.post(path(placed, "/label-rates"))).status).toBe(409);
    expect(await look(placed)).toMatchObject({
      status: "shipped",
      fulfilment: { carrier: "Sandbox carrier", trackingNumber: label.trackingNumber },
    });
    await shop.jobsDone();
    expect(keptMail(shop, placed.email, "order_shipped")).toHaveLength(1);
    const { status, text } = await bytesOf(label.labelUrl);
    expect([status, text.slice(0, 5), pagesIn(text)]).toEqual([200, "%PDF-", 1]);
    expect(text).toContain("Label \\(TEST\\)");
    expect((await bytesOf(label.labelUrl, shop.browser())).status).toBe(401);
    expect(pagesIn((await bytesOf(`${label.labelUrl}?slips=1`)).text)).toBe(2);
  });

  test("is voided once, after which the order is as before and can get another", async () => {
    const placed = await placePaid();
    const [rate] = await ratesOf(placed);
    const { data: label } = (await buy(placed, rate.rateId)).body;
    expect((await owner.post(path(placed, `/shipments/${label.labelId}/undo`))).status).toBe(409);
    const twins = await Promise.all([1, 2].map(() => voidLabel(placed, label.labelId)));
    expect(twins).toEqual([200, 200]);
    expect(await voidLabel(placed, label.labelId)).toBe(200);
    expect(await look(placed)).toMatchObject({ status: "completed", fulfilment: null, shipments: [] });
    expect((await bytesOf(label.labelUrl)).status).toBe(404);
    // A repeated call of the first purchase buys nothing.
    expect((await buy(placed, rate.rateId)).status).toBe(409);
    const [next] = await ratesOf(placed);
    expect((await buy(placed, next.rateId)).status).toBe(201);
    const { labels: both } = (await owner.get(path(placed, "/labels"))).body.data;
    expect(both.map(({ state }: { state: string }) => state)).toEqual(["voided", "bought"]);
    expect(await voidLabel(await placePaid(), label.labelId)).toBe(404);
  });

  test("for an order on hold needs a reason, which packers cannot give", async () => {
    const placed = await placePaid();
    const [rate] = await ratesOf(placed);
    await owner.post(path(placed, "/hold"), { held: true, reason: "Asked the buyer" });
    const refused = await buy(placed, rate.rateId);
    expect([refused.status, refused.body.error]).toEqual([409, "invalid_state"]);
    const forced = { force: true, reason: "Buyer has answered" };
    expect((await buy(placed, rate.rateId, packer, forced)).status).toBe(403);
    expect((await buy(placed, rate.rateId, owner, forced)).status).toBe(201);
    const [entry] = (await owner.get("/api/admin/activity")).body.data;
    expect(entry.summary).toContain("although it is held back: Buyer has answered");
  });

  test("is bought by packers at the proposed rate only, without any amount", async () => {
    const placed = await placePaid();
    const rates = await ratesOf(placed, packer);
    expect(JSON.stringify(rates)).not.toContain("amount");
    expect((await buy(placed, rates[2].rateId, packer)).status).toBe(403);
    const { status, body } = await buy(placed, rates[0].rateId, packer);
    expect([status, Object.keys(body.data).sort()]).toEqual([201, ["labelId", "labelUrl", "trackingNumber"]]);
    const mine = (await packer.get(path(placed, "/labels"))).body.data;
    expect(JSON.stringify(mine)).not.toContain("amount");
  });

  test("is the same one for two packers who requested rates separately", async () => {
    const placed = await placePaid();
    const [mine, theirs] = await Promise.all([ratesOf(placed, packer), ratesOf(placed)]);
    const bought = await Promise.all([buy(placed, mine[0].rateId, packer), buy(placed, theirs[0].rateId)]);
    expect(bought.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(await shop.database.db.$count(labels, eq(labels.orderId, placed.id))).toBe(1);
  });

  test("is not sold for orders that cannot ship or were really paid, nor to strangers", async () => {
    const placed = await placePaid();
    const [rate] = await ratesOf(placed);
    expect((await buy(placed, "rate_unknown")).status).toBe(409);
    expect((await shop.browser().post(path(placed, "/label-rates"))).status).toBe(401);
    await shop.database.db.update(orders).set({ mode: "live" }).where(eq(orders.id, placed.id));
    expect((await owner.post(path(placed, "/label-rates"))).status).toBe(503);
    await shop.database.db.update(orders).set({ mode: "sandbox" }).where(eq(orders.id, placed.id));
    await placed.browser.post(`/api/orders/${placed.id}/cancel`);
    expect((await buy(placed, rate.rateId)).body.message).toContain("cancelled");
  });
});

describe("an order with a label", () => {
  test("counts as shipped when the label is printed, if the owner chose so; if cancelled before, the label is voided", async () => {
    await setting({ shippedWhen: "printed" });
    const [printed, cancelled] = [await placePaid(), await placePaid()];
    const bought = [];
    for (const placed of [printed, cancelled]) {
      const [rate] = await ratesOf(placed);
      bought.push((await buy(placed, rate.rateId)).body.data);
      expect((await look(placed)).status).toBe("completed");
    }
    const labelIds = bought.map(({ labelId }) => labelId);
    await cancelled.browser.post(`/api/orders/${cancelled.id}/cancel`);
    const answer = await owner.post("/api/admin/labels/printed", { labelIds: labelIds.slice(0, 1) });
    expect(answer.body.data).toEqual({ shipped: 1 });
    expect((await look(printed)).status).toBe("shipped");
    await settleOpenLabels(shop.ctx);
    const rows = await shop.database.db.select().from(labels).where(eq(labels.orderId, cancelled.id));
    expect(rows).toMatchObject([{ state: "voided", shippedAt: null }]);
    await setting({ shippedWhen: "bought" });
  });

  test("is settled once if a crash left its purchase undecided, and voided if it was cancelled meanwhile", async () => {
    const [waiting, cancelled] = [await placePaid(), await placePaid()];
    for (const placed of [waiting, cancelled]) {
      const [rate] = await ratesOf(placed);
      const { data: label } = (await buy(placed, rate.rateId)).body;
      await voidLabel(placed, label.labelId);
      // As a server leaves it that is killed between its question to the carrier and the answer.
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
    expect((await look(waiting)).shipments).toHaveLength(1);
    const statesOf = async ({ id }: Placed) =>
      (await shop.database.db.select().from(labels).where(eq(labels.orderId, id))).map(({ state }) => state);
    expect([await statesOf(waiting), await statesOf(cancelled)]).toEqual([["bought"], ["voided"]]);
    expect((await look(cancelled)).shipments).toEqual([]);
  });

  test("has its label voided after a cancellation although the check of another label always fails", async () => {
    await setting({ shippedWhen: "printed" });
    const [broken, ...cancelled] = [
      await placePaid(),
      await placePaid(),
      await placePaid(),
      await placePaid(),
    ];
    for (const placed of [broken, ...cancelled] as Placed[]) {
      const [rate] = await ratesOf(placed);
      expect((await buy(placed, rate.rateId)).status).toBe(201);
    }
    const isBroken = eq(labels.orderId, broken?.id ?? "");
    await shop.database.db
      .update(labels)
      .set({ lines: {} as never })
      .where(isBroken);
    for (const { browser, id } of cancelled) await browser.post(`/api/orders/${id}/cancel`);
    await expect(settleOpenLabels(shop.ctx)).rejects.toThrow();
    const rows = await shop.database.db
      .select()
      .from(labels)
      .where(ne(labels.lines, {} as never));
    const states = cancelled.map(({ id }) => rows.find(({ orderId }) => orderId === id)?.state);
    expect(states).toEqual(["voided", "voided", "voided"]);
    await shop.database.db.update(labels).set({ lines: [] }).where(isBroken);
    await setting({ shippedWhen: "bought" });
  });

  test("does not ship by printing the label if its address changed or it was put on hold meanwhile", async () => {
    await setting({ shippedWhen: "printed" });
    const [moved, held] = [await placePaid(), await placePaid()];
    const buyFor = async (placed: Placed, more: object = {}) => {
      const [rate] = await ratesOf(placed);
      return (await buy(placed, rate.rateId, owner, more)).body.data.labelId as string;
    };
    const hold = (on: boolean, reason: string | null) =>
      owner.post(path(held, "/hold"), { held: on, ...(reason && { reason }) });
    await hold(true, "Asked the buyer");
    const labelIds = [await buyFor(moved), await buyFor(held, { force: true, reason: "Buyer has answered" })];
    await hold(false, null);
    await hold(true, "The card was stolen");
    const { contactVersion: version, shipping, customerName, email } = await look(moved);
    const contact = { version, customerName, email, phone: "", shipping: { ...shipping, line1: "9 Elm St" } };
    expect((await send(owner, "PATCH", path(moved, "/contact"), contact)).status).toBe(200);
    expect((await packer.post("/api/admin/labels/printed", { labelIds })).body.data).toEqual({ shipped: 0 });
    for (const placed of [moved, held]) expect((await look(placed)).status).toBe("completed");
    await settleOpenLabels(shop.ctx);
    expect((await look(moved)).needsAttention).toContain("address or contents have changed");
    // One that was not printed is voided.
    const row = eq(labels.orderId, moved.id);
    await shop.database.db.update(labels).set({ printedAt: null }).where(row);
    await settleOpenLabels(shop.ctx);
    expect(await shop.database.db.select().from(labels).where(row)).toMatchObject([{ state: "voided" }]);
    await setting({ shippedWhen: "bought" });
  });

  test("has the label's cost in the books, and its reversal when the label is voided", async () => {
    const day = new Date().toISOString().slice(0, 10);
    const cost = async () =>
      (await owner.get(`/api/admin/books?from=${day}&to=${day}`)).body.data.postageCents;
    const before = await cost();
    const placed = await placePaid();
    const [rate] = await ratesOf(placed);
    const { data: label } = (await buy(placed, rate.rateId)).body;
    expect((await cost()) - before).toBe(rate.amount);
    const ledger = (await bytesOf(`/api/admin/books/ledger?from=${day}&to=${day}`)).text;
    expect(ledger).toMatch(new RegExp(`Label of order #${placed.number} bought.*Postage,5\\.20`));
    await voidLabel(placed, label.labelId);
    expect((await cost()) - before).toBe(0);
  });

  test("loses its address with the buyer's data", async () => {
    const placed = await placePaid();
    const [rate] = await ratesOf(placed);
    await buy(placed, rate.rateId);
    await shop.database.db.transaction(async (tx) => {
      for (const { eraseOrders } of shop.ctx.personalData) await eraseOrders?.(tx, [placed.id], shop.ctx);
    });
    const [row] = await shop.database.db.select().from(labels).where(eq(labels.orderId, placed.id));
    expect(row).toMatchObject({ recipient: null, picture: null, trackingNumber: null });
  });
});

describe("labels bought elsewhere", () => {
  test("are bought with a file of addresses and weights, and a list of their numbers is checked before it is booked", async () => {
    const [first, second, held] = [await placePaid(), await placePaid(), await placePaid()];
    await owner.post(path(held, "/hold"), { held: true, reason: "Wait" });
    const file = (await bytesOf("/api/admin/label-tool.csv")).text;
    expect(file).toContain("Order Number,Order Date,Recipient Name");
    expect(file).toMatch(
      new RegExp(`${first.number},[^\\r]*1 Main St,[^\\r]*Austin,TX,78701,US,1 x Pure Batana Oil`),
    );
    expect(file).not.toContain(`\n${held.number},`);
    expect((await bytesOf("/api/admin/label-tool.csv", packer)).status).toBe(403);
    const match = async (text: string) =>
      (await packer.post("/api/admin/tracking/match", { text })).body.data.map(
        ({ number, carrier, problem }: Record<string, unknown>) => [number, carrier, problem],
      );
    const ups = "1Z5R89390357567127";
    expect(
      await match(
        `"Order Number";"Tracking Number";"Carrier"\n#${first.number};${ups};ups\n${held.number};X;"A; B"\n9999999;1;\n;2;`,
      ),
    ).toEqual([
      [first.number, "UPS", null],
      [held.number, "A; B", expect.stringContaining("on hold")],
      [null, null, "There is no order 9999999."],
      [null, null, "No order number stands in this row."],
    ]);
    expect(await match(`${ups}\t${second.number}\n#${second.number} ${ups}\n${second.number}`)).toEqual([
      [second.number, "UPS", null],
      [second.number, "UPS", "This order stands above already."],
      [second.number, null, "No tracking number stands in this row."],
    ]);
    expect((await look(first)).status).toBe("completed");
    expect((await owner.post("/api/admin/tracking/match", { text: "1001\n".repeat(101) })).status).toBe(422);
  });
});

describe("labels for several orders", () => {
  const start = async (orderIds: string[], by = owner) => {
    const { status, body } = await by.post("/api/admin/labels", { orderIds });
    expect(status).toBe(202);
    await shop.jobsDone();
    return (await by.get(`/api/admin/labels/jobs/${body.data.jobId}`)).body.data;
  };

  test("are bought independently, listed with their failures, and printed in one file", async () => {
    const placed = [await placePaid(), await placePaid(), await placePaid()];
    const [first, second, held] = placed.map(({ id }) => id);
    await owner.post(path({ id: held ?? "" }, "/hold"), { held: true, reason: "Wait" });
    const unknown = "7f4df2f3-6a0f-4a3c-9d0a-0f4df2f36a0f";
    const job = await start(
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
    expect(pagesIn((await bytesOf(job.pdfUrl)).text)).toBe(2);
    expect(pagesIn((await bytesOf(`${job.pdfUrl}?slips=1`)).text)).toBe(4);
    await setting({ paper: "letter" });
    expect(pagesIn((await bytesOf(job.pdfUrl)).text)).toBe(1);
    await setting({ paper: "4x6" });
    const again = await start([first, second] as string[]);
    expect(again.rows.map(({ labelId }: { labelId: string }) => labelId)).toEqual(
      job.rows.slice(0, 2).map(({ labelId }: { labelId: string }) => labelId),
    );
    expect((await owner.get(`/api/admin/labels/jobs/${unknown}`)).status).toBe(404);
    expect((await owner.post("/api/admin/labels", { orderIds: [] })).status).toBe(422);
  });
});
