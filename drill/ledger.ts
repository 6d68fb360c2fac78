import { setTimeout as delay } from "node:timers/promises";
import * as v from "valibot";
import { checkoutBody } from "../test/checkout.ts";
import {
  type Ask,
  type ContestedOrders,
  contestedOrders,
  refundsOfWaiting,
} from "../test/contested-orders.ts";
import type { FakeStripe } from "../test/fake-stripe.ts";
import { type Call, call, isBroken } from "./call.ts";
import type { Owner } from "./owner.ts";

/** What one buyer was told: an order, and a payment that the bank has confirmed. */
export type Purchase = {
  email: string;
  orderId: string;
  intentId: string;
  quantity: number;
  /** In which trial it was paid. */
  trial: string;
};

export type Ledger = {
  /** Paid at the bank. */
  purchases: readonly Purchase[];
  /** Orders that were answered, paid or not, by e-mail address. */
  orders: ReadonlyMap<string, readonly string[]>;
  /** Orders at whose money two sides pull at once. */
  contested: ContestedOrders;
  /** Calls that were cut off or answered with 5xx. */
  broken: readonly (Call & { trial: string })[];
  /** How many calls there were. */
  calls(): number;
  /** What is written down from now on belongs to this trial. */
  enter(trial: string): void;
  /** Lets every buyer come to an end, and every webhook be delivered. */
  close(): Promise<void>;
};

/** Between two orders at whose money two sides pull (ms). */
const contestPauseMs = 1_000;
/** Between two attempts of a call that was not answered (ms). */
const againMs = 150;
/** Longer than the slowest answer that a server still gives. */
const callMs = 30_000;
/** A buyer who has had no answer for so long (ms) ends the drill: the shop is not coming back. */
const giveUpMs = 5 * 60_000;
/** Of a hundred of the provider's events so many never arrive, and so many arrive twice. */
const lost = 5;
const twice = 10;

/**
 * Buyers who go on for the whole drill. Each repeats a call until it is answered, under one idempotency key, and pays at
 * the bank; the provider delivers its events until they are taken. All of it is written down outside the shop.
 */
