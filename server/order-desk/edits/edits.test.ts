import { setTimeout as delay } from "node:timers/promises";
import { and, eq, lte, type SQL, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../../test/admin.ts";
import { order } from "../../../test/checkout.ts";
import { callInTurn, countLockWaits } from "../../../test/database.ts";
import { keptMail } from "../../../test/kept-mail.ts";
import type { ApiResponse, TestBrowser } from "../../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { issueDueInvoices } from "../../books/invoices.ts";
import { invoices } from "../../books/tables.ts";
import { syncDispute } from "../../disputes/disputes.ts";
import { stock } from "../../inventory/tables.ts";
import { issues } from "../../issues/tables.ts";
import { messages } from "../../outbox/tables.ts";
import { finishOpenings } from "../../payments/opening/finish-openings.ts";
import { openForEdit } from "../../payments/opening/opening.ts";
import { paymentLink } from "../../payments/payment-link.ts";
import { reconcile } from "../../payments/settling/reconcile.ts";
import { payments, refunds } from "../../payments/tables.ts";
import { eraseOrders } from "../../privacy/person.ts";
import { endExpiredEdits } from "./payment.ts";
import { findEdit } from "./queries.ts";

let shop: StripeShop;
let owner: TestBrowser;
/** Id of a product that costs $16.95; the bottle, product 1, costs $29.95. */
let smallOilId: number;
beforeAll(async () => {
  shop = await openStripeShop();
  owner = await adminBrowser(shop);
  const productResponse = await owner.post("/api/admin/products", {
    name: "Small Oil",
    shortDescription: "Half as much.",
    description: "The same oil.",
    price: 1695,
    size: "1 fl oz",
    stock: 50,
  });
  smallOilId = productResponse.body.data.id;
  await owner.fetch(`/api/admin/products/${smallOilId}`, {
    method: "PATCH",
    body: JSON.stringify({ published: true }),
    headers: { "Content-Type": "application/json" },
  });
});
afterAll(() => shop.stop());
afterEach(async () => {
  shop.stripe.endTrouble();
  await shop.expectConserved();
});

type PaidOrder = { browser: TestBrowser; id: string; number: number; intentId: string; email: string };
let buyers = 0;

async function placePaid(
  quantity = 1,
  to: { country?: string; shippingOption?: string } = {},
): Promise<PaidOrder> {
  const browser = shop.browser();
  buyers += 1;
  const email = `buyer${buyers}@example.com`;
  const { body } = await order(browser, { quantity, email, ...to });
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  return { browser, id: body.orderId, number: body.orderNumber, intentId: body.paymentIntentId, email };
}

const readOrder = async ({ id }: PaidOrder) => (await owner.get(`/api/admin/orders/${id}`)).body.data;
const previewEdit = (paid: PaidOrder, editInput: object): Promise<ApiResponse> =>
  owner.post(`/api/admin/orders/${paid.id}/items/preview`, editInput);

/** Previews an edit and saves it, as the panel does. */
async function saveEdit(paid: PaidOrder, editInput: object, by = owner): Promise<ApiResponse> {
  const previewResponse = await previewEdit(paid, editInput);
  expect(previewResponse.status, JSON.stringify(previewResponse.body)).toBe(200);
  const { version, difference } = previewResponse.body.data;
  return by.post(`/api/admin/orders/${paid.id}/items`, { ...editInput, version, difference });
}

const buildUnits = (productId: number, quantity = 1) => [{ productId, quantity }];

const lockStock = (productId: number) => sql`select from stock where product_id = ${productId} for update`;

const waitingCalls = () => countLockWaits(shop.database);

const readStock = async (productId: number) =>
  (await shop.database.db.select().from(stock).where(eq(stock.productId, productId)))[0];
type WaitingEdit = { id: string; createdAt: string };
/** The token of an edit's link, even if the panel no longer shows the link. */
const createLinkToken = async ({ id, createdAt }: WaitingEdit) => {
  const email = (await findEdit(shop.database.db, id))?.order.email ?? "";
  const link = paymentLink(shop.ctx, { id, email, createdAt: new Date(createdAt) });
  return new URL(link).searchParams.get("token") ?? "";
};
const openPage = async (edit: WaitingEdit) =>
  shop.browser().post(`/api/pay-change/${edit.id}`, { token: await createLinkToken(edit) });

/** The provider's id of the open payment page of an edit. */
async function findOpenSessionId(editId: string): Promise<string> {
  const rows = await shop.database.db.select().from(payments).where(eq(payments.orderEditId, editId));
  return rows.find(({ status }) => status === "requires_payment")?.sessionId ?? "";
}

async function pay(edit: WaitingEdit): Promise<void> {
  expect((await openPage(edit)).status).toBe(200);
  const eventCount = shop.stripe.events.length;
  shop.stripe.completeSession(await findOpenSessionId(edit.id));
  await shop.send(...shop.stripe.events.slice(eventCount));
  await shop.jobsDone();
}

describe("items that are added", () => {
  test("can be paid on a second payment page if the first one was lost from the database", async () => {
    const paid = await placePaid();
    const [edit] = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes;
    const firstPage = await openPage(edit);
    await shop.database.db.delete(payments).where(eq(payments.orderEditId, edit.id));
    // Gives the second page another expiry time, so that Stripe refuses the first page's idempotency key.
    await shop.database.db.execute("select pg_sleep(1.1)");
    const secondPage = await openPage(edit);
    expect(secondPage.status).toBe(200);
    expect(secondPage.body.data.url).not.toBe(firstPage.body.data.url);
    await pay(edit);
    expect(await readOrder(paid)).toMatchObject({ status: "completed", shipHold: null });
  });

  test("are added to the order once the difference is paid through the payment link", async () => {
    const paid = await placePaid();
    const before = await readStock(smallOilId);
    const response = await saveEdit(paid, {
      add: buildUnits(smallOilId, 2),
      note: "As you asked on the phone.",
    });
    expect(response.status).toBe(200);
    const [edit] = response.body.data.changes;
    expect(edit).toMatchObject({ status: "waiting", difference: 3390 });
    expect(response.body.data).toMatchObject({
      shipHold: "change",
      totals: { total: 3590 },
      may: { editItems: false },
    });
    expect((await readStock(smallOilId))?.reserved).toBe((before?.reserved ?? 0) + 2);
    await shop.jobsDone();
    const [mail] = keptMail(shop, paid.email, "items_to_pay");
    expect(mail).toContain(`/pay/${edit.id}`);
    expect(mail).toContain("As you asked on the phone.");

    const page = await shop.browser().get(`/api/pay-change/${edit.id}?token=${await createLinkToken(edit)}`);
    expect(page.body.data).toMatchObject({ status: "waiting", difference: 3390, orderNumber: paid.number });
    expect((await shop.browser().get(`/api/pay-change/${edit.id}?token=1.a.b`)).status).toBe(404);
    const responses = await Promise.all([openPage(edit), openPage(edit), openPage(edit)]);
    expect(new Set(responses.map(({ body }) => body.data?.url)).size).toBe(1);
    // A concurrent request that read the edit before its page was opened does not open a second one.
    expect(await openForEdit(shop.ctx, { id: edit.id, orderId: paid.id })).toBeNull();
    await pay(edit);
    expect(await readOrder(paid)).toMatchObject({
      status: "completed",
      shipHold: null,
      totals: { subtotal: 6385, total: 6980, refunded: 0 },
      items: [
        { productId: 1, quantity: 1 },
        { productId: smallOilId, quantity: 2, toShip: 2 },
      ],
      changes: [{ status: "applied" }],
      payment: { amountCents: 3590, changeId: null },
      changePayments: [
        {
          amountCents: 3390,
          changeId: edit.id,
          status: "succeeded",
          paidAt: expect.any(String),
          intentId: expect.stringContaining("pi_"),
          isConnected: true,
        },
      ],
      refundableCents: 6980,
    });
    expect(await readStock(smallOilId)).toMatchObject({
      onHand: (before?.onHand ?? 0) - 2,
      reserved: before?.reserved,
    });
    expect(keptMail(shop, paid.email, "items_changed")).toHaveLength(1);
    expect((await openPage(edit)).status).toBe(409);
    // Delivers the same events again: by webhook and by reconciliation.
    await shop.send(...shop.stripe.events.slice(-3));
    await reconcile(shop.ctx);
    expect((await readOrder(paid)).totals.total).toBe(6980);
    const refunded = await owner.post(`/api/admin/orders/${paid.id}/refund`, {});
    // Both payments are refunded, and the response reports the sum.
    expect(refunded.body.data).toMatchObject({
      refund: { status: "succeeded", amount: 6980 },
      totals: { refunded: 6980 },
    });
    await shop.jobsDone();
    expect(await readOrder(paid)).toMatchObject({ status: "refunded", refundableCents: 0 });
  });

  test("are not added to the order if the edit is withdrawn or not paid in time; a later payment is refunded", async () => {
    const paid = await placePaid();
    const before = await readStock(smallOilId);
    const withdrawnEdit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    await openPage(withdrawnEdit);
    const sessionId = await findOpenSessionId(withdrawnEdit.id);
    const path = `/api/admin/orders/${paid.id}/items/${withdrawnEdit.id}`;
    shop.stripe.failNext({ path: "/v1/checkout/sessions", how: 503, times: 9 });
    const unavailable = await owner.post(`${path}/withdraw`);
    expect([unavailable.status, (await readOrder(paid)).changes[0].status]).toEqual([502, "waiting"]);
    shop.stripe.endTrouble();
    expect((await owner.post(`${path}/withdraw`)).body.data).toMatchObject({
      shipHold: null,
      changes: [{ status: "withdrawn" }],
    });
    expect((await owner.post(`${path}/send`)).status).toBe(409);
    expect(shop.stripe.session(sessionId).status).toBe("expired");
    expect(await readStock(smallOilId)).toEqual(before);

    const expiredEdit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    shop.travel(4 * 24 * 60 * 60 * 1000);
    owner = await adminBrowser(shop);
    await endExpiredEdits(shop.ctx);
    expect((await readOrder(paid)).changes[0].status).toBe("expired");
    expect((await openPage(expiredEdit)).status).toBe(409);
    expect(await readStock(smallOilId)).toEqual(before);
  });

  test("are added to the order by reconciliation if the payment's event is lost, even if another payment cannot be looked up", async () => {
    const paidOrders = [await placePaid(), await placePaid()];
    for (const paid of paidOrders) {
      const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
      await openPage(edit);
      shop.stripe.completeSession(await findOpenSessionId(edit.id));
    }
    const countApplied = async () => {
      const orderViews = await Promise.all(paidOrders.map(readOrder));
      return orderViews.filter(({ changes }) => changes[0].status === "applied").length;
    };
    shop.stripe.failNext({ path: "/v1/checkout/sessions", how: 400, times: 1 });
    await reconcile(shop.ctx);
    expect(await countApplied()).toBe(1);
    await reconcile(shop.ctx);
    expect(await countApplied()).toBe(2);
  });

  test("are refunded when the order has shipped without them", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    await openPage(edit);
    const sessionId = await findOpenSessionId(edit.id);
    const ship = { carrier: "DHL", trackingNumber: null };
    const shipResponse = await owner.post(`/api/admin/orders/${paid.id}/ship`, ship);
    expect([shipResponse.status, shipResponse.body.message]).toEqual([
      409,
      expect.stringContaining("is waiting for payment"),
    ]);
    // The edit is paid while the order is being shipped; the webhook has not arrived yet.
    const eventCount = shop.stripe.events.length;
    shop.stripe.completeSession(sessionId);
    const forced = await owner.post(`/api/admin/orders/${paid.id}/ship`, {
      ...ship,
      force: true,
      reason: "She cannot wait",
    });
    expect(forced.status).toBe(200);
    await shop.send(...shop.stripe.events.slice(eventCount));
    await shop.jobsDone();
    const after = await readOrder(paid);
    expect(after).toMatchObject({
      status: "shipped",
      totals: { total: 3590, refunded: 0 },
      changes: [{ status: "withdrawn" }],
      refunds: [{ amount: 1695, status: "succeeded", tooLate: true }],
      changePayments: [{ amountCents: 1695, status: "canceled", paidAt: null }],
    });
    const [lateRefund] = (await paid.browser.get(`/api/orders/${paid.id}`)).body.data.refunds;
    expect(lateRefund).toMatchObject({ amount: 1695, tooLate: true });
    const raisedIssues = await shop.database.db.select().from(issues).where(eq(issues.orderId, paid.id));
    expect(raisedIssues.map(({ kind }) => kind)).toEqual(["late_payment_refunded"]);
    // The late payment does not count toward the order, and its buyer is notified of the refund.
    expect(after.refundable.goods).toBe(2995);
    expect(keptMail(shop, paid.email, "refund_sent")).toHaveLength(1);
    const refund = `/api/admin/orders/${paid.id}/refund`;
    expect((await owner.post(refund, { amount: 1795, reason: null })).status).toBe(200);
    const bottle = { items: [{ productId: 1, quantity: 1, restock: false }], shipping: 0, reason: null };
    expect((await owner.post(refund, bottle)).body.data.refunds).toMatchObject([
      { amount: 1695 },
      { amount: 1795, goods: 1498, shipping: 297 },
      { amount: 1497, goods: 1497, shipping: 0 },
    ]);
  });
});

