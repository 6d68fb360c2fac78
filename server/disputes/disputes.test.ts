import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import type { TestBrowser } from "../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { startWebhookReceiver } from "../../test/webhook-receiver.ts";
import { issues } from "../issues/tables.ts";
import { messages } from "../outbox/tables.ts";
import { refreshSales } from "../sales/rollup.ts";
import { syncDispute, syncDisputesSince } from "./disputes.ts";
import { disputes } from "./tables.ts";

let shop: StripeShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openStripeShop({ WEBHOOK_ALLOW_LOCAL: "1" });
  owner = await adminBrowser(shop);
});
afterAll(() => shop.stop());
afterEach(() => shop.expectConserved());

type PaidOrder = { browser: TestBrowser; id: string; intentId: string };

async function placePaidOrder(): Promise<PaidOrder> {
  const browser = shop.browser();
  const { body } = await order(browser);
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  return { browser, id: body.orderId, intentId: body.paymentIntentId };
}

/** Delivers Stripe's events from the index `from` on, sorted by `sort`. */
async function deliver(
  from: number,
  sort: (events: object[]) => object[] = (events) => events,
): Promise<void> {
  await shop.send(...sort(shop.stripe.events.slice(from)));
  await shop.jobsDone();
}

async function deliverEventsFrom(action: () => void, sort?: (events: object[]) => object[]): Promise<void> {
  const from = shop.stripe.events.length;
  action();
  await deliver(from, sort);
}

async function readOrder({ id }: PaidOrder) {
  return (await owner.get(`/api/admin/orders/${id}`)).body.data;
}

async function isListedForShipping({ id }: PaidOrder): Promise<boolean> {
  const { body } = await owner.get("/api/orders?status=to_ship&limit=100");
  return body.data.some(({ orderId }: { orderId: string }) => orderId === id);
}

async function readIssues({ id }: PaidOrder): Promise<{ kind: string; isOpen: boolean; message: string }[]> {
  const rows = await shop.database.db.select().from(issues).where(eq(issues.orderId, id));
  return rows
    .sort((a, b) => a.id - b.id)
    .map(({ kind, message, resolvedAt }) => ({ kind, message, isOpen: resolvedAt === null }));
}

const dueBy = Date.parse("2026-12-02T23:59:59Z") / 1000;

