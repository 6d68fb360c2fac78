import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { moneyCheckTotals } from "../../domain/money-check/money-check.ts";
import { adminBrowser, lastTwoDays, send } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import { insertPaidOrder } from "../../test/paid-order.ts";
import type { ApiResponse, TestBrowser } from "../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { activity } from "../admin/tables.ts";
import { issues } from "../issues/tables.ts";
import { orders } from "../orders/tables.ts";
import { messages } from "../outbox/tables.ts";
import { payments, refunds } from "../payments/tables.ts";
import { checkNightly } from "./start.ts";
import { moneyChecks } from "./tables.ts";

let shop: StripeShop;
let admin: TestBrowser;
beforeAll(async () => {
  shop = await openStripeShop();
  admin = await adminBrowser(shop);
  // Otherwise the first nightly check would appear in the lists of later tests.
  await shop.jobsDone();
});
afterAll(() => shop.stop());
beforeEach(async () => {
  shop.stripe.endTrouble();
  const { db } = shop.database;
  await db.execute(sql`delete from money_checks`);
  await db.delete(issues);
});

const url = "/api/admin/money-checks";
const dayMs = 24 * 60 * 60 * 1000;
const day = (days = 0) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** Checks out and pays at Stripe, dated an hour ago. Delivers the payment's event unless `isBooked` is false. */
async function pay({ amount, isBooked = true }: { amount?: number; isBooked?: boolean } = {}) {
  const { body } = await order(shop.browser());
  const paid = shop.stripe.pay(body.paymentIntentId, amount === undefined ? {} : { amount });
  // An hour later a missing event counts as overdue.
  shop.stripe.intent(body.paymentIntentId).created -= 3600;
  await shop.database.db
    .update(payments)
    .set({ createdAt: new Date(Date.now() - 3_600_000) })
    .where(eq(payments.intentId, body.paymentIntentId));
  if (isBooked) {
    await shop.send(paid);
    await shop.jobsDone();
  }
  return { intentId: body.paymentIntentId as string, orderId: body.orderId as string };
}

/** Runs a check of yesterday and today, and returns its result. */
async function runCheck(period = lastTwoDays()) {
  const { status, body } = await admin.post(url, period);
  expect(status).toBe(202);
  await shop.jobsDone();
  return (await admin.get(`${url}/${body.data.id}`)).body.data;
}

const repair = (check: { id: number }, item: { id: number }): Promise<ApiResponse> =>
  admin.post(`${url}/${check.id}/findings/${item.id}/mend`);

/** Expects the check's items to add up to the differences between its sums. */
function expectExplained(check: Awaited<ReturnType<typeof runCheck>>) {
  const differences = { in: 0, refunded: 0, disputed: 0 };
  for (const { kind, provider, booked } of check.items) {
    const category = kind === "refund_differs" ? "refunded" : kind === "dispute_differs" ? "disputed" : "in";
    differences[category] += provider - booked;
  }
  expect(differences).toEqual({
    in: check.providerIn - check.bookedIn,
    refunded: check.providerRefunded - check.bookedRefunded,
    disputed: check.providerChargedBack + check.providerFees - check.bookedChargedBack - check.bookedFees,
  });
  expect(moneyCheckTotals(check).difference).toBe(
    differences.in - differences.refunded - differences.disputed,
  );
}

test.each([
  ["GET", url],
  ["POST", url],
  ["GET", `${url}/1`],
  ["POST", `${url}/1/findings/1/mend`],
] as const)(
  "%s %s is refused to everybody but the owner, and changes are refused to other sites",
  async (method, path) => {
    const init = {
      method,
      ...(method === "GET" ? {} : { body: JSON.stringify({ from: day(), to: day() }) }),
      headers: { "Content-Type": "application/json" },
    };
    expect((await shop.browser().fetch(path, init)).status).toBe(401);
    const foreignCall = await admin.fetch(path, {
      ...init,
      headers: { ...init.headers, Origin: "https://elsewhere.example" },
    });
    expect(foreignCall.status === 403).toBe(method !== "GET");
    expect((await admin.get(url)).body.data).toEqual([]);
  },
);

test.each([
  [{ from: day(), to: day(-1) }, "to"],
  [{ from: day(-400), to: day() }, "from"],
  [{ from: day(2), to: day(3) }, "from"],
  [{ from: "2026-02-30", to: day() }, "from"],
])("an invalid period is refused: %o", async (body, field) => {
  const response = await admin.post(url, body);
  expect([response.status, Object.keys(response.body.fields)]).toEqual([422, [field]]);
});