describe("items that are exchanged", () => {
  test("for more expensive ones cost the buyer only the difference", async () => {
    const paid = await placePaid(2);
    const response = await saveEdit(paid, { add: buildUnits(1, 1), remove: [] });
    expect(response.body.data.changes[0]).toMatchObject({ status: "waiting", difference: 2995 });
    await owner.post(`/api/admin/orders/${paid.id}/items/${response.body.data.changes[0].id}/withdraw`);
    // Two small ones cost $3.95 more than the bottle that they replace.
    const exchange = await saveEdit(paid, { add: buildUnits(smallOilId, 2), remove: buildUnits(1) });
    expect(exchange.body.data.changes[0]).toMatchObject({ status: "waiting", difference: 395 });
    await pay(exchange.body.data.changes[0]);
    expect(await readOrder(paid)).toMatchObject({
      status: "completed",
      totals: { total: 5990 + 3390, refunded: 2995 },
      items: [
        { quantity: 2, returned: 1, toShip: 1 },
        { quantity: 2, toShip: 2 },
      ],
      refundableCents: 5990 + 395,
      refunds: [{ amount: 2995, isExchange: true }],
      changePayments: [{ amountCents: 395 }],
    });
  });

  test("keep invoices minus credit notes equal to the money received, also with a shipping charge", async () => {
    const seller = { legalName: "Palmira GmbH", address: "Hauptstr. 1\n10115 Berlin" };
    await send(owner, "PATCH", "/api/admin/settings", { seller });
    await expect.poll(async () => (await shop.shop.settings()).seller.legalName).toBe(seller.legalName);
    const paid = await placePaid(2);
    const response = await saveEdit(paid, { remove: buildUnits(1), shipping: 500 });
    expect(response.body.data).toMatchObject({ totals: { total: 6490, refunded: 2995 } });
    await shop.jobsDone();
    await issueDueInvoices(shop.ctx);
    await issueDueInvoices(shop.ctx);
    const rows = await shop.database.db.select().from(invoices).where(eq(invoices.orderId, paid.id));
    const sums = rows.map(({ kind, totalCents }) => (kind === "invoice" ? totalCents : -totalCents));
    expect(sums.sort((a, b) => a - b)).toEqual([-2495, -500, 500, 5990]);
  });

  test("for cheaper ones cause a refund of the difference immediately", async () => {
    const paid = await placePaid(2);
    const bottles = await readStock(1);
    const response = await saveEdit(paid, { add: buildUnits(smallOilId), remove: buildUnits(1) });
    expect(response.body.data).toMatchObject({
      status: "partially_refunded",
      shipHold: null,
      changes: [{ status: "applied", difference: -1300 }],
      totals: { total: 5990 + 1695, refunded: 2995 },
      refundableCents: 5990 - 1300,
    });
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(1300);
    expect((await readStock(1))?.onHand).toBe((bottles?.onHand ?? 0) + 1);
    const [mail] = keptMail(shop, paid.email, "items_changed");
    expect(mail).toContain("$13.00 goes back");
  });
});