describe("a dispute", () => {
  test("puts the order on hold, and raises an issue with amount and reason", async () => {
    const paid = await placePaidOrder();
    expect(await isListedForShipping(paid)).toBe(true);

    await deliverEventsFrom(() =>
      shop.stripe.dispute(paid.intentId, { reason: "product_not_received", dueBy }),
    );

    expect(await isListedForShipping(paid)).toBe(false);
    expect(await readIssues(paid)).toEqual([
      {
        kind: "dispute",
        isOpen: true,
        message:
          "The buyer’s bank takes back $35.90 of this payment (product not received). Nothing of this order has shipped, so nothing can be proved: banks then mostly decide for the customer",
      },
    ]);
    // An e-mail must tell the deadline, which pages show beside the issue.
    const isAbout = and(eq(messages.orderId, paid.id), eq(messages.kind, "owner_attention"));
    expect(
      await shop.database.db.select({ data: messages.data }).from(messages).where(isAbout),
    ).toMatchObject([
      { data: { message: expect.stringMatching(/for the customer\. Answer it by December 2, 2026$/) } },
    ]);
    const [{ id }] = (await readOrder(paid)).disputes;
    const page = await owner.fetch(`/admin/disputes/${id}`);
    expect(await page.text()).toContain("Nothing has shipped.");
    expect(await readOrder(paid)).toMatchObject({ status: "completed", refundableCents: 0 });
  });

  test("is reported to webhooks once, when it opens", async () => {
    const receiver = await startWebhookReceiver();
    const { body } = await owner.post("/api/admin/webhooks", {
      url: receiver.url,
      events: ["dispute.opened"],
    });
    receiver.secret = body.data.secret;
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId, { amount: 1000 }));
    const { id } = shop.stripe.findDispute(paid.intentId);
    await deliverEventsFrom(() => shop.stripe.closeDispute(id, "lost"));
    expect(receiver.received).toMatchObject([
      { type: "dispute.opened", isValid: true, data: { id: paid.id, dispute: { id, amount: 1000 } } },
    ]);
    await send(owner, "DELETE", `/api/admin/webhooks/${body.data.id}`);
    await receiver.stop();
  });

  test("is booked as a chargeback if lost, so that its amount can no longer be refunded", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => {
      shop.stripe.dispute(paid.intentId);
      shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "lost");
    });

    expect((await readOrder(paid)).events.at(-1)).toMatchObject({
      to: "refunded",
      note: "Charged back by the buyer’s bank",
    });
    expect(await readOrder(paid)).toMatchObject({
      status: "refunded",
      refundableCents: 0,
      totals: { refunded: 0, chargedBack: 3590 },
    });
    // The thank-you page, which promises a parcel, redirects to the order.
    const thankYouPage = await paid.browser.fetch(`/checkout/success?session_id=${paid.intentId}`);
    expect([thankYouPage.status, thankYouPage.headers.get("location")]).toEqual([302, `/orders/${paid.id}`]);
    const refused = await owner.post(`/api/admin/orders/${paid.id}/refund`, {});
    expect(refused.status).toBe(409);
    expect(await readIssues(paid)).toEqual([
      expect.objectContaining({
        kind: "dispute_closed",
        isOpen: true,
        message: "The dispute over $35.90 (fraudulent) was lost: $35.90 was taken, and a fee of $15.00",
      }),
    ]);
  });

  test("closes, if lost, the issue about a refund that the provider has refused", async () => {
    const paid = await placePaidOrder();
    shop.stripe.failNext({ path: "/v1/refunds", method: "POST", how: 400 });
    expect((await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: 1000 })).status).toBe(409);
    expect(await readIssues(paid)).toEqual([
      expect.objectContaining({ kind: "refund_refused", isOpen: true }),
    ]);
    await deliverEventsFrom(() => {
      shop.stripe.dispute(paid.intentId);
      shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "lost");
    });
    expect(await readIssues(paid)).toContainEqual(
      expect.objectContaining({ kind: "refund_refused", isOpen: false }),
    );
  });

  test("over a part of the amount leaves the rest refundable", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => {
      shop.stripe.dispute(paid.intentId, { amount: 1000 });
      shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "lost");
    });
    expect(await readOrder(paid)).toMatchObject({
      status: "partially_refunded",
      refundableCents: 2590,
      totals: { refunded: 0, chargedBack: 1000 },
    });
    const excessiveRefund = await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: 2591 });
    expect(excessiveRefund).toMatchObject({
      status: 422,
      body: { fields: { amount: "At most $25.90 can be refunded" } },
    });
    expect(await isListedForShipping(paid)).toBe(false);
  });

  test("gives back everything but the fee if won", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    await deliverEventsFrom(() => shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "won"));

    expect(await readOrder(paid)).toMatchObject({
      status: "completed",
      refundableCents: 3590,
      totals: { chargedBack: 0 },
    });
    expect(await isListedForShipping(paid)).toBe(true);
    expect((await readOrder(paid)).events.map(({ note }: { note: string | null }) => note)).toEqual([
      null,
      "Paid",
      "Disputed by the buyer’s bank: $35.90 (fraudulent)",
      "Dispute won",
    ]);
    expect((await readIssues(paid)).filter(({ isOpen }) => isOpen)).toEqual([
      expect.objectContaining({
        kind: "dispute_closed",
        message:
          "The dispute over $35.90 (fraudulent) was won: the money comes back; the fee of $15.00 does not",
      }),
    ]);
  });

  test("restores the amount booked as lost if the verdict is overturned", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => {
      shop.stripe.dispute(paid.intentId);
      shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "lost");
    });
    await deliverEventsFrom(() => shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "won"));
    expect(await readOrder(paid)).toMatchObject({ status: "completed", refundableCents: 3590 });
  });

  test("puts the order on hold if it is an inquiry, and withdraws money only once it is escalated", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId, { isInquiry: true }));
    expect(await isListedForShipping(paid)).toBe(false);
    expect(await readOrder(paid)).toMatchObject({ refundableCents: 3590 });
    expect((await readIssues(paid))[0]?.message).toContain("no money has been taken yet");

    await deliverEventsFrom(() => shop.stripe.escalateInquiry(shop.stripe.findDispute(paid.intentId).id));
    expect(await readOrder(paid)).toMatchObject({ refundableCents: 0 });
    expect((await readIssues(paid))[0]?.message).toContain("takes back $35.90");
  });

  test("has the same result if its events arrive in reverse and twice", async () => {
    const paid = await placePaidOrder();
    const emitEvents = () => {
      shop.stripe.dispute(paid.intentId);
      shop.stripe.answerDispute(shop.stripe.findDispute(paid.intentId).id);
      shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "lost");
    };
    await deliverEventsFrom(emitEvents, (events) => [...events, ...events].reverse());
    expect(await readOrder(paid)).toMatchObject({ status: "refunded", totals: { chargedBack: 3590 } });
    expect((await readIssues(paid)).filter(({ isOpen }) => isOpen)).toHaveLength(1);
    const events = (await readOrder(paid)).events.filter(({ to }: { to: string }) => to === "refunded");
    expect(events).toHaveLength(1);
  });

  test("is stored with the payment if its events arrive before the payment's", async () => {
    const browser = shop.browser();
    const { body } = await order(browser);
    const paid = { browser, id: body.orderId, intentId: body.paymentIntentId };
    const succeeded = shop.stripe.pay(paid.intentId);
    await deliverEventsFrom(() => {
      shop.stripe.dispute(paid.intentId);
      shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "lost");
    });
    await shop.send(succeeded);
    await shop.jobsDone();
    expect(await readOrder(paid)).toMatchObject({ status: "refunded", totals: { chargedBack: 3590 } });
  });

  test("is not reset by an outdated response of the provider that arrives late", async () => {
    const paid = await placePaidOrder();
    shop.stripe.dispute(paid.intentId);
    const { id } = shop.stripe.findDispute(paid.intentId);
    const { provider } = shop.ctx;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isFirst = true;
    const slowSync = syncDispute(
      {
        ...shop.ctx,
        provider: {
          ...provider,
          async retrieveDispute(disputeId) {
            const response = await provider.retrieveDispute(disputeId);
            if (isFirst) {
              isFirst = false;
              await released;
            }
            return response;
          },
        },
      },
      id,
    );
    shop.stripe.closeDispute(id, "lost");
    await syncDispute(shop.ctx, id);
    release();
    await slowSync;
    const [row] = await shop.database.db.select().from(disputes).where(eq(disputes.id, id));
    expect(row).toMatchObject({ status: "lost", chargedBackCents: 3590, heldCents: 0, feeCents: 1500 });
  });

  test("is found by reconciliation if all its events were lost, as is its outcome", async () => {
    const paid = await placePaidOrder();
    const from = new Date(Date.now() - 60_000);
    shop.stripe.dispute(paid.intentId);
    await syncDisputesSince(shop.ctx, from);
    expect(await isListedForShipping(paid)).toBe(false);

    shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "lost");
    // The dispute was opened long before, so the list no longer contains it.
    await syncDisputesSince(shop.ctx, new Date(Date.now() + 60_000));
    expect(await readOrder(paid)).toMatchObject({ status: "refunded" });
    expect(await syncDispute(shop.ctx, shop.stripe.findDispute(paid.intentId).id)).toBe("unchanged");
    expect(await syncDisputesSince(shop.ctx, from)).toMatchObject({ changed: 0, failed: 0 });
  });

  test("of a cancelled order delays its refund until the dispute is won", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    expect((await paid.browser.post(`/api/orders/${paid.id}/cancel`)).status).toBe(200);
    await shop.jobsDone();
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(0);
    await deliverEventsFrom(() => shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "won"));
    expect(shop.stripe.refundedAmount(paid.intentId)).toBe(3590);
    expect(await readOrder(paid)).toMatchObject({
      status: "refunded",
      totals: { refunded: 3590, chargedBack: 0 },
    });
  });

  test("raises an issue from its event alone if the Stripe key may not read it", async () => {
    const paid = await placePaidOrder();
    shop.stripe.failNext({ path: "/v1/disputes", how: 403, times: 2 });
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    expect((await readIssues(paid)).map(({ kind }) => kind)).toEqual(["dispute"]);
    expect(await isListedForShipping(paid)).toBe(false);
    const [issue] = (await readOrder(paid)).attention;
    await owner.post(`/api/admin/attention/${issue.id}/resolve`, { note: "Answered" });
    expect(await isListedForShipping(paid)).toBe(true);

    await syncDispute(shop.ctx, shop.stripe.findDispute(paid.intentId).id);
    expect(await isListedForShipping(paid)).toBe(false);
  });

  test("of another program's payment is ignored", async () => {
    const foreign = shop.stripe.addIntent({ amount: 500, currency: "usd", metadata: {} });
    shop.stripe.pay(foreign.id);
    await deliverEventsFrom(() => shop.stripe.dispute(foreign.id));
    const { id } = shop.stripe.findDispute(foreign.id);
    expect(shop.stripe.requests.some(({ path }) => path === `/v1/disputes/${id}`)).toBe(false);
    expect(await syncDispute(shop.ctx, id)).toBe("foreign");
    shop.stripe.closeDispute(id, "won");
    shop.stripe.refundFromDashboard(foreign.id, 500);
  });
});

