import type { Stripe } from "stripe";
import { ProviderRefused } from "../provider.ts";
import { type Call, jobTimeouts, permitted } from "./call.ts";

/** Whose keys these are: asked once, and kept for as long as the process runs. */
export function createAccount(stripe: Stripe, call: Call, known: string | null = null) {
  let id = known;
  let isForbidden = false;
  return {
    id: () => id,
    /** Never throws: as long as Stripe is away, it is asked again the next time. */
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
