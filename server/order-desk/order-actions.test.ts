import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { noActions } from "../../domain/orders/order-actions.ts";
import { adminBrowser } from "../../test/admin.ts";
import { checkoutBody, order } from "../../test/checkout.ts";
import { callInTurn } from "../../test/database.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { requestRefund } from "../../test/request-refund.ts";
import type { ApiResponse, TestBrowser } from "../../test/shop.ts";
import { openStripeShop } from "../../test/stripe-shop.ts";
import { stock, stockMovements } from "../inventory/tables.ts";
import { issues } from "../issues/tables.ts";
import { orderLinkToken } from "../orders/link-tokens.ts";
import { orders } from "../orders/tables.ts";
import { messages } from "../outbox/tables.ts";
import { expireOrders } from "../payments/cancellation/close.ts";
import { refunds } from "../payments/tables.ts";

const shop = await openStripeShop();
const owner = await adminBrowser(shop);
afterAll(() => shop.stop());
afterEach(async () => {
  shop.stripe.endTrouble();
  await shop.expectConserved();
});

type PlacedOrder = { browser: TestBrowser; id: string; intentId: string };

async function place(overrides: Parameters<typeof order>[1] = {}): Promise<PlacedOrder> {
  const browser = shop.browser();
  const { status, body } = await order(browser, overrides);
  expect(status).toBe(201);
  return { browser, id: body.orderId, intentId: body.paymentIntentId };
}

async function placePaid(overrides: Parameters<typeof order>[1] = {}): Promise<PlacedOrder> {
  const placed = await place(overrides);
  await shop.send(shop.stripe.pay(placed.intentId));
  await shop.jobsDone();
  return placed;
}

const toGermany = { country: "DE", shippingOption: "international-standard" };

async function placeShipped(overrides: Parameters<typeof order>[1] = {}): Promise<PlacedOrder> {
  const placed = await placePaid(overrides);
  expect((await ship(placed)).status).toBe(200);
  return placed;
}

const parcel = { carrier: "UPS", trackingNumber: "1Z5R89390357567127" };
const ship = ({ id }: PlacedOrder) => owner.post(`/api/admin/orders/${id}/ship`, parcel);
const deliver = ({ id }: PlacedOrder) => owner.post(`/api/admin/orders/${id}/deliver`);
const cancel = ({ browser, id }: PlacedOrder) => browser.post(`/api/orders/${id}/cancel`);
const requestReturn = ({ browser, id }: PlacedOrder, reason: unknown = "The scent is not for me") =>
  browser.post(`/api/orders/${id}/return`, { reason });
const withdraw = ({ browser, id }: PlacedOrder, body: object = { confirm: true }) =>
  browser.post(`/api/orders/${id}/withdraw`, body);
const linkedOrder = ({ id }: PlacedOrder) => ({ id, events: [] });
const readOrder = async ({ browser, id }: PlacedOrder) => (await browser.get(`/api/orders/${id}`)).body.data;

async function readStock(): Promise<{ onHand: number; reserved: number }> {
  const [row] = await shop.database.db.select().from(stock);
  return { onHand: row?.onHand ?? 0, reserved: row?.reserved ?? 0 };
}

async function readMailKinds({ id }: PlacedOrder): Promise<string[]> {
  const rows = await shop.database.db.select().from(messages).where(eq(messages.orderId, id));
  return rows.map(({ kind }) => kind).sort();
}

/** The e-mails sent to the buyer. */
async function readBuyerMail({ id }: PlacedOrder) {
  const { kind, text, status, recipient } = messages;
  const rows = await shop.database.db
    .select({ kind, text, status, recipient })
    .from(messages)
    .where(eq(messages.orderId, id));
  return rows
    .filter((row) => ["sent", "kept"].includes(row.status) && !row.kind.startsWith("owner_"))
    .sort((a, b) => a.kind.localeCompare(b.kind));
}

const paymentMailKinds = ["order_confirmation", "owner_new_order"];