describe("shipping a disputed order", () => {
  const parcel = { carrier: "UPS", trackingNumber: "1Z999AA10123456784" };

  async function readNewestActivity() {
    return (await owner.get("/api/admin/activity?limit=1")).body.data[0];
  }

  test("needs a reason, which the activity log records", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    const path = `/api/admin/orders/${paid.id}/ship`;
    for (const body of [
      parcel,
      { ...parcel, force: true },
      { ...parcel, force: true, reason: "  " },
      { ...parcel, reason: "He paid by bank" },
    ]) {
      const refused = await owner.post(path, body);
      expect(refused).toMatchObject({ status: 409, body: { error: "invalid_state" } });
      expect(refused.body.message).toContain("disputes the payment");
    }
    expect(await readOrder(paid)).toMatchObject({
      shipHold: "dispute",
      fulfilment: null,
      may: { ship: true },
      needsAttention: expect.stringContaining("Nothing of this order has shipped"),
    });

    const response = await owner.post(path, { ...parcel, force: true, reason: "He paid by bank" });
    expect(response).toMatchObject({
      status: 200,
      body: { data: { status: "shipped", needsAttention: expect.stringMatching(/\(\w+\)$/) } },
    });
    expect((await readNewestActivity()).summary).toMatch(
      /^Order #\d+ shipped with UPS, although its payment is disputed: He paid by bank$/,
    );
  });

  test("reports again that nothing has shipped if it is undone before the dispute is answered; a closed issue stays closed", async () => {
    const nothing = "Nothing of this order has shipped";
    const ship = async ({ id }: PaidOrder) => {
      const shipmentId = randomUUID();
      const forced = { ...parcel, force: true, reason: "He paid by bank", shipmentId, canUndo: true };
      const path = `/api/admin/orders/${id}`;
      expect((await owner.post(`${path}/ship`, forced)).status).toBe(200);
      return async () => {
        const undone = await owner.post(`${path}/shipments/${shipmentId}/undo`, {});
        expect(undone.status, JSON.stringify(undone.body)).toBe(200);
      };
    };
    const readIssueMessage = async (paid: PaidOrder) => (await readIssues(paid))[0]?.message;
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    const undo = await ship(paid);
    expect(await readIssueMessage(paid)).not.toContain(nothing);
    await undo();
    await undo();
    expect((await readIssueMessage(paid))?.split(nothing)).toHaveLength(2);

    const [issue] = await shop.database.db.select().from(issues).where(eq(issues.orderId, paid.id));
    expect((await owner.post(`/api/admin/attention/${issue?.id}/resolve`, {})).status).toBe(200);
    const undoAgain = await ship(paid);
    expect(await readIssueMessage(paid)).toContain(nothing);
    await undoAgain();

    const answered = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.dispute(answered.intentId));
    const undoAnswered = await ship(answered);
    await shop.database.db
      .update(disputes)
      .set({ status: "under_review" })
      .where(eq(disputes.orderId, answered.id));
    await undoAnswered();
    expect(await readIssueMessage(answered)).not.toContain(nothing);
  });

  test("in bulk skips and reports it, unless a reason is given", async () => {
    const [disputed, undisputed] = [await placePaidOrder(), await placePaidOrder()];
    await deliverEventsFrom(() => shop.stripe.dispute(disputed.intentId));
    const path = "/api/admin/orders/ship";
    const first = await owner.post(path, {
      orders: [disputed, undisputed].map(({ id }) => ({ id, ...parcel })),
    });
    expect(first.body.data).toEqual([
      expect.objectContaining({
        id: disputed.id,
        ok: false,
        shipHold: "dispute",
        reason: expect.stringContaining("disputes the payment"),
      }),
      { id: undisputed.id, ok: true, number: expect.any(Number), shipmentId: expect.any(String) },
    ]);
    const withReason = await owner.post(path, {
      orders: [{ id: disputed.id, ...parcel, force: true, reason: "Agreed on the phone" }],
    });
    expect(withReason.body.data).toEqual([expect.objectContaining({ ok: true, shipHold: "dispute" })]);
    expect((await readNewestActivity()).summary).toContain(
      "although its payment is disputed: Agreed on the phone",
    );
  });

  test("needs no reason once the dispute is won", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    await deliverEventsFrom(() => shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "won"));
    const shipResponse = await owner.post(`/api/admin/orders/${paid.id}/ship`, {
      ...parcel,
      force: true,
      reason: "x",
    });
    expect(shipResponse.status).toBe(200);
    expect((await readNewestActivity()).summary).toMatch(/shipped with UPS$/);
  });
});

