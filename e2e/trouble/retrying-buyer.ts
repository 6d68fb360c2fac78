import { setTimeout as delay } from "node:timers/promises";
import { goodCard } from "../../test/checkout.ts";

/** A paid order. */
export type Purchase = {
  email: string;
  orderId: string;
  intentId: string;
  /** Calls whose connection broke or was refused because the shop was down, or that got a 5xx. */
  failedCalls: number;
};

type Body = Record<string, unknown>;

/**
 * Places and pays one order. Repeats calls without a response, as the shop's pages do, until the payment is acknowledged; throws if the
 * shop refuses a call. `url` is null while the shop is down.
 */
export async function buy(buyer: {
  email: string;
  /** The buyer's network address, as a proxy would pass it on. */
  address: string;
  /** The body of the checkout call, in cents and units. */
  checkout: Body;
  url(): string | null;
}): Promise<Purchase> {
  let cookie = "";
  let failedCalls = 0;

  async function post(path: string, body: Body, headers: Record<string, string> = {}): Promise<Body> {
    for (;;) {
      const url = buyer.url();
      const response = url === null ? null : await send(url + path, body, headers);
      if (response && response.status < 500) {
        if (response.status >= 400)
          throw new Error(`${path}: ${response.status} ${JSON.stringify(response.body)}`);
        return response.body;
      }
      if (url !== null) failedCalls += 1;
      await delay(20);
    }
  }

  async function send(url: string, body: Body, headers: Record<string, string>) {
    try {
      const response = await fetch(url, {
        method: "POST",
        body: JSON.stringify(body),
        headers: {
          "Content-Type": "application/json",
          "X-Forwarded-For": buyer.address,
          ...(cookie ? { Cookie: cookie } : {}),
          ...headers,
        },
      });
      cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
      return { status: response.status, body: (await response.json()) as Body };
    } catch (error) {
      // The connection broke or was refused, because the shop was killed.
      if (error instanceof TypeError) return null;
      throw error;
    }
  }

  const startResponse = await post("/api/stripe/create-payment-intent", buyer.checkout, {
    "Idempotency-Key": buyer.email,
  });
  const { orderId, paymentIntentId: intentId, clientSecret } = startResponse;
  if (typeof orderId !== "string" || typeof intentId !== "string") {
    throw new Error(`No order was started: ${JSON.stringify(startResponse)}`);
  }
  const { data } = await post(`/api/sandbox/payment-intents/${intentId}/confirm`, {
    clientSecret,
    card: goodCard,
  });
  if (JSON.stringify(data) !== '{"status":"succeeded"}') throw new Error(`Not paid: ${JSON.stringify(data)}`);
  return { email: buyer.email, orderId, intentId, failedCalls };
}
