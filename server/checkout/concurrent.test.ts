import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { checkoutBody } from "../../test/checkout.ts";
import type { ApiResponse, TestBrowser } from "../../test/shop.ts";
import { openStripeShop } from "../../test/stripe-shop.ts";
import { orders } from "../orders/tables.ts";
import { expireOrders } from "../payments/cancellation/close.ts";
import { finishOpenings } from "../payments/opening/finish-openings.ts";
import { payments } from "../payments/tables.ts";

const shop = await openStripeShop();
afterAll(() => shop.stop());
afterEach(async () => {
  shop.stripe.endTrouble();
  await shop.expectConserved();
});

const providerPaths = {
  "create-payment-intent": "/v1/payment_intents",
  "create-checkout-session": "/v1/checkout/sessions",
} as const;
type Kind = keyof typeof providerPaths;
const kinds = Object.keys(providerPaths) as Kind[];

type Call = { browser: TestBrowser; headers?: Record<string, string>; email: string };

function startCheckout(kind: Kind, { browser, headers = {}, email }: Call): Promise<ApiResponse> {
  return browser.post(`/api/stripe/${kind}`, checkoutBody({ email }), headers);
}

/** `count` equal calls: with a cookie, all from one browser; without, each from a new browser. */
async function prepareEqualCalls(
  count: number,
  { hasKey, hasCookie }: { hasKey: boolean; hasCookie: boolean },
) {
  const email = newAddress();
  const headers = hasKey ? { "Idempotency-Key": crypto.randomUUID() } : {};
  const browserWithCookie = shop.browser();
  if (hasCookie) await browserWithCookie.post("/api/cart/add", { productId: 1, quantity: 1 });
  return {
    email,
    calls: Array.from({ length: count }, () => ({
      email,
      headers,
      browser: hasCookie ? browserWithCookie : shop.browser(),
    })),
  };
}

function newAddress(): string {
  return `twin-${crypto.randomUUID()}@example.com`;
}

/** Reads the ids of order and payment from a response. */
function readResponse(kind: Kind, { status, body }: ApiResponse) {
  return kind === "create-payment-intent"
    ? { status, orderId: body.orderId, id: body.paymentIntentId, secret: body.clientSecret }
    : { status, orderId: body.data?.orderId, id: body.data?.id, secret: body.data?.url };
}

async function readOrders(email: string) {
  return shop.database.db
    .select({ id: orders.id, status: orders.status })
    .from(orders)
    .where(eq(orders.email, email));
}

/** Intents and sessions of an order at Stripe. */
function paymentsAtStripe(orderId: string) {
  const matchesOrder = ({ metadata }: { metadata: Record<string, string> }) => metadata.orderId === orderId;
  return [...shop.stripe.intents(), ...shop.stripe.sessions()].filter(matchesOrder);
}

describe.each(kinds)("equal concurrent calls of %s", (kind) => {
  const callers = [
    { hasKey: true, hasCookie: false },
    { hasKey: false, hasCookie: true },
    { hasKey: true, hasCookie: true },
  ];

  test.each(callers)(
    "lead to one order and one payment (key: $hasKey, cookie: $hasCookie)",
    async (caller) => {
      const { calls, email } = await prepareEqualCalls(20, caller);
      shop.stripe.slow({ path: "/v1/", ms: 500 });

      const responses = await Promise.all(calls.map((call) => startCheckout(kind, call)));

      const [placedOrder, ...others] = await readOrders(email);
      expect([placedOrder?.status, others]).toEqual(["pending", []]);
      const [payment, ...otherPayments] = paymentsAtStripe(placedOrder?.id ?? "");
      expect(otherPayments).toEqual([]);
      const responsePayments = responses.map((response) => readResponse(kind, response));
      const status = kind === "create-payment-intent" ? 201 : 200;
      expect(responsePayments[0]).toMatchObject({ status, orderId: placedOrder?.id, id: payment?.id });
      expect(new Set(responsePayments.map((responsePayment) => JSON.stringify(responsePayment))).size).toBe(
        1,
      );
      for (const { browser } of calls)
        expect((await browser.get(`/api/orders/${placedOrder?.id}`)).status).toBe(200);
    },
  );

  test("are all refused while the provider is unavailable, and store nothing", async () => {
    const { calls, email } = await prepareEqualCalls(20, { hasKey: true, hasCookie: false });
    shop.stripe.slow({ path: "/v1/", ms: 100 });
    shop.stripe.failNext({ path: "/v1/", how: 503, times: 1_000 });

    const responses = await Promise.all(calls.map((call) => startCheckout(kind, call)));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([502]));
    expect(new Set((await readOrders(email)).map(({ status }) => status))).toEqual(new Set(["cancelled"]));
  });

  test("are all refused with the same status if the provider refuses", async () => {
    const { calls, email } = await prepareEqualCalls(5, { hasKey: false, hasCookie: true });
    shop.stripe.slow({ path: "/v1/", ms: 100 });
    shop.stripe.failNext({ path: "/v1/", how: 400, times: 1_000 });

    const responses = await Promise.all(calls.map((call) => startCheckout(kind, call)));

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([402]));
    expect(new Set((await readOrders(email)).map(({ status }) => status))).toEqual(new Set(["cancelled"]));
  });
});

