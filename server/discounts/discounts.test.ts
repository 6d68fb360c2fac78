import { and, eq, sql } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { checkoutBody, order } from "../../test/checkout.ts";
import type { ApiResponse, TestBrowser } from "../../test/shop.ts";
import { openStripeShop } from "../../test/stripe-shop.ts";
import { activity } from "../admin/tables.ts";
import { productBundles } from "../catalog/tables.ts";
import { orders } from "../orders/tables.ts";
import { messages } from "../outbox/tables.ts";
import { expireOrders } from "../payments/cancellation/close.ts";
import { refunds } from "../payments/tables.ts";
import { eraseOrders } from "../privacy/person.ts";
import { discountUses } from "./tables.ts";

const shop = await openStripeShop();
const owner = await adminBrowser(shop);
afterAll(() => shop.stop());

const path = "/api/admin/discounts";
let codeCount = 0;

/** Creates a new code; 10% off by default. */
async function createCode(terms: object = {}): Promise<{ id: number; code: string }> {
  codeCount += 1;
  const response = await owner.post(path, {
    code: `Code-${codeCount}`,
    kind: "percent",
    value: 10,
    ...terms,
  });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body.data;
}

async function send(browser: TestBrowser, method: string, to: string, body: object = {}, origin?: string) {
  const headers = { "Content-Type": "application/json", ...(origin ? { Origin: origin } : {}) };
  const response = await browser.fetch(to, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as ApiResponse["body"] };
}

const quote = (discountCode: string, changes: object = {}, browser = shop.browser()) =>
  browser.post("/api/cart/quote", { items: [{ productId: 1, quantity: 1 }], discountCode, ...changes });
/** One bottle to Austin with 10% off: $29.95 - $3.00 + $5.95. */
const buy = (discountCode: string, changes: Parameters<typeof order>[1] = {}, browser = shop.browser()) =>
  order(browser, { amount: 3290, discountCode, ...changes });
/** The count of uses that the panel shows, compared with the stored uses. */
async function readUseCount(id: number): Promise<number> {
  const { used } = (await owner.get(path)).body.data.find((each: { id: number }) => each.id === id);
  expect(used).toBe(await shop.database.db.$count(discountUses, eq(discountUses.discountId, id)));
  return used;
}

describe("the owner's calls", () => {
  test("create, list, edit and delete a code, and log who did it", async () => {
    const terms = {
      minimumSubtotal: 2000,
      startsAt: "2026-01-01T00:00:00+02:00",
      endsAt: "2099-01-01T00:00:00Z",
      limitTotal: 5,
      limitPerCustomer: 1,
      firstOrderOnly: true,
    };
    const { id } = await createCode({ code: "Welcome_15", value: 15, ...terms });
    const list = (await owner.get(path)).body;
    expect(list).toMatchObject({ success: true, nextCursor: null });
    expect(list.data[0]).toMatchObject({
      id,
      code: "Welcome_15",
      kind: "percent",
      value: 15,
      ...terms,
      startsAt: "2025-12-31T22:00:00.000Z",
      endsAt: "2099-01-01T00:00:00.000Z",
      used: 0,
      active: true,
    });
    const switchedOff = await send(owner, "PATCH", `${path}/${id}`, { active: false });
    expect(switchedOff.body.data).toMatchObject({ id, active: false, value: 15 });
    expect((await quote("welcome_15")).body.data.discountProblem).toMatch("not valid");
    const editById = await send(owner, "PATCH", path, { id, kind: "free_shipping" });
    expect(editById.body.data).toMatchObject({ kind: "free_shipping", value: 0 });
    expect((await send(owner, "DELETE", `${path}/${id}`)).status).toBe(200);
    expect((await send(owner, "PATCH", `${path}/${id}`, { active: true })).status).toBe(404);
    const logEntries = await shop.database.db
      .select({ summary: activity.summary, after: activity.after })
      .from(activity)
      .where(and(eq(activity.subject, `discount:${id}`), eq(activity.outcome, "done")))
      .orderBy(activity.id);
    expect(logEntries).toMatchObject([
      { summary: "Discount code Welcome_15 created: 15% off" },
      { summary: "Discount code Welcome_15 switched off", after: { active: false } },
      { summary: "Discount code Welcome_15 changed: kind, value" },
      { summary: "Discount code Welcome_15 deleted" },
    ]);
  });

  test.each([
    ["a code with spaces", { code: "TWO WORDS" }, "code"],
    ["a code that exists in different case", { code: "TAKEN" }, "code"],
    ["a percentage above 100", { value: 101 }, "value"],
    ["a value of 0", { value: 0 }, "value"],
    ["no value", { value: null }, "value"],
    ["a fraction of a cent", { kind: "amount", value: 0.5 }, "value"],
    ["an unknown kind", { kind: "gift" }, "kind"],
    [
      "an end before the start",
      { startsAt: "2026-02-01T00:00:00Z", endsAt: "2026-01-01T00:00:00Z" },
      "endsAt",
    ],
    ["an impossible date", { startsAt: "2026-02-30T00:00:00Z" }, "startsAt"],
    ["a limit of 0", { limitTotal: 0 }, "limitTotal"],
    ["a negative minimum", { minimumSubtotal: -1 }, "minimumSubtotal"],
  ])("%s is refused with a message at its field", async (_, changes, field) => {
    await owner.post(path, { code: "Taken", kind: "percent", value: 5 });
    const response = await owner.post(path, { code: "FRESH", kind: "percent", value: 10, ...changes });
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.fields)).toEqual([field]);
  });

  test("cannot rename or delete a used code, but can change its terms for future orders", async () => {
    const { id, code } = await createCode();
    const browser = shop.browser();
    const placed = await buy(code, {}, browser);
    expect((await send(owner, "PATCH", `${path}/${id}`, { code: "OTHER" })).status).toBe(409);
    expect((await send(owner, "PATCH", `${path}/${id}`, { automatic: true })).status).toBe(409);
    expect((await send(owner, "DELETE", `${path}/${id}`)).status).toBe(409);
    expect((await send(owner, "PATCH", `${path}/${id}`, { value: 50 })).status).toBe(200);
    const { data } = (await browser.get(`/api/orders/${placed.body.orderId}`)).body;
    expect(data).toMatchObject({ discountCode: code, totals: { discount: 300, total: 3290 } });
  });
});

