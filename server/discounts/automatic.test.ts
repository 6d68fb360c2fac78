import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { adminBrowser } from "../../test/admin.ts";
import { checkoutBody, order } from "../../test/checkout.ts";
import type { TestBrowser } from "../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { orderLines } from "../orders/tables.ts";
import { messages } from "../outbox/tables.ts";
import { discounts, discountUses } from "./tables.ts";

let shop: StripeShop;
let owner: TestBrowser;
/** A second product, at $20. */
let other: number;
beforeAll(async () => {
  shop = await openStripeShop();
  owner = await adminBrowser(shop);
  const added = await owner.post("/api/admin/products", {
    name: "Small Oil",
    shortDescription: "Half.",
    description: "Half as much.",
    price: 2000,
    size: "1 fl oz",
    stock: 50,
    published: true,
  });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  other = added.body.data.id;
});
afterAll(() => shop.stop());
afterEach(async () => {
  for (const { id } of (await owner.get(path)).body.data) await change(id, { active: false });
});

const path = "/api/admin/discounts";

async function make(terms: object): Promise<{ id: number; code: string }> {
  const response = await owner.post(path, { kind: "percent", value: 10, automatic: true, ...terms });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return response.body.data;
}

async function change(id: number, body: object) {
  const headers = { "Content-Type": "application/json" };
  const response = await owner.fetch(`${path}/${id}`, {
    method: "PATCH",
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

type Items = { productId: number; quantity: number }[];
const bottles = (quantity: number): Items => [{ productId: 1, quantity }];
async function quote(items: Items, more: object = {}, browser = shop.browser()) {
  return (await browser.post("/api/cart/quote", { items, ...more })).body.data;
}

test("an automatic discount appears by its name in cart, order and receipt, and its use is counted", async () => {
  const { id } = await make({ code: "Three for less", minimumUnits: 3, limitTotal: 5 });
  expect(await quote(bottles(2))).toMatchObject({ discount: null, totals: { discount: 0 } });
  expect(await quote(bottles(3))).toMatchObject({
    discount: { code: "Three for less", automatic: true, label: "10% off" },
    discountProblem: null,
    totals: { subtotal: 8985, discount: 899, shipping: 0, total: 8086 },
  });
  const browser = shop.browser();
  const cart = await browser.post("/api/cart/add", { productId: 1, quantity: 3 });
  expect(cart.body).toMatchObject({
    totals: { discount: 899 },
    automaticDiscount: { name: "Three for less" },
  });
  const page = (await browser.get("/cart?kept=1")).body;
  expect(page).toContain("Discount (Three for less)");
  expect(page).toContain("“Three for less” applies automatically.");
  const changed = await order(browser, { quantity: 3, amount: 8985 });
  expect(changed.body).toMatchObject({ error: "price_changed", total: 8086 });
  const placed = await order(browser, { quantity: 3, amount: 8086 });
  expect(placed.status).toBe(201);
  await shop.send(shop.stripe.pay(placed.body.paymentIntentId));
  await shop.jobsDone();
  const { data } = (await browser.get(`/api/orders/${placed.body.orderId}`)).body;
  expect(data).toMatchObject({ discountCode: "Three for less", totals: { discount: 899, total: 8086 } });
  const mails = await shop.database.db
    .select({ text: messages.text })
    .from(messages)
    .where(eq(messages.orderId, placed.body.orderId));
  const receipt = mails.find(({ text }) => text?.includes("Discount (Three for less)"))?.text;
  expect(receipt, "there is nothing to combine").not.toContain("per order");
  expect((await owner.get(`${path}/${id}`)).body.data.used).toBe(1);
  await owner.post(`/api/admin/orders/${placed.body.orderId}/cancel`, { reason: "Asked for" });
  await shop.jobsDone();
  expect((await owner.get(`${path}/${id}`)).body.data.used).toBe(0);
  await shop.expectConserved();
});

test("a discount for some products reduces only their prices", async () => {
  await make({ code: "Small ones", productIds: [other], minimumUnits: 2, minimumSubtotal: 5000 });
  const small = (quantity: number) => ({ productId: other, quantity });
  expect((await quote([small(2)])).discount, "less than the sum").toBeNull();
  expect((await quote([small(1), ...bottles(2)])).discount, "too few of them").toBeNull();
  const items = [small(2), ...bottles(1)];
  const { totals } = await quote(items);
  expect(totals).toMatchObject({ subtotal: 6995, discount: 400, total: 6595 });
  const body = checkoutBody({ amount: 6595 });
  const orderItems = [
    { ...small(2), price: 2000 },
    { productId: 1, quantity: 1, price: 2995 },
  ];
  const placed = await shop.browser().post("/api/stripe/create-payment-intent", { ...body, orderItems });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const lines = await shop.database.db
    .select({ productId: orderLines.productId, discountCents: orderLines.discountCents })
    .from(orderLines)
    .where(eq(orderLines.orderId, placed.body.orderId));
  expect(lines).toHaveLength(2);
  expect(lines).toContainEqual({ productId: other, discountCents: 400 });
  expect(lines).toContainEqual({ productId: 1, discountCents: 0 });
});

test("of several discounts and an entered code, the one that saves most applies, and the shopper sees why a code does not apply", async () => {
  await make({ code: "Ten percent" });
  const first = await make({ code: "Five dollars", kind: "amount", value: 500 });
  await make({ code: "Also five dollars", kind: "amount", value: 500 });
  await make({ code: "FOUR", kind: "amount", value: 400, automatic: false });
  await make({ code: "SIX", kind: "amount", value: 600, automatic: false });
  expect((await quote(bottles(1))).discount.code).toBe("Five dollars");
  expect((await quote(bottles(2))).discount.code).toBe("Ten percent");
  const less = await quote(bottles(1), { discountCode: "FOUR" });
  expect(less).toMatchObject({
    discount: { code: "Five dollars" },
    discountProblem:
      "“Five dollars” applies automatically and saves you as much or more. One discount per order.",
  });
  const refused = await order(shop.browser(), { amount: 3090, discountCode: "FOUR" });
  expect(refused.body.fields.discountCode).toBe(less.discountProblem);
  expect(await quote(bottles(1), { discountCode: "SIX" })).toMatchObject({
    discount: { code: "SIX" },
    discountProblem: null,
    totals: { discount: 600 },
  });
  expect((await order(shop.browser(), { amount: 2990, discountCode: "SIX" })).status).toBe(201);
  const name = await quote(bottles(1), { discountCode: "Five dollars" });
  expect(name.discountProblem, "a name is not a code").toContain("not valid");
  // The discount ends between the quote and the order.
  await change(first.id, { endsAt: "2020-01-01T00:00:00Z" });
  expect((await order(shop.browser(), { amount: 3090 })).status, "the other five dollars").toBe(201);
});

test("a discount's last use goes to one of many concurrent buyers; the others can order at the new total", async () => {
  const { id } = await make({ code: "Only two", kind: "amount", value: 500, limitTotal: 2 });
  const buy = (index: number, amount: number) =>
    order(shop.browser(), { amount, email: `crowd${index}@example.com` });
  const responses = await Promise.all(Array.from({ length: 12 }, (_, index) => buy(index, 3090)));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(2);
  for (const { status, body } of responses) {
    if (status !== 201) expect([status, body.error, body.total]).toEqual([409, "price_changed", 3590]);
  }
  expect((await quote(bottles(1))).discount).toBeNull();
  expect((await buy(20, 3590)).status).toBe(201);
  expect(await shop.database.db.$count(discountUses, eq(discountUses.discountId, id))).toBe(2);
  await shop.expectConserved();
});

test("an automatic discount for first orders is left out for an address that has ordered, and a quote does not reveal that", async () => {
  const { code } = await make({ code: "Welcome", firstOrderOnly: true });
  await make({ code: "For everyone", kind: "amount", value: 100 });
  const email = "again@example.com";
  const browser = shop.browser();
  const first = await order(browser, { amount: 3290, email });
  expect(first.status).toBe(201);
  const corrected = await order(browser, { amount: 4190, email, shippingOption: "us-expedited" });
  expect(corrected.status, "their own unpaid order does not count").toBe(201);
  await shop.send(shop.stripe.pay(corrected.body.paymentIntentId));
  await shop.jobsDone();
  const buyer = shop.browser();
  expect((await quote(bottles(1), {}, buyer)).discount.code).toBe(code);
  // Only an amount that equals a quote's total reveals whether an address has ordered.
  await make({ code: "TWO", kind: "amount", value: 200, automatic: false });
  for (const guess of [
    { amount: 1 },
    { amount: 3290, price: 1 },
    { amount: 3290, discountCode: "TWO" },
    { amount: 3390, discountCode: "TWO", price: 1 },
  ]) {
    const [known, unknown] = await Promise.all(
      [email, "nobody@example.com"].map((email) => order(shop.browser(), { ...guess, email })),
    );
    expect(known?.body.refusedDiscounts).toBeUndefined();
    const bodyForUnknown = unknown?.body;
    expect(known?.status, JSON.stringify(guess)).toBe(unknown?.status);
    expect(known?.body, JSON.stringify(guess)).toEqual({ ...bodyForUnknown, requestId: expect.any(String) });
  }
  const changed = await order(buyer, { amount: 3290, email });
  expect(changed.body).toMatchObject({ error: "price_changed", total: 3490, refusedDiscounts: [code] });
  expect(await quote(bottles(1), { withoutDiscounts: [code] }, buyer)).toMatchObject({
    discount: { code: "For everyone" },
    totals: { total: 3490 },
  });
  expect((await order(buyer, { amount: 3490, email })).status).toBe(201);
});

test("a shopper who accepts the total without an automatic discount can order; their unpaid order keeps its use", async () => {
  const hello = await make({ code: "Hello", firstOrderOnly: true });
  const browser = shop.browser();
  const email = "wallet@example.com";
  // Wallets order with a key; such orders are not superseded.
  const walletOrder = await order(browser, { amount: 3290, email }, { "Idempotency-Key": "wallet-1" });
  expect(walletOrder.status).toBe(201);
  const expedited = { email, shippingOption: "us-expedited" };
  expect((await order(browser, { ...expedited, amount: 4190 })).body).toMatchObject({
    error: "price_changed",
    total: 4490,
    refusedDiscounts: ["Hello"],
  });
  expect((await order(browser, { ...expedited, amount: 4490 })).status).toBe(201);

  await change(hello.id, { active: false });
  await make({ code: "Last one", kind: "amount", value: 500, limitTotal: 1 });
  expect((await order(browser, { amount: 3090, email: "mistyped@example.com" })).status).toBe(201);
  const corrected = { email: "typed@example.com" };
  expect((await order(browser, { ...corrected, amount: 3090 })).body).toMatchObject({
    error: "price_changed",
    total: 3590,
    refusedDiscounts: ["Last one"],
  });
  expect((await order(browser, { ...corrected, amount: 3590 })).status).toBe(201);
});

test("without JavaScript the form asks for confirmation of the higher total, and of the lower one if the address is eligible", async () => {
  const { code } = await make({ code: "Welcome back", firstOrderOnly: true });
  const browser = shop.browser();
  const send = async (email: string, withoutDiscounts: string[]) => {
    const form = new URLSearchParams({ email, firstName: "Ada", lastName: "Obi" });
    for (const [name, value] of Object.entries(checkoutBody().shipping)) form.set(name, value);
    for (const name of withoutDiscounts) form.append("withoutDiscounts", name);
    const sent = await browser.fetch("/checkout?kept=1", { method: "POST", body: form, redirect: "manual" });
    return { status: sent.status, html: (await sent.text()).replaceAll("<!-- -->", "") };
  };
  const carried = /<input[^>]*name="withoutDiscounts"[^>]*value="Welcome back"/;
  const buyer = shop.browser();
  const knownEmail = "known@example.com";
  const paid = await order(buyer, { amount: 3290, email: knownEmail });
  await shop.send(shop.stripe.pay(paid.body.paymentIntentId));
  await shop.jobsDone();
  await browser.post("/api/cart/add", { productId: 1, quantity: 1 });
  const conflict = await send(knownEmail, []);
  expect(conflict.status).toBe(409);
  expect(conflict.html).toContain("“Welcome back” can’t be used for this order.");
  expect(conflict.html).toContain("The new total is $35.90");
  expect(conflict.html).toMatch(carried);
  const other = await send("new@example.com", [code]);
  expect(other.status).toBe(409);
  expect(other.html).toContain("The new total is $32.90");
  expect(other.html).not.toMatch(carried);
  expect((await send(knownEmail, [code])).status).toBe(303);
});

test("at most 20 automatic discounts can be active, and the length of a name with emoji is counted as in the form's field", async () => {
  const responses = await Promise.all(
    Array.from({ length: 22 }, (_, index) =>
      owner.post(path, { code: `Offer ${index}`, kind: "percent", value: 1, automatic: true }),
    ),
  );
  const refused = responses.filter(({ status }) => status !== 201);
  expect(refused.map(({ body }) => body.fields)).toEqual(
    Array(2).fill({
      automatic: "20 discounts apply by themselves already. Switch one off first.",
    }),
  );
  await make({ code: "Not yet", active: false });
  const name = "😀".repeat(20);
  const long = await owner.post(path, { code: `${name}!`, kind: "percent", value: 1, automatic: true });
  expect(long.body.fields.code).toBe("3 to 40 characters");
  await make({ code: name, active: false });
  expect((await quote(bottles(1), { withoutDiscounts: [name] })).items).toHaveLength(1);
});

test("a discount's products cannot be deleted, and shoppers do not see the name of an unpublished one", async () => {
  const added = await owner.post("/api/admin/products", { name: "Secret Oil", price: 500, size: "1 oz" });
  const secret = added.body.data.id;
  await make({ code: "SECRET", productIds: [secret, other], automatic: false });
  const { discountProblem } = await quote(bottles(1), { discountCode: "SECRET" });
  expect(discountProblem).toBe("This discount code is for Small Oil only.");
  const deleted = await owner.fetch(`/api/admin/products/${secret}`, { method: "DELETE" });
  expect([deleted.status, (await deleted.json()).message]).toEqual([
    409,
    "Secret Oil has 1 discount, so it is kept. Archive it instead.",
  ]);
  const unknown = await owner.post(path, { code: "NONE", kind: "percent", value: 1, productIds: [9999] });
  expect(unknown.body.fields).toEqual({ productIds: "There is no such product" });
});

test("draft orders get no automatic discount; names are unique regardless of case, and only they may have spaces", async () => {
  const { id } = await make({ code: "Not for drafts" });
  const { amount: _, orderItems: _items, metadata, shipping, shippingOption } = checkoutBody();
  const { email, customerName } = metadata;
  const draft = { email, customerName, phone: "", shipping, shippingOption, items: bottles(1), note: "" };
  const created = await owner.post("/api/admin/drafts", draft);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { quote: priced } = (await owner.get(`/api/admin/drafts/${created.body.data.id}`)).body.data;
  expect(priced.totals).toMatchObject({ discount: 0, total: 3590 });
  const typed = await owner.post(path, { code: "two words", kind: "percent", value: 10 });
  expect(typed.body.fields).toEqual({ code: expect.stringContaining("without spaces") });
  const taken = await owner.post(path, {
    code: "not FOR drafts",
    kind: "percent",
    value: 5,
    automatic: true,
  });
  expect(taken.body.fields).toEqual({ code: "There is a discount with this code already" });
  const [row] = await shop.database.db.select().from(discounts).where(eq(discounts.id, id));
  expect(row).toMatchObject({ automatic: true, productIds: [], minimumUnits: 0 });
});
