import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { checkoutBody } from "../test/checkout.ts";
import type { FakeStripe } from "../test/fake-stripe.ts";
import {
  pendingEditRefunds,
  type RacedOrders,
  type RepeatedCall,
  racedOrders,
} from "../test/raced-orders.ts";
import { type Call, call, isBroken } from "./calls.ts";
import type { Owner } from "./owner.ts";

/** An order as acknowledged to a buyer, with its confirmed payment. */
export type Purchase = {
  email: string;
  orderId: string;
  intentId: string;
  quantity: number;
  /** The trial during which it was paid. */
  trial: string;
};

export type Ledger = {
  purchases: readonly Purchase[];
  /** Ids of acknowledged orders, paid or not, by e-mail address. */
  orders: ReadonlyMap<string, readonly string[]>;
  /** Orders that owner and buyer pay and refund at the same time. */
  races: RacedOrders;
  /** Calls that failed without a response, or got 5xx. */
  brokenCalls: readonly (Call & { trial: string })[];
  calls(): number;
  /** Assigns all later entries to this trial. */
  startTrial(trial: string): void;
  /** Waits until every buyer has finished and every webhook is delivered. */
  close(): Promise<void>;
};

/** Pause between two raced orders (ms). */
const racePauseMs = 1_000;
/** Pause before a call without a response is repeated (ms). */
const retryPauseMs = 150;
/** Timeout of one call (ms): longer than the slowest response. */
const callTimeoutMs = 30_000;
/** The drill ends with an error if a buyer gets no response for this long (ms). */
const giveUpMs = 5 * 60_000;
/** Percentages of the provider's events that are never delivered, and that are delivered twice. */
const lostPercent = 5;
const doubledPercent = 10;

/**
 * Simulates buyers for the whole drill. Each repeats a call under one idempotency key until it gets a response, then pays. The
 * provider repeats its webhooks until they are accepted. Everything is recorded outside the shop.
 */
