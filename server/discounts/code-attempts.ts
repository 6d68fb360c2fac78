import { networkOf } from "../platform/client-address.ts";
import { type Problem, problem } from "../platform/problem.ts";
import type { RateLimits } from "../platform/rate-limit.ts";

/** Slows down whoever tries out codes; codes that exist cost nothing. */
export type CodeTries = {
  /**
   * To be asked before a code is looked up: a guesser who is over the limit must not learn from the answer which code
   * would have been right.
   */
  refusal(address: string): Promise<Problem | null>;
  countUnknown(address: string): Promise<void>;
};

export function createCodeTries(limits: RateLimits): CodeTries {
  return {
    async refusal(address) {
      const waitS = await limits.wait("discount", networkOf(address));
      if (waitS === null) return null;
      const message = `Many discount codes were tried from here. Please wait ${waitS} seconds, or go on without a code.`;
      return problem("rate_limited", message, { headers: { "Retry-After": String(waitS) } });
    },
    async countUnknown(address) {
      await limits.take("discount", networkOf(address));
    },
  };
}
