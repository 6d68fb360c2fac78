import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../../test/admin.ts";
import { order } from "../../../test/checkout.ts";
import { countLockWaits } from "../../../test/database.ts";
import { keptMail } from "../../../test/kept-mail.ts";
import type { ApiResponse, TestBrowser } from "../../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { issueDueInvoices } from "../../books/invoices.ts";
import { invoices } from "../../books/tables.ts";
import { products } from "../../catalog/tables.ts";
import { refreshCustomers } from "../../customers/refresh.ts";
import { stock } from "../../inventory/tables.ts";
import { orders } from "../../orders/tables.ts";
import { expireOrders } from "../../payments/cancellation/close.ts";
import { paymentLink } from "../../payments/payment-link.ts";
import { payments } from "../../payments/tables.ts";
import { requestDeletion } from "../../privacy/deletion.ts";
import { orderExchanges } from "../tables.ts";
import { checkExchange } from "./settle.ts";

let shop: StripeShop;
let owner: TestBrowser;
/** Id of a product that costs $16.95; the bottle, product 1, costs $29.95. */
let smallOilId: number;
beforeAll(async () => {
  shop = await openStripeShop();
  owner = await adminBrowser(shop);
  const product = await owner.post("/api/admin/products", {
    name: "Small Oil",
    shortDescription: "Half as much.",
    description: "The same oil.",
    price: 1695,
    size: "1 fl oz",
    stock: 50,
  });
  smallOilId = product.body.data.id;
  await patch(`/api/admin/products/${smallOilId}`, { published: true });
  await patch("/api/admin/settings", {
    seller: { legalName: "Palmira LLC", address: "1 Main St", vatId: "", registration: "" },
    invoices: { issue: "at_payment", note: "" },
  });
  await shop.database.db.update(products).set({ cost: 400 }).where(eq(products.id, 1));
});
afterAll(() => shop.stop());
afterEach(async () => {
  shop.stripe.endTrouble();
  await shop.expectConserved();
});

type PaidOrder = { browser: TestBrowser; id: string; number: number; intentId: string; email: string };
let buyers = 0;

async function placePaid(quantity = 1, amount?: number, to?: object): Promise<PaidOrder> {
  const browser = shop.browser();
  buyers += 1;
  const email = `buyer${buyers}@example.com`;
  const { body } = await order(browser, { quantity, email, ...(amount && { amount }), ...to });
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  return { browser, id: body.orderId, number: body.orderNumber, intentId: body.paymentIntentId, email };
}

const patch = (path: string, body: object) => send(owner, "PATCH", path, body);
const readOrder = async (id: string) => (await owner.get(`/api/admin/orders/${id}`)).body.data;
/** The text of the order's page as its buyer sees it. */
async function readPage(paid: PaidOrder): Promise<string> {
  return fetchText(paid.browser, `/orders/${paid.id}`);
}
async function fetchText(browser: TestBrowser, path: string): Promise<string> {
  const page: string = (await browser.get(path)).body;
  return page.replace(/<script.*?<\/script>/gs, "").replace(/<[^>]*>/g, "");
}
const buildUnits = (productId: number, quantity = 1) => [{ productId, quantity }];
const replace = (
  paid: PaidOrder,
  quantity = 1,
  key: string = randomUUID(),
  by = owner,
): Promise<ApiResponse> =>
  by.post(
    `/api/admin/orders/${paid.id}/replacement`,
    { items: buildUnits(1, quantity), reason: "damaged", note: "With more padding." },
    { "Idempotency-Key": key },
  );
const exchange = (
  paid: PaidOrder,
  items: object[],
  returned = buildUnits(1),
  key: string = randomUUID(),
  texts: { note?: string; sendTo?: string } = {},
): Promise<ApiResponse> =>
  owner.post(
    `/api/admin/orders/${paid.id}/exchange`,
    { returned, items, ...texts },
    { "Idempotency-Key": key },
  );
const readStock = async (productId: number) => {
  const [row] = await shop.database.db.select().from(stock).where(eq(stock.productId, productId));
  return { onHand: row?.onHand ?? 0, reserved: row?.reserved ?? 0 };
};
async function readExchange(id: string) {
  const [row] = await shop.database.db.select().from(orderExchanges).where(eq(orderExchanges.id, id));
  if (!row) throw new Error("no exchange");
  return row;
}
async function readToken(id: string): Promise<string> {
  const exchange = await readExchange(id);
  const [order] = await shop.database.db.select().from(orders).where(eq(orders.id, exchange.newOrderId));
  const link = paymentLink(shop.ctx, { ...exchange, email: order?.email ?? "" });
  return new URL(link).searchParams.get("token") ?? "";
}
const openPage = async (id: string) =>
  shop.browser().post(`/api/pay-exchange/${id}`, { token: await readToken(id) });
async function findOpenSessionId(orderId: string): Promise<string> {
  const [row] = await shop.database.db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.status, "requires_payment")));
  return row?.sessionId ?? "";
}
async function payByLink(newExchange: { id: string; orderId: string }): Promise<void> {
  const opened = await openPage(newExchange.id);
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  await deliverEventsFrom(async () =>
    shop.stripe.completeSession(await findOpenSessionId(newExchange.orderId)),
  );
  await shop.jobsDone();
}
/** Delivers the events that a change at Stripe causes. */
async function deliverEventsFrom(act: () => unknown): Promise<void> {
  const first = shop.stripe.events.length;
  await act();
  await shop.send(...shop.stripe.events.slice(first));
  await shop.jobsDone();
}
async function receiveReturn(id: string) {
  const { returnId } = await readExchange(id);
  const response = await patch(`/api/admin/returns/${returnId}`, { status: "closed" });
  await shop.jobsDone();
  return response;
}
const readLedgerBalances = async () => {
  const today = new Date().toISOString().slice(0, 10);
  const csv = await owner.fetch(`/api/admin/books/ledger?from=${today}&to=${today}`);
  const lines = (await csv.text()).split("\r\n").slice(1).filter(Boolean);
  const sums: Record<string, number> = {};
  for (const line of lines) {
    const cells = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, "")) ?? [];
    const account = cells[4] ?? "";
    sums[account] = Math.round((sums[account] ?? 0) + 100 * (Number(cells[5] || 0) - Number(cells[6] || 0)));
  }
  return sums;
};