export function openLedger(options: {
  url: string;
  stripe: FakeStripe;
  owner: Pick<Owner, "cookie">;
  random: () => number;
  buyersAtOnce: number;
  /** Average pause between two purchases of one buyer (ms). */
  pauseMs: number;
}): Ledger {
  const { url, stripe, random } = options;
  const races = racedOrders();
  const purchases: Purchase[] = [];
  const orders = new Map<string, string[]>();
  const brokenCalls: (Call & { trial: string })[] = [];
  const deliveries = new Set<Promise<unknown>>();
  let calls = 0;
  let buyers = 0;
  let trial = "";
  let isOpen = true;

  async function callOnce(path: string, request: RequestInit): Promise<Call> {
    const trialAtStart = trial;
    const result = await call(url, path, { ...request, limitMs: callTimeoutMs });
    calls += 1;
    if (isBroken(result)) brokenCalls.push({ ...result, trial: trialAtStart });
    return result;
  }

  /** Repeats a call until the shop responds with neither 5xx nor 429. */
  async function callUntilResponse(path: string, request: RequestInit): Promise<Call & { tries: number }> {
    const startedAt = performance.now();
    for (let tries = 1; ; tries += 1) {
      const response = await callOnce(path, request);
      if (!isBroken(response) && response.status !== 429) return { ...response, tries };
      if (performance.now() - startedAt > giveUpMs) {
        throw new Error(
          `${path} was not answered for ${giveUpMs / 60_000} minutes: ${response.status} ${response.body}`,
        );
      }
      await delay(response.status === 429 ? 1_000 : retryPauseMs);
    }
  }

  async function order(
    number: number,
    { quantity = 1 + (number % 3), attempt = 0 } = {},
  ): Promise<Omit<Purchase, "trial">> {
    const email = `buyer-${number}@example.com`;
    const response = await callUntilResponse("/api/stripe/create-payment-intent", {
      method: "POST",
      body: JSON.stringify(checkoutBody({ email, quantity })),
      headers: {
        "Content-Type": "application/json",
        "Idempotency-Key": `${email} ${attempt}`,
        ...addressHeader(number),
      },
    });
    // The order expired before the response arrived; nothing was paid.
    if (response.status === 409) return order(number, { quantity, attempt: attempt + 1 });
    if (response.status !== 201) throw new Error(`No order: ${response.status} ${response.body}`);
    const { orderId, paymentIntentId: intentId } = v.parse(checkoutResponseSchema, JSON.parse(response.body));
    orders.set(email, [...(orders.get(email) ?? []), orderId]);
    return { email, orderId, intentId, quantity };
  }

  async function buy(number: number): Promise<void> {
    const placedOrder = await order(number);
    await delay(random() * 100);
    // The order expired and was cancelled in the meantime.
    if (stripe.intent(placedOrder.intentId).status === "canceled") return;
    const eventCount = stripe.events.length;
    stripe.pay(placedOrder.intentId);
    purchases.push({ ...placedOrder, trial });
    for (const event of stripe.events.slice(eventCount)) deliver(event);
  }

  function deliver(event: object): void {
    const roll = random() * 100;
    if (roll < lostPercent) return;
    const times = roll < lostPercent + doubledPercent ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const delivery = deliverOnce(event);
      void delivery.finally(() => deliveries.delete(delivery));
      deliveries.add(delivery);
    }
  }

  function deliverOnce(event: object): Promise<unknown> {
    const { body, signature } = stripe.sign(event);
    const headers = { "Content-Type": "application/json", "Stripe-Signature": signature };
    return callUntilResponse("/api/stripe/webhook", { method: "POST", body, headers });
  }

  /** Lets owner and buyer pay and refund one order at the same time, in turn with each kind of order edit, and a draft. */
  async function raceOrder(turn: number): Promise<void> {
    buyers += 1;
    const number = buyers;
    const callAs =
      (identity: Record<string, string>): RepeatedCall =>
      async (method, path, body, headers) => {
        const request = {
          method,
          headers: { "Content-Type": "application/json", ...identity, ...headers },
          ...(body && { body: JSON.stringify(body) }),
        };
        const { status, body: text, tries } = await callUntilResponse(path, request);
        return { status: status ?? 0, body: JSON.parse(text), tries };
      };
    const deliverEventsFrom = (action: () => unknown) => {
      const eventCount = stripe.events.length;
      action();
      for (const event of stripe.events.slice(eventCount)) deliver(event);
    };
    const [owner, buyer] = [callAs({ Cookie: options.owner.cookie() }), callAs(addressHeader(number))];
    const parties = { owner, buyer, stripe, deliverEventsFrom, random };
    const refund = pendingEditRefunds[Math.floor(turn / 2) % (pendingEditRefunds.length + 1)];
    // One index past the list: a draft instead of an edit.
    if (refund === undefined) return races.payDraftTwice(parties, `draft-${number}@example.com`);
    const placedOrder = await order(number, { quantity: 2 });
    if (stripe.intent(placedOrder.intentId).status === "canceled") return;
    const paymentEvent = stripe.pay(placedOrder.intentId);
    purchases.push({ ...placedOrder, trial });
    await deliverOnce(paymentEvent);
    await races.refundWhileEditWaits(parties, placedOrder, { refund, isPaidFirst: turn % 2 === 0 });
  }

  async function keepRacing(): Promise<void> {
    for (let turn = 0; isOpen; turn += 1) {
      await raceOrder(turn);
      await delay(racePauseMs);
    }
  }

  async function keepBuying(): Promise<void> {
    while (isOpen) {
      buyers += 1;
      await buy(buyers);
      await delay(random() * 2 * options.pauseMs);
    }
  }

  async function keepReading(): Promise<void> {
    for (let visit = 0; isOpen; visit += 1) {
      await callOnce(pages[visit % pages.length] ?? "/", {});
      await delay(random() * 100);
    }
  }

  const loops = [...Array.from({ length: options.buyersAtOnce }, keepBuying), keepReading(), keepRacing()];
  return {
    purchases,
    orders,
    races,
    brokenCalls,
    calls: () => calls,
    startTrial(name) {
      trial = name;
    },
    async close() {
      isOpen = false;
      await Promise.all(loops);
      while (deliveries.size > 0) await Promise.all(deliveries);
    },
  };
}

function addressHeader(number: number): Record<string, string> {
  return { "X-Forwarded-For": `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` };
}

const checkoutResponseSchema = v.object({ orderId: v.string(), paymentIntentId: v.string() });
const pages = ["/", "/product/pure-batana-oil", "/api/products", "/about"];