describe("cancelling a paid order", () => {
  test("refunds everything, restocks the units and e-mails buyer and owner", async () => {
    const before = await readStock();
    const placed = await placePaid({ quantity: 2 });
    expect(await readStock()).toMatchObject({ onHand: before.onHand - 2 });

    const response = await cancel(placed);

    expect(response.status).toBe(200);
    expect(response.body.data.cancelledAt).toEqual(expect.any(String));
    expect(response.body.data.actions).toEqual(noActions);
    expect(response.body.data.events.at(-1)).toMatchObject({
      from: "completed",
      to: "completed",
      actor: "shopper",
      note: "Cancelled by the buyer",
    });
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(placed.intentId)).toBe(5990);
    expect(await readOrder(placed)).toMatchObject({ status: "refunded", totals: { refunded: 5990 } });
    expect(await readStock()).toEqual(before);
    expect(await readMailKinds(placed)).toEqual(
      ["order_called_off", ...paymentMailKinds, "owner_order_change", "refund_sent"].sort(),
    );
    // The e-mail about the cancellation names its refund, so no second one is sent.
    const buyerMail = await readBuyerMail(placed);
    expect(buyerMail.map(({ kind }) => kind)).toEqual(["order_called_off", "order_confirmation"]);
    expect(buyerMail[0]?.text).toMatch(
      /\n\$59\.90 goes back to you\n[\s\S]*Your bank may take 5-10 business days/,
    );
  });

  test("ten times at once has the same effect as once", async () => {
    const before = await readStock();
    const placed = await placePaid();
    const responses = await Promise.all(Array.from({ length: 10 }, () => cancel(placed)));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(placed.intentId)).toBe(3590);
    expect((await readOrder(placed)).refunds).toHaveLength(1);
    expect(await readStock()).toEqual(before);
    expect(await readMailKinds(placed)).toHaveLength(5);
  });

  test("refunds the rest of a partially refunded order", async () => {
    const placed = await placePaid();
    await requestRefund(shop.ctx, { orderId: placed.id, amountCents: 1000, reason: null });
    expect((await cancel(placed)).status).toBe(200);
    await shop.jobsDone();
    const { refunds: refundList, status } = await readOrder(placed);
    expect(refundList.map(({ amount }: { amount: number }) => amount).sort()).toEqual([1000, 2590]);
    expect(status).toBe("refunded");
    // The refund before the cancellation has a separate e-mail.
    const refundMail = (await readBuyerMail(placed)).filter(({ kind }) => kind === "refund_sent");
    expect(refundMail).toEqual([expect.objectContaining({ text: expect.stringContaining("$10.00") })]);
  });

  test("refunds the rest if the owner has just refunded a part at the provider", async () => {
    const placed = await placePaid();
    shop.stripe.refundFromDashboard(placed.intentId, 1000);
    expect((await cancel(placed)).status).toBe(200);
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(placed.intentId)).toBe(3590);
    expect((await readOrder(placed)).status).toBe("refunded");
    expect(await readIssues(placed)).toEqual([]);
  });

  test("succeeds while the provider is unavailable; the refund follows when it is back", async () => {
    const placed = await placePaid();
    shop.stripe.failNext({ path: "/v1/refunds", how: "cut", times: 20 });
    expect((await cancel(placed)).status).toBe(200);
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(placed.intentId)).toBe(0);
    expect(await readOrder(placed)).toMatchObject({ status: "completed", refunds: [{ status: "pending" }] });
    shop.stripe.endTrouble();
    await shop.retryNow();
    await shop.jobsDone();
    expect((await readOrder(placed)).status).toBe("refunded");
  });

  test("refunds once if the provider's response is lost", async () => {
    const placed = await placePaid();
    shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how: "lose" });
    expect((await cancel(placed)).status).toBe(200);
    await shop.jobsDone();
    await shop.retryNow();
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(placed.intentId)).toBe(3590);
    expect((await readOrder(placed)).status).toBe("refunded");
  });

  test("changes nothing if its last step fails", async () => {
    const placed = await placePaid();
    const { db } = shop.database;
    await db.execute(sql`create function break_off() returns trigger language plpgsql as
      $$ begin raise exception 'the power went out'; end $$`);
    await db.execute(sql`create trigger power_cut before insert on stock_movements
      for each row when (new.kind = 'returned') execute function break_off()`);
    expect((await cancel(placed)).status).toBe(500);
    await db.execute(sql`drop trigger power_cut on stock_movements`);
    await db.execute(sql`drop function break_off`);
    expect(await readOrder(placed)).toMatchObject({
      cancelledAt: null,
      refunds: [],
      actions: { cancel: true },
    });
    expect(await readMailKinds(placed)).toEqual(paymentMailKinds);
    expect((await cancel(placed)).status).toBe(200);
  });

  test("is refused once it is shipped or refunded", async () => {
    const order = await placeShipped();
    const lateResponse = await cancel(order);
    expect(lateResponse.status).toBe(409);
    expect(lateResponse.body).toMatchObject({
      error: "invalid_state",
      message: "This order has been shipped, so it can’t be cancelled anymore.",
    });
    const refunded = await placePaid();
    await requestRefund(shop.ctx, { orderId: refunded.id, amountCents: null, reason: null });
    await shop.jobsDone();
    expect((await cancel(refunded)).status).toBe(409);
  });

  test.each(["cancelling", "shipping"])(
    "and shipping it at the same time succeeds for the first call only (%s)",
    async (first) => {
      const placed = await placePaid();
      const calls = first === "cancelling" ? ([cancel, ship] as const) : ([ship, cancel] as const);
      const [won, lost] = await runInTurn(placed, ...calls);
      expect([won.status, lost.status]).toEqual([200, 409]);
      await shop.jobsDone();
      const { cancelledAt, fulfilment } = await readOrder(placed);
      expect({ cancelled: cancelledAt !== null, shipped: fulfilment !== null }).toEqual({
        cancelled: first === "cancelling",
        shipped: first === "shipping",
      });
      expect(shop.stripe.refundedAmount(placed.intentId)).toBe(first === "cancelling" ? 3590 : 0);
    },
  );

  test("prevents shipping even after the refund bounced", async () => {
    const placed = await placePaid();
    await cancel(placed);
    expect((await ship(placed)).status).toBe(409);
    await shop.jobsDone();
    const [refund] = await shop.database.db.select().from(refunds).where(eq(refunds.orderId, placed.id));
    await shop.send(shop.stripe.bounceRefund(refund?.providerRefundId ?? ""));
    await shop.jobsDone();
    expect((await readOrder(placed)).status).toBe("completed");
    expect((await ship(placed)).body.message).toContain("has been cancelled");
    expect(await readIssues(placed)).toEqual(["refund_failed"]);
  });
});