describe("a replacement", () => {
  test("is a separate order without a price, whose units leave the stock immediately", async () => {
    const paid = await placePaid(2);
    const gift = { from: "Bo", note: "Enjoy!" };
    await shop.database.db.update(orders).set({ gift }).where(eq(orders.id, paid.id));
    const before = await readStock(1);
    const readFigures = async () => (await owner.get("/api/admin/overview")).body.data.figures;
    const [figuresBefore, balancesBefore] = [await readFigures(), await readLedgerBalances()];
    const key = randomUUID();
    const { status, body } = await replace(paid, 1, key);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({
      status: "completed",
      payment: "none",
      totals: { subtotal: 0, shipping: 0, tax: 0, total: 0 },
      replaces: { id: paid.id, number: paid.number, reason: "damaged" },
      email: paid.email,
      gift,
      givingPercent: 0,
    });
    expect(body.data.id).toBe(body.id);
    expect(body.items[0].image).toMatch(/^\/images\//);
    const again = await replace(paid, 1, key);
    expect([again.status, again.body.id]).toEqual([201, body.id]);
    expect((await replace(paid, 2, key)).status).toBe(409);
    expect((await readOrder(paid.id)).replacements).toEqual([{ id: body.id, number: body.number }]);
    const firstPage = await (await paid.browser.fetch(`/orders/${paid.id}`)).text();
    expect(firstPage.replaceAll("<!-- -->", "")).toMatch(
      new RegExp(
        `<a[^>]* href="/orders/${body.id}"[^>]*>Order #${body.number}</a> replaces items of this order`,
      ),
    );
    expect(await readStock(1)).toEqual({ onHand: before.onHand - 1, reserved: before.reserved });
    await shop.jobsDone();
    const [mail] = keptMail(shop, paid.email, "replacement_sent");
    expect(mail).toContain("With more padding.");
    expect(mail).toContain(`order #${paid.number}`);
    // The buyer sees the replacement, and the panel lists it among the orders to ship.
    const orderPage = (await paid.browser.get(`/orders/${body.id}`)).body;
    expect(orderPage).toContain("There is nothing to pay.");
    expect(orderPage).not.toMatch(/Paid, being prepared|Refund returned/);
    expect((await paid.browser.get(`/api/orders/${body.id}`)).body.data.payment).toBe("none");
    const ordersToShip = await owner.get("/api/orders?status=to_ship");
    const row = ordersToShip.body.data.find(({ orderId }: { orderId: string }) => orderId === body.id);
    const followUp = { kind: "replacement", number: paid.number };
    expect(row).toMatchObject({ followUp });
    // The order list, its CSV file, the customer's record and the packing slip name the replaced order.
    const list = (await owner.get(`/admin/orders?status=to_ship&q=${body.number}`)).body;
    expect(list).toContain(`Replaces #${paid.number}`);
    expect(list).toContain(">Free<");
    const file: string = (await owner.get(`/api/admin/orders.csv?status=all&q=${body.number}`)).body;
    expect(file.split("\r\n")[0]).toMatch(
      /,SKUs,Replaces,Exchange of,Referrer,utm_source,utm_medium,utm_campaign$/,
    );
    expect(file.split("\r\n")[1]).toMatch(new RegExp(`,${paid.number},,,,,$`));
    const slip = (await owner.get(`/admin/packing-slips?order=${body.id}`)).body.replaceAll("<!-- -->", "");
    expect(slip).toContain(`Replacement, free of charge, for order #${paid.number}`);
    // A replacement is not a sale and has no invoice; its goods are booked as a cost.
    expect(await readFigures()).toEqual(figuresBefore);
    expect(await readLedgerBalances()).toEqual({
      ...balancesBefore,
      Replacements: (balancesBefore.Replacements ?? 0) + 400,
      Goods: (balancesBefore.Goods ?? 0) - 400,
    });
    await issueDueInvoices(shop.ctx);
    expect(await shop.database.db.$count(invoices, eq(invoices.orderId, body.id))).toBe(0);
    await refreshCustomers(shop.ctx);
    const [customer] = (await owner.get(`/api/admin/customers?q=${paid.email}`)).body.data;
    const { recentOrders } = (await owner.get(`/api/admin/customers/${customer.id}`)).body.data;
    expect(recentOrders[0]).toMatchObject({ number: body.number, followUp });
    const shipping = await owner.post(`/api/admin/orders/${body.id}/ship`, {
      carrier: "UPS",
      trackingNumber: "1Z1",
    });
    expect(shipping.status, JSON.stringify(shipping.body)).toBe(200);
  });

  test("contains no more units than were bought and not refunded, however many are requested concurrently", async () => {
    const paid = await placePaid(3);
    expect((await replace(paid, 4)).body.fields).toHaveProperty(["items.0.quantity"]);
    const refund = await owner.post(`/api/admin/orders/${paid.id}/refund`, {
      items: [{ productId: 1, quantity: 1, restock: false }],
      reason: null,
    });
    expect(refund.status, JSON.stringify(refund.body)).toBe(200);
    await shop.jobsDone();
    const responses = await Promise.all(Array.from({ length: 4 }, () => replace(paid)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
    // Cancelling a replacement allows its units to be sent again.
    const [first] = responses.filter(({ status }) => status === 201);
    const cancelled = await owner.post(`/api/admin/orders/${first?.body.id}/cancel`, { restock: true });
    expect(cancelled.status, JSON.stringify(cancelled.body)).toBe(200);
    expect((await exchange(paid, buildUnits(smallOilId))).status).toBe(201);
    expect((await replace(paid)).status).toBe(422);
  });

  test.each<[string, number[], number]>([
    ["a full refund", [5990], 0],
    ["refunds that come to everything", [4000, 1990], 0],
    ["a refund of more than one unit's price", [4000], 1],
    ["a smaller refund", [1000], 2],
  ])("contains no units whose price was refunded by amount: after %s", async (_name, amounts, allowed) => {
    const paid = await placePaid(2);
    for (const amount of amounts) {
      const refund = await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount, reason: null });
      expect(refund.status, JSON.stringify(refund.body)).toBe(200);
      await shop.jobsDone();
    }
    const statuses = [(await replace(paid, allowed + 1)).status];
    if (allowed > 0) statuses.push((await replace(paid, allowed)).status);
    expect(statuses).toEqual(allowed === 0 ? [409] : [422, 201]);
  });

  test("is refused if the product is sold out, if the order is unpaid, or for another replacement", async () => {
    const paid = await placePaid();
    const before = await readStock(1);
    await shop.database.db.update(stock).set({ onHand: before.reserved }).where(eq(stock.productId, 1));
    const soldOut = await replace(paid);
    expect([soldOut.status, soldOut.body.error, soldOut.body.available]).toEqual([
      409,
      "out_of_stock",
      { 1: 0 },
    ]);
    await shop.database.db.update(stock).set({ onHand: before.onHand }).where(eq(stock.productId, 1));
    expect((await readOrder(paid.id)).replacements).toEqual([]);
    const replacement = await replace(paid);
    expect((await replace({ ...paid, id: replacement.body.id })).status).toBe(409);
    const { body: unpaid } = await order(shop.browser());
    expect((await replace({ ...paid, id: unpaid.orderId })).status).toBe(409);
    expect((await replace(paid, 1, randomUUID(), shop.browser())).status).toBe(401);
    expect((await replace({ ...paid, id: randomUUID() })).status).toBe(404);
  });

  test("mentions no refund when its buyer cancels it, because nothing was paid, and shows no amounts", async () => {
    const paid = await placePaid();
    const { body } = await replace(paid);
    expect((await paid.browser.post(`/api/orders/${body.id}/cancel`)).status).toBe(200);
    await shop.jobsDone();
    const page = (await readPage({ ...paid, id: body.id })).split("Ask a question").slice(0, 2).join();
    expect(page).toContain("It won’t ship.");
    expect(page).not.toMatch(/refund|\$0/i);
    const mail = keptMail(shop, paid.email, "called_off")[0];
    expect(mail).toContain(`You cancelled order #${body.number}`);
    expect(mail).not.toMatch(/back to you|\$0/);
  });

  test("cannot be edited: further units of its lines would cost nothing, and no limit would count them", async () => {
    const paid = await placePaid();
    const { id } = (await replace(paid)).body;
    const { itemsVersion: version, may } = await readOrder(id);
    expect(may.editItems).toBe(false);
    const edit = { add: buildUnits(1, 5), version, difference: 0 };
    const path = `/api/admin/orders/${id}/items`;
    for (const refused of [await owner.post(`${path}/preview`, edit), await owner.post(path, edit)]) {
      expect([refused.status, refused.body.error]).toEqual([409, "invalid_state"]);
      expect(refused.body.message).toContain(`Send another one from order #${paid.number}`);
    }
    expect((await readOrder(id)).items[0].quantity).toBe(1);
  });

  test("counts towards the confirmation limit of the person who creates it, at the price that the buyer paid", async () => {
    const paid = await placePaid();
    // A refund does not reduce the price that the replaced units count with.
    await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: 2500, reason: null });
    await shop.jobsDone();
    const person = await adminBrowser(shop);
    await patch("/api/admin/settings", { confirmAboveCents: 1000 });
    await shop.database.db.execute(sql`update admin_sessions set confirmed_at = now() - interval '1 hour'`);
    const refused = await replace(paid, 1, randomUUID(), person);
    await shop.database.db.execute(sql`update admin_sessions set confirmed_at = now(), given_cents = 0`);
    await patch("/api/admin/settings", { confirmAboveCents: null });
    expect([refused.status, refused.body.error]).toEqual([403, "confirmation_required"]);
    expect(refused.body.message).toContain("$29.95");
    expect((await readOrder(paid.id)).replacements).toEqual([]);
  });
});

