import { data, redirect } from "react-router";
import type { PageApi } from "../../shop-context.ts";
import { readAnswer } from "../api.ts";
import { type AskOutcome, outcomeOf } from "./ask-outcome.ts";

/**
 * For a form sent without JavaScript: asks for the link and goes on to `next`, or answers the form with what is wrong.
 * `paths`: what may be asked for, by the form's `ask` field, the first one without it.
 */
export async function askByForm(
  request: Request,
  callShop: PageApi["send"],
  paths: Readonly<Record<string, string>>,
  next: (what: string) => string,
) {
  // What is no form at all has no fields.
  const form = await request.formData().catch(() => new FormData());
  const email = textOf(form.get("email"));
  const asked = textOf(form.get("ask"));
  const what = Object.hasOwn(paths, asked) ? asked : (Object.keys(paths)[0] ?? "");
  const answer = await readAnswer(
    await callShop({ method: "POST", path: paths[what] ?? "", body: { email } }),
  );
  if (answer.ok) return redirect(next(what), 303);
  const outcome: AskOutcome = { email, ...outcomeOf(answer.problem) };
  return data(outcome, { status: answer.problem.status });
}

function textOf(entry: FormDataEntryValue | null): string {
  return typeof entry === "string" ? entry : "";
}
