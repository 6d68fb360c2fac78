import type { ApiProblem } from "../api.ts";

/** How asking for a link ended. `problem` is the address's, `failure` is anything else. */
export type AskOutcome = {
  email: string;
  problem: string | null;
  failure: string | null;
  /** What a link is on its way for. */
  sent?: string;
};

export function outcomeOf({ status, fields, message, retryAfterSeconds }: ApiProblem) {
  if (fields.email) return { problem: fields.email, failure: null };
  const failure =
    status === 429
      ? `There were many tries in a short time. Please wait ${retryAfterSeconds ?? 60} seconds.`
      : message;
  return { problem: null, failure };
}
