import { data, redirect } from "react-router";
import type { PageApi } from "../../shop-context.ts";
import { formEntries } from "../form-entries.ts";
import { type ContactOutcome, waitSeconds } from "./contact-outcome.ts";

/** For a form sent without JavaScript: sends the message and redirects, or answers with the form's errors. */
export async function sendContactForm(request: Request, api: PageApi, fixedSubject?: string) {
  const entry = await formEntries(request);
  const values = {
    name: entry("name"),
    email: entry("email"),
    subject: fixedSubject ?? entry("subject"),
    message: entry("message"),
  };
  const answer = await api.call("POST /api/contact", { body: { ...values, website: entry("website") } });
  if (answer.ok) return redirect(`/contact/sent?reference=${answer.body.data.reference}`, 303);
  const { status, fields } = answer.problem;
  const outcome: ContactOutcome = { values, fields, waitSeconds: waitSeconds(answer.problem) };
  return data(outcome, { status });
}