describe("cancelling an unpaid order", () => {
  test("cancels its payment at the provider and releases its units", async () => {
    const before = await readStock();
    const placed = await place();
    const response = await cancel(placed);
    expect(response.body.data).toMatchObject({ status: "cancelled", cancelledAt: null });
    expect(response.body.data.events.at(-1)).toMatchObject({
      actor: "shopper",
      note: "Cancelled by the buyer",
    });
    expect(shop.stripe.intent(placed.intentId).status).toBe("canceled");
    expect(await readStock()).toEqual(before);
    expect(await readMailKinds(placed)).toEqual([]);
    expect((await cancel(placed)).status).toBe(200);
  });

  test("closes its payment page even if the provider opens the page at the same moment", async () => {
    const { db } = shop.database;
    const email = "opening@example.com";
    const releaseProvider = shop.stripe.hold({ method: "POST", path: "/v1/checkout/sessions" });
    const opening = shop.browser().post("/api/stripe/create-checkout-session", checkoutBody({ email }));
    await expect.poll(() => db.$count(orders, eq(orders.email, email))).toBe(1);
    const [written] = await db.select().from(orders).where(eq(orders.email, email));
    const id = written?.id ?? "";
    const releaseAndWait = () => {
      releaseProvider();
      return opening;
    };
    const lock = sql`select from orders where id = ${id} for update`;
    const cancelByOwner = () => owner.post(`/api/admin/orders/${id}/cancel`, { restock: true });
    const [opened, cancelled] = await callInTurn(shop.database, lock, releaseAndWait, cancelByOwner);
    expect([opened.status, cancelled.status]).toEqual([200, 200]);
    expect(cancelled.body.data.status).toBe("cancelled");
    expect(shop.stripe.session(opened.body.data.id).status).toBe("expired");
  });

  test("books and refunds its payment if that succeeds before the cancellation", async () => {
    const before = await readStock();
    const placed = await place();
    const paidEvent = shop.stripe.pay(placed.intentId);
    const [response] = await Promise.all([cancel(placed), shop.send(paidEvent)]);
    expect(response.status).toBe(200);
    expect(response.body.data.cancelledAt).not.toBeNull();
    await shop.jobsDone();
    expect((await readOrder(placed)).status).toBe("refunded");
    expect(await readStock()).toEqual(before);
  });

  test("is refused while its payment is being processed", async () => {
    const placed = await place();
    shop.stripe.processing(placed.intentId);
    const response = await cancel(placed);
    expect(response.status).toBe(409);
    expect(response.body.message).toContain("is being processed");
    await shop.send(shop.stripe.pay(placed.intentId));
    await shop.jobsDone();
    expect((await cancel(placed)).status).toBe(200);
  });

  test("changes nothing while the provider is unavailable, and can be repeated later", async () => {
    const placed = await place();
    shop.stripe.failNext({ path: "/v1/payment_intents", how: 503, times: 20 });
    const response = await cancel(placed);
    expect(response.status).toBe(502);
    expect(response.body.error).toBe("provider_unavailable");
    expect((await readOrder(placed)).status).toBe("pending");
    shop.stripe.endTrouble();
    expect((await cancel(placed)).status).toBe(200);
  });

  test("closes its hosted payment page", async () => {
    const browser = shop.browser();
    const { body } = await browser.post("/api/stripe/create-checkout-session", checkoutBody());
    const response = await browser.post(`/api/orders/${body.data.orderId}/cancel`);
    expect(response.body.data.status).toBe("cancelled");
    expect(response.body.data.events.at(-1).actor).toBe("shopper");
    expect(shop.stripe.session(body.data.id).status).toBe("expired");
  });

  test("at the moment it expires ends it once and releases its units once", async () => {
    const before = await readStock();
    const placed = await place();
    shop.travel(31 * 60 * 1000);
    const [response] = await Promise.all([cancel(placed), expireOrders(shop.ctx)]);
    expect(response.status).toBe(200);
    expect((await readOrder(placed)).status).toBe("cancelled");
    expect(await readStock()).toEqual(before);
    const released = and(eq(stockMovements.orderId, placed.id), eq(stockMovements.kind, "released"));
    expect(await shop.database.db.select().from(stockMovements).where(released)).toHaveLength(1);
  });
});

