import { eq, inArray, isNull, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { checkoutBody, order } from "../../../test/checkout.ts";
import type { TestBrowser } from "../../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { issues } from "../../issues/tables.ts";
import { orders } from "../../orders/tables.ts";
import { messages } from "../../outbox/tables.ts";
import { expireOrders } from "../cancellation/close.ts";
import { reconcile } from "../settling/reconcile.ts";
import { eventCursors, paymentEvents } from "../tables.ts";
import { type CatchUpResult, catchUpEvents } from "./catch-up.ts";
import { requeueLostEvents } from "./handle.ts";

let shop: StripeShop;
beforeAll(async () => {
  shop = await openStripeShop();
  await shop.jobsDone();
});
afterAll(() => shop.stop());
afterEach(async () => {
  shop.stripe.endTrouble();
  await shop.expectConserved();
});

const minuteMs = 60 * 1000;
const dayMs = 24 * 60 * minuteMs;

type PlacedOrder = { browser: TestBrowser; id: string; intentId: string };

async function place(): Promise<PlacedOrder> {
  const browser = shop.browser();
  const { body } = await order(browser);
  return { browser, id: body.orderId, intentId: body.paymentIntentId };
}

async function placePaid(): Promise<PlacedOrder> {
  const placed = await place();
  await shop.send(shop.stripe.pay(placed.intentId));
  await shop.jobsDone();
  return placed;
}

async function openHostedPage(): Promise<PlacedOrder & { sessionId: string }> {
  const browser = shop.browser();
  const { body } = await browser.post("/api/stripe/create-checkout-session", checkoutBody());
  return { browser, id: body.data.orderId, intentId: "", sessionId: body.data.id };
}

/** Advances the shop's and the provider's clocks. */
function advanceClocks(ms: number): void {
  shop.travel(ms);
  shop.stripe.travel(ms);
}

async function catchUpNow(): Promise<CatchUpResult> {
  const result = await catchUpEvents(shop.ctx);
  await shop.jobsDone();
  return result;
}

test("an event that a crash left stored and unhandled is handled by a job within seconds, and only once", async () => {
  const placed = await place();
  const { body, signature } = shop.stripe.sign(shop.stripe.pay(placed.intentId));
  const event = shop.ctx.provider.parseEvent(body, () => signature);
  const receivedAt = shop.ctx.now();
  // The state that the webhook committed before the process died.
  await shop.database.db.insert(paymentEvents).values({ ...event, receivedAt, deliveredAt: receivedAt });
  await requeueLostEvents(shop.ctx);
  await shop.jobsDone();
  expect(await readOrderStatus(placed)).toBe("pending");
  advanceClocks(6_000);
  await Promise.all([requeueLostEvents(shop.ctx), requeueLostEvents(shop.ctx)]);
  await shop.jobsDone();
  expect(await readOrderStatus(placed)).toBe("completed");
  const sentMessages = await shop.database.db.select().from(messages).where(eq(messages.orderId, placed.id));
  expect(sentMessages.map(({ kind }) => kind).toSorted()).toEqual(["order_confirmation", "owner_new_order"]);
});

async function readOrderStatus({ id }: PlacedOrder): Promise<string | undefined> {
  const [row] = await shop.database.db.select().from(orders).where(eq(orders.id, id));
  return row?.status;
}

async function issuesOfKinds(
  kinds: string[],
): Promise<{ kind: string; isOpen: boolean; resolution: string | null }[]> {
  const rows = await shop.database.db
    .select()
    .from(issues)
    .where(inArray(issues.kind, kinds))
    .orderBy(issues.id);
  return rows.map(({ kind, resolvedAt, resolution }) => ({ kind, isOpen: resolvedAt === null, resolution }));
}

const countUnhandled = () => shop.database.db.$count(paymentEvents, isNull(paymentEvents.handledAt));
const callsTo = (path: string) => shop.stripe.requests.filter((call) => call.path === path);
/** The calls to the provider while `work` runs. */
async function callsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const before = shop.stripe.requests.length;
  await work();
  return shop.stripe.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
}
const readAllOrders = async () => {
  const { rows } = await shop.database.db.execute(sql`
    select number, status, refunded_cents, (select count(*) from messages m where m.order_id = o.id) as mails,
      (select count(*) from stock_movements s where s.order_id = o.id) as movements,
      (select count(*) from order_events e where e.order_id = o.id) as events from orders o order by number`);
  return rows;
};

/** Adds payments of another program in the account, each with two events of types that the shop handles. */
function addForeignPayments(count: number): void {
  for (let index = 0; index < count; index += 1) {
    const intent = shop.stripe.addIntent({ amount: 500, currency: "usd", metadata: {}, status: "canceled" });
    shop.stripe.emitEvent("payment_intent.processing", intent);
    shop.stripe.emitEvent("payment_intent.canceled", intent);
  }
}

