import { expect } from "vitest";
import { type FakeStripe, startFakeStripe } from "./fake-stripe.ts";
import { findRuleViolations, moneyBooked } from "./order-rules.ts";
import { openTestShop, type TestShop, type TestShopOptions } from "./shop.ts";

export type StripeShop = TestShop & {
  stripe: FakeStripe;
  /** Posts events to the webhook as Stripe does; returns the HTTP statuses of the answers. */
  send(...events: object[]): Promise<number[]>;
  /** Checks the rules that hold once all work is finished. */
  expectConserved(): Promise<void>;
};

/**
 * A shop with Stripe's official SDK and a fake Stripe. `on`: an existing fake Stripe and database, which are kept when the
 * shop stops.
 */
export async function openStripeShop(
  env: Record<string, string> = {},
  on: { stripe?: FakeStripe } & Omit<TestShopOptions, "buildDir"> = {},
): Promise<StripeShop> {
  const stripe = on.stripe ?? (await startFakeStripe());
  const shop = await openTestShop(
    {
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: stripe.secretKey,
      STRIPE_PUBLISHABLE_KEY: stripe.secretKey.startsWith("sk_live_") ? "pk_live_fake" : "pk_test_fake",
      STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
      STRIPE_API_BASE: stripe.url,
      // Tests of reconciliation run it themselves.
      RECONCILE_EVERY_S: "86400",
      ...env,
    },
    { database: on.database, background: on.background },
  );
  return {
    ...shop,
    stripe,
    send: (...events) => Promise.all(events.map((event) => post(shop, stripe.sign(event)))),
    async expectConserved() {
      await shop.jobsDone();
      expect(await moneyBooked(shop.database.db)).toBe(
        stripe.captured() - stripe.refunded() - stripe.disputed().taken,
      );
      expect(await findRuleViolations(shop.database.db)).toEqual([]);
    },
    async stop() {
      await shop.stop();
      if (!on.stripe) await stripe.stop();
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
