import { waitText } from "../../../domain/shared/wait-text.ts";
import type { ApiProblem } from "../api.ts";

/** The result of a request for a link by e-mail. `problem` concerns the address, `failure` anything else. */
export type LinkRequestOutcome = {
  email: string;
  problem: string | null;
  failure: string | null;
  /** Name of the call (see `LinkCalls`) whose link has been sent. */
  sent?: string;
};

type LinkCall = "POST /api/orders/find" | "POST /api/account/export" | "POST /api/account/deletion";
/** The API calls that a form offers, by the value of its field `ask`. */
export type LinkCalls = Readonly<Record<string, LinkCall>>;

/** The call of that name, or the first one. */
export function linkCallOf(calls: LinkCalls, name: string): [name: string, key: LinkCall] {
  const [first = ["", "POST /api/orders/find"] as const, ...others] = Object.entries(calls);
  return others.find(([other]) => other === name) ?? first;
}

export function outcomeOfProblem({ status, fields, message, retryAfterSeconds }: ApiProblem) {
  if (fields.email) return { problem: fields.email, failure: null };
  const failure =
    status === 429
      ? `Too many tries in a short time. Please wait ${waitText(retryAfterSeconds ?? 60)}.`
      : message;
  return { problem: null, failure };
}

/** The links that the account page's form offers. */
export const dataCalls = {
  export: "POST /api/account/export",
  deletion: "POST /api/account/deletion",
} as const;
