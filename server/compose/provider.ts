import type { App } from "../http/parts.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import { createSandboxProvider, type SandboxProvider } from "../payments/sandbox.ts";
import { createStripeProvider } from "../payments/stripe.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { ComposeInput } from "./input.ts";

/**
 * The payment provider that the configuration asks for. The sandbox posts its events to the very route that Stripe would:
 * it needs the app, which needs the provider; `app` answers null until both are there.
 */
export function connectProvider(
  input: ComposeInput,
  metrics: Metrics,
  shopId: string,
  app: () => App | null,
): { provider: PaymentProvider; sandbox: SandboxProvider | null } {
  const { config, db, log } = input;
  if (config.payments === "stripe" && config.stripe) {
    const provider = createStripeProvider({
      ...config.stripe,
      shopId,
      log,
      observe: metrics.observeProvider,
    });
    return { provider, sandbox: null };
  }
  const sandbox = createSandboxProvider({
    db,
    log,
    webhookSecret: sandboxSecret(input),
    publicUrl: config.publicUrl,
    deliver: (rawBody, signature) => postWebhook(app(), rawBody, signature),
    events: config.sandboxEvents,
  });
  return { provider: sandbox, sandbox };
}

/** With which the sandbox signs its events. */
export function sandboxSecret({ config, sessionSecret }: ComposeInput): string {
  return config.webhookSecret ?? `whsec_sandbox_${sessionSecret}`;
}

async function postWebhook(app: App | null, rawBody: string, signature: string): Promise<number> {
  if (!app) throw new Error("the sandbox sent an event before the shop was there to receive it");
  const response = await app.request("/api/stripe/webhook", {
    method: "POST",
    body: rawBody,
    headers: { "Content-Type": "application/json", "Stripe-Signature": signature },
  });
  return response.status;
}