describe("an order edit is refused", () => {
  test("without permission, for unknown products or too many units, and for an order that changed since it was read", async () => {
    const paid = await placePaid(2);
    expect((await shop.browser().post(`/api/admin/orders/${paid.id}/items/preview`, {})).status).toBe(401);
    const bad = await previewEdit(paid, { add: buildUnits(999), remove: buildUnits(1, 3) });
    expect([bad.status, Object.keys(bad.body.fields).sort()]).toEqual([
      422,
      ["add.0.quantity", "remove.0.quantity"],
    ]);
    expect((await previewEdit(paid, { remove: buildUnits(1, 2) })).body.fields.remove).toContain(
      "Cancel the order instead",
    );
    expect((await previewEdit(paid, { add: buildUnits(smallOilId, 99) })).status).toBe(422);
    const preview = (await previewEdit(paid, { remove: buildUnits(1) })).body.data;
    const editInput = {
      remove: buildUnits(1),
      version: preview.version,
      difference: preview.difference,
    };
    const wrongDifference = await owner.post(`/api/admin/orders/${paid.id}/items`, {
      ...editInput,
      difference: -1,
    });
    expect([wrongDifference.status, wrongDifference.body.current.id]).toEqual([409, paid.id]);
    // Of two simultaneous calls, one succeeds and the other gets the conflict.
    const responses = await Promise.all(
      [1, 2].map(() => owner.post(`/api/admin/orders/${paid.id}/items`, editInput)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(2995);
    await owner.post(`/api/admin/orders/${paid.id}/ship`, { carrier: "DHL", trackingNumber: null });
    expect((await previewEdit(paid, { add: buildUnits(smallOilId) })).status).toBe(409);
  });

  test("while another edit waits for payment, as is a partial refund; a cancellation withdraws the waiting edit", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    expect((await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: 100 })).status).toBe(409);
    expect((await previewEdit(paid, { add: buildUnits(smallOilId) })).status).toBe(409);
    const cancelled = await owner.post(`/api/admin/orders/${paid.id}/cancel`, {});
    expect(cancelled.body.data.changes[0]).toMatchObject({ id: edit.id, status: "withdrawn" });
  });
});

