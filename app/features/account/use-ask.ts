import { type FormEvent, useRef, useState } from "react";
import * as v from "valibot";
import { emailSchema } from "../../../domain/shared/email-address.ts";
import { callApi } from "../api.ts";
import { type AskCalls, type AskOutcome, askedOf, outcomeOf } from "./ask-outcome.ts";

export type { AskOutcome };

type State = {
  problem: string | null;
  failure: string | null;
  /** What is being asked for just now. */
  sending: string | null;
  /** What a link is on its way for. */
  sent: string | null;
};

/** Asks the shop to mail a link; `calls` are as in `askByForm`. */
export function useAsk(calls: AskCalls, outcome: AskOutcome | undefined) {
  const [state, setState] = useState<State>({
    problem: outcome?.problem ?? null,
    failure: outcome?.failure ?? null,
    sending: null,
    sent: outcome?.sent ?? null,
  });
  const isInFlight = useRef(false);
  const show = (news: Partial<State>) =>
    setState({ problem: null, failure: null, sending: null, sent: null, ...news });

  const ask = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isInFlight.current) return;
    const form = event.currentTarget;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const [what, key] = askedOf(calls, submitter instanceof HTMLButtonElement ? submitter.value : "");
    const control = form.elements.namedItem("email");
    if (!(control instanceof HTMLInputElement)) return;
    const checked = v.safeParse(emailSchema, control.value);
    if (!checked.success) {
      show({ problem: checked.issues[0].message });
      return control.focus();
    }
    isInFlight.current = true;
    show({ sending: what });
    const answer = await callApi(key, { body: { email: checked.output } });
    isInFlight.current = false;
    show(answer.ok ? { sent: what } : outcomeOf(answer.problem));
  };

  return { state, ask, again: () => show({}) };
}
