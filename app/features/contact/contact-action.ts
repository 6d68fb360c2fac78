import { data, redirect } from "react-router";
import type { ContactSent } from "../../../domain/contact.ts";
import type { PageApi } from "../../shop-context.ts";
import { readAnswer } from "../api.ts";

/** The form's fields as they stand there. */
export type ContactValues = { name: string; email: string; subject: string; message: string };

/** Why a form that was sent without JavaScript comes back. */
export type ContactOutcome = {
  values: ContactValues;
  fields: Record<string, string>;
  waitSeconds: number | null;
};

/** For a form sent without JavaScript: sends the message and goes on, or answers the form with what is wrong. */
export async function sendContactForm(request: Request, callShop: PageApi, fixedSubject?: string) {
  const form = await request.formData();
  const entry = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  const values = {
    name: entry("name"),
    email: entry("email"),
    subject: fixedSubject ?? entry("subject"),
    message: entry("message"),
  };
  const answer = await readAnswer<{ data: ContactSent }>(
    await callShop({
      method: "POST",
      path: "/api/contact",
      body: { ...values, website: entry("website") },
    }),
  );
  if (answer.ok) return redirect(`/contact/sent?reference=${answer.body.data.reference}`, 303);
  const { status, fields, retryAfterSeconds } = answer.problem;
  const outcome: ContactOutcome = { values, fields, waitSeconds: retryAfterSeconds };
  return data(outcome, { status });
}