describe("a waiting order edit whose order or payment changes", () => {
  const deliverEventsFrom = async (act: () => unknown) => {
    const eventCount = shop.stripe.events.length;
    await act();
    await shop.send(...shop.stripe.events.slice(eventCount));
    await shop.jobsDone();
  };
  /** Actions that end an edit. The order has two bottles; the edit exchanges one for two small ones. */
  const endingActions: Record<string, (paid: PaidOrder) => Promise<unknown>> = {
    "its order is refunded in full": async ({ id }) => {
      expect((await owner.post(`/api/admin/orders/${id}/refund`, {})).status).toBe(200);
    },
    "its order is refunded in full while the provider is unavailable": async ({ id }) => {
      shop.stripe.failNext({ path: "/v1/refunds", how: "cut", times: 50 });
      expect((await owner.post(`/api/admin/orders/${id}/refund`, {})).status).toBe(202);
    },
    "its order is refunded at the provider": ({ intentId }) =>
      deliverEventsFrom(() => shop.stripe.refundFromDashboard(intentId, 5990)),
    "an item that it removes is refunded at the provider": ({ intentId }) =>
      deliverEventsFrom(() => shop.stripe.refundFromDashboard(intentId, 4000)),
    "its order is disputed": ({ intentId }) => deliverEventsFrom(() => shop.stripe.dispute(intentId)),
  };

  test.each(Object.keys(endingActions))(
    "ends when %s; a payment that still arrives is refunded once",
    async (name) => {
      const paid = await placePaid(2);
      const before = await readStock(smallOilId);
      const editInput = { add: buildUnits(smallOilId, 2), remove: buildUnits(1) };
      const edit = (await saveEdit(paid, editInput)).body.data.changes[0];
      expect((await openPage(edit)).status).toBe(200);
      const sessionId = await findOpenSessionId(edit.id);
      // The edit is paid at the same time; the webhook has not arrived yet.
      const eventCount = shop.stripe.events.length;
      shop.stripe.completeSession(sessionId);
      const events = shop.stripe.events.slice(eventCount);
      await endingActions[name]?.(paid);
      expect((await readOrder(paid)).changes).toMatchObject([{ status: "withdrawn" }]);
      expect((await openPage(edit)).status).toBe(409);
      expect(await readStock(smallOilId)).toEqual(before);
      shop.stripe.endTrouble();
      for (let times = 0; times < 3; times += 1) {
        await shop.send(...events);
        await shop.jobsDone();
        await reconcile(shop.ctx);
      }
      await shop.retryNow();
      await shop.jobsDone();
      const { changePayments, refunds, refundable } = await readOrder(paid);
      expect(changePayments).toMatchObject([{ status: "canceled", amountCents: 395 }]);
      expect(shop.stripe.refundedAmount(changePayments[0].intentId)).toBe(395);
      expect(refunds.filter(({ tooLate }: { tooLate?: boolean }) => tooLate)).toHaveLength(1);
      expect(refundable.goods + refundable.shipping + refundable.tax).toBeGreaterThanOrEqual(0);
      const raisedIssues = await shop.database.db.select().from(issues).where(eq(issues.orderId, paid.id));
      expect(raisedIssues.filter(({ kind }) => kind === "late_payment_refunded")).toHaveLength(1);
    },
  );

  test("ends when its order is disputed, even if the API key is not allowed to read the dispute", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    expect((await openPage(edit)).status).toBe(200);
    const sessionId = await findOpenSessionId(edit.id);
    shop.stripe.failNext({ path: "/v1/disputes", how: 403, times: 2 });
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    expect(await readOrder(paid)).toMatchObject({ shipHold: "dispute", changes: [{ status: "withdrawn" }] });
    expect(shop.stripe.session(sessionId).status).toBe("expired");
    shop.stripe.endTrouble();
    await syncDispute(shop.ctx, shop.stripe.findDispute(paid.intentId).id);
  });

  test("keeps an issue open until the edit's payment is refunded, even if the rest of the order is refunded already", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    await openPage(edit);
    const sessionId = await findOpenSessionId(edit.id);
    await deliverEventsFrom(async () => {
      shop.stripe.completeSession(sessionId);
      await owner.post(`/api/admin/orders/${paid.id}/refund`, {});
    });
    expect(await readOrder(paid)).toMatchObject({ status: "refunded", changes: [{ status: "withdrawn" }] });
    const intentId = String(shop.stripe.session(sessionId).payment_intent);
    const { db } = shop.database;
    const [lateRefund] = await db.select().from(refunds).where(eq(refunds.intentId, intentId));
    await deliverEventsFrom(() => shop.stripe.bounceRefund(lateRefund?.providerRefundId ?? ""));
    const isOpen = and(
      eq(issues.orderId, paid.id),
      eq(issues.kind, "refund_failed"),
      sql`${issues.resolvedAt} is null`,
    );
    expect(await db.$count(issues, isOpen)).toBe(1);
    await deliverEventsFrom(() => shop.stripe.refundFromDashboard(intentId, 1000));
    expect(await db.$count(issues, isOpen), "a partial refund is not enough").toBe(1);
    await deliverEventsFrom(() => shop.stripe.refundFromDashboard(intentId, 695));
    expect(await db.$count(issues, isOpen)).toBe(0);
  });

  test("still waits after a partial refund made at the provider; the panel refuses a partial refund in the meantime", async () => {
    const paid = await placePaid(2);
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    await deliverEventsFrom(() => shop.stripe.refundFromDashboard(paid.intentId, 100));
    expect((await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: 100 })).status).toBe(409);
    expect((await readOrder(paid)).changes).toMatchObject([{ status: "waiting" }]);
    await pay(edit);
    expect(await readOrder(paid)).toMatchObject({
      changes: [{ status: "applied" }],
      refundableCents: 5890 + 1695,
    });
  });

  test("is withdrawn and its payment page closed, even if the page is opened during a refund", async () => {
    for (let round = 0; round < 4; round += 1) {
      const paid = await placePaid();
      const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
      const lockingClient = await shop.database.pool.connect();
      await lockingClient.query("begin");
      await lockingClient.query("select from orders where id = $1 for update", [paid.id]);
      const refund = () => owner.post(`/api/admin/orders/${paid.id}/refund`, {});
      const calls = round % 2 === 0 ? [refund(), openPage(edit)] : [openPage(edit), refund()];
      await delay(150);
      await lockingClient.query("rollback");
      lockingClient.release();
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect([200, 409]).toContain(statuses[round % 2 === 0 ? 1 : 0]);
      await shop.jobsDone();
      expect((await readOrder(paid)).changes).toMatchObject([{ status: "withdrawn" }]);
      const pages = await shop.database.db.select().from(payments).where(eq(payments.orderEditId, edit.id));
      for (const { sessionId, status } of pages) {
        expect(status).toBe("canceled");
        if (sessionId !== null) expect(shop.stripe.session(sessionId).status).toBe("expired");
      }
    }
  });

  test("is withdrawn and its payment page closed if the provider responds while a refund is being booked", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    const { db } = shop.database;
    const readPayments = () => db.select().from(payments).where(eq(payments.orderEditId, edit.id));
    const releaseProvider = shop.stripe.hold({ method: "POST", path: "/v1/checkout/sessions" });
    const opening = openPage(edit);
    await expect.poll(async () => (await readPayments()).map(({ status }) => status)).toEqual(["opening"]);
    let refund: Promise<ApiResponse> | undefined;
    await db.transaction(async (tx) => {
      await tx.execute(lockStock(smallOilId));
      refund = owner.post(`/api/admin/orders/${paid.id}/refund`, {});
      // The refund has withdrawn the edit, and waits for the lock on stock.
      await expect.poll(waitingCalls).toBe(1);
      releaseProvider();
      await expect.poll(waitingCalls).toBe(2);
    });
    expect([(await refund)?.status, (await opening).status]).toEqual([200, 409]);
    expect((await readOrder(paid)).changes).toMatchObject([{ status: "withdrawn" }]);
    const pages = await readPayments();
    expect(pages.map(({ status }) => status)).toEqual(["canceled"]);
    expect(shop.stripe.session(pages[0]?.sessionId ?? "").status).toBe("expired");
  });

  test("has its payment page closed if the provider responds while the owner withdraws it", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    const readPayments = () =>
      shop.database.db.select().from(payments).where(eq(payments.orderEditId, edit.id));
    const releaseProvider = shop.stripe.hold({ method: "POST", path: "/v1/checkout/sessions" });
    const opening = openPage(edit);
    await expect.poll(async () => (await readPayments()).map(({ status }) => status)).toEqual(["opening"]);
    const lock = sql`select from orders where id = ${paid.id} for update`;
    const releaseAndWait = () => {
      releaseProvider();
      return opening;
    };
    const withdraw = () => owner.post(`/api/admin/orders/${paid.id}/items/${edit.id}/withdraw`);
    const responses = await callInTurn(shop.database, lock, releaseAndWait, withdraw);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    await shop.jobsDone();
    const pages = await readPayments();
    expect(pages.map(({ status }) => status)).toEqual(["canceled"]);
    expect(shop.stripe.session(pages[0]?.sessionId ?? "").status).toBe("expired");
  });

  test("ends when its buyer's data is erased, and the buyer gets no more e-mails", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId), email: false })).body.data.changes[0];
    expect((await openPage(edit)).status).toBe(200);
    const eventCount = shop.stripe.events.length;
    shop.stripe.completeSession(await findOpenSessionId(edit.id));
    const { db } = shop.database;
    await db.transaction(async (tx) => {
      await eraseOrders(tx, [paid.id], shop.ctx);
    });
    expect((await readOrder(paid)).changes).toMatchObject([{ status: "withdrawn" }]);
    await shop.send(...shop.stripe.events.slice(eventCount));
    await shop.jobsDone();
    expect((await openPage(edit)).status).toBe(409);
    const { changePayments } = await readOrder(paid);
    expect(shop.stripe.refundedAmount(changePayments[0].intentId)).toBe(1695);
    const mail = await db.select().from(messages).where(eq(messages.orderId, paid.id));
    expect(mail.find(({ kind }) => kind === "refund_sent")).not.toMatchObject({ status: "sent" });
    for (const kind of ["refund_sent", "items_to_pay", "items_changed"] as const)
      expect(keptMail(shop, paid.email, kind)).toEqual([]);
  });

  test("is applied when its payment was partly refunded before the shop knew of it, and the refund is booked", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    expect((await openPage(edit)).status).toBe(200);
    const eventCount = shop.stripe.events.length;
    const sessionId = await findOpenSessionId(edit.id);
    shop.stripe.completeSession(sessionId);
    const intentId = shop.stripe.session(sessionId).payment_intent;
    shop.stripe.refundFromDashboard(String(intentId), 500);
    // The refund's event arrives before the payment's.
    await shop.send(...shop.stripe.events.slice(eventCount).reverse());
    await shop.jobsDone();
    expect(await readOrder(paid)).toMatchObject({
      changes: [{ status: "applied" }],
      totals: { total: 3590 + 1695, refunded: 500 },
      refundableCents: 3590 + 1195,
    });
  });
});

