import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { disputes } from "../server/disputes/tables.ts";
import { batches } from "../server/inventory/tables.ts";
import { issues } from "../server/issues/tables.ts";
import { reviews } from "../server/reviews/tables.ts";
import { adminBrowser } from "./admin.ts";
import { checkoutBody, confirm, order } from "./checkout.ts";
import { insertReviews } from "./reviews.ts";
import { openTestShop, type TestBrowser, type TestShop } from "./shop.ts";

export type FilledShop = {
  shop: TestShop;
  admin: TestBrowser;
  /** A browser that has bought something; the other browsers have not. */
  buyer: TestBrowser;
  orders: {
    unpaid: string;
    paid: string;
    abroad: string;
    shipped: string;
    disputed: string;
    canceled: string;
  };
  /** Id of the payment of `orders.paid`. */
  intentId: string;
  /** The payment of `orders.unpaid`, and what the browser needs to confirm it. */
  unpaid: { intentId: string; clientSecret: string };
  /** A checkout on the provider's page, not paid. */
  sessionId: string;
  messageId: string;
  outboxId: string;
  discountId: number;
  batchId: number;
  reviewId: number;
  /** A product without orders. */
  otherProductId: number;
  donationId: string;
  noteId: string;
  returnId: string;
};

/** A shop with one of everything, so that every page and call has data. */
export async function openFilledShop(env: Record<string, string> = {}): Promise<FilledShop> {
  return fillShop(await openTestShop(env));
}

/** Fills an open, empty shop with one of everything. */
export async function fillShop(shop: TestShop): Promise<FilledShop> {
  const { db } = shop.database;
  const admin = await adminBrowser(shop);
  const buyer = shop.browser();
  const post = async (browser: TestBrowser, path: string, body: object = {}) => {
    const response = await browser.post(path, body);
    expect(response.status, `${path}: ${JSON.stringify(response.body)}`).toBeLessThan(300);
    return response.body.data;
  };
  await insertReviews(shop, 5, 4, 1);
  await db.update(reviews).set({ reply: "Thank you for that." }).where(eq(reviews.rating, 5));
  await post(admin, "/api/notifications/sms-settings", { phoneNumber: "5125550143" });
  const batch = { code: "L-2611", bestBefore: "2099-11-30", quantity: 100, fromUnbatched: false, note: "" };
  await post(admin, "/api/admin/products/1/batches", batch);
  const discount = await post(admin, "/api/admin/discounts", {
    code: "THANKS20",
    kind: "percent",
    value: 20,
  });
  await post(admin, "/api/admin/discounts", { code: "FREESHIP", kind: "free_shipping", active: false });
  const buy = async (overrides: Parameters<typeof checkoutBody>[0] = {}) => {
    const started = await order(buyer, overrides);
    await confirm(buyer, started);
    return started.body;
  };
  const paidOrder = await buy();
  const shippedOrder = (await buy({ email: "shipped@example.com", amount: 2991, discountCode: "THANKS20" }))
    .orderId;
  const toIreland = { email: "abroad@example.com", country: "IE", shippingOption: null };
  const abroad = (await buy(toIreland)).orderId;
  const canceled = (await buy({ email: "canceled@example.com" })).orderId;
  const { orderId: disputed, paymentIntentId: disputedIntentId } = await buy({
    email: "disputed@example.com",
  });
  const unpaid = (await order(buyer, { email: "unpaid@example.com" })).body;
  const session = await post(shop.browser(), "/api/stripe/create-checkout-session", checkoutBody());
  await shop.jobsDone();
  const shippedPath = `/api/admin/orders/${shippedOrder}`;
  await post(admin, `${shippedPath}/ship`, { carrier: "DHL", trackingNumber: "3318810025" });
  await post(admin, `${shippedPath}/refund`, { amount: 1000, reason: "A dent in the box" });
  await post(admin, `${shippedPath}/notes`, { text: "Likes to be called in the evening" });
  await post(buyer, `/api/orders/${shippedOrder}/return`, { reason: "Not for my hair" });
  await post(admin, `/api/admin/orders/${canceled}/cancel`);
  const message = "The bank asks for the money back: a dispute was opened.";
  await db.insert(issues).values({ kind: "dispute", subject: "dp_1", orderId: disputed, message });
  await db.insert(disputes).values({
    id: "dp_1",
    orderId: disputed,
    intentId: disputedIntentId,
    amountCents: 3590,
    reason: "fraudulent",
    status: "needs_response",
    isInquiry: false,
    createdAt: new Date(),
    changedAt: new Date(),
    revision: 1,
  });
  await post(admin, "/api/admin/disputes/dp_1/evidence");
  const messages: { id: string }[] = [];
  for (const subject of ["order", "wholesale"]) {
    const contact = {
      name: "Leah Cooper",
      email: "leah@example.com",
      subject,
      message: "Do you sell boxes?",
    };
    messages.push(await post(buyer, "/api/contact", contact));
  }
  const messageId = messages[1]?.id ?? "";
  await post(admin, `/api/admin/messages/${messageId}/reply`, { text: "We do: write us how many." });
  await post(buyer, "/api/cart/add", { productId: 1, quantity: 2 });
  const today = new Date().toISOString().slice(0, 10);
  await post(admin, "/api/admin/money-checks", { from: today, to: today });
  const donation = { id: randomUUID(), amountCents: 500, sentOn: today, note: "To the village school" };
  await post(admin, "/api/admin/donations", donation);
  const otherProduct = await post(admin, "/api/admin/products", {
    name: "Small Oil",
    shortDescription: "Half as much.",
    description: "The same oil in a smaller bottle.",
    price: 1695,
    size: "1 fl oz",
    stock: 5,
  });
  await shop.jobsDone();
  const orderDetail = (await admin.get(shippedPath)).body.data;
  const fetchFirstId = async (path: string) => (await admin.get(path)).body.data[0].id;
  return {
    shop,
    admin,
    buyer,
    orders: {
      unpaid: unpaid.orderId,
      paid: paidOrder.orderId,
      abroad,
      shipped: shippedOrder,
      disputed,
      canceled,
    },
    intentId: paidOrder.paymentIntentId,
    unpaid: { intentId: unpaid.paymentIntentId, clientSecret: unpaid.clientSecret },
    sessionId: session.id,
    messageId,
    outboxId: await fetchFirstId("/api/admin/outbox"),
    discountId: discount.id,
    batchId: (await db.select().from(batches))[0]?.id ?? 0,
    reviewId: await fetchFirstId("/api/admin/reviews"),
    otherProductId: otherProduct.id,
    donationId: donation.id,
    noteId: orderDetail.notes[0].id,
    returnId: orderDetail.returns[0].id,
  };
}
