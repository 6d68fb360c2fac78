import type { ApiProblem } from "../api.ts";

export type ContactValues = { name: string; email: string; subject: string; message: string };

/** The answer to a form sent without JavaScript that has errors. */
export type ContactOutcome = {
  values: ContactValues;
  fields: Record<string, string>;
  /** See `waitSeconds`. */
  waitSeconds: number | null;
};

/** How long to wait after too many messages; null for other problems. */
export function waitSeconds({ status, retryAfterSeconds }: ApiProblem): number | null {
  return status === 429 ? retryAfterSeconds : null;
}