describe("deadlocks between an order edit that ends and other calls are avoided", () => {
  /** Runs the call while a transaction holds `heldLock`; once the call waits, the transaction takes `nextLock` and ends. */
  async function callDuring(
    heldLock: SQL,
    nextLock: SQL,
    call: () => Promise<ApiResponse>,
  ): Promise<ApiResponse> {
    const { db } = shop.database;
    let response: Promise<ApiResponse> | undefined;
    await db.transaction(async (tx) => {
      await tx.execute(heldLock);
      response = call();
      await expect.poll(waitingCalls).toBe(1);
      await tx.execute(nextLock);
    });
    if (!response) throw new Error("nothing was called");
    return response;
  }

  test("because a cancellation, like a refund, books the refund before it locks stock", async () => {
    const paid = await placePaid();
    await saveEdit(paid, { add: buildUnits(smallOilId) });
    const lockSessions = sql`select from admin_sessions for no key update`;
    const cancel = () => owner.post(`/api/admin/orders/${paid.id}/cancel`);
    expect((await callDuring(lockSessions, lockStock(smallOilId), cancel)).status).toBe(200);
    await shop.jobsDone();
    expect(await readOrder(paid)).toMatchObject({ status: "refunded", changes: [{ status: "withdrawn" }] });
  });

  test("because a cancellation locks the stock of sold units and of units to be added in a fixed sequence", async () => {
    const paid = await placePaid();
    await saveEdit(paid, { add: buildUnits(smallOilId) });
    const cancel = () => owner.post(`/api/admin/orders/${paid.id}/cancel`);
    expect((await callDuring(lockStock(1), lockStock(smallOilId), cancel)).status).toBe(200);
  });

  test("because a full refund that restocks the goods locks stock in the same sequence as a cancellation", async () => {
    const paid = await placePaid();
    await pay(
      (await saveEdit(paid, { add: buildUnits(smallOilId, 2), remove: buildUnits(1) })).body.data.changes[0],
    );
    await saveEdit(paid, { add: buildUnits(1) });
    const refund = () => owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: null, restock: "all" });
    expect((await callDuring(lockStock(1), lockStock(smallOilId), refund)).status).toBe(200);
    expect((await readOrder(paid)).changes).toMatchObject([{ status: "withdrawn" }, { status: "applied" }]);
  });
});