test("one run of reconciliation books everything after 25 days without webhooks, and late webhooks change nothing", async () => {
  const refunded = await placePaid();
  const bounced = await placePaid();
  const disputed = await placePaid();
  const lostDispute = await placePaid();
  const partlyRefunded = await placePaid();
  const deliveredCount = shop.stripe.events.length;
  const paid = await place();
  const declined = await place();
  const retried = await place();
  const slow = await place();
  const failing = await place();
  const paidPage = await openHostedPage();
  const expiredPage = await openHostedPage();
  shop.stripe.pay(paid.intentId);
  for (let times = 0; times < 6; times += 1) shop.stripe.decline(declined.intentId);
  shop.stripe.decline(retried.intentId);
  shop.stripe.pay(retried.intentId);
  for (const { intentId } of [slow, failing]) shop.stripe.processing(intentId);
  shop.stripe.completeSession(paidPage.sessionId);
  addForeignPayments(120);
  advanceClocks(10 * dayMs);
  shop.stripe.expireSession(expiredPage.sessionId);
  shop.stripe.refundFromDashboard(refunded.intentId, 3590);
  for (const { intentId } of [disputed, lostDispute]) shop.stripe.dispute(intentId);
  shop.stripe.pay(slow.intentId);
  shop.stripe.decline(failing.intentId);
  const bouncedRefund = shop.stripe.refundFromDashboard(bounced.intentId, 1000);
  const cancelledAtProvider = await place();
  shop.stripe.cancelFromDashboard(cancelledAtProvider.intentId);
  advanceClocks(8 * dayMs);
  shop.stripe.bounceRefund(bouncedRefund.id);
  shop.stripe.closeDispute(shop.stripe.findDispute(lostDispute.intentId).id, "lost");
  shop.stripe.warnOfFraud(paid.intentId);
  shop.stripe.refundFromDashboard(partlyRefunded.intentId, 590);
  advanceClocks(7 * dayMs);

  const calls = await callsDuring(async () => {
    const result = await catchUpNow();
    expect(result).toMatchObject({ isListed: true, failed: 0 });
  });
  const readStatuses = async () =>
    Promise.all(
      [refunded, lostDispute, partlyRefunded, bounced, disputed, paid, retried, slow, paidPage].map(
        readOrderStatus,
      ),
    );
  expect(await readStatuses()).toEqual([
    "refunded",
    "refunded",
    "partially_refunded",
    "completed",
    "completed",
    "completed",
    "completed",
    "completed",
    "completed",
  ]);
  expect(
    await Promise.all([declined, expiredPage, cancelledAtProvider, failing].map(readOrderStatus)),
  ).toEqual(["cancelled", "cancelled", "cancelled", "pending"]);
  // The shop never learned that the payment was being processed, so the order expires like any other.
  await expireOrders(shop.ctx);
  expect(await readOrderStatus(failing)).toBe("cancelled");
  const raisedIssues = await issuesOfKinds(["dispute", "dispute_closed", "refund_failed", "fraud_warning"]);
  expect(raisedIssues.map(({ kind }) => kind).sort()).toEqual([
    "dispute",
    "dispute_closed",
    "fraud_warning",
    "refund_failed",
  ]);
  expect(await countUnhandled()).toBe(0);
  // A payment with several events is fetched once; payments of other programs, or booked before, are not fetched.
  const intentFetches = (intentId: string) =>
    calls.filter((call) => call.endsWith(`/payment_intents/${intentId}`));
  expect(
    [paid, retried, cancelledAtProvider, disputed].map(({ intentId }) => intentFetches(intentId).length),
  ).toEqual([1, 1, 1, 0]);
  expect(calls.filter((call) => call.includes("/payment_intents/")).length).toBeLessThan(12);
  await shop.expectConserved();

  const before = await readAllOrders();
  // Without new events only the list is fetched.
  expect(await callsDuring(catchUpNow)).toEqual(["GET /v1/events"]);
  await reconcile(shop.ctx);
  expect(await shop.send(...shop.stripe.events.slice(deliveredCount))).not.toContain(400);
  // On a slow machine, some of these simultaneous calls time out waiting for a connection after storing their events.
  advanceClocks(6_000);
  await requeueLostEvents(shop.ctx);
  await shop.jobsDone();
  expect(await readAllOrders()).toEqual(before);
  expect(await countUnhandled()).toBe(0);
});

