import type { ApiProblem } from "../api.ts";

/** The form's fields as they stand there. */
export type ContactValues = { name: string; email: string; subject: string; message: string };

/** Why a form that was sent without JavaScript comes back. */
export type ContactOutcome = {
  values: ContactValues;
  fields: Record<string, string>;
  /** See `waitSeconds`. */
  waitSeconds: number | null;
};

/** How long to wait after too many messages; null where something else is wrong. */
export function waitSeconds({ status, retryAfterSeconds }: ApiProblem): number | null {
  return status === 429 ? retryAfterSeconds : null;
}
