import { sql } from "drizzle-orm";
import { expect } from "vitest";
import { adminBrowser } from "./admin.ts";
import { checkoutBody, confirm, order } from "./checkout.ts";
import { insertReviews } from "./reviews.ts";
import { openTestShop, type TestBrowser, type TestShop } from "./shop.ts";

export type FilledShop = {
  shop: TestShop;
  admin: TestBrowser;
  /** Has bought; the others have not. */
  buyer: TestBrowser;
  orders: { unpaid: string; paid: string; shipped: string; disputed: string; canceled: string };
  /** What the payment provider calls the payment of `orders.paid`. */
  intentId: string;
  /** A checkout on the provider's page, not paid. */
  sessionId: string;
  messageId: string;
  outboxId: string;
  discountId: string;
  batchId: string;
  reviewId: string;
};

/** A shop that has one of everything: what a page shows, or a call is about, is there. */
export async function openFilledShop(env: Record<string, string> = {}): Promise<FilledShop> {
  return fillShop(await openTestShop(env));
}

/** The same of an open shop, which was empty. */
export async function fillShop(shop: TestShop): Promise<FilledShop> {
  const { db } = shop.database;
  const admin = await adminBrowser(shop);
  const buyer = shop.browser();
  const post = async (by: TestBrowser, path: string, body: object = {}) => {
    const answer = await by.post(path, body);
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body.data;
  };
  await insertReviews(shop, 5, 4, 1);
  await db.execute(sql`update reviews set reply = 'Thank you for that.' where rating = 5`);
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
  const bought = await buy();
  const shipped = (await buy({ email: "shipped@example.com", amount: 2991, discountCode: "THANKS20" }))
    .orderId;
  const canceled = (await buy({ email: "canceled@example.com" })).orderId;
  const disputed = (await buy({ email: "disputed@example.com" })).orderId;
  const unpaid = (await order(buyer, { email: "unpaid@example.com" })).body.orderId;
  const session = await post(shop.browser(), "/api/stripe/create-checkout-session", checkoutBody());
  await shop.jobsDone();
  const ofShipped = `/api/admin/orders/${shipped}`;
  await post(admin, `${ofShipped}/ship`, { carrier: "DHL", trackingNumber: "3318810025" });
  await post(admin, `${ofShipped}/refund`, { amount: 1000, reason: "A dent in the box" });
  await post(admin, `${ofShipped}/notes`, { text: "Likes to be called in the evening" });
  await post(buyer, `/api/orders/${shipped}/return`, { reason: "Not for my hair" });
  await post(admin, `/api/admin/orders/${canceled}/cancel`);
  await db.execute(sql`
    insert into payment_flags (kind, subject, order_id, message)
    values ('dispute', 'dp_1', ${disputed}, 'The bank asks for the money back: a dispute was opened.')`);
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
  await shop.jobsDone();
  const first = async (path: string) => (await admin.get(path)).body.data[0].id;
  return {
    shop,
    admin,
    buyer,
    orders: { unpaid, paid: bought.orderId, shipped, disputed, canceled },
    intentId: bought.paymentIntentId,
    sessionId: session.id,
    messageId,
    outboxId: await first("/api/admin/outbox"),
    discountId: discount.id,
    batchId: String((await db.execute<{ id: string }>(sql`select id from batches limit 1`)).rows[0]?.id),
    reviewId: await first("/api/admin/reviews"),
  };
}
