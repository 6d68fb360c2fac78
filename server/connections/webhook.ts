import type { ShopContext } from "../context.ts";
import { createWebhookMaker, type NewWebhook } from "../payment-providers/stripe/webhook.ts";
import { type Problem, problem } from "../platform/http/problem.ts";
import { readShopId } from "../settings/installation.ts";
import { claimCreation } from "../settings/secrets.ts";
import { webhookUrlOf } from "./panel-state.ts";

/** Longer than all calls to Stripe together may take. After a crash no webhook can be created for this long. */
const claimMs = 60_000;

/**
 * Creates the shop's webhook at Stripe and passes its signing secret to `store`, since Stripe shows it only once. If `store`
 * refuses, the webhook is deleted again; otherwise this shop's older webhooks are deleted, whose secrets are lost. One caller
 * at a time, across all servers. A crash before the secret is stored leaves a webhook that the next call deletes.
 */
export async function withNewWebhook<T extends object>(
  ctx: ShopContext,
  secretKey: string,
  store: (webhook: NewWebhook) => Promise<T | Problem>,
): Promise<T | Problem> {
  const url = webhookUrlOf(ctx.connections.environment);
  const requireSecret = (message: string) =>
    problem("validation_failed", "Please check the highlighted fields.", {
      fields: { webhookSecret: message },
    });
  if (!url.startsWith("https:")) {
    return requireSecret(
      `Stripe sends events only to https, and this shop’s address is ${ctx.connections.environment.publicUrl}. Set PUBLIC_URL to its https address first. For a trial, enter the secret that “stripe listen” prints`,
    );
  }
  const releaseClaim = await claimCreation(ctx, "stripe_webhook", claimMs);
  if (releaseClaim === null) {
    return problem(
      "invalid_state",
      "The webhook is being created in another window or by somebody else. Reload this page in a minute.",
    );
  }
  try {
    const { stripe: apiBase } = ctx.connections.environment.apiBases;
    const maker = createWebhookMaker({ secretKey, apiBase, url, shopId: await readShopId(ctx.db) });
    const answer = await maker.make();
    if (!answer.ok) {
      if (!answer.isUnreachable) return requireSecret(answer.message);
      return problem("provider_unavailable", `${answer.message}. Nothing was saved: try again in a minute.`);
    }
    const { id } = answer.webhook;
    const stored = await store(answer.webhook);
    const isCleanedUp = "problem" in stored ? await maker.remove(id) : await maker.removeAllBut(id);
    // The next call deletes it.
    if (!isCleanedUp)
      ctx.log.warn({ webhook: id }, "an old webhook of this shop could not be deleted at Stripe");
    return stored;
  } finally {
    await releaseClaim().catch((error: unknown) =>
      ctx.log.warn(
        { err: error },
        "the claim on creating a webhook could not be released, and expires by itself",
      ),
    );
  }
}
