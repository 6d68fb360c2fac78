import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { adminBrowser, send } from "../../test/admin.ts";
import { order } from "../../test/checkout.ts";
import { keptMail } from "../../test/kept-mail.ts";
import type { TestBrowser } from "../../test/shop.ts";
import { openStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { orders } from "../orders/tables.ts";
import { messages } from "../outbox/tables.ts";
import { enqueueDelivered } from "./change-mail.ts";

let shop: StripeShop;
let owner: TestBrowser;
let staff: TestBrowser;
beforeAll(async () => {
  shop = await openStripeShop();
  owner = await adminBrowser(shop);
  expect((await send(owner, "PATCH", "/api/admin/settings", { confirmAboveCents: 3_590 })).status).toBe(200);
});
afterAll(() => shop.stop());
beforeEach(async () => {
  owner = await adminBrowser(shop);
  const person = { name: "Sam", email: `sam${Math.random()}@palmira.example`, role: "staff" };
  const { link } = (await owner.post("/api/admin/people", person)).body.data;
  staff = shop.browser();
  await staff.post("/api/admin/invitation", { token: new URL(link).searchParams.get("token") });
  shop.travel(11 * 60_000);
});

let buyers = 0;
type PaidOrder = { id: string; number: number; email: string; buyer: TestBrowser };
async function buy(): Promise<PaidOrder> {
  buyers += 1;
  const email = `buyer${buyers}@example.com`;
  const buyer = shop.browser();
  const { body } = await order(buyer, { email });
  await shop.send(shop.stripe.pay(body.paymentIntentId));
  await shop.jobsDone();
  return { id: body.orderId, number: body.orderNumber, email, buyer };
}

/** The token of the order's link, which is only in e-mails to this address. */
function tokenIn(email: string, id: string): string {
  const text = keptMail(shop, email).findLast((mail) => mail.includes(`/orders/${id}?token=`)) ?? "";
  return new RegExp(`/orders/${id}\\?token=(\\S+)`).exec(text)?.[1] ?? "";
}

async function changeEmail(id: string, email: string): Promise<void> {
  const { customerName, phone, contactVersion } = (await staff.get(`/api/admin/orders/${id}`)).body.data;
  const change = { customerName, phone, email, version: contactVersion };
  expect((await send(staff, "PATCH", `/api/admin/orders/${id}/contact`, change)).status).toBe(200);
  await shop.jobsDone();
}

const fetchActivity = async (id: string) =>
  (await owner.get(`/api/admin/activity?subject=order:${id}`)).body.data;
const fetchTimeline = async (id: string) => (await owner.get(`/api/admin/orders/${id}`)).body.data.events;
const refund = (id: string, amount: number) => staff.post(`/api/admin/orders/${id}/refund`, { amount });

test("a buyer's action in a browser that is signed in to the panel is recorded as the panel user's and counts towards that user's confirmation limit", async () => {
  const [cancelled, moved, other] = [await buy(), await buy(), await buy()];
  const token = tokenIn(cancelled.email, cancelled.id);
  expect((await staff.post(`/api/orders/${cancelled.id}/cancel`, { token })).status).toBe(200);
  await shop.jobsDone();
  const [entry] = await fetchActivity(cancelled.id);
  expect(entry).toMatchObject({
    who: { kind: "session", person: { name: "Sam" } },
    action: "POST /api/orders/:id/cancel",
    summary: `Cancelled order #${cancelled.number} as its buyer`,
    outcome: "done",
  });
  const events = await fetchTimeline(cancelled.id);
  const note = "Cancelled by the buyer, in a browser with the panel open";
  expect(events).toContainEqual(expect.objectContaining({ note, actor: "owner", by: "Sam" }));
  expect(events.at(-1)).toMatchObject({ by: "Sam", note: expect.stringContaining("$35.90 refunded") });
  // Cancelling as the buyer needs no confirmation, but after it, Sam's next refund in the panel does.
  const response = await refund(other.id, 1);
  expect(response).toMatchObject({ status: 403, body: { error: "confirmation_required" } });

  const address = {
    customerName: "Sam",
    phone: null,
    token: tokenIn(moved.email, moved.id),
    shipping: { line1: "9 Elm St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
  };
  expect((await staff.post(`/api/orders/${moved.id}/address`, address)).status).toBe(200);
  await shop.jobsDone();
  const emails = (await shop.database.db.select().from(messages)).filter(
    ({ orderId, kind }) =>
      (orderId === cancelled.id || orderId === moved.id) &&
      ["owner_order_change", "order_called_off", "address_changed"].includes(kind),
  );
  expect(emails.map(({ data }) => data?.by)).toEqual(["shop", "shop", "shop", "shop"]);
  const emailTexts = emails.map(({ subject, text }) => `${subject}\n${text}`).join("\n");
  expect(emailTexts).toContain("cancelled in the panel by the buyer’s link");
  expect(emailTexts).not.toMatch(/by the buyer\b(?!’)|the buyer of order #\d+ has|you (?:have )?cancelled/i);
  expect((await fetchActivity(moved.id))[0]).toMatchObject({
    who: { person: { name: "Sam" } },
    summary: `Changed the address of order #${moved.number} as its buyer`,
  });
  expect((await fetchTimeline(moved.id)).at(-1)).toMatchObject({
    by: "Sam",
    note: "Address changed by the buyer, in a browser with the panel open",
  });
});

test("every API call that accepts a link's token counts as a buyer's, except those about an invitation, a mailbox or a cart", () => {
  const tokenCalls = shop.api.filter(
    ({ access, method, body }) => access === "anyone" && method !== "GET" && "token" in (body?.entries ?? {}),
  );
  expect(tokenCalls.length).toBeGreaterThan(10);
  expect(tokenCalls.flatMap(({ key, byBuyer }) => (byBuyer ? [] : [String(key)])).sort()).toEqual([
    "POST /api/admin/invitation",
    "POST /api/newsletter/confirm",
    "POST /api/orders/:id/again",
    "POST /api/stock-alerts/confirm",
    "POST /api/unsubscribe",
  ]);
});

test("opening a payment link in a browser that is signed in to the panel is recorded in the activity log", async () => {
  const draft = await staff.post("/api/admin/drafts", {
    email: "phone@example.com",
    customerName: "Ida Kern",
    phone: null,
    shippingOption: "us-standard",
    shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
    items: [{ productId: 1, quantity: 1 }],
  });
  const { id, quote } = draft.body.data;
  const { url } = (await staff.post(`/api/admin/drafts/${id}/link`)).body;
  const token = new URL(url).searchParams.get("token");
  expect((await staff.post(`/api/pay/${id}`, { token, total: quote.totals.total })).status).toBe(200);
  const [entry] = (await owner.get("/api/admin/activity")).body.data;
  expect(entry).toMatchObject({ who: { person: { name: "Sam" } }, action: "POST /api/pay/:id" });
  expect(entry.summary).toMatch(/^As a buyer: Place the order of a payment link/);
});

test("after a panel user changed an order's e-mail address, actions through its link are recorded as that user's in any browser", async () => {
  const paid = await buy();
  await changeEmail(paid.id, "sams-own@example.com");
  const token = tokenIn("sams-own@example.com", paid.id);
  expect((await shop.browser().post(`/api/orders/${paid.id}/cancel`, { token })).status).toBe(200);
  await shop.jobsDone();
  const [entry] = await fetchActivity(paid.id);
  expect(entry).toMatchObject({
    who: { kind: "link", person: { name: "Sam" } },
    summary: `Cancelled order #${paid.number} as its buyer, whose email address was changed in the panel`,
  });
  const note = "Cancelled by the buyer, whose email address was changed in the panel";
  expect(await fetchTimeline(paid.id)).toContainEqual(expect.objectContaining({ note, by: "Sam" }));
  expect((await refund((await buy()).id, 1)).body.error).toBe("confirmation_required");
  const page = await (await owner.fetch("/admin/activity")).text();
  expect(page).toContain("Sam, through a buyer’s link");
});

test("actions on the new order of an exchange are recorded as those of the person who changed its first order's e-mail address", async () => {
  const paid = await buy();
  await changeEmail(paid.id, "sams-fifth@example.com");
  const bottle = [{ productId: 1, quantity: 1 }];
  const exchange = { returned: bottle, items: bottle };
  const { orderId, id } = (await owner.post(`/api/admin/orders/${paid.id}/exchange`, exchange)).body;
  expect((await owner.post(`/api/admin/orders/${paid.id}/exchange/${id}/let-go`)).status).toBe(200);
  await shop.jobsDone();
  const token = tokenIn("sams-fifth@example.com", orderId);
  expect((await shop.browser().post(`/api/orders/${orderId}/cancel`, { token })).status).toBe(200);
  expect((await fetchActivity(orderId))[0]).toMatchObject({
    who: { kind: "link", person: { name: "Sam" } },
    summary: expect.stringMatching(/as its buyer, whose email address was changed in the panel$/),
  });
});

test("an export or deletion of personal data through the changed address is recorded as the panel user's", async () => {
  const paid = await buy();
  await changeEmail(paid.id, "sams-fourth@example.com");
  for (const [call, kind, summary] of [
    ["export", "data_export", "Downloaded the data stored about a buyer"],
    ["deletion", "data_deletion", "Requested the deletion of the data stored about a buyer"],
  ] as const) {
    const stranger = shop.browser();
    await stranger.post(`/api/account/${call}`, { email: "sams-fourth@example.com" });
    await shop.jobsDone();
    const mail = keptMail(shop, "sams-fourth@example.com", kind).at(-1) ?? "";
    const token = /token=(\S+)/.exec(mail)?.[1];
    const useResponse = await stranger.post(`/api/account/${call}/use`, { token, confirm: true });
    expect(useResponse.status).toBeLessThan(300);
    expect((await fetchActivity(paid.id))[0]).toMatchObject({
      who: { kind: "link", person: { name: "Sam" } },
      summary: `${summary}, whose email address was changed in the panel`,
    });
  }
  // The address was not changed in the panel, so the request counts as the buyer's.
  const [ordered, stranger] = [await buy(), shop.browser()];
  await stranger.post("/api/account/export", { email: ordered.email });
  await shop.jobsDone();
  const token = /token=(\S+)/.exec(keptMail(shop, ordered.email, "data_export").at(-1) ?? "")?.[1];
  expect((await stranger.post("/api/account/export/use", { token })).status).toBe(200);
  expect(await fetchActivity(ordered.id)).toEqual([]);
});

test("actions on an order made from a draft are recorded as the draft author's, whichever browser opened the payment link", async () => {
  const draft = await staff.post("/api/admin/drafts", {
    email: "sams-third@example.com",
    customerName: "Ida Kern",
    phone: null,
    shippingOption: "us-standard",
    items: [{ productId: 1, quantity: 1 }],
    shipping: { line1: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
  });
  const { id, quote } = draft.body.data;
  const { url } = (await staff.post(`/api/admin/drafts/${id}/link`)).body;
  const token = new URL(url).searchParams.get("token");
  // Before the buyer does, Sam opens the link in a browser without a panel session.
  const otherBrowser = shop.browser();
  const openResponse = await otherBrowser.post(`/api/pay/${id}`, { token, total: quote.totals.total });
  const { orderId } = openResponse.body.data;
  const [session] = shop.stripe
    .sessions()
    .filter(({ metadata }) => Object.values(metadata).includes(orderId));
  await shop.send(shop.stripe.completeSession(session?.id ?? ""));
  await shop.jobsDone();
  expect((await owner.get(`/api/admin/orders/${orderId}`)).body.data.status).toBe("completed");

  const shipping = { line1: "9 Elm St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };
  const addressResponse = await otherBrowser.post(`/api/orders/${orderId}/address`, {
    customerName: "Sam",
    phone: null,
    shipping,
  });
  expect(addressResponse.status).toBe(200);
  expect((await fetchActivity(orderId))[0]).toMatchObject({
    who: { kind: "link", person: { name: "Sam" } },
    summary: expect.stringMatching(
      /^Changed the address of order #\d+ as its buyer, whose order was written/,
    ),
  });
  expect((await fetchTimeline(orderId)).at(-1)).toMatchObject({
    by: "Sam",
    note: "Address changed by the buyer, whose order was written in the panel",
  });
  expect((await otherBrowser.post(`/api/orders/${orderId}/cancel`)).status).toBe(200);
  expect((await refund((await buy()).id, 1)).body.error).toBe("confirmation_required");
});

test("“Find my orders” with the changed address is recorded as the panel user's; the browser that ordered still counts as the buyer's", async () => {
  const [foundOrder, ownOrder] = [await buy(), await buy()];
  await changeEmail(foundOrder.id, "sams-second@example.com");
  await shop.browser().post("/api/orders/find", { email: "sams-second@example.com" });
  await shop.jobsDone();
  const mail = keptMail(shop, "sams-second@example.com", "order_lookup").at(-1) ?? "";
  const stranger = shop.browser();
  const token = /token=(\S+)/.exec(mail)?.[1];
  expect((await stranger.post("/api/orders/find/use", { token })).status).toBe(200);
  expect((await stranger.post(`/api/orders/${foundOrder.id}/cancel`)).status).toBe(200);
  expect((await fetchActivity(foundOrder.id))[0]).toMatchObject({
    who: { kind: "link", person: { name: "Sam" } },
  });

  await changeEmail(ownOrder.id, "corrected@example.com");
  expect((await ownOrder.buyer.post(`/api/orders/${ownOrder.id}/cancel`)).status).toBe(200);
  const entries = await fetchActivity(ownOrder.id);
  expect(entries.map(({ action }: { action: string }) => action)).toEqual([
    "PATCH /api/admin/orders/:id/contact",
  ]);
  expect(await fetchTimeline(ownOrder.id)).toContainEqual(
    expect.objectContaining({ note: "Cancelled by the buyer", actor: "shopper", by: null }),
  );
});

test("messages to a buyer whose data was erased are skipped without a failure", async () => {
  const paid = await buy();
  await shop.jobsDone();
  const { db } = shop.database;
  await db.update(orders).set({ erasedAt: new Date() }).where(eq(orders.id, paid.id));
  await db.transaction((tx) => enqueueDelivered(tx, paid.id));
  await shop.jobsDone();
  const rows = await db.select().from(messages).where(eq(messages.kind, "order_delivered"));
  expect(rows).toMatchObject([{ status: "skipped", lastError: "Not sent: the person’s data was erased" }]);
});