describe("reading the provider's list of events", () => {
  test("makes no further call for events that the webhook has delivered", async () => {
    await catchUpNow();
    const placed = await placePaid();
    shop.stripe.refundFromDashboard(placed.intentId, 500);
    await shop.send(...shop.stripe.events.slice(-2));
    await shop.jobsDone();
    advanceClocks(2 * minuteMs);
    expect(await callsDuring(catchUpNow)).toEqual(["GET /v1/events"]);
  });

  test("leaves events of the last minute to the webhook, which immediately handles those already stored from the list", async () => {
    const placed = await place();
    const event = shop.stripe.pay(placed.intentId);
    expect((await catchUpNow()).added).toBe(0);
    advanceClocks(2 * minuteMs);
    // Aborted as soon as the page was read: the event is stored, but not handled yet.
    const abort = new AbortController();
    const callsBefore = callsTo("/v1/events").length;
    const release = shop.stripe.hold({ path: "/v1/events" });
    const run = catchUpEvents(shop.ctx, { signal: abort.signal });
    await expect.poll(() => callsTo("/v1/events")).toHaveLength(callsBefore + 1);
    abort.abort();
    release();
    expect(await run).toMatchObject({ added: 1, handled: 0 });
    expect([await countUnhandled(), await readOrderStatus(placed)]).toEqual([1, "pending"]);
    await shop.send(event);
    await shop.jobsDone();
    expect(await readOrderStatus(placed)).toBe("completed");
    const [row] = await shop.database.db.select().from(paymentEvents).where(eq(paymentEvents.id, event.id));
    expect(row).toMatchObject({ handledAt: expect.any(Date), deliveredAt: expect.any(Date) });
  });

  test("continues where it was interrupted, without a gap", async () => {
    const first = await place();
    shop.stripe.pay(first.intentId);
    advanceClocks(60 * minuteMs);
    addForeignPayments(110);
    const last = await place();
    shop.stripe.pay(last.intentId);
    advanceClocks(dayMs);
    // The third page is left without a response, and before the next run there is another payment.
    shop.stripe.failNext({ path: "/v1/events", how: 503, times: 2, after: 2 });
    expect(await catchUpNow()).toMatchObject({ isListed: false });
    expect([await readOrderStatus(last), await readOrderStatus(first)]).toEqual(["completed", "pending"]);
    const meanwhile = await place();
    shop.stripe.pay(meanwhile.intentId);
    advanceClocks(minuteMs + 1000);
    expect(await catchUpNow()).toMatchObject({ isListed: true });
    expect(callsTo("/v1/events").at(-1)?.params.starting_after).toEqual(expect.any(String));
    expect(await readOrderStatus(first)).toBe("completed");
    await catchUpNow();
    expect(await readOrderStatus(meanwhile)).toBe("completed");
  });

  test("finds an event that appears late behind newer ones", async () => {
    const placed = await place();
    addForeignPayments(1);
    advanceClocks(2 * minuteMs);
    await catchUpNow();
    shop.stripe.travel(-5 * minuteMs);
    shop.stripe.pay(placed.intentId);
    shop.stripe.travel(5 * minuteMs);
    await catchUpNow();
    expect(await readOrderStatus(placed)).toBe("completed");
  });

  test("is followed by a comparison of refunds and disputes, which finds those whose events are too old for the list", async () => {
    const [refunded, disputed] = [await placePaid(), await placePaid()];
    advanceClocks(dayMs);
    shop.stripe.refundFromDashboard(refunded.intentId, 1000);
    shop.stripe.dispute(disputed.intentId);
    advanceClocks(40 * dayMs);
    expect(await catchUpNow()).toMatchObject({ added: 0, differing: 2 });
    expect(await readOrderStatus(refunded)).toBe("partially_refunded");
    expect((await issuesOfKinds(["dispute"])).at(-1)).toMatchObject({ isOpen: true });
  });

  test("misses no event after the shop's clock was a year ahead for some time", async () => {
    const [placed, refunded] = [await place(), await placePaid()];
    shop.travel(365 * dayMs);
    await catchUpNow();
    shop.travel(-365 * dayMs);
    shop.stripe.refundFromDashboard(refunded.intentId, 1000);
    advanceClocks(40 * dayMs);
    shop.stripe.pay(placed.intentId);
    advanceClocks(2 * minuteMs);
    expect(await catchUpNow()).toMatchObject({ added: 1, differing: 1 });
    expect(await Promise.all([placed, refunded].map(readOrderStatus))).toEqual([
      "completed",
      "partially_refunded",
    ]);
  });

  test("starts again if the provider no longer has the last event read, or if the account has changed", async () => {
    const placed = await place();
    shop.stripe.pay(placed.intentId);
    advanceClocks(2 * minuteMs);
    await shop.ctx.provider.loadAccount();
    const cursor = { provider: "stripe", mode: "test", account: shop.stripe.accountId() } as const;
    await shop.database.db
      .insert(eventCursors)
      .values({ ...cursor, passAfter: "evt_gone", passNewest: new Date() })
      .onConflictDoUpdate({
        target: [eventCursors.provider, eventCursors.mode, eventCursors.account],
        set: { passAfter: "evt_gone", passNewest: new Date() },
      });
    await shop.database.db.insert(eventCursors).values({
      ...cursor,
      account: "acct_before",
      readUntil: new Date(Date.now() + dayMs),
    });
    expect(await catchUpNow()).toMatchObject({ isListed: true, added: 1 });
    expect(await readOrderStatus(placed)).toBe("completed");
  });

  test("books the other payments if one always fails", async () => {
    const failing = await place();
    const others = await Promise.all([place(), place(), place()]);
    for (const { intentId } of [...others, failing]) shop.stripe.pay(intentId);
    advanceClocks(dayMs);
    shop.stripe.failNext({ path: `/v1/payment_intents/${failing.intentId}`, how: 500, times: 100 });
    expect(await catchUpNow()).toMatchObject({ handled: 3, failed: 1 });
    expect(await Promise.all(others.map(readOrderStatus))).toEqual(["completed", "completed", "completed"]);
    shop.stripe.endTrouble();
    await shop.retryNow();
    await shop.jobsDone();
    expect(await readOrderStatus(failing)).toBe("completed");
  });

  test("is replaced by a comparison of refunds, even of old payments, if the keys may not list events", async () => {
    const placed = await placePaid();
    advanceClocks(20 * dayMs);
    shop.stripe.refundFromDashboard(placed.intentId, 1000);
    advanceClocks(dayMs);
    shop.stripe.failNext({ path: "/v1/events", how: 403, times: 100 });
    shop.stripe.failNext({ path: "/v1/disputes", how: 403, times: 100 });
    expect(await catchUpNow()).toMatchObject({ isListed: false, differing: 1 });
    expect(await readOrderStatus(placed)).toBe("partially_refunded");
    advanceClocks(30 * minuteMs);
    expect(await callsDuring(catchUpNow)).toEqual(["GET /v1/events"]);
    advanceClocks(60 * minuteMs);
    expect(await callsDuring(catchUpNow)).toEqual(["GET /v1/events", "GET /v1/refunds", "GET /v1/disputes"]);
  });
});