test("an issue names amount, reason and deadline of a dispute, and links to the page that answers it", async () => {
  const paid = await placePaidOrder();
  await deliverEventsFrom(() =>
    shop.stripe.dispute(paid.intentId, { reason: "product_not_received", dueBy }),
  );
  const facts = {
    kind: "dispute",
    amount: 3590,
    reason: "product not received",
    dueAt: "2026-12-02T23:59:59.000Z",
    url: `https://dashboard.stripe.com/test/disputes/${shop.stripe.findDispute(paid.intentId).id}`,
  };
  const issues = (await owner.get("/api/admin/attention")).body.data;
  expect(issues.find(({ orderId }: { orderId: string }) => orderId === paid.id)).toMatchObject(facts);
  expect((await readOrder(paid)).attention).toEqual([expect.objectContaining(facts)]);
  expect((await readOrder(paid)).disputes).toEqual([
    expect.objectContaining({
      amount: 3590,
      held: 3590,
      chargedBack: 0,
      fee: 1500,
      status: "needs_response",
    }),
  ]);
});

describe("the books", () => {
  const readOverview = async () => (await owner.get("/api/admin/overview")).body.data;

  async function readExportRow({ id }: PaidOrder): Promise<Record<string, string>> {
    const file = (await owner.get("/api/admin/orders.csv?status=all")).body as string;
    const [head = [], ...rows] = file
      .trim()
      .split(/\r?\n/)
      .map((line) =>
        [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, a, b]) => a ?? b ?? ""),
      );
    const row = rows.find((cells) => cells[head.indexOf("Order id")] === id) ?? [];
    return Object.fromEntries(head.map((title, index) => [title, row[index] ?? ""]));
  }

  test("list a lost dispute and its fee separately in all sums", async () => {
    const before = await readOverview();
    const paid = await placePaidOrder();
    const afterSale = await readOverview();
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    // An open dispute costs only the fee.
    const whileOpen = await readOverview();
    expect(whileOpen.figures.chargedBackCents - before.figures.chargedBackCents).toBe(0);
    expect(whileOpen.figures.disputeFeeCents - before.figures.disputeFeeCents).toBe(1500);
    expect(whileOpen.donated.totalCents).toBe(afterSale.donated.totalCents);

    await deliverEventsFrom(() =>
      shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "lost"),
    );
    const afterLoss = await readOverview();
    const figureIncrease = (
      name: "salesCents" | "refundedCents" | "chargedBackCents" | "disputeFeeCents" | "chargebacks",
    ) => afterLoss.figures[name] - before.figures[name];
    expect({
      sales: figureIncrease("salesCents"),
      refunded: figureIncrease("refundedCents"),
      chargebacks: figureIncrease("chargebacks"),
      chargedBack: figureIncrease("chargedBackCents"),
      fees: figureIncrease("disputeFeeCents"),
    }).toEqual({ sales: 2995, refunded: 0, chargebacks: 1, chargedBack: 3590, fees: 1500 });
    expect(afterLoss.donated.totalCents).toBe(before.donated.totalCents);
    expect(await readExportRow(paid)).toMatchObject({
      Total: "35.90",
      Refunded: "0.00",
      "Charged back": "35.90",
      "Dispute fees": "15.00",
    });
    // The sums stored by the job equal those computed live.
    shop.travel(60 * 60 * 1000);
    await refreshSales(shop.database.db, { now: shop.ctx.now(), timeZone: afterLoss.timeZone });
    expect((await readOverview()).figures.chargedBackCents).toBe(afterLoss.figures.chargedBackCents);
    expect((await readOverview()).figures.disputeFeeCents).toBe(afterLoss.figures.disputeFeeCents);
    shop.travel(-60 * 60 * 1000);
  });

  test("follow a verdict that is overturned after the sums of its day have been stored", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => {
      shop.stripe.dispute(paid.intentId);
      shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "lost");
    });
    const { timeZone } = await readOverview();
    const storeSums = () => refreshSales(shop.database.db, { now: shop.ctx.now(), timeZone });
    shop.travel(4 * 24 * 60 * 60 * 1000);
    // The owner's session has expired by now.
    owner = await adminBrowser(shop);
    await storeSums();
    const { figures } = await readOverview();
    await deliverEventsFrom(() =>
      shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "won", 1500),
    );
    await storeSums();
    const after = (await readOverview()).figures;
    expect(figures.chargedBackCents - after.chargedBackCents).toBe(3590);
    expect(figures.disputeFeeCents - after.disputeFeeCents).toBe(1500);
    shop.travel(-4 * 24 * 60 * 60 * 1000);
    owner = await adminBrowser(shop);
  });
});