export function openLedger(parts: {
  url: string;
  stripe: FakeStripe;
  owner: Pick<Owner, "cookie">;
  random: () => number;
  buyersAtOnce: number;
  /** Between two purchases of one buyer, on average (ms). */
  pauseMs: number;
}): Ledger {
  const { url, stripe, random } = parts;
  const contested = contestedOrders();
  const purchases: Purchase[] = [];
  const orders = new Map<string, string[]>();
  const broken: (Call & { trial: string })[] = [];
  const deliveries = new Set<Promise<unknown>>();
  let calls = 0;
  let buyers = 0;
  let trial = "";
  let isOpen = true;

  async function once(path: string, request: RequestInit): Promise<Call> {
    const begunIn = trial;
    const made = await call(url, path, { ...request, limitMs: callMs });
    calls += 1;
    if (isBroken(made)) broken.push({ ...made, trial: begunIn });
    return made;
  }

  /** Repeats a call until the shop has said something about it. */
  async function insist(path: string, request: RequestInit): Promise<Call & { tries: number }> {
    const begunAt = performance.now();
    for (let tries = 1; ; tries += 1) {
      const answer = await once(path, request);
      if (!isBroken(answer) && answer.status !== 429) return { ...answer, tries };
      if (performance.now() - begunAt > giveUpMs) {
        throw new Error(
          `${path} was not answered for ${giveUpMs / 60_000} minutes: ${answer.status} ${answer.body}`,
        );
      }
      await delay(answer.status === 429 ? 1_000 : againMs);
    }
  }

  async function order(
    number: number,
    { quantity = 1 + (number % 3), again = 0 } = {},
  ): Promise<Omit<Purchase, "trial">> {
    const email = `buyer-${number}@example.com`;
    const answer = await insist("/api/stripe/create-payment-intent", {
      method: "POST",
      body: JSON.stringify(checkoutBody({ email, quantity })),
      headers: {
        "Content-Type": "application/json",
        "Idempotency-Key": `${email} ${again}`,
        ...fromHome(number),
      },
    });
    // Its time was over before it could be answered: nobody has paid for it.
    if (answer.status === 409) return order(number, { quantity, again: again + 1 });
    if (answer.status !== 201) throw new Error(`No order: ${answer.status} ${answer.body}`);
    const { orderId, paymentIntentId: intentId } = v.parse(startedSchema, JSON.parse(answer.body));
    orders.set(email, [...(orders.get(email) ?? []), orderId]);
    return { email, orderId, intentId, quantity };
  }

  async function buy(number: number): Promise<void> {
    const placed = await order(number);
    await delay(random() * 100);
    // Cancelled meanwhile, as its time was over.
    if (stripe.intent(placed.intentId).status === "canceled") return;
    const from = stripe.events.length;
    stripe.pay(placed.intentId);
    purchases.push({ ...placed, trial });
    for (const event of stripe.events.slice(from)) deliver(event);
  }

  function deliver(event: object): void {
    const luck = random() * 100;
    if (luck < lost) return;
    const times = luck < lost + twice ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const delivery = tell(event);
      void delivery.finally(() => deliveries.delete(delivery));
      deliveries.add(delivery);
    }
  }

  function tell(event: object): Promise<unknown> {
    const { body, signature } = stripe.sign(event);
    const headers = { "Content-Type": "application/json", "Stripe-Signature": signature };
    return insist("/api/stripe/webhook", { method: "POST", body, headers });
  }

  /** The `turn`th order at whose money two sides pull: each way in its turn. */
  async function contest(turn: number): Promise<void> {
    buyers += 1;
    const number = buyers;
    const ask =
      (who: Record<string, string>): Ask =>
      async (method, path, body, headers) => {
        const request = {
          ...{ method, headers: { "Content-Type": "application/json", ...who, ...headers } },
          ...(body && { body: JSON.stringify(body) }),
        };
        const { status, body: text, tries } = await insist(path, request);
        return { status: status ?? 0, body: JSON.parse(text), tries };
      };
    const hear = (happen: () => unknown) => {
      const from = stripe.events.length;
      happen();
      for (const event of stripe.events.slice(from)) deliver(event);
    };
    const [owner, buyer] = [ask({ Cookie: parts.owner.cookie() }), ask(fromHome(number))];
    const scene = { owner, buyer, stripe, hear, random };
    const refund = refundsOfWaiting[Math.floor(turn / 2) % (refundsOfWaiting.length + 1)];
    if (refund === undefined) return contested.payDraftTwice(scene, `draft-${number}@example.com`);
    const placed = await order(number, { quantity: 2 });
    if (stripe.intent(placed.intentId).status === "canceled") return;
    const paid = stripe.pay(placed.intentId);
    purchases.push({ ...placed, trial });
    await tell(paid);
    await contested.refundWhileEditWaits(scene, placed, { refund, isPaidFirst: turn % 2 === 0 });
  }

  async function keepContesting(): Promise<void> {
    for (let turn = 0; isOpen; turn += 1) {
      await contest(turn);
      await delay(contestPauseMs);
    }
  }

  async function keepBuying(): Promise<void> {
    while (isOpen) {
      buyers += 1;
      await buy(buyers);
      await delay(random() * 2 * parts.pauseMs);
    }
  }

  async function keepReading(): Promise<void> {
    for (let visit = 0; isOpen; visit += 1) {
      await once(pages[visit % pages.length] ?? "/", {});
      await delay(random() * 100);
    }
  }

  const everybody = [
    ...Array.from({ length: parts.buyersAtOnce }, keepBuying),
    keepReading(),
    keepContesting(),
  ];
  return {
    purchases,
    orders,
    contested,
    broken,
    calls: () => calls,
    enter(name) {
      trial = name;
    },
    async close() {
      isOpen = false;
      await Promise.all(everybody);
      while (deliveries.size > 0) await Promise.all(deliveries);
    },
  };
}

function fromHome(number: number): Record<string, string> {
  return { "X-Forwarded-For": `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` };
}

const startedSchema = v.object({ orderId: v.string(), paymentIntentId: v.string() });
const pages = ["/", "/product/pure-batana-oil", "/api/products", "/about"];