test("catching up fails while the provider does not accept the shop's keys, and the owner is notified if this lasts", async () => {
  const run = () =>
    shop.cron
      .find(({ task }) => task.job.name === "catch_up_events")
      ?.task.run({}, { attempt: 1, isLastAttempt: false, signal: new AbortController().signal });
  shop.stripe.failNext({ path: "/v1/events", how: 503, times: 2 });
  // A failure of the list alone does not prevent payments.
  await run();
  shop.stripe.failNext({ path: "/v1/events", how: 401, times: 10 });
  shop.stripe.failNext({ path: "/v1/balance", how: 401, times: 10 });
  await expect(run()).rejects.toThrow("does not accept the shop’s keys");
  shop.stripe.endTrouble();
  await run();
});

describe("a silent webhook", () => {
  /** Runs the catch-up every five minutes, as the shop does. */
  async function runFor(minutes: number): Promise<void> {
    for (let elapsed = 0; elapsed < minutes; elapsed += 5) {
      advanceClocks(5 * minuteMs);
      await catchUpNow();
    }
  }
  const readSilenceIssues = () => issuesOfKinds(["webhook_silent"]);

  test("is not reported if the shop itself was down, or if only events about other programs were lost", async () => {
    await catchUpNow();
    advanceClocks(minuteMs);
    addForeignPayments(3);
    await runFor(40);
    const missed = await place();
    shop.stripe.pay(missed.intentId);
    advanceClocks(3 * 60 * minuteMs);
    await runFor(40);
    expect(await readOrderStatus(missed)).toBe("completed");
    expect(await readSilenceIssues()).toEqual([]);
  });

  test("is reported to the owner once, and ends with the next delivered event", async () => {
    await placePaid();
    await runFor(30);
    const missed = await place();
    const event = shop.stripe.pay(missed.intentId);
    const countMails = () => shop.database.db.$count(messages, eq(messages.kind, "owner_attention"));
    const mailsBefore = await countMails();
    await runFor(10);
    expect(await readSilenceIssues()).toEqual([]);
    await runFor(30);
    expect(await readSilenceIssues()).toMatchObject([{ isOpen: true }]);
    expect(await countMails()).toBe(mailsBefore + 1);
    await shop.send(event);
    await runFor(5);
    expect(await readSilenceIssues()).toMatchObject([
      { isOpen: false, resolution: expect.stringContaining("Automatically") },
    ]);
    // The next silence raises a new issue.
    shop.stripe.pay((await place()).intentId);
    await runFor(30);
    expect((await readSilenceIssues()).map(({ isOpen }) => isOpen)).toEqual([false, true]);
  });
});