describe("permission for a buyer's actions", () => {
  const actions = [
    ["cancel", {}],
    ["return", { reason: "Too much" }],
    ["withdraw", { confirm: true }],
  ] as const;

  test.each(actions)("is not given to a stranger without a valid link token (%s)", async (action, body) => {
    const placed = await placePaid(toGermany);
    const other = await placePaid();
    const stranger = shop.browser();
    const now = new Date();
    const tokens = [
      undefined,
      "",
      "1.zzzzzz.made-up",
      orderLinkToken("test-session-secret", linkedOrder(other), now),
      orderLinkToken("another-secret", linkedOrder(placed), now),
      orderLinkToken(
        "test-session-secret",
        linkedOrder(placed),
        new Date(now.getTime() - 181 * 24 * 3600 * 1000),
      ),
    ];
    for (const token of tokens) {
      const response = await stranger.post(`/api/orders/${placed.id}/${action}`, { ...body, token });
      expect(response.status).toBe(404);
      expect(response.body.message).toBe("There is no such order.");
    }
    expect((await other.browser.post(`/api/orders/${placed.id}/${action}`, body)).status).toBe(404);
    expect((await owner.post(`/api/orders/${placed.id}/${action}`, body)).status).toBe(404);
    for (const id of ["00000000-0000-4000-8000-000000000000", "1001", "x'--"]) {
      expect((await stranger.post(`/api/orders/${id}/${action}`, body)).status).toBe(404);
    }
    expect(await readOrder(placed)).toMatchObject({ cancelledAt: null, returns: [] });
  });

  test.each(actions)("is not given to another site in the buyer's browser (%s)", async (action, body) => {
    const placed = await placePaid(toGermany);
    const headers = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    expect((await placed.browser.post(`/api/orders/${placed.id}/${action}`, body, headers)).status).toBe(403);
  });

  test("is granted by the e-mailed link on any device", async () => {
    const placed = await placePaid();
    const token = orderLinkToken("test-session-secret", linkedOrder(placed), new Date());
    const response = await shop.browser().post(`/api/orders/${placed.id}/cancel`, { token });
    expect(response.status).toBe(200);
    expect(response.body.data.cancelledAt).not.toBeNull();
  });

  test("is not granted to an admin, who only sees the order", async () => {
    const placed = await placePaid();
    expect((await readOrder(placed)).actions.cancel).toBe(true);
    const { body } = await owner.get(`/api/orders/${placed.id}`);
    expect(body.data.actions).toEqual(noActions);
  });
});