describe("an exchange with a difference to pay", () => {
  test("reserves its units, ships once it is paid through the link, and credits the returned units", async () => {
    const paid = await placePaid(2);
    const before = await readStock(smallOilId);
    const balancesBefore = await readLedgerBalances();
    const key = randomUUID();
    const { status, body } = await exchange(paid, buildUnits(smallOilId, 2), buildUnits(1), key);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({ difference: 2 * 1695 - 2995, status: "waits_for_payment" });
    expect((await exchange(paid, buildUnits(smallOilId, 2), buildUnits(1), key)).body).toEqual(body);
    expect((await exchange(paid, buildUnits(smallOilId, 1), buildUnits(1), key)).status).toBe(409);
    expect(await readStock(smallOilId)).toEqual({ onHand: before.onHand, reserved: before.reserved + 2 });
    await shop.jobsDone();
    const [mail] = keptMail(shop, paid.email, "exchange_begun");
    expect(mail).toContain("$3.95");
    expect(mail).toMatch(/Please send it to\s+Palmira LLC\s+1 Main St/);
    // Only a separate call returns the link to the panel.
    expect(JSON.stringify(await readOrder(paid.id))).not.toContain("token=");
    const link = await owner.post(`/api/admin/orders/${paid.id}/exchange/${body.id}/link`, {});
    expect(link.body.url).toContain(`/pay/${body.id}?token=`);
    const page = await shop.browser().get(`/api/pay-exchange/${body.id}?token=${await readToken(body.id)}`);
    expect(page.body.data).toMatchObject({ difference: 395, status: "waiting", isExchange: true });
    expect((await shop.browser().get(`/api/pay-exchange/${body.id}?token=x`)).status).toBe(404);
    const pages = [await readPage(paid), await readPage({ ...paid, id: body.orderId })];
    expect(pages[0]).toContain(
      `Once you have this order, please send back 1 × Pure Batana Oil. Order #${(await readOrder(body.orderId)).number} ships once $3.95 is paid`,
    );
    expect(pages[0]).toMatch(/Please send it to\s+Palmira LLC\s+1 Main St/);
    expect(pages[1]).toContain("ships once you have paid the $3.95 difference");
    const list = (await owner.get("/admin/orders?status=all")).body;
    expect(list).toContain("Exchange pending");
    expect(list).toContain(`Exchange of #${paid.number}`);
    expect(await fetchText(owner, `/admin/orders/${body.orderId}`)).toContain(
      "$3.95 still has to be paid through the link.",
    );
    expect(await fetchText(owner, `/admin/orders/${paid.id}`)).toContain(
      "1 × Pure Batana Oil is expected back.",
    );

    await payByLink(body);
    const newOrder = await readOrder(body.orderId);
    expect(newOrder).toMatchObject({
      status: "completed",
      paymentState: "paid",
      totals: { total: 3390, refunded: 0 },
      exchangeOf: { status: "settled", of: { id: paid.id } },
    });
    const first = await readOrder(paid.id);
    expect(first).toMatchObject({ status: "partially_refunded", totals: { refunded: 2995 } });
    expect(first.exchanges).toMatchObject([{ id: body.id, orderId: body.orderId, status: "settled" }]);
    expect(await readStock(smallOilId)).toEqual({ onHand: before.onHand - 2, reserved: before.reserved });
    expect(keptMail(shop, paid.email, "refund_sent")).toHaveLength(0);
    expect(keptMail(shop, paid.email, "order_confirmation").at(-1)).toContain("Your payment of $3.95");
    // Sold for $33.90, credited $29.95 and paid $3.95; the account for exchanges is at zero again.
    const after = await readLedgerBalances();
    expect(after.Sales).toBe((balancesBefore.Sales ?? 0) - 3390);
    expect(after.Refunds).toBe((balancesBefore.Refunds ?? 0) + 2995);
    expect(after.Receivables).toBe((balancesBefore.Receivables ?? 0) + 395);
    expect(after.Exchanges ?? 0).toBe(0);
    // The accountant's files tell an exchange from a refund and a sale.
    const fileLines = async (name: string) => {
      const day = new Date().toISOString().slice(0, 10);
      const csv = await owner.fetch(`/api/admin/books/${name}?from=${day}&to=${day}`);
      return (await csv.text()).trim().split("\r\n");
    };
    const hasNumber = (number: number) => (line: string) => line.split(",").includes(String(number));
    expect((await fileLines("refunds")).filter(hasNumber(paid.number))).toEqual([
      expect.stringContaining(",29.95,as an exchange,"),
    ]);
    const [title = "", ...orderLines] = await fileLines("orders");
    expect(title).toMatch(/,Exchange of$/);
    expect(orderLines.find(hasNumber(newOrder.number))).toMatch(new RegExp(`,${paid.number}$`));
    expect(orderLines.find(hasNumber(paid.number))).toMatch(/,$/);
    const ledger = (await fileLines("ledger")).join();
    expect(ledger).toContain(`,Order #${newOrder.number} paid by exchange,`);
    expect(ledger).toContain(`,Exchange of items of order #${paid.number},`);
    expect(ledger).not.toContain(`Refund of order #${paid.number}`);
    await issueDueInvoices(shop.ctx);
    expect(await shop.database.db.$count(invoices, eq(invoices.orderId, body.orderId))).toBe(1);
    expect((await receiveReturn(body.id)).status).toBe(200);
    expect((await readOrder(paid.id)).totals.refunded).toBe(2995);
    // The order's page does not claim that the credit was refunded to the buyer.
    const orderPage = await readPage(paid);
    expect(orderPage).toContain(`Exchanged for order #${newOrder.number}`);
    expect(orderPage).toContain("Exchanged−$29.95");
    expect(orderPage).toContain("Return closed");
    expect(orderPage).not.toMatch(/Refunds|It went back on/);
  });

  test("has one payment page for everybody with its link, and can be paid after the provider failed or the page expired", async () => {
    const paid = await placePaid(2);
    const { body } = await exchange(paid, buildUnits(smallOilId, 2));
    shop.stripe.failNext({ path: "/v1/checkout/sessions", method: "POST", how: "cut", times: 9 });
    const failed = await openPage(body.id);
    expect(failed.status).toBe(502);
    shop.stripe.endTrouble();
    expect((await readOrder(body.orderId)).status).toBe("pending");
    const opened = await Promise.all([openPage(body.id), openPage(body.id), openPage(body.id)]);
    expect(new Set(opened.map((response) => response.body.data?.url)).size).toBe(1);
    await deliverEventsFrom(async () => shop.stripe.expireSession(await findOpenSessionId(body.orderId)));
    expect((await readOrder(body.orderId)).status).toBe("pending");
    // A page that leads back to the link at the former e-mail address is closed.
    const { url } = (await openPage(body.id)).body.data;
    const { contactVersion: version, customerName, phone } = await readOrder(body.orderId);
    const contact = { version, customerName, phone, email: "right@example.com" };
    expect((await patch(`/api/admin/orders/${body.orderId}/contact`, contact)).status).toBe(200);
    await shop.jobsDone();
    expect(await findOpenSessionId(body.orderId)).toBe("");
    expect((await openPage(body.id)).body.data.url).not.toBe(url);
    await payByLink(body);
    expect((await readOrder(body.orderId)).status).toBe("completed");
  });

  test.each([
    [
      "a full refund",
      (paid: PaidOrder) => owner.post(`/api/admin/orders/${paid.id}/refund`, { reason: null }),
    ],
    [
      "a cancellation",
      (paid: PaidOrder) => owner.post(`/api/admin/orders/${paid.id}/cancel`, { restock: true }),
    ],
    ["a dispute", (paid: PaidOrder) => deliverEventsFrom(() => shop.stripe.dispute(paid.intentId))],
    [
      "the erasure of its buyer's data",
      (paid: PaidOrder) => shop.database.db.transaction((tx) => requestDeletion(shop.ctx, tx, paid.email)),
    ],
  ])("is ended by %s, which releases its units and closes its link", async (_, endExchange) => {
    const paid = await placePaid(2);
    const before = await readStock(smallOilId);
    const { body } = await exchange(paid, buildUnits(smallOilId, 2));
    await openPage(body.id);
    const sessionId = await findOpenSessionId(body.orderId);
    await endExchange(paid);
    await shop.jobsDone();
    expect((await readOrder(body.orderId)).status).toBe("cancelled");
    expect(await readStock(smallOilId)).toEqual(before);
    expect((await openPage(body.id)).status).toBe(409);
    expect(sessionId).not.toBe("");
  });

  test("is ended, and releases its units, even if its page is being looked up when the shop closes it", async () => {
    const paid = await placePaid(2);
    const before = await readStock(smallOilId);
    const { body } = await exchange(paid, buildUnits(smallOilId, 2));
    await openPage(body.id);
    const sessionId = await findOpenSessionId(body.orderId);
    const path = `/v1/checkout/sessions/${sessionId}`;
    const letBuyerLookUp = shop.stripe.hold({ method: "GET", path });
    const letShopClose = shop.stripe.hold({ method: "POST", path: `${path}/expire` });
    const isRequested = (requested: string) => () => shop.stripe.requests.at(-1)?.path === requested;
    const lookup = shop
      .browser()
      .get(`/api/pay-exchange/${body.id}?token=${await readToken(body.id)}&done=1`);
    await expect.poll(isRequested(path)).toBe(true);
    const ending = checkExchange(shop.ctx, body.id, "The buyer has changed their mind.");
    await expect.poll(isRequested(`${path}/expire`)).toBe(true);
    // Stripe has closed the page, but responds to the shop's request to close it after the buyer's lookup.
    shop.stripe.expireSession(sessionId);
    letBuyerLookUp();
    expect((await lookup).status).toBe(200);
    letShopClose();
    await ending;
    expect((await readOrder(body.orderId)).status).toBe("cancelled");
    expect(await readStock(smallOilId)).toEqual(before);
  });

  test("does not deadlock with the deletion of its buyer's data", async () => {
    const { db } = shop.database;
    const lockOrder = (id: string) => sql`select from orders where id = ${id} for update`;
    const begin = async () => {
      const paid = await placePaid(2);
      return { paid, newId: String((await exchange(paid, buildUnits(smallOilId, 2))).body.orderId) };
    };
    let { paid, newId } = await begin();
    // Sorted by id, the first order would be locked first.
    while (newId < paid.id) ({ paid, newId } = await begin());
    let deletion: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await tx.execute(lockOrder(newId));
      deletion = db.transaction((inner) => requestDeletion(shop.ctx, inner, paid.email));
      await expect.poll(() => countLockWaits(shop.database)).toBe(1);
      await tx.execute(lockOrder(paid.id));
    });
    await deletion;
  });

  test("refunds a payment once if it arrives when the exchange is no longer possible", async () => {
    const paid = await placePaid(2);
    const { body } = await exchange(paid, buildUnits(smallOilId, 2));
    await openPage(body.id);
    const first = shop.stripe.events.length;
    shop.stripe.completeSession(await findOpenSessionId(body.orderId));
    const events = shop.stripe.events.slice(first);
    await owner.post(`/api/admin/orders/${paid.id}/refund`, { reason: null });
    await shop.send(...events, ...events);
    await checkExchange(shop.ctx, body.id);
    await shop.jobsDone();
    const newOrder = await readOrder(body.orderId);
    expect(newOrder.refunds).toHaveLength(1);
    expect(newOrder.refunds[0]).toMatchObject({ amount: 395, status: "succeeded" });
    expect((await readOrder(paid.id)).totals.refunded).toBe((await readOrder(paid.id)).totals.total);
  });
});