describe("a quote", () => {
  test.each<[string, object, object]>([
    ["a percentage", { value: 33 }, { subtotal: 2995, discount: 988, shipping: 595, total: 2602 }],
    ["an amount", { kind: "amount", value: 500 }, { discount: 500, shipping: 595, total: 3090 }],
    [
      "an amount above the goods' price",
      { kind: "amount", value: 9999 },
      { discount: 2995, shipping: 595, total: 595 },
    ],
    ["free shipping", { kind: "free_shipping", value: 0 }, { discount: 0, shipping: 0, total: 2995 }],
  ])("applies %s, whatever the case of the code", async (_, terms, totals) => {
    const { code } = await createCode(terms);
    const { data } = (await quote(code.toLowerCase())).body;
    expect(data).toMatchObject({ totals, discount: { code }, discountProblem: null });
    const { subtotal, discount, shipping, tax, total } = data.totals;
    expect(subtotal - discount + shipping + tax).toBe(total);
  });

  test.each<[string, object, object, RegExp]>([
    ["that is unknown", { active: false }, {}, /not valid/],
    ["that is not valid yet", { startsAt: "2090-01-01T12:00:00Z" }, {}, /valid from Jan 1, 2090\.$/],
    ["that has expired", { endsAt: "2020-01-01T12:00:00Z" }, {}, /valid until Jan 1, 2020\.$/],
    ["for larger orders", { minimumSubtotal: 5000 }, {}, /\$50 or more\. Add \$20\.05 to/],
    [
      "for free shipping when shipping is free already",
      { kind: "free_shipping" },
      { items: [{ productId: 1, quantity: 2 }] },
      /ships free already/,
    ],
    [
      "that leaves nothing to pay",
      { value: 100 },
      { items: [{ productId: 1, quantity: 2 }] },
      /less than \$0\.50/,
    ],
  ])("with a code %s prices the cart without it and gives the reason", async (_, terms, changes, reason) => {
    const { code } = await createCode(terms);
    const response = await quote(code, changes);
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({
      discount: null,
      discountProblem: expect.stringMatching(reason),
      totals: { discount: 0 },
    });
    const items = "items" in changes ? 2 : 1;
    const refused = await buy(code, { quantity: items, amount: items === 2 ? 5990 : 3590 });
    expect(refused.status).toBe(422);
    expect(refused.body.fields.discountCode).toMatch(reason);
  });

  test("blocks guessing: after 20 unknown codes a valid one is not confirmed either", async () => {
    const { code } = await createCode();
    const guesser = shop.browser("10.9.8.7");
    for (let index = 0; index < 20; index += 1) await quote(`GUESS-${index}`, {}, guesser);
    const response = await quote(code, {}, guesser);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await buy(code, {}, guesser)).status).toBe(429);
    expect((await quote("", {}, guesser)).status).toBe(200);
    expect((await quote(code)).status).toBe(200);
  });
});

