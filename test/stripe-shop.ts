import { expect } from "vitest";
import { type FakeStripe, startFakeStripe } from "./fake-stripe.ts";
import { bookedCents, findRuleViolations } from "./order-rules.ts";
import { openTestShop, type TestShop, type TestShopOptions } from "./shop.ts";

export type StripeShop = TestShop & {
  stripe: FakeStripe;
  /** Posts events to the webhook as Stripe does; returns the HTTP statuses of the responses. */
  send(...events: object[]): Promise<number[]>;
  /** Checks the rules that hold once all work is finished. */
  expectConserved(): Promise<void>;
};

/**
 * A shop with Stripe's official SDK and a fake Stripe. `existing`: an existing fake Stripe and database, which are kept when the
 * shop stops.
 */
export async function openStripeShop(
  env: Record<string, string> = {},
  existing: { stripe?: FakeStripe } & Omit<TestShopOptions, "buildDir"> = {},
): Promise<StripeShop> {
  const stripe = existing.stripe ?? (await startFakeStripe());
  const shop = await openTestShop(
    {
      ...stripe.env,
      // Tests of reconciliation run it themselves.
      RECONCILE_EVERY_S: "86400",
      ...env,
    },
    { database: existing.database, background: existing.background },
  );
  return {
    ...shop,
    stripe,
    send: (...events) => Promise.all(events.map((event) => post(shop, stripe.sign(event)))),
    async expectConserved() {
      await shop.jobsDone();
      expect(await bookedCents(shop.database.db)).toBe(
        stripe.captured() - stripe.refunded() - stripe.disputed().withdrawn,
      );
      expect(await findRuleViolations(shop.database.db)).toEqual([]);
    },
    async stop() {
      await shop.stop();
      if (!existing.stripe) await stripe.stop();
    },
  };
}

export async function post(
  shop: TestShop,
  { body, signature }: { body: string; signature: string },
): Promise<number> {
  const response = await shop.app.request("/api/stripe/webhook", {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
  });
  return response.status;
}
