import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { adminBrowser, send } from "../../../test/admin.ts";
import { order } from "../../../test/checkout.ts";
import type { TestBrowser } from "../../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { paymentLink } from "../../payments/payment-link.ts";
import { payments } from "../../payments/tables.ts";
import { orderEdits } from "../tables.ts";
import { findEdit } from "./queries.ts";

let shop: StripeShop;
let owner: TestBrowser;
/** Id of a product that costs $16.95. */
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
  await send(owner, "PATCH", `/api/admin/products/${smallOilId}`, { published: true });
});
afterAll(() => shop.stop());

type PaidOrder = { browser: TestBrowser; id: string };
async function placePaid(): Promise<PaidOrder> {
  const browser = shop.browser();
  const { body } = await order(browser);
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  return { browser, id: body.orderId };
}

async function saveEdit(paid: PaidOrder, editInput: object) {
  const path = `/api/admin/orders/${paid.id}/items`;
  const previewResponse = await owner.post(`${path}/preview`, editInput);
  expect(previewResponse.status, JSON.stringify(previewResponse.body)).toBe(200);
  const { version, difference } = previewResponse.body.data;
  return owner.post(path, { ...editInput, version, difference });
}

const buildUnits = (productId: number, quantity = 1) => [{ productId, quantity }];
type WaitingEdit = { id: string; createdAt: string };
const createLink = async ({ id, createdAt }: WaitingEdit) => {
  const email = (await findEdit(shop.database.db, id))?.order.email ?? "";
  return new URL(paymentLink(shop.ctx, { id, email, createdAt: new Date(createdAt) }));
};
const createLinkToken = async (edit: WaitingEdit) => (await createLink(edit)).searchParams.get("token") ?? "";
const openPage = async (edit: WaitingEdit) =>
  shop.browser().post(`/api/pay-change/${edit.id}`, { token: await createLinkToken(edit) });

async function pay({ id }: WaitingEdit): Promise<void> {
  const isOpen = and(eq(payments.orderEditId, id), eq(payments.status, "requires_payment"));
  const [page] = await shop.database.db.select().from(payments).where(isOpen);
  const eventCount = shop.stripe.events.length;
  shop.stripe.completeSession(page?.sessionId ?? "");
  await shop.send(...shop.stripe.events.slice(eventCount));
  await shop.jobsDone();
}

test("only the buyer sees and can pay an order edit on the order's page, which does not contain the link's token", async () => {
  const paid = await placePaid();
  const path = `/api/orders/${paid.id}/change`;
  expect((await paid.browser.get(path)).body).toEqual({ success: true, data: null });
  const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
  const response = await paid.browser.get(path);
  expect(response.body.data).toMatchObject({ id: edit.id, status: "waiting", difference: 1695 });
  const page = await (await paid.browser.fetch(`/orders/${paid.id}`)).text();
  expect(page).toContain("Waiting for your payment");
  expect(page.replace(/<!-- -->/g, "")).toMatch(/Your paid order<span[^>]*>1 × Pure Batana Oil, to \w+</);
  // While the order waits for the payment, no delivery date is promised.
  expect(page).toContain("As soon as the addition is paid for");
  expect(page).not.toContain("Arrives");
  const orderList = () => paid.browser.get("/api/orders/user/me");
  expect((await orderList()).body.data).toMatchObject([{ id: paid.id, toPay: 1695 }]);
  expect(await (await paid.browser.fetch("/orders")).text()).toContain("Waiting for your payment of $16.95.");
  expect(page).toMatch(new RegExp(`<form[^>]*action="/orders/${paid.id}"`));
  for (const text of [JSON.stringify(response.body), page])
    expect(text).not.toContain(await createLinkToken(edit));

  const payEdit = (id: string, browser = paid.browser, order = paid) =>
    browser.post(`/api/orders/${order.id}/change/${id}/pay`, {});
  const other = await placePaid();
  expect((await owner.get(path)).status).toBe(404);
  expect((await owner.fetch(`/orders/${paid.id}`)).status).toBe(200);
  const refusals = [
    await payEdit(edit.id, owner),
    await payEdit(edit.id, other.browser),
    await payEdit(edit.id, other.browser, other),
    await payEdit("null"),
  ];
  expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404, 404]);

  // The edit gets only one payment page, although the order's page opens it twice and the link once.
  const opened = await Promise.all([payEdit(edit.id), payEdit(edit.id), openPage(edit)]);
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(opened.map(({ body }) => body.data.url)).size).toBe(1);
  const form = await paid.browser.fetch(`/orders/${paid.id}`, {
    method: "POST",
    body: new URLSearchParams({ change: edit.id }),
    redirect: "manual",
  });
  expect([form.status, form.headers.get("location")]).toEqual([302, opened[0]?.body.data.url]);
  await pay(edit);
  const again = await payEdit(edit.id);
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining("paid already")]);
  expect((await paid.browser.get(path)).body.data).toMatchObject({ status: "applied" });
  shop.travel(4 * 24 * 60 * 60_000);
  owner = await adminBrowser(shop);
  expect((await paid.browser.get(path)).body.data).toBeNull();
});

