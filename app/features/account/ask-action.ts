import { data, redirect } from "react-router";
import type { PageApi } from "../../shop-context.ts";
import { formEntries } from "../form-entries.ts";
import { type AskCalls, type AskOutcome, askedOf, outcomeOf } from "./ask-outcome.ts";

/**
 * For a form sent without JavaScript: asks for the link and goes on to `next`, or answers the form with what is wrong.
 * `calls`: what may be asked for, by the form's `ask` field, the first one without it.
 */
export async function askByForm(
  request: Request,
  api: PageApi,
  calls: AskCalls,
  next: (what: string) => string,
) {
  const entry = await formEntries(request);
  const email = entry("email");
  const [what, key] = askedOf(calls, entry("ask"));
  const answer = await api.call(key, { body: { email } });
  if (answer.ok) return redirect(next(what), 303);
  const outcome: AskOutcome = { email, ...outcomeOf(answer.problem) };
  return data(outcome, { status: answer.problem.status });
}