describe("an order with a pending refund", () => {
  test("in full is not listed for shipping unless the refund fails", async () => {
    const paid = await placePaidOrder();
    shop.stripe.letRefundsWait(true);
    await owner.post(`/api/admin/orders/${paid.id}/refund`, {});
    shop.stripe.letRefundsWait(false);
    await shop.jobsDone();
    expect(await isListedForShipping(paid)).toBe(false);
    expect((await owner.get("/api/orders?status=all&limit=1")).body.data[0]).toMatchObject({
      delivery: "on_hold",
    });
    const refused = await owner.post(`/api/admin/orders/${paid.id}/ship`, {
      carrier: "UPS",
      trackingNumber: "1",
    });
    expect(refused).toMatchObject({ status: 409, body: { error: "invalid_state" } });

    await deliverEventsFrom(() => {
      for (const event of shop.stripe.events) {
        const { object, payment_intent, id } = event.data.object as Record<string, string>;
        if (event.type === "refund.created" && payment_intent === paid.intentId && object === "refund") {
          shop.stripe.bounceRefund(id ?? "");
        }
      }
    });
    expect(await isListedForShipping(paid)).toBe(true);
  });

  test("in part is still listed for shipping", async () => {
    const paid = await placePaidOrder();
    shop.stripe.letRefundsWait(true);
    await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: 3589 });
    shop.stripe.letRefundsWait(false);
    await shop.jobsDone();
    expect(await isListedForShipping(paid)).toBe(true);
    await deliverEventsFrom(() => shop.stripe.settleAllRefunds());
  });
});