describe("an order with a code", () => {
  test("is charged the quoted amount; another amount is refused with the right one", async () => {
    const { id, code } = await createCode();
    expect((await buy(code, { amount: 3590 })).body).toMatchObject({ error: "price_changed", total: 3290 });
    const placed = await buy(code.toUpperCase());
    expect(placed.status).toBe(201);
    expect(placed.body.totals).toMatchObject({ discount: 300, total: 3290 });
    expect(shop.stripe.intent(placed.body.paymentIntentId).amount).toBe(3290);
    expect(await readUseCount(id)).toBe(1);
  });

  test("has lines on the hosted page that add up and name the discount", async () => {
    const { code } = await createCode();
    const body = checkoutBody({ amount: 3290, discountCode: code });
    const response = await shop.browser().post("/api/stripe/create-checkout-session", body);
    expect(response.status).toBe(200);
    expect(shop.stripe.requests.findLast(({ params }) => params.line_items)?.params.line_items).toMatchObject(
      {
        0: {
          quantity: "1",
          price_data: {
            unit_amount: "2695",
            product_data: { name: expect.stringContaining("less $3.00 discount") },
          },
        },
        1: { quantity: "1", price_data: { unit_amount: "595" } },
      },
    );
  });

  test("names a bundle on the hosted page", async () => {
    const { code } = await createCode();
    const bundle = { productId: 1, quantity: 2, priceCents: 5600 };
    await shop.database.db.insert(productBundles).values(bundle);
    const body = checkoutBody({ quantity: 2, amount: 5040, discountCode: code });
    const response = await shop.browser().post("/api/stripe/create-checkout-session", body);
    await shop.database.db.delete(productBundles);
    expect(response.status).toBe(200);
    const { params } = shop.stripe.requests.findLast(({ params }) => params.line_items) ?? {};
    expect(params?.line_items).toEqual({
      0: {
        quantity: "1",
        price_data: {
          currency: "usd",
          unit_amount: "5040",
          product_data: { name: "2 × Pure Batana Oil, bundle price, less $5.60 discount" },
        },
      },
    });
  });

  test("is accepted for 10 of 50 concurrent buyers if the code's limit is 10; the others are told the reason", async () => {
    const { id, code } = await createCode({ limitTotal: 10 });
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => buy(code, { email: `crowd${index}@example.com` })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = responses.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(40);
    expect(refused[0]?.body.fields).toEqual({ discountCode: "This discount code has been used up." });
    expect(await readUseCount(id)).toBe(10);
    const [row] = await shop.database.db
      .select({ count: sql<number>`count(*)::int` })
      .from(orders)
      .where(eq(orders.discountCode, code));
    expect(row?.count).toBe(10);
    await shop.expectConserved();
  });

  test("counts towards the limit per customer whatever the case of the address; a repeated call does not count twice", async () => {
    const { id, code } = await createCode({ limitPerCustomer: 1 });
    const browser = shop.browser();
    const key = { "Idempotency-Key": "same" };
    const body = { amount: 3290, discountCode: code, email: "once@example.com" };
    const [first, repeated] = [await order(browser, body, key), await order(browser, body, key)];
    expect(repeated.body.orderId).toBe(first.body.orderId);
    const again = await buy(code, { email: "Once@Example.com" });
    expect(again.body.fields.discountCode).toMatch("used with this email address already");
    expect((await buy(code, { email: "other@example.com" })).status).toBe(201);
    expect(await readUseCount(id)).toBe(2);
  });

  test("keeps the code's last use if the shopper goes back and changes the order", async () => {
    const { id, code } = await createCode({ limitTotal: 1, limitPerCustomer: 1 });
    const browser = shop.browser();
    await quote(code, {}, browser);
    const first = await buy(code, { email: "back@example.com" }, browser);
    expect((await quote(code, {}, browser)).body.data.discountProblem).toBeNull();
    expect((await quote(code)).body.data.discountProblem).toMatch("used up");
    const second = await buy(
      code,
      { email: "back@example.com", shippingOption: "us-expedited", amount: 4190 },
      browser,
    );
    expect(second.status).toBe(201);
    expect(second.body.orderId).not.toBe(first.body.orderId);
    await shop.jobsDone();
    expect(await readUseCount(id)).toBe(1);
  });

  test("releases its use when it expires, and counts again when it is paid late, even above the limit", async () => {
    const { id, code } = await createCode({ limitTotal: 1 });
    const placed = await buy(code);
    shop.travel(31 * 60 * 1000);
    await expireOrders(shop.ctx);
    expect(await readUseCount(id)).toBe(0);
    expect((await buy(code)).status).toBe(201);
    // The cancellation did not reach the bank, as can happen with slow payment methods.
    Object.assign(shop.stripe.intent(placed.body.paymentIntentId), { status: "processing" });
    await shop.send(shop.stripe.pay(placed.body.paymentIntentId));
    await shop.jobsDone();
    expect(await readUseCount(id)).toBe(2);
    await shop.expectConserved();
  });

  const buyAndPay = async (code: string, email?: string) => {
    const { body } = await buy(code, email === undefined ? {} : { email });
    await shop.send(shop.stripe.pay(body.paymentIntentId));
    await shop.jobsDone();
    return { to: `/api/admin/orders/${body.orderId}`, orderId: body.orderId as string };
  };

  test("for first orders is refused after a paid order and for all but one of several concurrent orders; a cancelled order does not count", async () => {
    const [one, two] = [
      await createCode({ firstOrderOnly: true }),
      await createCode({ firstOrderOnly: true }),
    ];
    const responses = await Promise.all(
      [one, two, one].map(({ code }) => buy(code, { email: "a@example.com" })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    const refusal = { discountCode: expect.stringContaining("is for a first order only") };
    expect(responses.find(({ status }) => status === 422)?.body.fields).toEqual(refusal);
    const other = await order(shop.browser(), { email: "second@example.com" });
    await shop.send(shop.stripe.pay(other.body.paymentIntentId));
    await shop.jobsDone();
    expect((await quote(one.code)).body.data.discountProblem).toBeNull();
    const again = () => buy(one.code, { email: "Second@example.com" });
    expect((await again()).body.fields).toEqual(refusal);
    await owner.post(`/api/admin/orders/${other.body.orderId}/cancel`, { reason: "Asked for" });
    await shop.jobsDone();
    expect((await again()).status).toBe(201);
  });

  test("releases its use for exactly one other buyer when it is cancelled before shipping", async () => {
    const { id, code } = await createCode({ limitTotal: 1, limitPerCustomer: 1 });
    const { to } = await buyAndPay(code, "dora@example.com");
    const buyAgain = () => buy(code, { email: "dora@example.com" });
    expect((await buyAgain()).status).toBe(422);
    const [cancelled, ...buyers] = await Promise.all([
      owner.post(`${to}/cancel`, { reason: "Out of stock" }),
      ...Array.from({ length: 4 }, buyAgain),
    ]);
    expect(cancelled?.status).toBe(200);
    const placed = [...buyers, await buyAgain()].filter(({ status }) => status === 201);
    expect(placed).toHaveLength(1);
    await shop.jobsDone();
    expect(await readUseCount(id)).toBe(1);
  });

  test("releases its use on a full refund before shipping, until the refund fails", async () => {
    const { id, code } = await createCode();
    const { to, orderId } = await buyAndPay(code);
    await owner.post(`${to}/refund`, { amount: 1000 });
    expect(await readUseCount(id)).toBe(1);
    await owner.post(`${to}/refund`);
    expect(await readUseCount(id)).toBe(0);
    const orderRefunds = await shop.database.db.select().from(refunds).where(eq(refunds.orderId, orderId));
    await shop.send(shop.stripe.bounceRefund(orderRefunds[1]?.providerRefundId ?? ""));
    await shop.jobsDone();
    expect(await readUseCount(id)).toBe(1);
  });

  test("keeps its use when it is refunded after shipping", async () => {
    const { id, code } = await createCode();
    const { to } = await buyAndPay(code);
    await owner.post(`${to}/ship`, { carrier: "UPS", trackingNumber: "1Z5R89390357567127" });
    expect((await owner.post(`${to}/refund`, { restock: "all" })).body.data.status).toBe("refunded");
    expect(await readUseCount(id)).toBe(1);
  });

  test("names the discount in its e-mails", async () => {
    const { code } = await createCode();
    const placed = await buy(code);
    await shop.send(shop.stripe.pay(placed.body.paymentIntentId));
    await shop.jobsDone();
    const mails = await shop.database.db
      .select({ kind: messages.kind, text: messages.text })
      .from(messages)
      .where(eq(messages.orderId, placed.body.orderId));
    expect(mails.map(({ kind }) => kind)).toContain("order_confirmation");
    for (const { text } of mails) expect(text).toContain(`Discount (${code})`);
  });

  test("leaves no hash of its buyer in the code's uses after an erasure", async () => {
    const { id, code } = await createCode({ limitPerCustomer: 1 });
    const placed = await buy(code, { email: "gone@example.com" });
    await eraseOrders(shop.database.db, [placed.body.orderId], shop.ctx);
    const [use] = await shop.database.db.select().from(discountUses).where(eq(discountUses.discountId, id));
    expect(use?.customerHash).toBe(placed.body.orderId);
  });
});