describe("a return", () => {
  test("request is stored and acknowledged once, and waits for the owner", async () => {
    const placed = await placeShipped();
    expect((await readOrder(placed)).actions.returnUntil).toEqual(expect.any(String));
    const responses = await Promise.all([
      requestReturn(placed),
      requestReturn(placed),
      requestReturn(placed),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { returns, actions } = await readOrder(placed);
    expect(returns).toMatchObject([
      { kind: "return", status: "requested", reason: "The scent is not for me", answer: null },
    ]);
    expect(actions.returnUntil).toBeNull();
    await shop.jobsDone();
    expect((await readMailKinds(placed)).filter((kind) => /return|change/.test(kind))).toEqual([
      "owner_order_change",
      "return_requested",
    ]);
    expect((await requestReturn(placed, "Another reason")).status).toBe(409);
  });

  test("is refused before shipping", async () => {
    const earlyResponse = await requestReturn(await placePaid());
    expect(earlyResponse.status).toBe(409);
    expect(earlyResponse.body.message).toBe("This order has not been shipped yet.");
  });

  test.each([
    ["", 422],
    ["   ", 422],
    [null, 422],
    [7, 422],
    ["x".repeat(1001), 422],
    ["x".repeat(1000), 200],
  ])("request with the reason %j returns %i", async (reason, status) => {
    const response = await requestReturn(await placeShipped(), reason);
    expect(response.status).toBe(status);
    if (status === 422) expect(response.body.fields.reason).toEqual(expect.any(String));
  });

  test("is decided by the owner alone; the buyer sees the answer", async () => {
    const placed = await placeShipped();
    await requestReturn(placed);
    const [{ id }] = (await readOrder(placed)).returns;
    const decision = { status: "approved", answer: "Send it to 5 Palm Street." };
    const path = `/api/admin/returns/${id}`;
    expect((await patch(placed.browser, path, decision)).status).toBe(401);
    expect((await patch(owner, path, { status: "lost" })).status).toBe(422);
    // Without an answer the buyer would not know where to send the parcel, or why the return was declined.
    expect((await patch(owner, path, { status: "approved", answer: "  " })).status).toBe(422);
    expect((await patch(owner, path, { status: "declined" })).status).toBe(422);
    expect((await patch(owner, path, decision)).status).toBe(200);
    expect((await patch(owner, path, decision)).status).toBe(200);
    expect((await readOrder(placed)).returns).toMatchObject([{ ...decision, decidedAt: expect.any(String) }]);
    expect((await patch(owner, path, { status: "declined", answer: "Too late." })).status).toBe(409);
    expect((await readMailKinds(placed)).filter((kind) => kind === "return_decided")).toHaveLength(1);
    // The page promises no arrival while a return is open, or after it was closed and not yet refunded.
    expect((await placed.browser.get(`/orders/${placed.id}`)).body).not.toContain("Arrives");
    expect((await patch(owner, path, { status: "closed" })).status).toBe(200);
    expect((await placed.browser.get(`/orders/${placed.id}`)).body).not.toContain("Arrives");
    await shop.database.db
      .update(orders)
      .set({ arrivesFrom: null, arrivesUntil: null })
      .where(eq(orders.id, placed.id));
    expect((await placed.browser.get(`/orders/${placed.id}`)).body).not.toContain("Arrives");
    expect(
      (await patch(owner, "/api/admin/returns/00000000-0000-4000-8000-000000000000", decision)).status,
    ).toBe(404);
  });

  test("without an exchange restocks no units by itself: its page opens the dialog in which the owner chooses them", async () => {
    const placed = await placeShipped();
    await requestReturn(placed);
    const [{ id }] = (await readOrder(placed)).returns;
    const path = `/api/admin/returns/${id}`;
    const page = async () => (await owner.get(`/admin/orders/${placed.id}`)).body;
    expect(await page()).not.toContain("Put units back");
    const approval = { status: "approved", answer: "Send it to 5 Palm Street." };
    expect((await patch(owner, path, { ...approval, restock: true })).status).toBe(422);
    expect((await patch(owner, path, approval)).status).toBe(200);
    expect(await page()).toContain("Put units back");
    const { onHand } = await readStock();
    expect((await patch(owner, path, { status: "closed", restock: true })).status).toBe(409);
    expect((await readOrder(placed)).returns).toMatchObject([{ status: "approved" }]);
    const restock = [{ productId: 1, quantity: 1 }];
    expect((await owner.post(`/api/admin/orders/${placed.id}/restock`, { restock })).status).toBe(200);
    expect((await readStock()).onHand).toBe(onHand + 1);
    expect(await page()).not.toContain("Put units back");
    expect((await patch(owner, path, { status: "closed" })).status).toBe(200);
  });

  test("can be requested again within the period after it was declined", async () => {
    const placed = await placeShipped();
    await requestReturn(placed);
    const [{ id }] = (await readOrder(placed)).returns;
    await patch(owner, `/api/admin/returns/${id}`, { status: "declined", answer: "It was empty." });
    expect((await requestReturn(placed, "It leaked")).status).toBe(200);
    expect((await readOrder(placed)).returns).toHaveLength(2);
  });
});

describe("a withdrawal", () => {
  test("before shipping cancels the order, and is acknowledged to the address that the buyer named", async () => {
    const before = await readStock();
    const placed = await placePaid(toGermany);
    const statement = { confirm: true, name: "Ada Obi-Berg", email: "ada.berg@example.com" };
    const responses = await Promise.all([withdraw(placed, statement), withdraw(placed, statement)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    await shop.jobsDone();
    const orderView = await readOrder(placed);
    expect(orderView).toMatchObject({
      status: "refunded",
      returns: [{ kind: "withdrawal", status: "closed" }],
    });
    expect(await readStock()).toEqual(before);
    const rows = await shop.database.db.select().from(messages).where(eq(messages.orderId, placed.id));
    const recipients = rows
      .filter(({ kind }) => kind === "withdrawal_received")
      .map(({ recipient }) => recipient);
    expect(recipients.sort()).toEqual(["ada.berg@example.com", "ada@example.com"]);
    expect(rows.filter(({ kind }) => kind === "owner_order_change")).toHaveLength(1);
    expect(rows.filter(({ kind }) => kind === "order_called_off")).toEqual([]);
  });

  test("after shipping waits for the goods, and replaces a return request", async () => {
    const placed = await placeShipped(toGermany);
    await requestReturn(placed);
    expect((await withdraw(placed)).status).toBe(200);
    const { returns, cancelledAt, actions } = await readOrder(placed);
    expect(returns).toMatchObject([
      { kind: "return", status: "closed" },
      { kind: "withdrawal", status: "requested" },
    ]);
    expect(cancelledAt).toBeNull();
    expect(actions).toEqual(noActions);
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(placed.intentId)).toBe(0);
    const declined = await patch(owner, `/api/admin/returns/${returns[1].id}`, {
      status: "declined",
      answer: "No.",
    });
    expect(declined.status).toBe(409);
  });

  test("of a partly shipped order prevents the rest from shipping, as does one of an order whose only parcel is then undone", async () => {
    const [sentInPart, takenBack] = [
      await placePaid({ ...toGermany, quantity: 2, amount: 6585 }),
      await placePaid(toGermany),
    ];
    const shipmentId = randomUUID();
    const path = ({ id }: PlacedOrder, rest: string) => `/api/admin/orders/${id}${rest}`;
    const lines = [{ productId: 1, quantity: 1 }];
    for (const placed of [sentInPart, takenBack]) {
      const body = placed === sentInPart ? { lines } : { shipmentId, email: false };
      expect((await owner.post(path(placed, "/ship"), { ...parcel, ...body })).status).toBe(200);
      expect((await withdraw(placed)).status).toBe(200);
    }
    expect((await owner.post(path(takenBack, `/shipments/${shipmentId}/undo`))).status).toBe(200);
    for (const placed of [sentInPart, takenBack]) {
      const refused = await ship(placed);
      expect([refused.status, refused.body.error]).toEqual([409, "invalid_state"]);
      expect((await owner.get(path(placed, ""))).body.data).toMatchObject({
        shipHold: "owner",
        hold: { reason: "The buyer has withdrawn from this order" },
      });
    }
    const cancelled = await owner.post(path(takenBack, "/cancel"), { restock: true });
    expect(cancelled.body.data.cancelledAt).toEqual(expect.any(String));
  });

  test("of an unpaid order cancels it, and is acknowledged", async () => {
    const placed = await place(toGermany);
    expect((await withdraw(placed)).body.data.status).toBe("cancelled");
    expect(shop.stripe.intent(placed.intentId).status).toBe("canceled");
    expect(await readMailKinds(placed)).toEqual(["owner_order_change", "withdrawal_received"]);
  });

  test("is possible until 14 days after delivery", async () => {
    const placed = await placeShipped(toGermany);
    expect((await deliver(placed)).status).toBe(200);
    const { withdrawUntil } = (await readOrder(placed)).actions;
    const days = (Date.parse(withdrawUntil) - Date.now()) / (24 * 3600 * 1000);
    expect(days).toBeGreaterThan(14);
    expect(days).toBeLessThan(18);
  });

  test("is refused for buyers in countries without this right", async () => {
    const placed = await placePaid();
    expect((await readOrder(placed)).actions.withdrawUntil).toBeNull();
    expect((await withdraw(placed)).status).toBe(409);
    expect(await readOrder(placed)).toMatchObject({ cancelledAt: null, returns: [] });
  });

  test.each([
    [{}, "confirm"],
    [{ confirm: false }, "confirm"],
    [{ confirm: "true" }, "confirm"],
    [{ confirm: true, name: " " }, "name"],
    [{ confirm: true, name: "Ada\nBcc: all@example.com" }, "name"],
    [{ confirm: true, email: "nobody" }, "email"],
  ])("declared with %j is refused (field: %s)", async (body, field) => {
    const placed = await placePaid(toGermany);
    const response = await withdraw(placed, body);
    expect(response.status).toBe(422);
    expect(response.body.fields[field]).toEqual(expect.any(String));
    expect((await readOrder(placed)).returns).toEqual([]);
  });
});

describe("shipping and delivery", () => {
  test("are recorded by the owner; the buyer gets one e-mail with the tracking link", async () => {
    const placed = await placePaid();
    const path = `/api/admin/orders/${placed.id}`;
    expect((await placed.browser.post(`${path}/ship`, parcel)).status).toBe(401);
    expect((await placed.browser.post(`${path}/deliver`)).status).toBe(401);
    expect((await deliver(placed)).status).toBe(409);
    const response = await ship(placed);
    expect(response.body.data).toMatchObject({
      status: "shipped",
      fulfilment: { ...parcel, trackingUrl: "https://www.ups.com/track?tracknum=1Z5R89390357567127" },
    });
    expect((await ship(placed)).status).toBe(409);
    await deliver(placed);
    expect((await deliver(placed)).status).toBe(409);
    const orderView = await readOrder(placed);
    expect(orderView).toMatchObject({ status: "delivered", fulfilment: { deliveredAt: expect.any(String) } });
    expect(orderView.events.map(({ to, actor }: { to: string; actor: string }) => `${to} ${actor}`)).toEqual([
      "pending shopper",
      "completed provider",
      "shipped owner",
      "delivered owner",
    ]);
    const messageKinds = ["order_confirmation", "order_delivered", "order_shipped", "owner_new_order"];
    expect(await readMailKinds(placed)).toEqual(messageKinds);
  });

  test("are possible for a partially refunded order, and refused for unpaid, cancelled and refunded ones", async () => {
    const partlyRefunded = await placePaid();
    await requestRefund(shop.ctx, { orderId: partlyRefunded.id, amountCents: 500, reason: null });
    await shop.jobsDone();
    expect((await ship(partlyRefunded)).body.data.status).toBe("shipped");
    const pending = await place();
    expect((await ship(pending)).body.message).toBe("This order has not been paid.");
    await cancel(pending);
    expect((await ship(pending)).status).toBe(409);
    const refunded = await placePaid();
    await requestRefund(shop.ctx, { orderId: refunded.id, amountCents: null, reason: null });
    await shop.jobsDone();
    expect((await ship(refunded)).status).toBe(409);
  });

  test.each([
    [{}, "carrier"],
    [{ carrier: "UPS" }, "trackingNumber"],
    [{ carrier: " ", trackingNumber: "1" }, "carrier"],
    [{ carrier: "UPS\n", trackingNumber: "1\n2" }, "trackingNumber"],
    [{ carrier: "U".repeat(61), trackingNumber: "1" }, "carrier"],
  ])("are refused for the parcel %j (field: %s)", async (body, field) => {
    const { id } = await placePaid();
    const response = await owner.post(`/api/admin/orders/${id}/ship`, body);
    expect(response.status).toBe(422);
    expect(response.body.fields[field]).toEqual(expect.any(String));
  });

  test("of an unknown order return 404", async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    expect((await owner.post(`/api/admin/orders/${id}/ship`, parcel)).status).toBe(404);
    expect((await owner.post(`/api/admin/orders/${id}/deliver`)).status).toBe(404);
    expect((await owner.post("/api/admin/orders/1001/deliver")).status).toBe(404);
  });

  test("schedule the review request, first at shipping and again at delivery", async () => {
    const placed = await placeShipped();
    const daysUntilReviewRequest = async () => {
      const { rows } = await shop.database.db.execute<{ days: number }>(sql`
        select round(extract(epoch from run_at - ${new Date(Date.now() + clockAheadMs()).toISOString()}::timestamptz) / 86400)::int as days
        from jobs where key = ${`review_request:${placed.id}`}`);
      return rows.map(({ days }) => days);
    };
    expect(await daysUntilReviewRequest()).toEqual([14]);
    await deliver(placed);
    expect(await daysUntilReviewRequest()).toEqual([10]);
  });
});

type Action = (placed: PlacedOrder) => Promise<ApiResponse>;

/** Runs two actions that wait for the order's lock, so that `first` gets it first. */
async function runInTurn(
  placed: PlacedOrder,
  first: Action,
  second: Action,
): Promise<[ApiResponse, ApiResponse]> {
  const lock = sql`select from orders where id = ${placed.id} for update`;
  return callInTurn(
    shop.database,
    lock,
    () => first(placed),
    () => second(placed),
  );
}

test("every e-mail enqueued by the tests above can be rendered", async () => {
  await shop.jobsDone();
  const rows = await shop.database.db
    .select({ kind: messages.kind, status: messages.status, error: messages.lastError, html: messages.html })
    .from(messages);
  // A refund's e-mail is skipped if the cancellation's e-mail has already named the refund.
  const unsent = rows.filter(({ status }) => status !== "kept");
  expect(unsent.filter(({ kind, status }) => kind !== "refund_sent" || status !== "skipped")).toEqual([]);
  for (const kind of ["order_shipped", "order_called_off", "return_requested", "return_decided"]) {
    expect(rows.find((row) => row.kind === kind)?.html).toContain("View your order");
  }
  expect(
    new Set(rows.filter(({ kind }) => kind === "owner_order_change").map(({ html }) => pageTitle(html))),
  ).toEqual(new Set(["Cancelled by the buyer", "Return requested", "Withdrawal from the contract"]));
});

function pageTitle(html: string | null): string | undefined {
  return /<title>([^<]*)<\/title>/.exec(html ?? "")?.[1];
}

/** Milliseconds by which the tests above have advanced the shop's clock. */
function clockAheadMs(): number {
  return shop.ctx.now().getTime() - Date.now();
}

async function readIssues({ id }: PlacedOrder): Promise<string[]> {
  const rows = await shop.database.db.select().from(issues).where(eq(issues.orderId, id));
  return rows.map(({ kind }) => kind);
}

async function patch(browser: TestBrowser, path: string, body: object): Promise<Pick<ApiResponse, "status">> {
  return browser.fetch(path, {
    method: "PATCH",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  });
}

describe("an address change by the buyer", () => {
  const lyon = { line1: "2 Rue Neuve", city: "Lyon", state: "", postalCode: "69001", country: "FR" };
  const dallas = { line1: "2 Elm St", city: "Dallas", state: "Texas", postalCode: "75201", country: "US" };
  const changeAddress = ({ browser, id }: PlacedOrder, shipping: object, overrides: object = {}) =>
    browser.post(`/api/orders/${id}/address`, { customerName: "Ada Obi", phone: "", shipping, ...overrides });
  const readAddressMail = async (id: string) => {
    const rows = await shop.database.db.select().from(messages).where(eq(messages.orderId, id));
    return rows.filter(({ kind, data }) => kind === "address_changed" || data?.change === "address");
  };

  test("is stored and e-mailed to buyer and owner once, even if repeated", async () => {
    const placed = await placePaid();
    const responses = await Promise.all(
      [1, 2, 3].map(() => changeAddress(placed, dallas, { customerName: "Bea Obi" })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await readOrder(placed)).toMatchObject({
      customerName: "Bea Obi",
      shippingAddress: "2 Elm St, Dallas, TX 75201, United States",
      shipping: { city: "Dallas", state: "TX" },
      status: "completed",
    });
    expect(await readAddressMail(placed.id)).toHaveLength(2);
    await shop.jobsDone();
    expect(keptMail(shop, "ada@example.com", "address_changed").at(-1)).toMatch(
      /now goes to:\s+Bea Obi\n2 Elm St\nDallas, TX 75201\nUnited States\n/,
    );
    const { events } = await readOrder(placed);
    expect(events.at(-1)).toMatchObject({ actor: "shopper", note: "Address changed by the buyer" });
  });

  test("is refused if the cost differs, after shipping, if it is incomplete, and from strangers", async () => {
    const placed = await placePaid();
    expect(await changeAddress(placed, lyon)).toMatchObject({
      status: 409,
      body: { error: "invalid_state" },
    });
    const incomplete = await changeAddress(placed, { ...dallas, postalCode: "" });
    expect(incomplete).toMatchObject({
      status: 422,
      body: { fields: { "shipping.postalCode": expect.any(String) } },
    });
    expect((await changeAddress({ ...placed, browser: shop.browser() }, dallas)).status).toBe(404);
    await ship(placed);
    expect((await changeAddress(placed, dallas)).status).toBe(409);
    expect((await readOrder(placed)).shippingAddress).toContain("Austin");
    expect(await readAddressMail(placed.id)).toEqual([]);
  });

  test("is possible five times at most", async () => {
    const placed = await placePaid();
    for (const [index, status] of [200, 200, 200, 200, 200, 409].entries())
      expect((await changeAddress(placed, { ...dallas, line1: `${index} Elm St` })).status).toBe(status);
  });
});
