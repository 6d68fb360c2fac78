import type { AnyApiRow } from "../server/api-row.ts";
import { checkoutBody, goodCard } from "./checkout.ts";
import type { FilledShop } from "./filled-shop.ts";
import type { Json } from "./fuzz-input.ts";

type Params = Record<string, string | number>;
type CallExample = {
  params?: Params;
  query?: Record<string, string>;
  body?: Json;
};

/** Valid calls of this API row, with values that cannot be generated from its schema alone. */
export function callExamples(filled: FilledShop, { method, path }: AnyApiRow): CallExample[] {
  const recordedExamples = recordedCalls(filled)[`${method} ${path}`] ?? [];
  return [...recordedExamples, ...exampleIds(filled, path).map((params) => ({ params }))];
}

function recordedCalls(filled: FilledShop): Record<string, CallExample[]> {
  const { orders, messageId, discountId, batchId, reviewId, unpaid } = filled;
  const items = [{ productId: 1, quantity: 1 }];
  const orderCall = (id: string, body?: Json): CallExample => ({ params: { id }, ...(body && { body }) });
  const parcel = { carrier: "DHL", trackingNumber: "3318810025" };
  const contact = { name: "Ada", email: "ada@example.com", subject: "order", message: "Where is my oil?" };
  const review = { productId: 1, rating: 5, comment: "My hair loves this oil.", customerName: "Ada O." };
  const batch = { code: "L-1", bestBefore: "2099-01-31", quantity: 5, fromUnbatched: false, note: "" };
  const discount = {
    kind: "amount",
    value: 500,
    automatic: false,
    productIds: [1],
    minimumSubtotal: 1000,
    minimumUnits: 2,
    active: true,
    startsAt: "2026-01-01T00:00:00.000Z",
    endsAt: "2099-01-01T00:00:00.000Z",
    limitTotal: 10,
    limitPerCustomer: 1,
    firstOrderOnly: false,
  };
  const product = {
    name: "Small Oil",
    shortDescription: "Half.",
    description: "Half as much.",
    price: 1695,
    size: "1 fl oz",
    gtin: "4006381333931",
    mpn: "PBO-30",
    sku: "PBO-30",
    weightGrams: 80,
    hsCode: "151590",
    originCountry: "HN",
    cost: 410,
    compareAtPrice: 1995,
    scent: "Nutty",
    lasts: "About a month",
    videoUrl: "https://videos.example.com/oil.mp4",
    benefits: ["Shine"],
    usage: "",
    stock: 5,
    published: true,
  };
  const checkout = checkoutBody() as Json;
  return {
    "POST /api/stripe/create-payment-intent": [{ body: checkout }],
    "POST /api/stripe/create-checkout-session": [{ body: checkout }],
    "POST /api/sandbox/payment-intents/:id/confirm": [
      { params: { id: unpaid.intentId }, body: { clientSecret: unpaid.clientSecret, card: goodCard } },
    ],
    "POST /api/stripe/webhook": ["payment_intent.succeeded", "charge.refunded", "charge.dispute.created"].map(
      (type) => ({
        body: webhookEvent(type, unpaid.intentId),
      }),
    ),
    "POST /api/cart/add": [{ body: { productId: 1, quantity: 2 } }],
    "POST /api/cart/set": [{ body: { productId: 1, quantity: 1 } }],
    "POST /api/cart/quote": [{ body: { items, country: "US", state: "TX", discountCode: "THANKS20" } }],
    "POST /api/reviews": [{ body: review }],
    "POST /api/questions": [
      { body: { productId: 1, question: "Does it smell of coffee?", email: "a@b.example" } },
    ],
    "POST /api/contact": [{ body: contact }],
    "POST /api/admin/products": [{ body: product }],
    "PATCH /api/admin/products/:id": [{ params: { id: filled.otherProductId }, body: product }],
    "PUT /api/admin/products/:id/archived": [
      { params: { id: filled.otherProductId }, body: { archived: false } },
    ],
    "POST /api/admin/products/:id/batches": [{ params: { id: 1 }, body: batch }],
    "PATCH /api/admin/products/:id/batches/:batchId": [
      { params: { id: 1, batchId }, body: { code: "L-2", bestBefore: "2099-02-28" } },
    ],
    "POST /api/admin/discounts": [{ body: { ...discount, code: "SPRING" } }],
    "PATCH /api/admin/discounts/:id": [{ params: { id: discountId }, body: discount }],
    "POST /api/admin/orders/:id/refund": [orderCall(orders.paid, { amount: 5, reason: "A dent" })],
    "POST /api/admin/orders/:id/ship": [orderCall(orders.paid, parcel)],
    "PATCH /api/admin/orders/:id/fulfilment": [orderCall(orders.shipped, parcel)],
    "POST /api/admin/tracking/check": [{ body: { numbers: [parcel.trackingNumber] } }],
    "POST /api/admin/orders/ship": [{ body: { orders: [{ id: orders.paid, ...parcel }] } }],
    "GET /api/admin/overview": [{ query: { from: "2026-01-01", to: "2026-01-31" } }],
    "GET /api/admin/orders.csv": [{ query: { from: "2026-01-01", to: "2026-01-31", status: "shipped" } }],
    "POST /api/admin/messages/:id/reply": [{ params: { id: messageId }, body: { text: "Thank you." } }],
    "GET /api/order-details": [{ query: { session_id: filled.intentId } }],
    "POST /api/admin/donations": [
      { body: { id: filled.donationId, amountCents: 500, sentOn: "2026-01-31", note: null } },
    ],
    "POST /api/admin/money-checks": [{ body: { from: "2026-01-01", to: "2026-01-31" } }],
    "POST /api/orders/:id/return": [orderCall(orders.shipped, { reason: "Not for my hair" })],
    "POST /api/orders/:id/withdraw": [orderCall(orders.abroad, { confirm: true })],
    "POST /api/admin/orders/:id/restock": [
      orderCall(orders.shipped, { restock: [{ productId: 1, quantity: 1 }] }),
    ],
    "PATCH /api/admin/reviews/:id": [{ params: { id: reviewId }, body: { status: "hidden", reply: "" } }],
  };
}