describe("a provider's warning of fraud", () => {
  test("raises an issue until the payment is refunded", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.warnOfFraud(paid.intentId));
    expect(await readIssues(paid)).toEqual([
      expect.objectContaining({ kind: "fraud_warning", isOpen: true }),
    ]);
    expect((await readIssues(paid))[0]?.message).toContain("made with stolen card");
    await owner.post(`/api/admin/orders/${paid.id}/refund`, {});
    await shop.jobsDone();
    expect((await readIssues(paid))[0]?.isOpen).toBe(false);
  });

  test("raises an issue from its event alone if the Stripe key may not read it, as does a review", async () => {
    const paid = await placePaidOrder();
    shop.stripe.failNext({ path: "/v1/radar", how: 403, times: 2 });
    shop.stripe.failNext({ path: "/v1/reviews", how: 403, times: 4 });
    await deliverEventsFrom(() => shop.stripe.warnOfFraud(paid.intentId));
    await deliverEventsFrom(() => shop.stripe.openReview(paid.intentId));
    const [review] = shop.stripe.events.slice(-1).map(({ data }) => data.object as { id: string });
    expect((await readIssues(paid)).map(({ kind, isOpen }) => [kind, isOpen])).toEqual([
      ["fraud_warning", true],
      ["payment_review", true],
    ]);
    await deliverEventsFrom(() => shop.stripe.closeReview(review?.id ?? ""));
    shop.stripe.endTrouble();
    expect((await readIssues(paid)).map(({ isOpen }) => isOpen)).toEqual([true, false]);
  });

  test("is replaced by the dispute that follows", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.warnOfFraud(paid.intentId));
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    expect((await readIssues(paid)).filter(({ isOpen }) => isOpen).map(({ kind }) => kind)).toEqual([
      "dispute",
    ]);
  });
});