test("an unknown money check returns 404", async () => {
  expect((await admin.get(`${url}/99`)).status).toBe(404);
  expect((await repair({ id: 99 }, { id: 1 })).status).toBe(404);
});

test("a check without differences counts its payments and has equal sums for Stripe and the shop", async () => {
  await pay();
  const { intentId } = await pay();
  await shop.send(shop.stripe.refundFromDashboard(intentId, 500) && (shop.stripe.events.at(-1) as object));
  await shop.jobsDone();
  const foreignPayment = shop.stripe.addIntent({ amount: 9900, currency: "usd", metadata: {} });
  shop.stripe.pay(foreignPayment.id);
  // A payment made just now, whose event has not arrived yet, is not a difference.
  const justPaid = await order(shop.browser());
  shop.stripe.pay(justPaid.body.paymentIntentId);
  const period = lastTwoDays();
  const check = await runCheck(period);
  expect(check).toMatchObject({
    status: "done",
    requestedBy: "owner",
    ...period,
    looked: 4,
    matched: 3,
    apart: 1,
    apartCents: 9900,
    providerIn: 3 * 3590,
    bookedIn: 3 * 3590,
    providerRefunded: 500,
    bookedRefunded: 500,
    items: [],
  });
  const list = await admin.get(`${url}?limit=1`);
  expect(list.body).toMatchObject({ data: [{ id: check.id, openFindings: 0 }], nextCursor: null });
  const [logEntry] = await shop.database.db.select().from(activity).orderBy(sql`id desc`).limit(1);
  expect(logEntry).toMatchObject({ subject: `money_check:${check.id}`, outcome: "done" });

  await runCheck({ from: day(), to: day() });
  const { body } = await admin.get("/api/admin/activity?limit=1");
  expect(body.data[0].summary).toMatch(/^Money check of \w+ \d+, \d{4} started$/);
});