test("the buyer of an exchange always reads where to send the parcel, whatever the note says", async () => {
  const shopAddress = /Please send it to\s+Palmira LLC\s+1 Main St/;
  const otherAddress = /Please send it to\s+The Workshop\s+2 Side St/;
  const note = "Sorry about the mix-up.";
  const begin = async (texts: { note?: string; sendTo?: string }, paid?: PaidOrder) => {
    const of = paid ?? (await placePaid(2));
    const { status } = await exchange(of, buildUnits(smallOilId), buildUnits(1), randomUUID(), texts);
    expect(status).toBe(201);
    await shop.jobsDone();
    return { of, mail: keptMail(shop, of.email, "exchange_begun").at(-1), page: await readPage(of) };
  };
  const noted = await begin({ note });
  expect(noted.mail).toContain(note);
  for (const text of [noted.mail, noted.page]) expect(text).toMatch(shopAddress);

  const sentElsewhere = await begin({ note, sendTo: "The Workshop\n2 Side St" });
  // A later exchange of the same parcel keeps its address.
  for (const { mail, page } of [sentElsewhere, await begin({ note }, sentElsewhere.of)])
    for (const text of [mail, page]) {
      expect(text).toMatch(otherAddress);
      expect(text).not.toMatch(shopAddress);
    }

  // An answer from before the return was approved is not an address.
  const asking = await placePaid(2);
  await owner.post(`/api/admin/orders/${asking.id}/ship`, { carrier: "UPS", trackingNumber: null });
  await asking.browser.post(`/api/orders/${asking.id}/return`, { reason: "I want the small one" });
  const [{ id: returnId }] = (await readOrder(asking.id)).returns;
  await patch(`/api/admin/returns/${returnId}`, { answer: "Of course. One moment!" });
  const path = `/api/admin/orders/${asking.id}/exchange/preview`;
  const preview = await owner.post(path, { returned: buildUnits(1), items: buildUnits(smallOilId) });
  expect(preview.body.data.sendTo).toMatch(shopAddress);
  expect((await begin({}, asking)).page).toMatch(shopAddress);

  // A shop without an address promises it, and the owner sends it as the answer to the return.
  const setAddress = (address: string | null) => patch("/api/admin/settings", { seller: { address } });
  expect((await setAddress(null)).status).toBe(200);
  const promised = await begin({ note });
  await setAddress("1 Main St");
  for (const text of [promised.mail, promised.page])
    expect(text).toContain("We’ll email you where to send it.");
  expect((await begin({}, promised.of)).page).toMatch(shopAddress);
});