/** A webhook event of the payment provider about a payment. */
function webhookEvent(type: string, intentId: string): Json {
  const object = { id: intentId, object: "payment_intent", amount: 3590, currency: "usd", metadata: {} };
  return {
    id: `evt_${type}`,
    object: "event",
    type,
    created: 1_795_000_000,
    livemode: false,
    data: { object: { ...object, status: "succeeded", payment_intent: intentId, charge: "ch_1" } },
  };
}

/** Existing ids for the parameters of a path, by the longest matching prefix. */
function exampleIds(filled: FilledShop, path: string): Params[] {
  const { batchId, discountId, donationId, intentId, messageId, noteId, orders, otherProductId } = filled;
  const { outboxId, returnId, reviewId, sessionId } = filled;
  const orderParams = Object.values(orders).map((id) => ({ id, noteId }));
  const paramsByPath: Record<string, Params[]> = {
    "/api/products/:slug": [{ slug: "pure-batana-oil" }],
    "/api/products/:id": [{ id: otherProductId }],
    "/api/admin/products/:id": [{ id: 1, batchId, imageId: 1 }],
    "/api/admin/batches/": [{ id: batchId }],
    "/api/admin/discounts/": [{ id: discountId }],
    "/api/stripe/payment-intent/": [{ id: intentId }],
    "/api/stripe/checkout-session/": [{ id: sessionId }],
    "/api/sandbox/": [{ id: intentId }],
    "/api/admin/money-checks/": [{ id: 1, findingId: 1 }],
    "/api/orders/user/": [{ user: "me" }, { user: "1" }],
    "/api/orders/:id": orderParams,
    "/api/admin/orders/:id": orderParams,
    "/api/admin/disputes/": [{ id: "dp_1", fileId: orders.disputed }],
    "/api/admin/returns/": [{ id: returnId }],
    "/api/reviews/product/": [{ productId: 1 }],
    "/api/reviews/:id": [{ id: reviewId }],
    "/api/admin/reviews/": [{ id: reviewId }],
    "/api/admin/messages/": [{ id: messageId }],
    "/api/admin/outbox/": [{ id: outboxId }],
    "/api/admin/donations/": [{ id: donationId }],
    "/api/admin/attention/": [{ id: 1 }, { id: 2 }],
  };
  const [start = ""] = Object.keys(paramsByPath)
    .filter((prefix) => path.startsWith(prefix))
    .sort((a, b) => b.length - a.length);
  return paramsByPath[start] ?? [];
}
