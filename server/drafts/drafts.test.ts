import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminBrowser, lastTwoDays } from "../../test/admin.ts";
import { goodCard } from "../../test/checkout.ts";
import { keptMail } from "../../test/kept-mail.ts";
import { findRuleViolations } from "../../test/order-rules.ts";
import { type Answer, openTestShop, type TestBrowser, type TestShop } from "../../test/shop.ts";
import { stock } from "../inventory/tables.ts";
import { cancelOrder } from "../order-desk/cancel-order.ts";
import { orders } from "../orders/tables.ts";
import { sandboxIntents } from "../payment-providers/tables.ts";
import { paymentLink } from "../payments/payment-link.ts";
import { payments } from "../payments/tables.ts";
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
const request = (changes: object = {}) => ({
  email: "phone@example.com",
  customerName: "Ida Kern",
  phone: "512 555 0123",
  shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
  shippingOption: "us-standard",
  items: [{ productId: 1, quantity: 1 }],
  ...changes,
});

async function send(method: string, to: string, body: object, browser = owner): Promise<Answer> {
  const init = { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await browser.fetch(to, init);
  return { status: response.status, body: await response.json(), headers: response.headers };
}

async function write(changes: object = {}) {
  const { status, body } = await owner.post(path, request(changes));
  expect(status).toBe(201);
  return body.data;
}

const read = async (id: string) => (await owner.get(`${path}/${id}`)).body.data;
/** The token of a draft's link, even if the panel no longer shows the link. */
const tokenOf = ({ id, createdAt }: CreatedDraft) =>
  new URL(paymentLink(shop.ctx, { id, createdAt: new Date(createdAt) })).searchParams.get("token") ?? "";
const readReserved = async () => (await shop.database.db.select().from(stock))[0]?.reserved;

type CreatedDraft = { id: string; createdAt: string };

/** Opens the link and starts the payment, as its form does. */
async function open(draft: CreatedDraft, browser = shop.browser()) {
  const token = tokenOf(draft);
  const page = await browser.get(`/api/pay/${draft.id}?token=${token}`);
  return browser.post(`/api/pay/${draft.id}`, { token, total: page.body.data.quote.totals.total });
}

async function payOnPage(orderId: string) {
  const [payment] = await shop.database.db.select().from(payments).where(eq(payments.orderId, orderId));
  const [intent] = await shop.database.db
    .select()
    .from(sandboxIntents)
    .where(eq(sandboxIntents.sessionId, payment?.sessionId ?? ""));
  const answer = await shop.browser().post(`/api/sandbox/payment-intents/${intent?.id}/confirm`, {
    clientSecret: intent?.clientSecret,
    card: goodCard,
  });
  expect(answer.status).toBe(200);
  await shop.jobsDone();
}

describe("a draft", () => {
  test("is priced like a checkout, and can be edited, copied and deleted by people with the role for it", async () => {
    const draft = await write({ discountCents: 500 });
    expect(draft).toMatchObject({
      status: "open",
      revision: 1,
      problems: {},
      order: null,
      quote: { totals: { subtotal: 2995, discount: 500, shipping: 595, total: 3090 } },
    });
    expect(await readReserved()).toBe(0);
    const changed = await send("PATCH", `${path}/${draft.id}`, { ...request({ note: "Rang" }), revision: 1 });
    expect(changed.body.data).toMatchObject({
      revision: 2,
      note: "Rang",
      quote: { totals: { total: 3590 } },
    });
    const stale = await send("PATCH", `${path}/${draft.id}`, { ...request(), revision: 1 });
    expect([stale.status, stale.body.error]).toEqual([409, "invalid_state"]);
    const copy = await owner.post(`${path}/${draft.id}/duplicate`);
    expect(copy.body.data).toMatchObject({ note: "Rang", revision: 1, order: null });
    expect((await owner.get(path)).body.data.map(({ id }: { id: string }) => id)).toContain(
      copy.body.data.id,
    );
    expect((await send("DELETE", `${path}/${draft.id}`, { revision: 2 })).status).toBe(200);
    expect((await owner.get(`${path}/${draft.id}`)).status).toBe(404);
    const { status, body } = await owner.post(path, request({ email: "nobody", items: [] }));
    expect([status, Object.keys(body.fields)]).toEqual([422, ["email", "items"]]);
    for (const call of [shop.browser().get(path), shop.browser().post(path, request())]) {
      expect((await call).status).toBe(401);
    }
  });

  test("is sold at agreed prices, and shows its total and its reduction beforehand", async () => {
    const terms = {
      items: [{ productId: 1, quantity: 3, price: 2000 }],
      shippingOption: "us-standard",
      shippingCents: 100,
    };
    const preview = (changes: object = {}) =>
      owner.post(`${path}/preview`, { shipping: { country: "US", state: "TX" }, ...terms, ...changes });
    const quoted = (await preview()).body.data;
    // Three units cost $89.85 in the shop, with free shipping.
    expect(quoted).toMatchObject({
      takenOff: 2985,
      problems: {},
      quote: { totals: { subtotal: 6000, shipping: 100, total: 6100 } },
    });
    const dearer = { items: [{ productId: 1, quantity: 1, price: 4000 }], shippingCents: 0 };
    expect((await preview(dearer)).body.data).toMatchObject({
      takenOff: 595,
      quote: { totals: { total: 4000 } },
    });
    const tooCheap = { items: [{ productId: 1, quantity: 1, price: 10 }], shippingCents: 0 };
    expect((await preview(tooCheap)).body.data.problems.items).toBe("At least $0.50 must be left to pay.");
    expect((await preview({ shippingCents: -1 })).status).toBe(422);
    expect((await shop.browser().post(`${path}/preview`, terms)).status).toBe(401);

    const draft = await write({ email: "agreed@example.com", ...terms });
    expect(draft).toMatchObject({ ...quoted, items: terms.items, shippingCents: 100 });
    const opened = await open(draft);
    expect(opened.status).toBe(200);
    const { orderId } = opened.body.data;
    await payOnPage(orderId);
    expect((await owner.get(`/api/admin/orders/${orderId}`)).body.data).toMatchObject({
      status: "completed",
      items: [{ price: 2000, quantity: 3, total: 6000 }],
      totals: { discount: 0, shipping: 100, total: 6100 },
    });
    const outside = await write({ email: "agreed@example.com", ...terms });
    const paid = { revision: 1, method: "cash", reason: "At the market", amount: 6100 };
    expect((await owner.post(`${path}/${outside.id}/paid`, paid)).body.data.status).toBe("paid");
  });

  test("lists its problems, and can then be paid neither by its link nor outside the shop", async () => {
    const draft = await write({ items: [{ productId: 999, quantity: 1 }], shippingOption: "nowhere" });
    expect(Object.keys(draft.problems).sort()).toEqual(["items", "shippingOption"]);
    expect((await open(draft)).status).toBe(409);
    const amount = draft.quote.totals.total;
    const paid = { revision: 1, method: "cash", reason: "At the market", amount };
    expect((await owner.post(`${path}/${draft.id}/paid`, paid)).status).toBe(409);
  });
});

describe("a payment link", () => {
  test("is e-mailed, and leads everybody who opens it to the same order", async () => {
    const draft = await write({ email: "link@example.com", items: [{ productId: 1, quantity: 2 }] });
    expect((await owner.post(`${path}/${draft.id}/send`)).body.data.status).toBe("sent");
    await shop.jobsDone();
    const [mail] = keptMail(shop, "link@example.com", "payment_link");
    expect(mail).toContain(`/pay/${draft.id}`);
    const stranger = await shop.browser().get(`/api/pay/${draft.id}?token=1.abc.def`);
    expect(stranger.status).toBe(404);
    const token = tokenOf(draft);
    const wrong = await shop.browser().post(`/api/pay/${draft.id}`, { token, total: 1 });
    expect(wrong.body).toMatchObject({ error: "price_changed", total: draft.quote.totals.total });

    const opened = await Promise.all([open(draft), open(draft)]);
    expect(opened.map(({ status }) => status)).toEqual([200, 200]);
    const orderId: string = opened[0]?.body.data.orderId;
    expect(opened[1]?.body.data.orderId).toBe(orderId);
    expect(await readReserved()).toBe(2);
    expect((await read(draft.id)).status).toBe("opened");
    await payOnPage(orderId);
    expect(await read(draft.id)).toMatchObject({ status: "paid", order: { id: orderId } });
    expect(await readReserved()).toBe(0);
    expect((await open(draft)).status).toBe(409);
    expect((await send("PATCH", `${path}/${draft.id}`, { ...request(), revision: 1 })).status).toBe(409);
    expect((await send("DELETE", `${path}/${draft.id}`, { revision: 1 })).status).toBe(409);
  });

  test("leads to the current draft: an edit cancels the earlier order, and an expired one is replaced", async () => {
    const draft = await write({ email: "changes@example.com" });
    const first = (await open(draft)).body.data.orderId;
    await send("PATCH", `${path}/${draft.id}`, {
      ...request({ email: "changes@example.com", items: [{ productId: 1, quantity: 3 }] }),
      revision: 1,
    });
    const statusOf = async (id: string) =>
      (await shop.database.db.select().from(orders).where(eq(orders.id, id)))[0]?.status;
    expect(await statusOf(first)).toBe("cancelled");
    const second = (await open(draft)).body.data.orderId;
    expect(second).not.toBe(first);
    await owner.post(`/api/admin/orders/${second}/cancel`);
    const third = (await open(draft)).body.data.orderId;
    expect([third === second, await statusOf(third)]).toEqual([false, "pending"]);
    const past = sql`now() - interval '1 day'`;
    await owner.post(`/api/admin/orders/${third}/cancel`);
    await shop.database.db.update(orderDrafts).set({ expiresAt: past }).where(eq(orderDrafts.id, draft.id));
    expect((await read(draft.id)).status).toBe("expired");
    expect((await open(draft)).status).toBe(409);
  });
});

test("a payment link opens again although its own order holds the code's last use, and after a price change", async () => {
  const discount = { code: "ONCE", kind: "percent", value: 10, limitTotal: 1 };
  expect((await owner.post("/api/admin/discounts", discount)).status).toBe(201);
  const draft = await write({ discountCode: "ONCE", email: "once@example.com" });
  const first = await open(draft);
  const again = await open(draft);
  expect([again.status, again.body.data?.orderId]).toEqual([200, first.body.data.orderId]);
  expect((await read(draft.id)).problems).toEqual({});

  const { revision, price } = (await owner.get("/api/admin/products")).body.data[0];
  const setPrice = async (cents: number, since: number) => {
    const answer = await send("PUT", "/api/products/1/price", { price: cents, revision: since });
    expect(answer.status).toBe(200);
    return answer.body.data.revision;
  };
  const changed = await setPrice(price + 100, revision);
  const dearer = await open(draft);
  await setPrice(price, changed);
  expect(dearer.status).toBe(200);
  expect(dearer.body.data.orderId).not.toBe(first.body.data.orderId);
  const [former] = await shop.database.db.select().from(orders).where(eq(orders.id, first.body.data.orderId));
  expect(former?.status).toBe("cancelled");
  await owner.post(`/api/admin/orders/${dearer.body.data.orderId}/cancel`);
});

test("a call that names an impossible revision of a draft is refused", async () => {
  const draft = await write();
  for (const revision of [0.5, 2_147_483_648, 1e15, 0, null]) {
    const paid = { revision, method: "cash", reason: "Tin", amount: 3590 };
    expect((await owner.post(`${path}/${draft.id}/paid`, paid)).status).toBe(422);
    expect((await send("DELETE", `${path}/${draft.id}`, { revision })).status).toBe(422);
  }
});

describe("marking a draft as paid outside the provider", () => {
  test("creates one order without a provider's payment", async () => {
    const draft = await write({ email: "cash@example.com" });
    const opened = (await open(draft)).body.data.orderId;
    const paid = { revision: 1, method: "cash", reason: "At the market, in the tin", amount: 3590 };
    const pay = (body: object, browser = owner) => browser.post(`${path}/${draft.id}/paid`, body);
    expect((await pay(paid, shop.browser())).status).toBe(401);
    expect((await pay({ ...paid, reason: " " })).status).toBe(422);
    const twins = await Promise.all([pay(paid), pay(paid)]);
    expect(twins.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { status, order } = await read(draft.id);
    expect([status, order.id === opened]).toEqual(["paid", false]);
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
    const shipAnswer = await owner.post(`/api/admin/orders/${order.id}/ship`, {
      carrier: "UPS",
      trackingNumber: null,
    });
    expect(shipAnswer.status).toBe(200);
  });

  test("lets refunds be paid outside the provider too: the owner's refund is recorded at once, a buyer's waits for the owner", async () => {
    const pay = async () => {
      const draft = await write({ email: "back@example.com" });
      const body = { revision: 1, method: "bank", reason: "Transfer", amount: 3590 };
      return (await owner.post(`${path}/${draft.id}/paid`, body)).body.data.order.id;
    };
    const orderOf = async (id: string) => (await owner.get(`/api/admin/orders/${id}`)).body.data;
    const id = await pay();
    const line = { items: [{ productId: 1, quantity: 1, restock: true }] };
    const twins = await Promise.all([0, 1].map(() => owner.post(`/api/admin/orders/${id}/refund`, line)));
    expect(twins.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await owner.post(`/api/admin/orders/${id}/refund`, { amount: 596 })).status).toBe(422);
    expect((await owner.post(`/api/admin/orders/${id}/refund`, {})).status).toBe(200);
    expect(await orderOf(id)).toMatchObject({
      status: "refunded",
      needsAttention: null,
      refundableCents: 0,
      refunds: [
        { amount: 2995, status: "succeeded" },
        { amount: 595, status: "succeeded" },
      ],
    });
    await shop.jobsDone();
    const letters = keptMail(shop, "back@example.com", "refund_sent");
    expect(letters).toHaveLength(2);
    expect(letters[0]).toContain("back to you the way you paid");
    expect(letters[0]).not.toContain("Your bank");

    const { from, to } = lastTwoDays();
    const ledger: string = (await owner.get(`/api/admin/books/ledger?from=${from}&to=${to}`)).body;
    const { number } = await orderOf(id);
    const moved = ledger
      .split("\n")
      .filter((line) => line.includes(`order #${number}`) || line.includes(`Order #${number} `));
    expect(moved.filter((line) => line.includes("Paid outside the shop"))).toHaveLength(3);
    expect(moved.some((line) => line.includes("Receivables"))).toBe(false);

    const cancelled = await pay();
    expect((await owner.post(`/api/admin/orders/${cancelled}/cancel`)).status).toBe(200);
    await shop.jobsDone();
    expect(await orderOf(cancelled)).toMatchObject({ status: "refunded", needsAttention: null });

    const orderId = await pay();
    await cancelOrder(shop.ctx, orderId);
    await shop.jobsDone();
    const waiting = await orderOf(orderId);
    expect(waiting.needsAttention).toContain("Pay it back the way it was paid");
    expect([waiting.totals.refunded, waiting.may.refund]).toEqual([0, true]);
    expect((await owner.post(`/api/admin/orders/${orderId}/refund`, {})).status).toBe(200);
    expect(await orderOf(orderId)).toMatchObject({ status: "refunded", needsAttention: null });
  });

  /** Results of marking a draft as paid outside and paying by its link at once, while another transaction locks its row. */
  const payBothWays = async (
    email: string,
    race: (calls: {
      hold(): Promise<void>;
      outside(): void;
      link(): void;
      isClaimed(): Promise<boolean>;
      isHeldUp(): Promise<boolean>;
    }) => Promise<void>,
  ) => {
    const draft = await write({ email, discountCents: 100 });
    const token = tokenOf(draft);
    const calls: { outside?: Promise<Answer>; link?: Promise<Answer> } = {};
    const holder = await shop.database.pool.connect();
    try {
      await holder.query("begin");
      await race({
        async hold() {
          await holder.query("select from order_drafts where id = $1 for update", [draft.id]);
        },
        outside() {
          const paid = { revision: 1, method: "cash", reason: "At the market", amount: 3490 };
          calls.outside = owner.post(`${path}/${draft.id}/paid`, paid);
        },
        link() {
          calls.link = shop.browser().post(`/api/pay/${draft.id}`, { token, total: 3490 });
        },
        async isClaimed() {
          const rows = await shop.database.db.select().from(orderDrafts).where(eq(orderDrafts.id, draft.id));
          return rows.some(({ revision }) => revision > 1);
        },
        async isHeldUp() {
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
    const [outside, link] = await Promise.all([calls.outside, calls.link]);
    await shop.jobsDone();
    const rows = await shop.database.db.select().from(orders).where(eq(orders.email, email));
    const openOrders = rows
      .filter((each) => each.status !== "cancelled")
      .map(({ id, status }) => [id, status]);
    return { outside, link, openOrders, draft: await read(draft.id) };
  };

  test("while the link is being opened, cancels the link's payment", async () => {
    const { outside, openOrders, draft } = await payBothWays(
      "opening@example.com",
      async ({ hold, isHeldUp, link, outside }) => {
        await hold();
        link();
        await expect.poll(isHeldUp).toBe(true);
        outside();
      },
    );
    expect([outside?.status, outside?.body.message]).toEqual([200, undefined]);
    expect(openOrders).toEqual([[draft.order.id, "completed"]]);
    expect(draft.status).toBe("paid");
  });

  test("and opening its link concurrently create only one order", async () => {
    const { outside, link, openOrders, draft } = await payBothWays("written@example.com", async (calls) => {
      calls.outside();
      while (!(await calls.isClaimed())) await delay(1);
      await calls.hold();
      calls.link();
    });
    expect([outside?.status, link?.status]).toEqual([200, 409]);
    expect(openOrders).toEqual([[draft.order.id, "completed"]]);
  });

  test.each([0, 30])("and opening its link %i ms later never both succeed", async (laterMs) => {
    const { outside, link, openOrders, draft } = await payBothWays(
      `after${laterMs}@example.com`,
      async (calls) => {
        calls.outside();
        await delay(laterMs);
        calls.link();
      },
    );
    expect(outside?.body.message ?? "").not.toContain("discount");
    expect(openOrders).toEqual([[draft.order.id, outside?.status === 200 ? "completed" : "pending"]]);
    expect([outside?.status, link?.status]).toContain(200);
    if (outside?.status !== 200) await owner.post(`/api/admin/orders/${draft.order.id}/cancel`);
  });

  test("asks to confirm the total if it has changed", async () => {
    const draft = await write();
    const paid = { revision: 1, method: "bank", reason: "Transfer", amount: 1 };
    expect((await owner.post(`${path}/${draft.id}/paid`, paid)).body.message).toContain("$35.90");
    expect((await owner.post(`${path}/${randomUUID()}/paid`, paid)).status).toBe(404);
  });
});

test("items added to an order paid outside are paid outside, and removed ones refunded outside", async () => {
  const draft = await write({ items: [{ productId: 1, quantity: 2 }] });
  const { total } = draft.quote.totals;
  const terms = { revision: 1, method: "cash", reason: "At the market", amount: total };
  expect((await owner.post(`${path}/${draft.id}/paid`, terms)).status).toBe(200);
  const { order: made } = await read(draft.id);
  const ofOrder = `/api/admin/orders/${made.id}`;
  const change = async (requested: object) => {
    const { version, difference } = (await owner.post(`${ofOrder}/items/preview`, requested)).body.data;
    return (await owner.post(`${ofOrder}/items`, { ...requested, version, difference })).body.data;
  };
  expect(await change({ add: [{ productId: 1, quantity: 1 }] })).toMatchObject({
    shipHold: null,
    totals: { total: total + 2995 },
    changes: [{ status: "applied", difference: 2995 }],
  });
  await change({ remove: [{ productId: 1, quantity: 2 }] });
  await shop.jobsDone();
  expect((await owner.get(ofOrder)).body.data).toMatchObject({
    totals: { refunded: 5990 },
    refunds: [{ amount: 5990, status: "succeeded" }],
    items: [{ quantity: 3, returned: 2, toShip: 1 }],
  });
});