describe("money that the current keys cannot refund", () => {
  /** Rewrites the payment as if it had been taken with the keys of another account. */
  const moveToOtherAccount = async ({ intentId }: PaidOrder) => {
    await shop.ctx.provider.loadAccount();
    const isPayment = eq(payments.intentId, intentId);
    await shop.database.db.update(payments).set({ account: "acct_other" }).where(isPayment);
    return async () => {
      const { account } = shop.ctx.provider;
      await shop.database.db.update(payments).set({ account }).where(isPayment);
    };
  };

  test("prevents removing items", async () => {
    const paid = await placePaid(2);
    const preview = (await previewEdit(paid, { remove: buildUnits(1) })).body.data;
    const moveBack = await moveToOtherAccount(paid);
    const before = await readOrder(paid);
    expect(before).toMatchObject({ refundableCents: 0, may: { refund: false } });
    const editInput = {
      remove: buildUnits(1),
      version: preview.version,
      difference: preview.difference,
    };
    for (const response of [
      await previewEdit(paid, { remove: buildUnits(1) }),
      await owner.post(`/api/admin/orders/${paid.id}/items`, editInput),
    ]) {
      expect([response.status, response.body.error]).toEqual([409, "invalid_state"]);
      expect(response.body.message).toMatch(
        /cannot be refunded: The payment belongs to another account .*acct_other/,
      );
    }
    expect(await readOrder(paid)).toEqual(before);
    await moveBack();
    expect((await owner.post(`/api/admin/orders/${paid.id}/items`, editInput)).status).toBe(200);
  });

  test("does not matter while another payment of the order covers the refund", async () => {
    const paid = await placePaid(2);
    await pay((await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0]);
    const moveBack = await moveToOtherAccount(paid);
    const [{ intentId }] = (await readOrder(paid)).changePayments;
    const refund = (body: object) => owner.post(`/api/admin/orders/${paid.id}/refund`, body);
    expect((await readOrder(paid)).refundableCents).toBe(1695);
    const tooMuch = await refund({ amount: 1696 });
    expect([tooMuch.status, tooMuch.body.fields.amount]).toEqual([
      422,
      expect.stringMatching(
        /^At most \$16\.95 can be refunded here\. The payment belongs to another account/,
      ),
    ]);
    expect((await refund({ amount: 300 })).body.data).toMatchObject({ refund: { status: "succeeded" } });
    expect((await previewEdit(paid, { remove: buildUnits(1) })).status).toBe(409);
    await shop.jobsDone();
    expect([shop.stripe.refundedAmount(paid.intentId), shop.stripe.refundedAmount(intentId)]).toEqual([
      0, 300,
    ]);
    await moveBack();
    expect((await refund({ amount: 1500 })).status).toBe(200);
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(1500);
  });
});