test("an order's page cannot open the payment of an edit that was withdrawn or has expired", async () => {
  const paid = await placePaid();
  const openPayment = async (id: string) => {
    const { status, body } = await paid.browser.post(`/api/orders/${paid.id}/change/${id}/pay`, {});
    const { data } = (await paid.browser.get(`/api/orders/${paid.id}/change`)).body;
    return [status, body.message, data.status];
  };
  const firstEdit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
  await owner.post(`/api/admin/orders/${paid.id}/items/${firstEdit.id}/withdraw`);
  expect(await openPayment(firstEdit.id)).toEqual([409, expect.stringContaining("no longer"), "withdrawn"]);
  const secondEdit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
  // A tab that still shows the first edit cannot pay the second.
  expect(await openPayment(firstEdit.id)).toEqual([409, expect.stringContaining("no longer"), "waiting"]);
  shop.travel(3 * 24 * 60 * 60_000 + 1000);
  expect(await openPayment(secondEdit.id)).toEqual([409, expect.stringContaining("is over"), "expired"]);
});

test("lines with a bundle price add up to the difference on the payment link's page and the order's page", async () => {
  owner = await adminBrowser(shop);
  expect(
    (await send(owner, "PUT", `/api/admin/products/${smallOilId}/bundles/2`, { price: 2990 })).status,
  ).toBe(200);
  const paid = await placePaid();
  const edit = (await saveEdit(paid, { add: buildUnits(smallOilId, 2) })).body.data.changes[0];
  const { added, shipping, tax, difference } = (await paid.browser.get(`/api/orders/${paid.id}/change`)).body
    .data;
  expect(added).toMatchObject([{ quantity: 2, unitPrice: 1695, total: 2990 }]);
  expect(added[0].total + shipping + tax).toBe(difference);
  for (const path of [`/pay/${edit.id}?token=${await createLinkToken(edit)}`, `/orders/${paid.id}`]) {
    const html = await (await paid.browser.fetch(path)).text();
    const text = html.replace(/<!-- -->/g, "");
    for (const words of ["$16.95 each", "saving $4.00", "$29.90"]) expect(text).toContain(words);
  }
  const draft = await owner.post("/api/admin/drafts", {
    email: "ida@example.com",
    customerName: "Ida Kern",
    phone: null,
    shippingOption: "us-standard",
    shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
    items: buildUnits(smallOilId, 2),
  });
  const { items, totals } = draft.body.data.quote;
  expect(items).toMatchObject([{ quantity: 2, price: 1695, total: 2990 }]);
  expect(items[0].total + totals.shipping + totals.tax - totals.discount).toBe(totals.total);
  const { url } = (await owner.post(`/api/admin/drafts/${draft.body.data.id}/link`)).body;
  const html = await (await shop.browser().fetch(url.replace(/^https?:\/\/[^/]+/, ""))).text();
  expect(html.replace(/<!-- -->/g, "")).toContain("saving $4.00");
});

test("an order edit is held until the day in the shop's zone that its e-mail names", async () => {
  await send(owner, "PATCH", "/api/admin/settings", { timeZone: "America/New_York" });
  await expect.poll(() => shop.shop.timeZone()).toBe("America/New_York");
  const paid = await placePaid();
  const edit = (await saveEdit(paid, { add: buildUnits(smallOilId) })).body.data.changes[0];
  const expiresAt = new Date("2031-01-02T01:00:00Z");
  await shop.database.db.update(orderEdits).set({ expiresAt }).where(eq(orderEdits.id, edit.id));
  const linkPage = await createLink(edit);
  for (const path of [`/orders/${paid.id}`, linkPage.pathname + linkPage.search]) {
    expect((await paid.browser.get(path)).body).toContain("January 1, 2031");
  }
});