describe("an order whose payment may be fraudulent", () => {
  const parcel = { carrier: "UPS", trackingNumber: "1Z999AA10123456784" };
  const readShipHold = async (paid: PaidOrder) => (await readOrder(paid)).shipHold;
  const readIssue = async (paid: PaidOrder) => (await readOrder(paid)).attention[0];

  async function readDelivery({ id }: PaidOrder): Promise<string> {
    const { body } = await owner.get("/api/orders?status=all&limit=100");
    return body.data.find(({ orderId }: { orderId: string }) => orderId === id).delivery;
  }

  test.each([
    ["warned of", "fraud", (intentId: string) => shop.stripe.warnOfFraud(intentId)],
    ["under review", "review", (intentId: string) => shop.stripe.openReview(intentId)],
  ])("is held when its payment is %s, until the owner resolves the issue", async (_, hold, emitWarning) => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => void emitWarning(paid.intentId));
    expect(await readOrder(paid)).toMatchObject({
      shipHold: hold,
      may: { ship: true, refund: true, cancel: true, editItems: false },
    });
    expect([await isListedForShipping(paid), await readDelivery(paid)]).toEqual([false, "on_hold"]);
    const { queues, data } = (await owner.get("/api/orders?status=on_hold&limit=100")).body;
    expect(data.map(({ orderId }: { orderId: string }) => orderId)).toContain(paid.id);
    expect(queues.on_hold).toBe(data.length);
    expect((await owner.get("/api/admin/to-do")).body.data.held.count).toBe(data.length);
    expect((await owner.get(`/api/admin/packing/${paid.id}`)).body.data).toMatchObject({ shipHold: hold });
    expect(JSON.stringify((await owner.get("/api/admin/packing")).body.data)).not.toContain(paid.id);

    const path = `/api/admin/orders/${paid.id}/ship`;
    for (const body of [parcel, { ...parcel, force: true }]) {
      expect(await owner.post(path, body)).toMatchObject({ status: 409, body: { error: "invalid_state" } });
    }
    const bulk = await owner.post("/api/admin/orders/ship", { orders: [{ id: paid.id, ...parcel }] });
    expect(bulk.body.data).toEqual([expect.objectContaining({ ok: false, shipHold: hold })]);

    // A repeated event of the provider does not undo the owner's decision.
    const issue = await readIssue(paid);
    const note = "He called: it was him";
    await owner.post(`/api/admin/attention/${issue.id}/resolve`, { note });
    expect([await isListedForShipping(paid), await readShipHold(paid)]).toEqual([true, null]);
    const log = (await owner.get("/api/admin/activity?limit=1")).body.data;
    expect(log[0].summary).toContain(note);
    await deliver(shop.stripe.events.length - 1);
    expect(await readShipHold(paid)).toBeNull();
  });

  test("can be shipped with a reason, which the activity log records", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.warnOfFraud(paid.intentId));
    const forcedParcel = { ...parcel, force: true, reason: "Known customer" };
    expect((await owner.post(`/api/admin/orders/${paid.id}/ship`, forcedParcel)).status).toBe(200);
    const log = (await owner.get("/api/admin/activity?limit=1")).body.data;
    expect(log[0].summary).toMatch(/although its payment may be fraud: Known customer$/);
  });

  test("is held by the warning even if its payment is booked later", async () => {
    const browser = shop.browser();
    const { body } = await order(browser);
    const paid = { browser, id: body.orderId, intentId: body.paymentIntentId };
    const succeeded = shop.stripe.pay(paid.intentId);
    await deliverEventsFrom(() => shop.stripe.warnOfFraud(paid.intentId));
    await shop.send(succeeded);
    await shop.jobsDone();
    expect([await isListedForShipping(paid), await readShipHold(paid)]).toEqual([false, "fraud"]);
  });

  test("is no longer held once it is refunded in full", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.warnOfFraud(paid.intentId));
    await owner.post(`/api/admin/orders/${paid.id}/cancel`, {});
    await shop.jobsDone();
    expect(await readOrder(paid)).toMatchObject({ status: "refunded", shipHold: null, attention: [] });
  });

  test("stays held after a partial refund", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.warnOfFraud(paid.intentId));
    await owner.post(`/api/admin/orders/${paid.id}/refund`, { amount: 1000 });
    await shop.jobsDone();
    expect(await readShipHold(paid)).toBe("fraud");
  });

  test("can be shipped once its review is approved at the provider", async () => {
    const paid = await placePaidOrder();
    const opened = shop.stripe.openReview(paid.intentId);
    await shop.send(opened);
    await shop.jobsDone();
    expect(await readShipHold(paid)).toBe("review");
    await deliverEventsFrom(() => shop.stripe.closeReview((opened.data.object as { id: string }).id));
    expect([await isListedForShipping(paid), await readShipHold(paid)]).toEqual([true, null]);
  });

  test("cannot be shipped if its review ended with a refund, even before the refund's event arrives", async () => {
    const paid = await placePaidOrder();
    const opened = shop.stripe.openReview(paid.intentId);
    await shop.send(opened);
    await shop.jobsDone();
    shop.stripe.refundFromDashboard(paid.intentId, 3590);
    const from = shop.stripe.events.length;
    shop.stripe.closeReview((opened.data.object as { id: string }).id, "refunded_as_fraud");
    await deliver(from);
    expect(await readOrder(paid)).toMatchObject({ status: "refunded" });
    expect(await isListedForShipping(paid)).toBe(false);
  });

  test("is held by the dispute that replaces the warning", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.warnOfFraud(paid.intentId));
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    expect(await readShipHold(paid)).toBe("dispute");
  });

  test("is held by a warning about one payment even after the dispute over another payment is won", async () => {
    const paid = await placePaidOrder();
    const path = `/api/admin/orders/${paid.id}`;
    const requested = { add: [{ productId: 1, quantity: 1 }], remove: [], shipping: 0 };
    const { version, difference } = (await owner.post(`${path}/items/preview`, requested)).body.data;
    const editResponse = await owner.post(`${path}/items`, { ...requested, version, difference });
    const [{ id: editId }] = editResponse.body.data.changes;
    const token = new URL((await owner.post(`${path}/items/${editId}/link`)).body.url).searchParams.get(
      "token",
    );
    const { url } = (await shop.browser().post(`/api/pay-change/${editId}`, { token })).body.data;
    const session = shop.stripe.sessions().find((candidate) => candidate.url === url);
    await deliverEventsFrom(() => shop.stripe.completeSession(session?.id ?? ""));
    await deliverEventsFrom(() => shop.stripe.dispute(paid.intentId));
    await deliverEventsFrom(() => shop.stripe.warnOfFraud(String(session?.payment_intent)));
    expect(await readShipHold(paid)).toBe("dispute");
    await deliverEventsFrom(() => shop.stripe.closeDispute(shop.stripe.findDispute(paid.intentId).id, "won"));
    expect([await isListedForShipping(paid), await readShipHold(paid)]).toEqual([false, "fraud"]);
  });
});

describe("a review at the provider", () => {
  test("is an issue while it is open", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(() => shop.stripe.openReview(paid.intentId));
    const [open] = await readIssues(paid);
    expect(open).toMatchObject({ kind: "payment_review", isOpen: true });
    const [review] = shop.stripe.events.slice(-1).map(({ data }) => data.object as { id: string });
    await deliverEventsFrom(() => shop.stripe.closeReview(review?.id ?? ""));
    expect(await readIssues(paid)).toEqual([expect.objectContaining({ isOpen: false })]);
  });

  test("raises no issue once closed, even if its events arrive in reverse", async () => {
    const paid = await placePaidOrder();
    await deliverEventsFrom(
      () => {
        const opened = shop.stripe.openReview(paid.intentId);
        shop.stripe.closeReview((opened.data.object as { id: string }).id);
      },
      (events) => events.reverse(),
    );
    expect((await readIssues(paid)).filter(({ isOpen }) => isOpen)).toEqual([]);
  });
});
