import { Stripe } from "stripe";
import { ProviderRefused } from "./provider.ts";
import { type Call, forJob } from "./stripe-call.ts";

/** Whose keys these are: asked once, and kept for as long as the process runs. */
export function createAccount(stripe: Stripe, call: Call) {
  let id: string | null = null;
  let isForbidden = false;
  return {
    id: () => id,
    /** Never throws: as long as Stripe is away, it is asked again the next time. */
    async learn(): Promise<void> {
      if (id !== null || isForbidden) return;
      try {
        id = (await call("retrieve_account", forJob, (options) => retrieve(stripe, options))).id;
      } catch (error) {
        isForbidden = error instanceof ProviderRefused;
      }
    },
  };
}

async function retrieve(stripe: Stripe, options: Stripe.RequestOptions): Promise<Stripe.Account> {
  try {
    return await stripe.accounts.retrieveCurrent({}, options);
  } catch (error) {
    // A restricted key that may not read it: not the same as a wrong one, which `call` would take it for.
    if (error instanceof Stripe.errors.StripePermissionError) {
      throw new ProviderRefused("forbidden", error.message);
    }
    throw error;
  }
}
