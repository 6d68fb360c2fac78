import type { DomainRegistration } from "../../domain/go-live/go-live.ts";
import type { ShopContext } from "../context.ts";
import { ProviderRefused, ProviderUnavailable } from "../payment-providers/provider.ts";
import { checkContext } from "./check.ts";
import { shopDomain } from "./payment-checks.ts";

/** Registers the shop's domain at Stripe, which offers wallets such as Apple Pay on registered domains only. */
export async function registerDomain(ctx: ShopContext): Promise<DomainRegistration> {
  const { stripe } = checkContext(ctx);
  const refused = (detail: string) => ({ isRegistered: false, detail });
  if (!stripe) return refused("Payments are simulated: there is no domain to register.");
  const name = shopDomain(ctx);
  try {
    const { applePayProblem } = await stripe.registerDomain(name);
    const detail = `Stripe offers the wallets that are switched on there on ${name}.`;
    return {
      isRegistered: true,
      detail: applePayProblem === null ? detail : `${detail} Not Apple Pay: ${applePayProblem}`,
    };
  } catch (error) {
    if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
    return refused(error.message);
  }
}