describe("order edits", () => {
  test("are applied if paid in time, even if the shop learns of the payment after they expired", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    await openPage(edit);
    // The events of the payment are lost.
    shop.stripe.completeSession(await findOpenSessionId(edit.id));
    shop.travel(4 * 24 * 60 * 60 * 1000);
    owner = await adminBrowser(shop);
    await endExpiredEdits(shop.ctx);
    await shop.jobsDone();
    expect(await readOrder(paid)).toMatchObject({
      changes: [{ status: "applied" }],
      totals: { total: 3590 + 1695, refunded: 0 },
      refundableCents: 3590 + 1695,
    });
  });

  test.each([
    { units: "are still in stock", soldMeanwhile: 0, status: "applied", isRefunded: false },
    { units: "have been sold since", soldMeanwhile: 1, status: "expired", isRefunded: true },
  ])(
    "become $status if paid after they expired while other API keys were in use, and their units $units",
    async ({ soldMeanwhile, status, isRefunded }) => {
      const paid = await placePaid();
      const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
      await openPage(edit);
      const sessionId = await findOpenSessionId(edit.id);
      const isPage = eq(payments.orderEditId, edit.id);
      const { account } = shop.ctx.provider;
      await shop.database.db.update(payments).set({ account: "acct_other" }).where(isPage);
      shop.travel(4 * 24 * 60 * 60 * 1000);
      owner = await adminBrowser(shop);
      await endExpiredEdits(shop.ctx);
      expect((await readOrder(paid)).changes).toMatchObject([{ status: "expired" }]);
      await shop.database.db.update(payments).set({ account }).where(isPage);
      const before = await readStock(smallOilId);
      const isSmall = eq(stock.productId, smallOilId);
      const onHand = soldMeanwhile === 0 ? (before?.onHand ?? 0) : 0;
      await shop.database.db.update(stock).set({ onHand }).where(isSmall);
      const eventCount = shop.stripe.events.length;
      shop.stripe.completeSession(sessionId);
      await shop.send(...shop.stripe.events.slice(eventCount));
      await shop.jobsDone();
      expect(await readOrder(paid)).toMatchObject({ changes: [{ status }] });
      const { payment_intent: intentId } = shop.stripe.session(sessionId);
      expect(shop.stripe.refundedAmount(String(intentId))).toBe(isRefunded ? 1695 : 0);
      expect(await readStock(smallOilId)).toMatchObject({ onHand: Math.max(0, onHand - 1), reserved: 0 });
      await shop.database.db.update(stock).set({ onHand: 40 }).where(isSmall);
    },
  );

  test("keep the first payment and refund the other if paid on pages of two accounts", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    await openPage(edit);
    const sessionId = await findOpenSessionId(edit.id);
    const isPage = eq(payments.sessionId, sessionId);
    const { account } = shop.ctx.provider;
    await shop.database.db.update(payments).set({ account: "acct_other" }).where(isPage);
    await pay(edit);
    await shop.database.db.update(payments).set({ account }).where(isPage);
    const eventCount = shop.stripe.events.length;
    shop.stripe.completeSession(sessionId);
    for (let times = 0; times < 2; times += 1) {
      await shop.send(...shop.stripe.events.slice(eventCount));
      await shop.jobsDone();
    }
    expect(await readOrder(paid)).toMatchObject({
      changes: [{ status: "applied" }],
      refundableCents: 3590 + 1695,
    });
    expect(shop.stripe.refundedAmount(String(shop.stripe.session(sessionId).payment_intent))).toBe(1695);
  });

  test("can be opened for payment again after the provider failed or its response was lost, and are paid once", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    shop.stripe.failNext({ path: "/v1/checkout/sessions", method: "POST", how: "cut", times: 9 });
    expect((await openPage(edit)).status).toBe(502);
    expect((await readOrder(paid)).changes[0].status).toBe("waiting");
    shop.stripe.endTrouble();
    shop.stripe.failNext({ path: "/v1/checkout/sessions", method: "POST", how: "lose" });
    await pay(edit);
    expect(await readOrder(paid)).toMatchObject({
      changes: [{ status: "applied" }],
      totals: { total: 3590 + 1695 },
      changePayments: [{ amountCents: 1695 }],
    });
  });

  test("can be opened for payment by the buyer after the provider has failed, before the shop retries", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    shop.stripe.failNext({ path: "/v1/checkout/sessions", method: "POST", how: 503, times: 9 });
    expect((await openPage(edit)).status).toBe(502);
    await finishOpenings(shop.ctx);
    const hasOpeningExpired = and(eq(payments.orderEditId, edit.id), lte(payments.openingUntil, sql`now()`));
    await expect.poll(() => shop.database.db.$count(payments, hasOpeningExpired)).toBe(1);
    expect((await readOrder(paid)).changes[0].status).toBe("waiting");
  });

  test("paid separately are refunded from the newest payment first, and the rest from the order's first payment", async () => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    await pay(edit);
    const [{ intentId }] = (await readOrder(paid)).changePayments;
    const refundResponse = await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: 3590 + 500 });
    expect(refundResponse.status).toBe(200);
    await shop.jobsDone();
    expect([shop.stripe.refundedAmount(paid.intentId), shop.stripe.refundedAmount(intentId)]).toEqual([
      2395, 1695,
    ]);
    expect(await readOrder(paid)).toMatchObject({ status: "partially_refunded", refundableCents: 1195 });
  });

  test.each(["packer", "accountant"])("are refused to the %s", async (role) => {
    const paid = await placePaid();
    const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
    const person = { name: role, email: `${role}@example.com`, role };
    const { body } = await owner.post("/api/admin/people", person);
    const staffBrowser = shop.browser();
    await staffBrowser.post("/api/admin/invitation", {
      token: new URL(body.data.link).searchParams.get("token"),
    });
    const path = `/api/admin/orders/${paid.id}/items`;
    const editInput = { add: buildUnits(smallOilId), version: "x", difference: 1695 };
    for (const [call, callBody] of [
      [`${path}/preview`, { add: buildUnits(smallOilId) }],
      [path, editInput],
      [`${path}/${edit.id}/send`, {}],
      [`${path}/${edit.id}/withdraw`, {}],
    ] as const) {
      expect((await staffBrowser.post(call, callBody)).status, call).toBe(403);
    }
    expect((await readOrder(paid)).changes).toMatchObject([{ id: edit.id, status: "waiting" }]);
  });

  test("include tax in added items where prices do, and refund all of it when these are removed", async () => {
    const rates = [{ country: "DE", state: null, percent: 19, onShipping: true }];
    const settings = { tax: { mode: "table", rates }, taxIncludedIn: ["DE"] };
    expect((await send(owner, "PATCH", "/api/admin/settings", settings)).status).toBe(200);
    await expect.poll(async () => (await shop.shop.settings()).tax.rates.at(-1)?.included).toBe("VAT");
    const paid = await placePaid(1, { country: "DE", shippingOption: "international-standard" });
    const { total } = (await readOrder(paid)).totals;
    const preview = (await previewEdit(paid, { add: buildUnits(smallOilId) })).body.data;
    // Of the $16.95, 19/119 is tax.
    expect(preview).toMatchObject({ difference: 1695, goods: 1424, tax: 271, taxIncluded: "VAT" });
    await pay((await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0]);
    const after = await readOrder(paid);
    expect(after.totals).toMatchObject({ subtotal: 2995 + 1695, total: total + 1695 });
    expect(after.items[1]).toMatchObject({ productId: smallOilId, total: 1695, paid: 1695 });
    const removal = await saveEdit(paid, { remove: buildUnits(smallOilId) });
    expect(removal.body.data).toMatchObject({ changes: [{ difference: -1695 }, {}], refundableCents: total });
  });
});