test("an exchange that ends unpaid after its return was received raises an issue until the units are refunded", async () => {
  const runExpiry = async () => {
    for (const { onExpiryRun } of shop.ctx.paymentHooks) await onExpiryRun?.(shop.ctx);
  };
  const paid = await placePaid(2);
  const { body } = await exchange(paid, buildUnits(smallOilId, 2));
  expect((await receiveReturn(body.id)).status).toBe(200);
  await runExpiry();
  expect((await readOrder(paid.id)).needsAttention).toBeNull();
  const overdue = new Date(Date.now() - 60_000);
  await shop.database.db.update(orders).set({ expiresAt: overdue }).where(eq(orders.id, body.orderId));
  await expireOrders(shop.ctx);
  await runExpiry();
  expect((await readOrder(paid.id)).needsAttention).toMatch(/ended unpaid, .*: refund its \$29\.95, or/);
  await runExpiry();
  const refund = { items: [{ productId: 1, quantity: 1, restock: true }], reason: null };
  expect((await owner.post(`/api/admin/orders/${paid.id}/refund`, refund)).status).toBe(200);
  await shop.jobsDone();
  await runExpiry();
  expect((await readOrder(paid.id)).needsAttention).toBeNull();
});

describe("an exchange with nothing to pay", () => {
  test("waits for the return; receiving it refunds the price difference exactly once", async () => {
    const paid = await placePaid();
    const balancesBefore = await readLedgerBalances();
    const { body } = await exchange(paid, buildUnits(smallOilId));
    expect(body).toMatchObject({ difference: 1695 - 2995, status: "waits_for_return" });
    // The shop opened the return, and the buyer still awaits the order.
    const [{ requestedAt, ...expected }] = (await readOrder(paid.id)).returns;
    expect(expected).toMatchObject({ status: "approved", decidedAt: requestedAt });
    const orderPage = await readPage(paid);
    expect(orderPage).toContain("Return approved");
    expect(orderPage).toContain("and refund the difference of $13.00");
    expect(orderPage).not.toMatch(/You asked for a return|we’ll refund you/);
    expect(await readPage({ ...paid, id: body.orderId })).toContain("There is nothing to pay");
    expect(orderPage).toMatch(/Shipped \(to come\).*Delivered \(to come\)/s);
    const newOrder = await readOrder(body.orderId);
    expect(newOrder).toMatchObject({ status: "pending", totals: { total: 1695 } });
    expect(
      (await owner.post(`/api/admin/orders/${body.orderId}/ship`, { carrier: "UPS", trackingNumber: null }))
        .status,
    ).toBe(409);
    const responses = await Promise.all([receiveReturn(body.id), receiveReturn(body.id)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readOrder(body.orderId)).toMatchObject({
      status: "completed",
      exchangeOf: { status: "settled" },
    });
    expect(await readOrder(paid.id)).toMatchObject({ totals: { refunded: 2995 } });
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(1300);
    expect(await fetchText(owner, `/admin/orders/${body.orderId}`)).toMatch(
      new RegExp(
        `\\$16\\.95 paid on .*, by exchange from order #${paid.number}A refund goes back to the payment of order #${paid.number}\\.`,
      ),
    );
    expect(await readPage({ ...paid, id: body.orderId })).toContain(
      `Paidby exchange of order #${paid.number}`,
    );
    const confirmation = keptMail(shop, paid.email, "order_confirmation").at(-1);
    expect(confirmation).toMatch(/is paid by your\s+exchange\s+of\s+order/);
    expect(confirmation).not.toMatch(/Your payment of|Paid on .* with/);
    const settledPage = await readPage(paid);
    expect(settledPage).toContain("The difference of $13.00 went back");
    expect(settledPage).not.toMatch(/You asked for a return|\$(29\.95|13\.00) refunded/);
    // A later refund is named as well.
    await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: 200, reason: null });
    await shop.jobsDone();
    expect(await readPage(paid)).toMatch(/The difference of \$13\.00 went back.*\$2\.00 refunded/s);
    const after = await readLedgerBalances();
    expect(after.Sales).toBe((balancesBefore.Sales ?? 0) - 1695);
    expect(after.Refunds).toBe((balancesBefore.Refunds ?? 0) + 2995);
    expect(after.Exchanges ?? 0).toBe(0);
    expect(
      (await owner.post(`/api/admin/orders/${body.orderId}/ship`, { carrier: "UPS", trackingNumber: null }))
        .status,
    ).toBe(200);
  });

  test("restocks the returned units once, if the owner has chosen this and has not restocked them before", async () => {
    const paid = await placePaid(3);
    const { body } = await exchange(paid, buildUnits(smallOilId, 2), buildUnits(1, 2));
    const { returnId } = await readExchange(body.id);
    await owner.post(`/api/admin/orders/${paid.id}/restock`, { restock: buildUnits(1, 2) });
    const { onHand } = await readStock(1);
    const receive = () => patch(`/api/admin/returns/${returnId}`, { status: "closed", restock: true });
    const responses = await Promise.all([receive(), receive()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await readStock(1)).onHand).toBe(onHand + 1);
    expect((await readOrder(paid.id)).items).toMatchObject([{ returned: 3 }]);
    await shop.jobsDone();

    const unsellable = await placePaid();
    const lost = await exchange(unsellable, buildUnits(smallOilId));
    const before = await readStock(1);
    expect((await receiveReturn(lost.body.id)).status).toBe(200);
    expect(await readStock(1)).toEqual(before);
  });

  test("is settled only by receiving the return; a refund that would close the return is refused", async () => {
    const paid = await placePaid(2);
    const { body } = await exchange(paid, buildUnits(smallOilId));
    const { returnId } = await readExchange(body.id);
    const refund = await owner.post(`/api/admin/orders/${paid.id}/refund`, {
      items: [{ productId: 1, quantity: 1, restock: true }],
      reason: null,
      returnId,
    });
    expect([refund.status, refund.body.error]).toEqual([409, "invalid_state"]);
    expect(await readOrder(body.orderId)).toMatchObject({ status: "pending" });
    expect((await receiveReturn(body.id)).status).toBe(200);
    expect(await readOrder(body.orderId)).toMatchObject({ exchangeOf: { status: "settled" } });
  });

  test("ships earlier if the owner releases it; if it is then cancelled, money is refunded only once the return is received", async () => {
    const paid = await placePaid(2);
    const { body } = await exchange(paid, buildUnits(1, 2), buildUnits(1, 2));
    expect(body.difference).toBe(0);
    const path = `/api/admin/orders/${paid.id}/exchange/${body.id}/let-go`;
    const responses = await Promise.all([owner.post(path, {}), owner.post(path, {})]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await readOrder(body.orderId)).toMatchObject({ status: "completed", refundableCents: 0 });
    expect(await readOrder(paid.id)).toMatchObject({ status: "refunded" });
    expect(await readPage(paid)).toMatch(/Exchanged.*Exchange for order #\d+.*doesn’t wait for it/s);
    expect(await fetchText(paid.browser, "/orders")).toMatch(/Exchanged(?!.*Refunded)/s);
    expect((await paid.browser.post(`/api/orders/${body.orderId}/cancel`, {})).status).toBe(200);
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(0);
    expect(await readPage(paid)).toMatch(
      /Order #\d+ is cancelled\. Once what you send back arrives, we refund \$59\.90/,
    );
    const cancelledPage = await readPage({ ...paid, id: body.orderId });
    expect(cancelledPage).toContain(
      `$59.90 goes back once what you send back of order #${paid.number} has arrived`,
    );
    expect(cancelledPage).not.toContain("hasn’t gone through");
    expect((await receiveReturn(body.id)).status).toBe(200);
    expect(await readPage(paid)).toMatch(/is cancelled, and \$59\.90 goes back/);
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(5990);
    expect((await readOrder(body.orderId)).totals.refunded).toBe(5990);
  });

  describe("that was released", () => {
    const place = async (to?: object) => {
      const paid = await placePaid(2, to && 5990 + 595, to);
      const { body } = await exchange(paid, buildUnits(smallOilId));
      await owner.post(`/api/admin/orders/${paid.id}/exchange/${body.id}/let-go`, {});
      return { paid, body };
    };
    const toGermany = { country: "DE", shippingOption: "international-standard" };
    const withdraw = ({ browser, id }: PaidOrder) =>
      browser.post(`/api/orders/${id}/withdraw`, { confirm: true });
    /** Cancels the new order, which refunds its money because the return has been received. */
    const expectAllRefunded = async ({ paid, body }: Awaited<ReturnType<typeof place>>) => {
      const cancelled = await owner.post(`/api/admin/orders/${body.orderId}/cancel`, { restock: true });
      expect(cancelled.status).toBe(200);
      await shop.jobsDone();
      expect(shop.stripe.refundedAmount(paid.intentId)).toBe((await readOrder(paid.id)).totals.total);
    };

    test("refunds no difference on receipt of the return if the first order was refunded in full", async () => {
      const { paid, body } = await place();
      await owner.post(`/api/admin/orders/${paid.id}/refund`, { reason: null });
      expect((await receiveReturn(body.id)).status).toBe(200);
      expect(shop.stripe.refundedAmount(paid.intentId)).toBe(5990 - 1695);
      await expectAllRefunded({ paid, body });
    });

    test("refunds the difference even if a refund by amount has used up part of the first order's goods", async () => {
      const { paid, body } = await place(toGermany);
      await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: 3450, reason: null });
      expect((await receiveReturn(body.id)).status).toBe(200);
      expect(shop.stripe.refundedAmount(paid.intentId)).toBe(3450 + 1300);
    });

    test("can have its return received after the buyer withdrew from the unshipped first order", async () => {
      const { paid, body } = await place(toGermany);
      expect((await withdraw(paid)).status).toBe(200);
      expect((await receiveReturn(body.id)).status).toBe(200);
      await expectAllRefunded({ paid, body });
    });

    test.each(["a refund", "hand"])(
      "is settled when a withdrawal from the first order is closed by %s",
      async (by) => {
        const { paid, body } = await place(toGermany);
        await owner.post(`/api/admin/orders/${paid.id}/ship`, { carrier: "UPS", trackingNumber: null });
        expect((await withdraw(paid)).status).toBe(200);
        const { returns } = await readOrder(paid.id);
        expect(returns).toMatchObject([{ status: "closed" }, { kind: "withdrawal", status: "requested" }]);
        const returnId = returns[1].id;
        const refund = { reason: null, ...(by === "a refund" && { returnId }) };
        expect((await owner.post(`/api/admin/orders/${paid.id}/refund`, refund)).status).toBe(200);
        if (by === "hand") await patch(`/api/admin/returns/${returnId}`, { status: "closed" });
        await expectAllRefunded({ paid, body });
      },
    );
  });

  test("is excluded from the pending refund that the order's page shows after the rest of the first order was cancelled", async () => {
    const paid = await placePaid(2);
    const { body } = await exchange(paid, buildUnits(1));
    await owner.post(`/api/admin/orders/${paid.id}/exchange/${body.id}/let-go`, {});
    shop.stripe.letRefundsWait(true);
    expect((await paid.browser.post(`/api/orders/${paid.id}/cancel`, {})).status).toBe(200);
    await shop.jobsDone();
    expect(await readPage(paid)).toContain("$29.95 is on its way back to you.");
    shop.stripe.letRefundsWait(false);
    await deliverEventsFrom(shop.stripe.settleAllRefunds);
  });

  test("has a new order whose refunds come from the first order’s payment once the return has been received", async () => {
    const paid = await placePaid();
    const { body } = await exchange(paid, buildUnits(1));
    await receiveReturn(body.id);
    await owner.post(`/api/admin/orders/${body.orderId}/ship`, { carrier: "UPS", trackingNumber: null });
    const refund = await owner.post(`/api/admin/orders/${body.orderId}/refund`, {
      amount: 1000,
      reason: null,
    });
    expect([refund.status, refund.body.data?.refund?.status]).toEqual([200, "succeeded"]);
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(1000);
    expect((await readOrder(paid.id)).totals.refunded).toBe(2995);
    expect((await readOrder(body.orderId)).totals.refunded).toBe(1000);
    const restResponse = await owner.post(`/api/admin/orders/${paid.id}/refund`, { reason: null });
    expect(restResponse.status).toBe(200);
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(1000 + 595);
  });

  test("never exchanges or replaces a unit twice, even under concurrent calls", async () => {
    const paid = await placePaid(2);
    const responses = await Promise.all([
      exchange(paid, buildUnits(1)),
      exchange(paid, buildUnits(1)),
      exchange(paid, buildUnits(1)),
      replace(paid),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
    const tooMany = await exchange(await placePaid(), buildUnits(1, 2));
    expect(tooMany.body.fields).toHaveProperty("items");
  });
});

test("an exchange taxes the new units at the current address, and credits returned units with the tax that was paid for them", async () => {
  await patch("/api/admin/settings", {
    tax: {
      mode: "table",
      rates: [
        { country: "US", state: "TX", percent: 10, onShipping: false },
        { country: "US", state: "CA", percent: 20, onShipping: false },
      ],
    },
  });
  const paid = await placePaid(1, 3590 + 300);
  const first = await readOrder(paid.id);
  const [row] = await shop.database.db.select().from(orders).where(eq(orders.id, paid.id));
  const shipping = { ...row?.shipping, state: "CA", city: "Los Angeles", postalCode: "90001" };
  const moveResponse = await patch(`/api/admin/orders/${paid.id}/contact`, {
    version: first.contactVersion,
    customerName: first.customerName,
    email: paid.email,
    phone: first.phone,
    shipping,
    waiveDifference: true,
  });
  const { body } = await exchange(paid, buildUnits(1));
  await patch("/api/admin/settings", { tax: { mode: "none", rates: [] } });
  expect(moveResponse.status, JSON.stringify(moveResponse.body)).toBe(200);
  expect(body.difference).toBe(3594 - 3295);
});
