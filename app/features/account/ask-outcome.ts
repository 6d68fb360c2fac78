import { waitText } from "../../../domain/shared/wait-text.ts";
import type { ApiProblem } from "../api.ts";

/** How asking for a link ended. `problem` is the address's, `failure` is anything else. */
export type AskOutcome = {
  email: string;
  problem: string | null;
  failure: string | null;
  /** What a link is on its way for. */
  sent?: string;
};

type AskCall = "POST /api/orders/find" | "POST /api/account/export" | "POST /api/account/deletion";
/** What a form may ask a link for. */
export type AskCalls = Readonly<Record<string, AskCall>>;

/** The call of that name, or the first one. */
export function askedOf(calls: AskCalls, name: string): [what: string, key: AskCall] {
  const [first = ["", "POST /api/orders/find"] as const, ...others] = Object.entries(calls);
  const [what, key] = others.find(([what]) => what === name) ?? first;
  return [what, key];
}

export function outcomeOf({ status, fields, message, retryAfterSeconds }: ApiProblem) {
  if (fields.email) return { problem: fields.email, failure: null };
  const failure =
    status === 429
      ? `Too many tries in a short time. Please wait ${waitText(retryAfterSeconds ?? 60)}.`
      : message;
  return { problem: null, failure };
}
