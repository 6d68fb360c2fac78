import { type FormEvent, useRef, useState } from "react";
import * as v from "valibot";
import { emailSchema } from "../../../domain/shared/email-address.ts";
import { callApi } from "../api.ts";
import { type LinkCalls, type LinkRequestOutcome, linkCallOf, outcomeOfProblem } from "./link-request.ts";

export type { LinkRequestOutcome };

type State = {
  problem: string | null;
  failure: string | null;
  /** Names of the call that is running and of the one whose link has been sent. */
  sending: string | null;
  sent: string | null;
};

/** Asks the shop to e-mail a link. */
export function useLinkRequest(calls: LinkCalls, outcome: LinkRequestOutcome | undefined) {
  const [state, setState] = useState<State>({
    problem: outcome?.problem ?? null,
    failure: outcome?.failure ?? null,
    sending: null,
    sent: outcome?.sent ?? null,
  });
  const isInFlight = useRef(false);
  const show = (next: Partial<State>) =>
    setState({ problem: null, failure: null, sending: null, sent: null, ...next });

  const request = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isInFlight.current) return;
    const form = event.currentTarget;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const [name, key] = linkCallOf(calls, submitter instanceof HTMLButtonElement ? submitter.value : "");
    const control = form.elements.namedItem("email");
    if (!(control instanceof HTMLInputElement)) return;
    const checked = v.safeParse(emailSchema, control.value);
    if (!checked.success) {
      show({ problem: checked.issues[0].message });
      return control.focus();
    }
    isInFlight.current = true;
    show({ sending: name });
    const answer = await callApi(key, { body: { email: checked.output } });
    isInFlight.current = false;
    show(answer.ok ? { sent: name } : outcomeOfProblem(answer.problem));
  };

  return { state, request, reset: () => show({}) };
}
