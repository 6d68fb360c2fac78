import type { Stripe } from "stripe";
import { ProviderRefused } from "../provider.ts";
import { type Call, jobTimeouts, permitted } from "./call.ts";

/** Stripe's registration of a domain on which wallets are offered. */
export type WalletDomain = {
  isEnabled: boolean;
  /** Why Apple Pay is not offered there; null: it is. */
  applePayProblem: string | null;
};

/** Null: the domain is not registered. `forbidden`: a restricted key without permission to read it. */
export async function findWalletDomain(
  stripe: Stripe,
  call: Call,
  name: string,
): Promise<WalletDomain | null | "forbidden"> {
  try {
    const known = await find(stripe, call, name);
    return known && stateOf(known);
  } catch (error) {
    if (error instanceof ProviderRefused) return "forbidden";
    throw error;
  }
}

/** Registers the domain with Stripe, or has it validated again. Can be repeated. Throws ProviderRefused. */
export async function registerWalletDomain(stripe: Stripe, call: Call, name: string): Promise<WalletDomain> {
  const domains = stripe.paymentMethodDomains;
  const known = await find(stripe, call, name);
  if (!known) {
    return stateOf(
      await call("register_domain", jobTimeouts, (options) =>
        permitted(domains.create({ domain_name: name, enabled: true }, options)),
      ),
    );
  }
  if (!known.enabled) {
    await call("enable_domain", jobTimeouts, (options) =>
      permitted(domains.update(known.id, { enabled: true }, options)),
    );
  }
  return stateOf(
    await call("validate_domain", jobTimeouts, (options) =>
      permitted(domains.validate(known.id, {}, options)),
    ),
  );
}

async function find(stripe: Stripe, call: Call, name: string): Promise<Stripe.PaymentMethodDomain | null> {
  const listed = await call("list_domains", jobTimeouts, (options) =>
    permitted(stripe.paymentMethodDomains.list({ domain_name: name, limit: 1 }, options)),
  );
  return listed.data[0] ?? null;
}

function stateOf({ enabled, apple_pay: applePay }: Stripe.PaymentMethodDomain): WalletDomain {
  return {
    isEnabled: enabled,
    applePayProblem:
      applePay.status === "active" ? null : (applePay.status_details?.error_message ?? "Not looked at yet"),
  };
}
