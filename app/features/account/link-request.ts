import { type FormEvent, useRef, useState } from "react";
import { data, redirect } from "react-router";
import * as v from "valibot";
import { emailSchema } from "../../../domain/shared/email-address.ts";
import { waitText } from "../../../domain/shared/wait-text.ts";
import type { PageApi } from "../../shop-context.ts";
import { type ApiProblem, callApi } from "../api.ts";
import { formEntries } from "../form-entries.ts";

/** The result of a request for a link by e-mail. `problem` concerns the address, `failure` anything else. */
export type LinkRequestOutcome = {
  email: string;
  problem: string | null;
  failure: string | null;
  /** Name of the call (see `LinkCalls`) whose link has been sent. */
  sentCall?: string;
};

type LinkCall = "POST /api/orders/find" | "POST /api/account/export" | "POST /api/account/deletion";
/** The API calls that a form can start, by the value of its field `ask`. */
type LinkCalls = Readonly<Record<string, LinkCall>>;

/** The call with this name, or else the first one. */
function findLinkCall(calls: LinkCalls, name: string): [name: string, call: LinkCall] {
  const [first = ["", "POST /api/orders/find"] as const, ...others] = Object.entries(calls);
  return others.find(([otherName]) => otherName === name) ?? first;
}

function problemOutcome({ status, fields, message, retryAfterSeconds }: ApiProblem) {
  if (fields.email) return { problem: fields.email, failure: null };
  const failure =
    status === 429
      ? `Too many attempts in a short time. Please wait ${waitText(retryAfterSeconds ?? 60)}.`
      : message;
  return { problem: null, failure };
}

/** The links that the account page's form offers. */
export const dataCalls = {
  export: "POST /api/account/export",
  deletion: "POST /api/account/deletion",
} as const;

type State = {
  problem: string | null;
  failure: string | null;
  /** Name of the call that is running. */
  runningCall: string | null;
  /** Name of the call whose link has been sent. */
  sentCall: string | null;
};

/** Asks the shop to e-mail a link. */
export function useLinkRequest(calls: LinkCalls, outcome: LinkRequestOutcome | undefined) {
  const [state, setState] = useState<State>({
    problem: outcome?.problem ?? null,
    failure: outcome?.failure ?? null,
    runningCall: null,
    sentCall: outcome?.sentCall ?? null,
  });
  const isInFlight = useRef(false);
  const showResult = (next: Partial<State>) =>
    setState({ problem: null, failure: null, runningCall: null, sentCall: null, ...next });

  const request = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isInFlight.current) return;
    const form = event.currentTarget;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const [name, call] = findLinkCall(calls, submitter instanceof HTMLButtonElement ? submitter.value : "");
    const control = form.elements.namedItem("email");
    if (!(control instanceof HTMLInputElement)) return;
    const email = v.safeParse(emailSchema, control.value);
    if (!email.success) {
      showResult({ problem: email.issues[0].message });
      return control.focus();
    }
    isInFlight.current = true;
    showResult({ runningCall: name });
    const response = await callApi(call, { body: { email: email.output } });
    isInFlight.current = false;
    showResult(response.ok ? { sentCall: name } : problemOutcome(response.problem));
  };

  return { state, request, reset: () => showResult({}) };
}

/** Handles a form sent without JavaScript: sends the link and redirects to `nextPath`, or responds with the form's errors. */
export async function requestLinkByForm(
  request: Request,
  api: PageApi,
  calls: LinkCalls,
  nextPath: (name: string) => string,
) {
  const entry = await formEntries(request);
  const email = entry("email");
  const [name, call] = findLinkCall(calls, entry("ask"));
  const response = await api.call(call, { body: { email } });
  if (response.ok) return redirect(nextPath(name), 303);
  const outcome: LinkRequestOutcome = { email, ...problemOutcome(response.problem) };
  return data(outcome, { status: response.problem.status });
}
