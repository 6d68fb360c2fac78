import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser, lastTwoDays } from "../../test/admin.ts";
import { confirm, goodCard, order } from "../../test/checkout.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { findRuleViolations } from "../../test/order-rules.ts";
import { openPlain } from "../../test/plain-browser.ts";
import { type ApiResponse, openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { stock } from "../inventory/tables.ts";
import { cancelOrder } from "../order-desk/cancel-order.ts";
import { orders } from "../orders/tables.ts";
import { sandboxIntents } from "../payment-providers/tables.ts";
import { paymentLink } from "../payments/payment-link.ts";
import { payments } from "../payments/tables.ts";
import { signToken } from "../platform/http/signed-token.ts";
import { orderDrafts } from "./tables.ts";

let shop: TestShop;
let owner: TestBrowser;
beforeAll(async () => {
  shop = await openTestShop();
  owner = await adminBrowser(shop);
});
afterAll(async () => {
  expect(await findRuleViolations(shop.database.db)).toEqual([]);
  await shop.stop();
});

const path = "/api/admin/drafts";
const draftFields = (changes: object = {}) => ({
  email: "phone@example.com",
  customerName: "Ida Kern",
  phone: "512 555 0123",
  shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
  shippingOption: "us-standard",
  items: [{ productId: 1, quantity: 1 }],
  ...changes,
});

async function send(method: string, to: string, body: object, browser = owner): Promise<ApiResponse> {
  const init = { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await browser.fetch(to, init);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

async function createDraft(changes: object = {}) {
  const { status, body } = await owner.post(path, draftFields(changes));
  expect(status).toBe(201);
  return body.data;
}

const readDraft = async (id: string) => (await owner.get(`${path}/${id}`)).body.data;
/** The token of a draft's link, even if the panel no longer shows the link. */
const createToken = ({ createdAt, ...draft }: CreatedDraft) => {
  const link = paymentLink(shop.ctx, { ...draft, createdAt: new Date(createdAt) });
  return new URL(link).searchParams.get("token") ?? "";
};
const readReserved = async () => (await shop.database.db.select().from(stock))[0]?.reserved;

type CreatedDraft = { id: string; email: string; createdAt: string };

/** Opens the link and starts the payment, as its form does. */
async function openLink(draft: CreatedDraft, browser = shop.browser()) {
  const token = createToken(draft);
  const page = await browser.get(`/api/pay/${draft.id}?token=${token}`);
  return browser.post(`/api/pay/${draft.id}`, { token, total: page.body.data.quote.totals.total });
}

async function payInSandbox(orderId: string) {
  const [payment] = await shop.database.db.select().from(payments).where(eq(payments.orderId, orderId));
  const [intent] = await shop.database.db
    .select()
    .from(sandboxIntents)
    .where(eq(sandboxIntents.sessionId, payment?.sessionId ?? ""));
  const response = await shop.browser().post(`/api/sandbox/payment-intents/${intent?.id}/confirm`, {
    clientSecret: intent?.clientSecret,
    card: goodCard,
  });
  expect(response.status).toBe(200);
  await shop.jobsDone();
}

describe("a draft", () => {
  test("is priced like a checkout, and can be edited, copied and deleted by people with the right role", async () => {
    const draft = await createDraft({ discountCents: 500 });
    expect(draft).toMatchObject({
      status: "open",
      revision: 1,
      problems: {},
      order: null,
      quote: { totals: { subtotal: 2995, discount: 500, shipping: 595, total: 3090 } },
    });
    expect(await readReserved()).toBe(0);
    const editResponse = await send("PATCH", `${path}/${draft.id}`, {
      ...draftFields({ note: "Rang" }),
      revision: 1,
    });
    expect(editResponse.body.data).toMatchObject({
      revision: 2,
      note: "Rang",
      quote: { totals: { total: 3590 } },
    });
    const staleEdit = await send("PATCH", `${path}/${draft.id}`, { ...draftFields(), revision: 1 });
    expect([staleEdit.status, staleEdit.body.error]).toEqual([409, "invalid_state"]);
    const copy = await owner.post(`${path}/${draft.id}/duplicate`);
    expect(copy.body.data).toMatchObject({ note: "Rang", revision: 1, order: null });
    expect((await owner.get(path)).body.data.map(({ id }: { id: string }) => id)).toContain(
      copy.body.data.id,
    );
    expect((await send("DELETE", `${path}/${draft.id}`, { revision: 2 })).status).toBe(200);
    expect((await owner.get(`${path}/${draft.id}`)).status).toBe(404);
    const { status, body } = await owner.post(path, draftFields({ email: "nobody", items: [] }));
    expect([status, Object.keys(body.fields)]).toEqual([422, ["email", "items"]]);
    for (const call of [shop.browser().get(path), shop.browser().post(path, draftFields())]) {
      expect((await call).status).toBe(401);
    }
  });

  test("is sold at agreed prices, and a preview shows its total and its reduction", async () => {
    const agreedPrices = {
      items: [{ productId: 1, quantity: 3, price: 2000 }],
      shippingOption: "us-standard",
      shippingCents: 100,
    };
    const preview = (changes: object = {}) =>
      owner.post(`${path}/preview`, {
        shipping: { country: "US", state: "TX" },
        ...agreedPrices,
        ...changes,
      });
    const previewed = (await preview()).body.data;
    // Three units cost $89.85 in the shop, with free shipping.
    expect(previewed).toMatchObject({
      takenOff: 2985,
      problems: {},
      quote: { totals: { subtotal: 6000, shipping: 100, total: 6100 } },
    });
    const higherPrice = { items: [{ productId: 1, quantity: 1, price: 4000 }], shippingCents: 0 };
    expect((await preview(higherPrice)).body.data).toMatchObject({
      takenOff: 595,
      quote: { totals: { total: 4000 } },
    });
    const tooCheap = { items: [{ productId: 1, quantity: 1, price: 10 }], shippingCents: 0 };
    expect((await preview(tooCheap)).body.data.problems.items).toBe("At least $0.50 must be left to pay.");
    expect((await preview({ shippingCents: -1 })).status).toBe(422);
    expect((await shop.browser().post(`${path}/preview`, agreedPrices)).status).toBe(401);

    const draft = await createDraft({ email: "agreed@example.com", ...agreedPrices });
    expect(draft).toMatchObject({ ...previewed, items: agreedPrices.items, shippingCents: 100 });
    const opened = await openLink(draft);
    expect(opened.status).toBe(200);
    const { orderId } = opened.body.data;
    await payInSandbox(orderId);
    expect((await owner.get(`/api/admin/orders/${orderId}`)).body.data).toMatchObject({
      status: "completed",
      items: [{ price: 2000, quantity: 3, total: 6000 }],
      totals: { discount: 0, shipping: 100, total: 6100 },
    });
    const paidInCash = await createDraft({ email: "agreed@example.com", ...agreedPrices });
    const paid = { revision: 1, method: "cash", reason: "At the market", amount: 6100 };
    expect((await owner.post(`${path}/${paidInCash.id}/paid`, paid)).body.data.status).toBe("paid");
  });

  test("lists its problems, if any, and then can be paid neither by its link nor outside the shop", async () => {
    const draft = await createDraft({ items: [{ productId: 999, quantity: 1 }], shippingOption: "nowhere" });
    expect(Object.keys(draft.problems).sort()).toEqual(["items", "shippingOption"]);
    expect((await openLink(draft)).status).toBe(409);
    const amount = draft.quote.totals.total;
    const paid = { revision: 1, method: "cash", reason: "At the market", amount };
    expect((await owner.post(`${path}/${draft.id}/paid`, paid)).status).toBe(409);
  });
});

describe("a payment link", () => {
  test("is e-mailed, and leads everybody who opens it to the same order", async () => {
    const draft = await createDraft({
      email: "link@example.com",
      items: [{ productId: 1, quantity: 2 }],
      discountCents: 500,
    });
    expect((await owner.post(`${path}/${draft.id}/send`)).body.data.status).toBe("sent");
    await shop.jobsDone();
    const [mail] = keptMail(shop, "link@example.com", "payment_link");
    expect(mail).toContain(`/pay/${draft.id}`);
    expect(mail).toMatch(/2 × Pure Batana Oil, \$59\.90\s+Discount \(from the shop\): -\$5\.00/);
    const stranger = await shop.browser().get(`/api/pay/${draft.id}?token=1.abc.def`);
    expect(stranger.status).toBe(404);
    const token = createToken(draft);
    const outdatedTotal = await shop.browser().post(`/api/pay/${draft.id}`, { token, total: 1 });
    expect(outdatedTotal.body).toMatchObject({ error: "price_changed", total: draft.quote.totals.total });

    const opened = await Promise.all([openLink(draft), openLink(draft)]);
    expect(opened.map(({ status }) => status)).toEqual([200, 200]);
    const orderId: string = opened[0]?.body.data.orderId;
    expect(opened[1]?.body.data.orderId).toBe(orderId);
    expect(await readReserved()).toBe(2);
    expect((await readDraft(draft.id)).status).toBe("opened");
    await payInSandbox(orderId);
    expect(await readDraft(draft.id)).toMatchObject({ status: "paid", order: { id: orderId } });
    expect(await readReserved()).toBe(0);
    expect((await openLink(draft)).status).toBe(409);
    expect((await send("PATCH", `${path}/${draft.id}`, { ...draftFields(), revision: 1 })).status).toBe(409);
    expect((await send("DELETE", `${path}/${draft.id}`, { revision: 1 })).status).toBe(409);
  });

  test("becomes invalid when the draft gets another e-mail address, and counts as not sent to the new one", async () => {
    const draft = await createDraft({ email: "typo@example.com" });
    await owner.post(`${path}/${draft.id}/send`);
    const open = async (of: CreatedDraft) =>
      (await shop.browser().get(`/api/pay/${of.id}?token=${createToken(of)}`)).status;
    expect(await open(draft)).toBe(200);
    const fields = draftFields({ email: "right@example.com" });
    const changed = await send("PATCH", `${path}/${draft.id}`, { ...fields, revision: 1 });
    expect(changed.body.data.status).toBe("open");
    expect([await open(draft), await open(changed.body.data)]).toEqual([404, 200]);
  });

  test("still opens if it was mailed before links depended on the e-mail address", async () => {
    const { id } = await createDraft({ email: "early@example.com" });
    const expiresAt = new Date(Date.now() + 60_000);
    const token = signToken(shop.ctx.secret, { purpose: "payment-link", subject: id, expiresAt });
    expect((await shop.browser().get(`/api/pay/${id}?token=${token}`)).status).toBe(200);
  });

  test("leads to the current draft: an edit cancels the earlier order, and an expired one is replaced", async () => {
    const draft = await createDraft({ email: "changes@example.com" });
    const first = (await openLink(draft)).body.data.orderId;
    await send("PATCH", `${path}/${draft.id}`, {
      ...draftFields({ email: "changes@example.com", items: [{ productId: 1, quantity: 3 }] }),
      revision: 1,
    });
    const readOrderStatus = async (id: string) =>
      (await shop.database.db.select().from(orders).where(eq(orders.id, id)))[0]?.status;
    expect(await readOrderStatus(first)).toBe("cancelled");
    const second = (await openLink(draft)).body.data.orderId;
    expect(second).not.toBe(first);
    await owner.post(`/api/admin/orders/${second}/cancel`);
    const third = (await openLink(draft)).body.data.orderId;
    expect([third === second, await readOrderStatus(third)]).toEqual([false, "pending"]);
    const past = sql`now() - interval '1 day'`;
    await owner.post(`/api/admin/orders/${third}/cancel`);
    await shop.database.db.update(orderDrafts).set({ expiresAt: past }).where(eq(orderDrafts.id, draft.id));
    expect((await readDraft(draft.id)).status).toBe("expired");
    expect((await openLink(draft)).status).toBe(409);
  });
});

test("a payment link can be reopened even if its own order has the code's last use, and after a price change", async () => {
  const discount = { code: "ONCE", kind: "percent", value: 10, limitTotal: 1 };
  expect((await owner.post("/api/admin/discounts", discount)).status).toBe(201);
  const draft = await createDraft({ discountCode: "ONCE", email: "once@example.com" });
  const first = await openLink(draft);
  const reopened = await openLink(draft);
  expect([reopened.status, reopened.body.data?.orderId]).toEqual([200, first.body.data.orderId]);
  expect((await readDraft(draft.id)).problems).toEqual({});

  const { revision, price } = (await owner.get("/api/admin/products")).body.data[0];
  const setPrice = async (cents: number, revision: number) => {
    const response = await send("PUT", "/api/products/1/price", { price: cents, revision });
    expect(response.status).toBe(200);
    return response.body.data.revision;
  };
  const newRevision = await setPrice(price + 100, revision);
  const afterPriceChange = await openLink(draft);
  await setPrice(price, newRevision);
  expect(afterPriceChange.status).toBe(200);
  expect(afterPriceChange.body.data.orderId).not.toBe(first.body.data.orderId);
  const [formerOrder] = await shop.database.db
    .select()
    .from(orders)
    .where(eq(orders.id, first.body.data.orderId));
  expect(formerOrder?.status).toBe("cancelled");
  await owner.post(`/api/admin/orders/${afterPriceChange.body.data.orderId}/cancel`);
});

test("a call with an invalid revision number is refused", async () => {
  const draft = await createDraft();
  for (const revision of [0.5, 2_147_483_648, 1e15, 0, null]) {
    const paid = { revision, method: "cash", reason: "Tin", amount: 3590 };
    expect((await owner.post(`${path}/${draft.id}/paid`, paid)).status).toBe(422);
    expect((await send("DELETE", `${path}/${draft.id}`, { revision })).status).toBe(422);
  }
});

describe("marking a draft as paid outside the shop", () => {
  test("creates one order without a provider's payment", async () => {
    const draft = await createDraft({ email: "cash@example.com" });
    const linkOrderId = (await openLink(draft)).body.data.orderId;
    const paid = { revision: 1, method: "cash", reason: "At the market, in the tin", amount: 3590 };
    const pay = (body: object, browser = owner) => browser.post(`${path}/${draft.id}/paid`, body);
    expect((await pay(paid, shop.browser())).status).toBe(401);
    expect((await pay({ ...paid, reason: " " })).status).toBe(422);
    const responses = await Promise.all([pay(paid), pay(paid)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { status, order } = await readDraft(draft.id);
    expect([status, order.id === linkOrderId]).toEqual(["paid", false]);
    await shop.jobsDone();
    const paidOrder = (await owner.get(`/api/admin/orders/${order.id}`)).body.data;
    expect(paidOrder).toMatchObject({
      status: "completed",
      paidWith: "Cash",
      totals: { total: 3590 },
      payment: { provider: "manual", isConnected: false },
      may: { ship: true, refund: true },
    });
    expect(paidOrder.events.at(-1)).toMatchObject({
      actor: "owner",
      note: "Cash: At the market, in the tin",
    });
    expect(keptMail(shop, "cash@example.com", "order_confirmation")).toHaveLength(1);
    const shipResponse = await owner.post(`/api/admin/orders/${order.id}/ship`, {
      carrier: "UPS",
      trackingNumber: null,
    });
    expect(shipResponse.status).toBe(200);
  });

  test("makes refunds manual for the new order of its exchange as well", async () => {
    const draft = await createDraft({ email: "swaps@example.com" });
    const paid = { revision: 1, method: "bank", reason: "Transfer", amount: 3590 };
    const { order } = (await owner.post(`${path}/${draft.id}/paid`, paid)).body.data;
    const units = [{ productId: 1, quantity: 1 }];
    const swap = { returned: units, items: units };
    const { orderId } = (await owner.post(`/api/admin/orders/${order.id}/exchange`, swap)).body;
    const [{ id: returnId }] = (await owner.get(`/api/admin/orders/${order.id}`)).body.data.returns;
    expect((await send("PATCH", `/api/admin/returns/${returnId}`, { status: "closed" })).status).toBe(200);
    const page = (await owner.get(`/admin/orders/${orderId}`)).body;
    expect(page).toContain("Pay a refund back yourself. The shop only records it.");
    const refund = await owner.post(`/api/admin/orders/${orderId}/refund`, { amount: 500 });
    expect([refund.status, refund.body.data.refund.status]).toEqual([200, "succeeded"]);
  });

  test("makes refunds manual: one by the owner counts immediately, one for a cancellation once the owner has paid it", async () => {
    const createPaidOrder = async () => {
      const draft = await createDraft({ email: "back@example.com" });
      const body = { revision: 1, method: "bank", reason: "Transfer", amount: 3590 };
      return (await owner.post(`${path}/${draft.id}/paid`, body)).body.data.order.id;
    };
    const readOrder = async (id: string) => (await owner.get(`/api/admin/orders/${id}`)).body.data;
    const id = await createPaidOrder();
    const line = { items: [{ productId: 1, quantity: 1, restock: true }] };
    const responses = await Promise.all([0, 1].map(() => owner.post(`/api/admin/orders/${id}/refund`, line)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await owner.post(`/api/admin/orders/${id}/refund`, { amount: 596 })).status).toBe(422);
    expect((await owner.post(`/api/admin/orders/${id}/refund`, {})).status).toBe(200);
    expect(await readOrder(id)).toMatchObject({
      status: "refunded",
      needsAttention: null,
      refundableCents: 0,
      refunds: [
        { amount: 2995, status: "succeeded" },
        { amount: 595, status: "succeeded" },
      ],
    });
    await shop.jobsDone();
    const refundMails = keptMail(shop, "back@example.com", "refund_sent");
    expect(refundMails).toHaveLength(2);
    expect(refundMails[0]).toContain("to you the way you paid");
    expect(refundMails[0]).not.toContain("Your bank");

    const { from, to } = lastTwoDays();
    const ledger: string = (await owner.get(`/api/admin/books/ledger?from=${from}&to=${to}`)).body;
    const { number } = await readOrder(id);
    const ledgerLines = ledger
      .split("\n")
      .filter((line) => line.includes(`order #${number}`) || line.includes(`Order #${number} `));
    expect(ledgerLines.filter((line) => line.includes("Paid outside the shop"))).toHaveLength(3);
    expect(ledgerLines.some((line) => line.includes("Receivables"))).toBe(false);

    const cancelledId = await createPaidOrder();
    expect((await owner.post(`/api/admin/orders/${cancelledId}/cancel`)).status).toBe(200);
    await shop.jobsDone();
    expect(await readOrder(cancelledId)).toMatchObject({ status: "refunded", needsAttention: null });

    const orderId = await createPaidOrder();
    await cancelOrder(shop.ctx, orderId);
    await shop.jobsDone();
    const unrefunded = await readOrder(orderId);
    expect(unrefunded.needsAttention).toContain("Pay it back the way it was paid");
    expect([unrefunded.totals.refunded, unrefunded.may.refund]).toEqual([0, true]);
    expect((await owner.post(`/api/admin/orders/${orderId}/refund`, {})).status).toBe(200);
    expect(await readOrder(orderId)).toMatchObject({ status: "refunded", needsAttention: null });
  });

  /** Marks a draft as paid and opens its link in the sequence of `race`. A lock taken there ends 0.3 s after it. */
  const raceMarkAndLink = async (
    email: string,
    race: (calls: {
      lockDraft(): Promise<void>;
      markAsPaid(): void;
      openLink(): void;
      isMarkedAsPaid(): Promise<boolean>;
      isWaitingForLock(): Promise<boolean>;
    }) => Promise<void>,
  ) => {
    const draft = await createDraft({ email, discountCents: 100 });
    const token = createToken(draft);
    const calls: { mark?: Promise<ApiResponse>; link?: Promise<ApiResponse> } = {};
    const holder = await shop.database.pool.connect();
    try {
      await holder.query("begin");
      await race({
        async lockDraft() {
          await holder.query("select from order_drafts where id = $1 for update", [draft.id]);
        },
        markAsPaid() {
          const paid = { revision: 1, method: "cash", reason: "At the market", amount: 3490 };
          calls.mark = owner.post(`${path}/${draft.id}/paid`, paid);
        },
        openLink() {
          calls.link = shop.browser().post(`/api/pay/${draft.id}`, { token, total: 3490 });
        },
        async isMarkedAsPaid() {
          const rows = await shop.database.db.select().from(orderDrafts).where(eq(orderDrafts.id, draft.id));
          return rows.some(({ revision }) => revision > 1);
        },
        async isWaitingForLock() {
          const { rowCount } = await shop.database.pool.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          return rowCount === 1;
        },
      });
      await delay(300);
      await holder.query("rollback");
    } finally {
      holder.release();
    }
    const [mark, link] = await Promise.all([calls.mark, calls.link]);
    await shop.jobsDone();
    const rows = await shop.database.db.select().from(orders).where(eq(orders.email, email));
    const remainingOrders = rows
      .filter((order) => order.status !== "cancelled")
      .map(({ id, status }) => [id, status]);
    return { mark, link, remainingOrders, draft: await readDraft(draft.id) };
  };

  test("while its link is being opened, cancels the link's order", async () => {
    const { mark, remainingOrders, draft } = await raceMarkAndLink(
      "opening@example.com",
      async ({ lockDraft, isWaitingForLock, openLink, markAsPaid }) => {
        await lockDraft();
        openLink();
        await expect.poll(isWaitingForLock).toBe(true);
        markAsPaid();
      },
    );
    expect([mark?.status, mark?.body.message]).toEqual([200, undefined]);
    expect(remainingOrders).toEqual([[draft.order.id, "completed"]]);
    expect(draft.status).toBe("paid");
  });

  test("and opening its link concurrently create only one order", async () => {
    const { mark, link, remainingOrders, draft } = await raceMarkAndLink(
      "written@example.com",
      async (calls) => {
        calls.markAsPaid();
        while (!(await calls.isMarkedAsPaid())) await delay(1);
        await calls.lockDraft();
        calls.openLink();
      },
    );
    expect([mark?.status, link?.status]).toEqual([200, 409]);
    expect(remainingOrders).toEqual([[draft.order.id, "completed"]]);
  });

  test.each([0, 30])("and opening its link %i ms later create only one order", async (laterMs) => {
    const { mark, link, remainingOrders, draft } = await raceMarkAndLink(
      `after${laterMs}@example.com`,
      async (calls) => {
        calls.markAsPaid();
        await delay(laterMs);
        calls.openLink();
      },
    );
    expect(mark?.body.message ?? "").not.toContain("discount");
    expect(remainingOrders).toEqual([[draft.order.id, mark?.status === 200 ? "completed" : "pending"]]);
    expect([mark?.status, link?.status]).toContain(200);
    if (mark?.status !== 200) await owner.post(`/api/admin/orders/${draft.order.id}/cancel`);
  });

  test("is refused if the total differs, and the response names the current one", async () => {
    const draft = await createDraft();
    const paid = { revision: 1, method: "bank", reason: "Transfer", amount: 1 };
    expect((await owner.post(`${path}/${draft.id}/paid`, paid)).body.message).toContain("$35.90");
    expect((await owner.post(`${path}/${randomUUID()}/paid`, paid)).status).toBe(404);
  });
});

test("items added to an order paid outside the shop count as paid, and removed ones as refunded", async () => {
  const draft = await createDraft({ items: [{ productId: 1, quantity: 2 }] });
  const { total } = draft.quote.totals;
  const paid = { revision: 1, method: "cash", reason: "At the market", amount: total };
  expect((await owner.post(`${path}/${draft.id}/paid`, paid)).status).toBe(200);
  const { order: createdOrder } = await readDraft(draft.id);
  const orderPath = `/api/admin/orders/${createdOrder.id}`;
  const saveEdit = async (requested: object) => {
    const { version, difference } = (await owner.post(`${orderPath}/items/preview`, requested)).body.data;
    return (await owner.post(`${orderPath}/items`, { ...requested, version, difference })).body.data;
  };
  expect(await saveEdit({ add: [{ productId: 1, quantity: 1 }] })).toMatchObject({
    shipHold: null,
    totals: { total: total + 2995 },
    changes: [{ status: "applied", difference: 2995 }],
  });
  await saveEdit({ remove: [{ productId: 1, quantity: 2 }] });
  await shop.jobsDone();
  expect((await owner.get(orderPath)).body.data).toMatchObject({
    totals: { refunded: 5990 },
    refunds: [{ amount: 5990, status: "succeeded" }],
    items: [{ quantity: 3, returned: 2, toShip: 1 }],
  });
});

test("new orders can be paused: checkouts are refused in the owner's words, while orders already placed and drafts can still be paid", async () => {
  const browser = shop.browser();
  const [started, draft] = [await order(browser), await createDraft()];
  const pause = async (pausedText: string | null) => {
    const { status } = await send("PATCH", "/api/admin/settings", { pausedText });
    if (status === 200)
      await expect.poll(async () => (await shop.ctx.settings()).pausedText).toBe(pausedText);
    return status;
  };
  expect(await pause(" ")).toBe(422);
  const words = "We are away, and take orders again from June 1.";
  expect(await pause(words)).toBe(200);
  const { status, body } = await order(shop.browser());
  expect([status, body.error, body.message]).toEqual([409, "invalid_state", words]);
  expect((await shop.browser().get("/contact")).body).toContain(words);
  const plain = shop.browser();
  await plain.post("/api/cart/add", { productId: 1, quantity: 1 });
  const name = { "First Name": "Ada", "Last Name": "Obi", "Email Address": "ada@example.com" };
  const address = { "Street Address": "1 Main St", City: "Austin", "State/Province": "TX", ZIP: "78701" };
  const refused = await (await openPlain(plain, "/checkout?kept=1")).send("Continue to Payment", {
    ...name,
    ...address,
  });
  expect(refused.text).toContain(words);
  expect(refused.text).not.toContain("try again");
  expect((await order(browser)).body.orderId).toBe(started.body.orderId);
  expect((await confirm(browser, started)).status).toBe(200);
  expect((await openLink(draft)).status).toBe(200);
  await pause(null);
  expect((await order(shop.browser())).status).toBe(201);
});