describe("the money check", () => {
  test("finds an unbooked payment, reports it once, and books it by one click", async () => {
    const { intentId, orderId } = await pay({ isBooked: false });
    const check = await runCheck();
    expect(check.items).toMatchObject([
      { kind: "missing_order", intentId, order: { id: orderId }, provider: 3590, booked: 0, mendedAt: null },
    ]);
    expectExplained(check);
    expect((await runCheck()).items).toHaveLength(1);
    const { db } = shop.database;
    const raisedIssues = await db.select().from(issues).where(eq(issues.kind, "money_check"));
    expect(raisedIssues.map(({ message }) => message)).toEqual([
      expect.stringContaining("a difference of $35.90"),
    ]);
    expect(await db.select().from(messages).where(eq(messages.kind, "owner_attention"))).toHaveLength(1);

    const { status, body } = await repair(check, check.items[0]);
    expect([status, body.data.mended]).toEqual([200, true]);
    expect(body.data.check.openFindings).toBe(0);
    const [bookedOrder] = await db.select().from(orders).where(eq(orders.id, orderId));
    expect(bookedOrder?.status).toBe("completed");
    // The difference is closed in every check that found it, and so is the owner's issue.
    expect(
      (await admin.get(url)).body.data.map((each: { openFindings: number }) => each.openFindings),
    ).toEqual([0, 0]);
    expect((await db.select().from(issues))[0]?.resolvedAt).not.toBeNull();
    expect((await repair(check, check.items[0])).body.data.mended).toBe(true);
    expectExplained(await runCheck());
  });

  test("cannot book a payment for an order that does not exist, and raises an issue instead", async () => {
    const metadata = { app: "palmira", orderId: "11111111-1111-4111-8111-111111111111" };
    const { id: intentId } = shop.stripe.addIntent({ amount: 2000, currency: "usd", metadata });
    shop.stripe.pay(intentId);
    const check = await runCheck();
    const item = check.items.find((each: { intentId: string }) => each.intentId === intentId);
    expect(item).toMatchObject({ kind: "missing_order", order: null, provider: 2000, booked: 0 });
    expectExplained(check);
    const { body } = await repair(check, item);
    expect(body.data).toMatchObject({
      mended: false,
      outcome: expect.stringContaining("The shop has no order for this payment"),
    });
    const raisedIssues = await shop.database.db.select().from(issues).where(eq(issues.subject, intentId));
    expect(raisedIssues).toHaveLength(1);
    // Once it is refunded in full at Stripe, the payment is no longer a difference.
    shop.stripe.refundFromDashboard(intentId, 2000);
    expect((await repair(check, item)).body.data.mended).toBe(true);
    expect((await runCheck()).items).toEqual([]);
  });

  test("reports booked payments that are missing or unpaid at Stripe", async () => {
    const { db } = shop.database;
    const started = await order(shop.browser());
    const { paymentIntentId, orderId } = started.body;
    await db.update(payments).set({ status: "succeeded" }).where(eq(payments.intentId, paymentIntentId));
    const unpaid = await insertPaidOrder(db);
    const check = await runCheck();
    expect(check.items).toMatchObject([
      {
        kind: "missing_payment",
        intentId: paymentIntentId,
        order: { id: orderId },
        provider: 0,
        booked: 3590,
      },
      {
        kind: "missing_payment",
        intentId: expect.stringMatching(/^#\d+$/),
        order: { id: unpaid },
        booked: 3590,
      },
    ]);
    expectExplained(check);
    for (const item of check.items) {
      const { body } = await repair(check, item);
      expect(body.data).toMatchObject({ mended: false, outcome: expect.stringContaining("not ship") });
    }
    await db
      .update(payments)
      .set({ status: "requires_payment" })
      .where(eq(payments.intentId, paymentIntentId));
    await db
      .update(orders)
      .set({ paidAt: new Date("2026-01-01") })
      .where(eq(orders.id, unpaid));
  });

  test("reports the amount missing for a paid order without a payment: its total less the value of exchanged items", async () => {
    const { db } = shop.database;
    const orderId = await insertPaidOrder(db, {
      subtotalCents: 3995,
      totalCents: 4590,
      addedGoodsCents: 1000,
      exchangedCents: 1000,
    });
    const check = await runCheck();
    expect(check.items).toMatchObject([
      { kind: "missing_payment", order: { id: orderId }, provider: 0, booked: 3590 },
    ]);
    expectExplained(check);
    await db
      .update(orders)
      .set({ paidAt: new Date("2026-01-01") })
      .where(eq(orders.id, orderId));
  });

  test("finds payments whose amount differs from the order's, whether booked or not", async () => {
    const { db } = shop.database;
    const underpaid = await pay({ amount: 3000 });
    const booked = await pay();
    await db.update(payments).set({ amountCents: 3500 }).where(eq(payments.intentId, booked.intentId));
    const check = await runCheck();
    const itemsByIntent = Object.fromEntries(
      check.items.map((item: { intentId: string }) => [item.intentId, item]),
    );
    expect(itemsByIntent[underpaid.intentId]).toMatchObject({
      kind: "amount_differs",
      provider: 3000,
      booked: 0,
    });
    expect(itemsByIntent[booked.intentId]).toMatchObject({
      kind: "amount_differs",
      provider: 3590,
      booked: 3500,
    });
    expectExplained(check);
    expect((await repair(check, itemsByIntent[underpaid.intentId])).body.data.mended).toBe(false);
    await db.update(payments).set({ amountCents: 3590 }).where(eq(payments.intentId, booked.intentId));
    expect((await repair(check, itemsByIntent[booked.intentId])).body.data.mended).toBe(true);
    shop.stripe.refundFromDashboard(underpaid.intentId, 3000);
  });

  test("books refunds made at Stripe whose events were lost", async () => {
    const { intentId, orderId } = await pay();
    shop.stripe.refundFromDashboard(intentId, 700);
    const check = await runCheck();
    expect(check.items).toMatchObject([
      { kind: "refund_differs", intentId, order: { id: orderId }, provider: 700, booked: 0 },
    ]);
    expectExplained(check);
    expect((await repair(check, check.items[0])).body.data).toMatchObject({ mended: true, outcome: null });
    const { db } = shop.database;
    const [row] = await db.select().from(orders).where(eq(orders.id, orderId));
    expect(row).toMatchObject({ status: "partially_refunded", refundedCents: 700 });
    expect(await db.select().from(refunds).where(eq(refunds.orderId, orderId))).toHaveLength(1);
    const after = await runCheck();
    expect([after.items, moneyCheckTotals(after).difference]).toEqual([[], 0]);
    // A later refund whose event is lost is reported again, although the first difference was repaired.
    shop.stripe.refundFromDashboard(intentId, 300);
    const later = await runCheck();
    expect(later.items).toMatchObject([{ kind: "refund_differs", intentId, provider: 1000, booked: 700 }]);
    const raisedIssues = await db.select().from(issues).where(eq(issues.kind, "money_check"));
    expect(raisedIssues.map(({ resolvedAt }) => resolvedAt === null)).toEqual([false, true]);
    await repair(later, later.items[0]);
  });
});

test("a difference that a later run no longer finds is closed together with its issue", async () => {
  const { intentId } = await pay();
  shop.stripe.refundFromDashboard(intentId, 700);
  const manualOrderId = await insertPaidOrder(shop.database.db, {});
  const first = await runCheck();
  const second = await runCheck();
  expect([first.openFindings, second.openFindings]).toEqual([2, 2]);
  // The refund's event arrives after all, and the order without a payment is set to zero by hand.
  await shop.send(...shop.stripe.events.slice(-2));
  await shop.jobsDone();
  const zeroAmounts = { totalCents: 0, subtotalCents: 0, shippingCents: 0 };
  await shop.database.db.update(orders).set(zeroAmounts).where(eq(orders.id, manualOrderId));
  const third = await runCheck();
  expect(third).toMatchObject({ findings: 0, openFindings: 0 });
  for (const { id } of [first, second]) {
    const { items, openFindings } = (await admin.get(`${url}/${id}`)).body.data;
    expect(openFindings).toBe(0);
    expect(items).toMatchObject(Array(2).fill({ mendedAt: expect.any(String), byItself: true }));
  }
  const raisedIssues = await shop.database.db.select().from(issues).where(eq(issues.kind, "money_check"));
  expect(raisedIssues.map(({ resolution }) => resolution)).toEqual(["Automatically: no difference is left"]);
});

test("a check fails with a reason while Stripe is unavailable, and can be run again", async () => {
  shop.stripe.failNext({ path: "/v1/payment_intents", method: "GET", how: 503, times: 10 });
  const failed = await runCheck();
  expect(failed).toMatchObject({
    status: "failed",
    problem: expect.stringContaining("could not be reached"),
  });
  shop.stripe.endTrouble();
  expect((await runCheck()).status).toBe("done");
});

test("two clicks start one check, and an interrupted check that is run again has the same result", async () => {
  await pay({ isBooked: false });
  const first = await runCheck();
  // Keeps the check running until both clicks were handled: a click after its end would start another one.
  const release = shop.stripe.hold({ path: "/v1/payment_intents", method: "GET" });
  const yesterday = { from: day(-1), to: day(-1) };
  const [firstClick, secondClick] = await Promise.all([1, 2].map(() => admin.post(url, yesterday)));
  release();
  expect(firstClick?.body.data.id).toBe(secondClick?.body.data.id);
  await shop.jobsDone();
  const { db } = shop.database;
  await db.update(moneyChecks).set({ status: "running" }).where(eq(moneyChecks.id, first.id));
  const { runMoneyCheck } = await import("./start.ts");
  const context = { signal: new AbortController().signal, isLastAttempt: false };
  await runMoneyCheck(shop.ctx, first.id, context);
  const { items, startedAt, finishedAt, ...repeatedCheck } = (await admin.get(`${url}/${first.id}`)).body
    .data;
  expect(repeatedCheck).toEqual(
    expect.objectContaining({ looked: first.looked, providerIn: first.providerIn }),
  );
  expect(items).toHaveLength(first.items.length);
  await repair(first, items[0]);
});

test("the last four days are checked once a night, after 3 o'clock", async () => {
  const at = new Date("2026-11-20T02:59:00Z");
  const context = { ...shop.ctx, timeZone: async () => "UTC", now: () => at };
  expect(await checkNightly(context)).toBeNull();
  at.setUTCHours(3);
  const checkId = await checkNightly(context);
  expect(checkId).not.toBeNull();
  expect(await checkNightly(context)).toBeNull();
  await shop.jobsDone();
  expect((await admin.get(`${url}/${checkId}`)).body.data).toMatchObject({
    from: "2026-11-16",
    to: "2026-11-19",
    requestedBy: "night",
    status: "done",
  });
});

describe("disputes", () => {
  /** Opens a dispute an hour ago, so that its events are overdue. */
  function dispute(intentId: string) {
    shop.stripe.dispute(intentId);
    const opened = shop.stripe.findDispute(intentId);
    opened.created -= 3600;
    return opened;
  }

  type Check = Awaited<ReturnType<typeof runCheck>>;
  /** Changes of the dispute sums from one check to the next. */
  const disputeChanges = (before: Check, check: Check) =>
    Object.fromEntries(
      ["held", "providerChargedBack", "bookedChargedBack", "providerFees", "bookedFees"].map((name) => [
        name,
        check[name] - before[name],
      ]),
    );

  const findDifferences = (check: Check, intentId: string) =>
    check.items.filter((item: { intentId: string }) => item.intentId === intentId);

  test("cause no difference while undecided, and the check shows the withheld amount", async () => {
    const { intentId, orderId } = await pay();
    const before = await runCheck();
    dispute(intentId);
    // No event of the dispute has arrived.
    const check = await runCheck();
    expect(findDifferences(check, intentId)).toEqual([]);
    expect(disputeChanges(before, check)).toEqual({
      held: 3590,
      providerChargedBack: 0,
      bookedChargedBack: 0,
      providerFees: 1500,
      bookedFees: 1500,
    });
    expectExplained(check);
    const orderNow = (await admin.get(`/api/admin/orders/${orderId}`)).body.data;
    expect(orderNow).toMatchObject({ status: "completed", shipHold: "dispute" });
  });

  test("that were lost but not booked are found, and are booked by one click", async () => {
    const { intentId, orderId } = await pay();
    const before = await runCheck();
    shop.stripe.closeDispute(dispute(intentId).id, "lost");
    const check = await runCheck();
    expect(findDifferences(check, intentId)).toMatchObject([
      { kind: "dispute_differs", intentId, order: { id: orderId }, provider: 5090, booked: 0 },
    ]);
    expectExplained(check);
    expect((await repair(check, findDifferences(check, intentId)[0])).body.data).toMatchObject({
      mended: true,
    });
    const after = await runCheck();
    expect(findDifferences(after, intentId)).toEqual([]);
    expect(disputeChanges(before, after)).toEqual({
      held: 0,
      providerChargedBack: 3590,
      bookedChargedBack: 3590,
      providerFees: 1500,
      bookedFees: 1500,
    });
    expectExplained(after);
    const orderNow = (await admin.get(`/api/admin/orders/${orderId}`)).body.data;
    expect(orderNow).toMatchObject({ status: "refunded", totals: { refunded: 0, chargedBack: 3590 } });
  });

  test("cost only the fee that the provider keeps if won", async () => {
    const { intentId } = await pay();
    const before = await runCheck();
    shop.stripe.closeDispute(dispute(intentId).id, "won", 500);
    const check = await runCheck();
    expect(findDifferences(check, intentId)).toMatchObject([
      { kind: "dispute_differs", provider: 1000, booked: 0 },
    ]);
    expectExplained(check);
    await repair(check, findDifferences(check, intentId)[0]);
    const after = await runCheck();
    expect(findDifferences(after, intentId)).toEqual([]);
    expect(disputeChanges(before, after)).toMatchObject({
      held: 0,
      providerChargedBack: 0,
      bookedFees: 1000,
    });
  });

  test("do not stop a check even if the API key may not read them", async () => {
    const { intentId } = await pay();
    const before = await runCheck();
    dispute(intentId);
    shop.stripe.failNext({ path: "/v1/disputes", how: 403, times: 99 });
    const check = await runCheck();
    shop.stripe.endTrouble();
    expect([check.status, findDifferences(check, intentId)]).toEqual(["done", []]);
    expect(disputeChanges(before, check)).toMatchObject({ providerFees: 0 });
  });
});

test("a refund in the provider’s dashboard of money that had paid for an exchange raises an issue", async () => {
  const { intentId, orderId } = await pay();
  const units = [{ productId: 1, quantity: 1 }];
  await admin.post(
    `/api/admin/orders/${orderId}/exchange`,
    { returned: units, items: units },
    { "Idempotency-Key": crypto.randomUUID() },
  );
  const readOrder = async () => (await admin.get(`/api/admin/orders/${orderId}`)).body.data;
  const [{ id: returnId }] = (await readOrder()).returns;
  await send(admin, "PATCH", `/api/admin/returns/${returnId}`, { status: "closed" });
  await shop.jobsDone();
  const { total } = (await readOrder()).totals;
  shop.stripe.refundFromDashboard(intentId, total);
  await shop.send(...shop.stripe.events.slice(-2));
  await shop.jobsDone();
  const raisedIssues = await shop.database.db.select().from(issues).where(eq(issues.orderId, orderId));
  expect(raisedIssues.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^\$29\.95 refunded .* had paid for another order by exchange/),
  ]);
  const check = await runCheck();
  expect(moneyCheckTotals(check).difference).toBe(0);
});
