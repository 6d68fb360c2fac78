import type { ShopInput } from "../context.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { PaymentProvider } from "./provider.ts";
import { createSandboxProvider, type SandboxProvider } from "./sandbox/provider.ts";
import { createStripeProvider } from "./stripe/provider.ts";

/** The payment provider that the configuration asks for. */
export function connectProvider(
  input: ShopInput,
  metrics: Metrics,
  shopId: string,
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
    events: config.sandboxEvents,
  });
  return { provider: sandbox, sandbox };
}

/** With which the sandbox signs its events. */
export function sandboxSecret({ config, secret }: Pick<ShopInput, "config" | "secret">): string {
  return config.webhookSecret ?? `whsec_sandbox_${secret}`;
}
