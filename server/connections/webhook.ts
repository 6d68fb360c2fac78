import type { ShopContext } from "../context.ts";
import { createWebhookMaker, type MadeWebhook } from "../payment-providers/stripe/webhook.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { readShopId } from "../settings/installation.ts";
import { claimMaking } from "../settings/secrets.ts";
import { webhookUrlOf } from "./panel-state.ts";

/** Longer than all calls to Stripe together may take. After a crash nobody makes a webhook for this long. */
const claimMs = 60_000;

/**
 * Makes the shop's webhook at Stripe, and has `store` keep its signing secret, which Stripe tells only now. What `store`
 * refuses is deleted again; once it is stored, so are this shop's older endpoints, whose secrets no longer exist. One caller
 * at a time, on all servers: a crash between making and storing leaves an endpoint that the next call replaces.
 */
export async function withNewWebhook<T extends object>(
  ctx: ShopContext,
  secretKey: string,
  store: (made: MadeWebhook) => Promise<T | Problem>,
): Promise<T | Problem> {
  const url = webhookUrlOf(ctx.connections.environment);
  const byHand = (message: string) =>
    problem("validation_failed", "Please check the highlighted fields.", {
      fields: { webhookSecret: message },
    });
  if (!url.startsWith("https:")) {
    return byHand(
      `Stripe sends events only to https, and this shop’s address is ${ctx.connections.environment.publicUrl}. Set PUBLIC_URL to its https address first. For a trial, enter the secret that “stripe listen” prints`,
    );
  }
  const giveBack = await claimMaking(ctx, "stripe_webhook", claimMs);
  if (giveBack === null) {
    return problem(
      "invalid_state",
      "The webhook is being made in another window or by somebody else. Look again in a minute.",
    );
  }
  try {
    const { stripe: apiBase } = ctx.connections.environment.apiBases;
    const maker = createWebhookMaker({ secretKey, apiBase, url, shopId: await readShopId(ctx.db) });
    const answer = await maker.make();
    if (!answer.ok) {
      if (!answer.isUnreachable) return byHand(answer.message);
      return problem("provider_unavailable", `${answer.message}. Nothing was kept: try again in a minute.`);
    }
    const { id } = answer.made;
    const stored = await store(answer.made);
    const isTidy = "problem" in stored ? await maker.remove(id) : await maker.removeAllBut(id);
    // The next one that is made takes them along.
    if (!isTidy) ctx.log.warn({ webhook: id }, "an old webhook of this shop could not be deleted at Stripe");
    return stored;
  } finally {
    await giveBack().catch((error: unknown) =>
      ctx.log.warn({ err: error }, "the claim on the webhook ends by itself"),
    );
  }
}