test("all callers wait for a provider whose response takes longer than one attempt", async () => {
  const pairs = await Promise.all(
    kinds.map(async (kind) => ({
      kind,
      ...(await prepareEqualCalls(2, { hasKey: true, hasCookie: false })),
    })),
  );
  for (const kind of kinds)
    shop.stripe.slow({ path: providerPaths[kind], method: "POST", ms: 9_500, times: 1 });

  const responses = await Promise.all(
    pairs.map(({ kind, calls }) => Promise.all(calls.map((call) => startCheckout(kind, call)))),
  );

  for (const [index, { kind, email }] of pairs.entries()) {
    const [placedOrder, ...others] = await readOrders(email);
    expect([placedOrder?.status, others]).toEqual(["pending", []]);
    const intentIds = paymentsAtStripe(placedOrder?.id ?? "").map(({ id }) => id);
    expect(intentIds).toHaveLength(1);
    const answeredIds = responses[index]?.map((response) => readResponse(kind, response).id);
    expect(answeredIds).toEqual([...intentIds, ...intentIds]);
  }
}, 40_000);

describe.each(kinds)("%s", (kind) => {
  /** Starts a checkout that cannot record the provider's response, as after a crash or a lost database connection. */
  async function startWithoutRecording(call: Call): Promise<ApiResponse> {
    await shop.database.db.execute(sql`
      create function no_recording() returns trigger language plpgsql as
        $$ begin raise exception 'the disk is full'; end $$`);
    await shop.database.db.execute(sql`
      create trigger no_recording before update on payments for each row
        when (new.status = 'requires_payment') execute function no_recording()`);
    try {
      return await startCheckout(kind, call);
    } finally {
      await shop.database.db.execute(sql`drop function no_recording cascade`);
    }
  }

  /** Sets the end of the opening's lease to `seconds` from now, as if its process had died. */
  async function setLease(orderId: string, seconds: number): Promise<void> {
    await shop.database.db
      .update(payments)
      .set({ openingUntil: sql`now() + ${seconds} * interval '1 second'` })
      .where(eq(payments.orderId, orderId));
  }

  /** Places an order whose payment was created at the provider but not recorded. */
  async function placeUnrecordedOrder(): Promise<{ call: Call; orderId: string; paymentId: string }> {
    const call = {
      browser: shop.browser(),
      headers: { "Idempotency-Key": crypto.randomUUID() },
      email: newAddress(),
    };
    expect((await startWithoutRecording(call)).status).toBeGreaterThanOrEqual(500);
    const [placedOrder] = await readOrders(call.email);
    const orderId = placedOrder?.id ?? "";
    const [payment, ...otherPayments] = paymentsAtStripe(orderId);
    expect(otherPayments).toEqual([]);
    return { call, orderId, paymentId: payment?.id ?? "" };
  }

  test("finds the same payment on a repeated call if the provider's response could not be recorded", async () => {
    const { call, orderId, paymentId } = await placeUnrecordedOrder();
    const repeated = readResponse(kind, await startCheckout(kind, call));
    expect(repeated).toMatchObject({ orderId, id: paymentId });
    expect(paymentsAtStripe(orderId)).toHaveLength(1);
  });

  test("finds the payment of a call that crashed before recording the provider's response, once the lease has expired", async () => {
    const { call, orderId, paymentId } = await placeUnrecordedOrder();
    await setLease(orderId, 1);
    const repeated = await Promise.all([startCheckout(kind, call), startCheckout(kind, call)]);
    expect(repeated.map((response) => readResponse(kind, response).id)).toEqual([paymentId, paymentId]);
    expect(paymentsAtStripe(orderId)).toHaveLength(1);
  });

  test("finds the payment of a crashed call in the background if the buyer does not come back", async () => {
    const { orderId, paymentId } = await placeUnrecordedOrder();
    await finishOpenings(shop.ctx);
    const [payment] = await shop.database.db.select().from(payments).where(eq(payments.orderId, orderId));
    expect(payment).toMatchObject({ status: "requires_payment" });
    expect(payment?.intentId ?? payment?.sessionId).toBe(paymentId);
  });

  test("cancels the payment of a crashed call at the provider once the order has ended", async () => {
    const { call, orderId, paymentId } = await placeUnrecordedOrder();
    await setLease(orderId, 0);
    shop.travel(31 * 60 * 1000);
    await expireOrders(shop.ctx);
    expect(await readOrders(call.email)).toMatchObject([{ status: "cancelled" }]);
    await finishOpenings(shop.ctx);
    expect(paymentsAtStripe(orderId)).toMatchObject([
      { id: paymentId, status: kind === "create-payment-intent" ? "canceled" : "expired" },
    ]);
  });

  test("leaves no payable payment if the provider's response is lost", async () => {
    const call = { browser: shop.browser(), email: newAddress() };
    shop.stripe.failNext({ path: providerPaths[kind], how: "lose", times: 2 });
    expect((await startCheckout(kind, call)).status).toBe(502);
    await shop.jobsDone();
    const [placedOrder] = await readOrders(call.email);
    expect(placedOrder?.status).toBe("cancelled");
    expect(paymentsAtStripe(placedOrder?.id ?? "").map(({ status }) => status)).toEqual([
      kind === "create-payment-intent" ? "canceled" : "expired",
    ]);
    expect((await call.browser.get("/api/orders/user/me")).body.data).toEqual([]);
  });

  test("closes a payment found in the provider's list if the provider created it but reported a failure", async () => {
    const call = { browser: shop.browser(), email: newAddress() };
    shop.stripe.failNext({ path: providerPaths[kind], method: "POST", how: "fail-after-work" });
    expect((await startCheckout(kind, call)).status).toBe(502);
    await shop.jobsDone();
    const [placedOrder] = await readOrders(call.email);
    expect(paymentsAtStripe(placedOrder?.id ?? "").map(({ status }) => status)).toEqual([
      kind === "create-payment-intent" ? "canceled" : "expired",
    ]);
    expect(await readStatuses(placedOrder?.id ?? "")).toEqual(["canceled"]);
  });

  test("gives up once the provider's list, which is then certainly complete, shows that the failed call created no payment", async () => {
    const call = { browser: shop.browser(), email: newAddress() };
    shop.stripe.failNext({ path: providerPaths[kind], method: "POST", how: 500 });
    expect((await startCheckout(kind, call)).status).toBe(502);
    await shop.jobsDone();
    const [placedOrder] = await readOrders(call.email);
    const orderId = placedOrder?.id ?? "";
    expect(await readStatuses(orderId)).toEqual(["opening"]);
    await setLease(orderId, 0);
    await shop.database.db
      .update(payments)
      .set({ createdAt: sql`created_at - interval '2 minutes'` })
      .where(eq(payments.orderId, orderId));
    await finishOpenings(shop.ctx);
    expect(await readStatuses(orderId)).toEqual(["canceled"]);
  });

  async function readStatuses(orderId: string): Promise<string[]> {
    const rows = await shop.database.db.select().from(payments).where(eq(payments.orderId, orderId));
    return rows.map(({ status }) => status);
  }

  test("cancels the payment at the provider if the provider's response comes after the order has ended", async () => {
    const call = { browser: shop.browser(), email: newAddress() };
    const release = shop.stripe.hold({ path: providerPaths[kind], method: "POST" });
    const response = startCheckout(kind, call);
    await expect.poll(() => readOrders(call.email)).toHaveLength(1);
    shop.travel(31 * 60 * 1000);
    await expireOrders(shop.ctx);
    release();
    expect((await response).status).toBe(409);
    const [placedOrder] = await readOrders(call.email);
    expect(paymentsAtStripe(placedOrder?.id ?? "").map(({ status }) => status)).toEqual([
      kind === "create-payment-intent" ? "canceled" : "expired",
    ]);
  });
});
