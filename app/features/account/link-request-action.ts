import { data, redirect } from "react-router";
import type { PageApi } from "../../shop-context.ts";
import { formEntries } from "../form-entries.ts";
import { type LinkCalls, type LinkRequestOutcome, linkCallOf, outcomeOfProblem } from "./link-request.ts";

/** For a form sent without JavaScript: sends the link and redirects to `nextPath`, or answers with the form's errors. */
export async function requestLinkByForm(
  request: Request,
  api: PageApi,
  calls: LinkCalls,
  nextPath: (name: string) => string,
) {
  const entry = await formEntries(request);
  const email = entry("email");
  const [name, key] = linkCallOf(calls, entry("ask"));
  const answer = await api.call(key, { body: { email } });
  if (answer.ok) return redirect(nextPath(name), 303);
  const outcome: LinkRequestOutcome = { email, ...outcomeOfProblem(answer.problem) };
  return data(outcome, { status: answer.problem.status });
}
