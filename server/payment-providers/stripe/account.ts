import type { Stripe } from "stripe";
import { ProviderRefused } from "../provider.ts";
import { type Call, jobTimeouts, permitted } from "./call.ts";

/** The Stripe account that the keys belong to; fetched once per process. */
export function createAccount(stripe: Stripe, call: Call, known: string | null = null) {
  let id = known;
  let isForbidden = false;
  return {
    id: () => id,
    /** Never throws: while Stripe is unreachable, the next call tries again. */
    async learn(): Promise<void> {
      if (id !== null || isForbidden) return;
      try {
        id = (
          await call("retrieve_account", jobTimeouts, (options) =>
            permitted(stripe.accounts.retrieveCurrent({}, options)),
          )
        ).id;
      } catch (error) {
        isForbidden = error instanceof ProviderRefused;
      }
    },
  };
}
