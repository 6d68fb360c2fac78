import { type RefObject, useEffect, useRef, useState } from "react";
import { data, redirect } from "react-router";
import * as v from "valibot";
import { contactFormSchema, offeredSubjects, simpleSubject } from "../../../domain/contact/contact.ts";
import type { PageApi } from "../../shop-context.ts";
import { toast } from "../../ui/toast.tsx";
import { type ApiProblem, callApi } from "../api.ts";
import { readStoredJson, store, storeJson } from "../browser-storage.ts";
import { formEntries } from "../form-entries.ts";

export type ContactProblems = Partial<Record<string, string>>;
export type ContactState =
  | { kind: "open" | "sending" }
  | { kind: "invalid"; isIncomplete: boolean }
  | { kind: "sent"; reference: string }
  | { kind: "failed"; waitSeconds: number | null };

/**
 * State and sending of the contact form. The fields are uncontrolled, so entries typed before the script was loaded stay;
 * they also survive failures and reloads.
 */
export function useContactForm(
  form: RefObject<HTMLFormElement | null>,
  outcome: ContactOutcome | undefined,
  simple: boolean,
) {
  const [state, setState] = useState(() => contactState(outcome));
  const [problems, setProblems] = useState<ContactProblems>(outcome?.fields ?? {});
  const isInFlight = useRef(false);
  /** Null if stored entries were restored, because they were typed before this page was opened. */
  const openedAt = useRef<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the form opens
  useEffect(() => {
    const storedValues = outcome ? null : readStoredForm();
    if (storedValues && form.current) fill(form.current, storedValues);
    else if (!outcome) openedAt.current = Date.now();
  }, []);

  const send = async () => {
    if (isInFlight.current || !form.current) return;
    const values = { ...readValues(form.current), ...(simple ? { subject: simpleSubject } : {}) };
    const parsedForm = v.safeParse(contactFormSchema, values);
    const nextProblems: ContactProblems = {};
    if (!parsedForm.success) {
      for (const issue of parsedForm.issues) nextProblems[v.getDotPath(issue) ?? ""] ??= issue.message;
    }
    setProblems(nextProblems);
    if (!parsedForm.success) return setState({ kind: "invalid", isIncomplete: isIncomplete(values) });
    isInFlight.current = true;
    setState({ kind: "sending" });
    const response = await callApi("POST /api/contact", {
      body: {
        ...parsedForm.output,
        website: readEntry(form.current, "website"),
        ...(openedAt.current === null ? {} : { elapsedMs: Date.now() - openedAt.current }),
      },
    });
    isInFlight.current = false;
    if (response.ok) {
      const { reference } = response.body.data;
      discardStoredForm();
      if (form.current) fill(form.current, emptyForm);
      setState({ kind: "sent", reference });
      return toast({ title: "Message sent" });
    }
    const { fields } = response.problem;
    if (Object.keys(fields).length > 0) {
      setProblems(fields);
      return setState({ kind: "invalid", isIncomplete: false });
    }
    setState({ kind: "failed", waitSeconds: waitSeconds(response.problem) });
    toast({ title: "Failed to send message", description: "Please try again later", tone: "danger" });
  };

  return {
    state,
    problems,
    /** Stores the entries, after each input. */
    store: () => form.current && storeForm(readValues(form.current)),
    send,
  };
}

export const contactFields = ["name", "email", "subject", "message"] as const;
const emptyForm: ContactValues = { name: "", email: "", subject: offeredSubjects[0], message: "" };

function contactState(outcome: ContactOutcome | undefined): ContactState {
  if (!outcome) return { kind: "open" };
  return Object.keys(outcome.fields).length > 0
    ? { kind: "invalid", isIncomplete: isIncomplete(outcome.values) }
    : { kind: "failed", waitSeconds: outcome.waitSeconds };
}

function isIncomplete(values: ContactValues): boolean {
  return contactFields.some((name) => values[name].trim() === "");
}

function readValues(form: HTMLFormElement): ContactValues {
  return {
    name: readEntry(form, "name"),
    email: readEntry(form, "email"),
    subject: readEntry(form, "subject"),
    message: readEntry(form, "message"),
  };
}

function readEntry(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}

function fill(form: HTMLFormElement, values: ContactValues): void {
  for (const name of contactFields) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
      control.value = values[name];
    }
    if (control instanceof HTMLSelectElement && values[name]) control.value = values[name];
  }
}

const key = "contact-form";
const text = v.optional(v.string(), "");
const storedFormSchema = v.object({ name: text, email: text, subject: text, message: text });

/** Entries of either form that were typed in this tab and not sent yet. */
function readStoredForm(): ContactValues | null {
  const result = v.safeParse(storedFormSchema, readStoredJson("session", key));
  return result.success ? result.output : null;
}

function storeForm(values: ContactValues): void {
  storeJson("session", key, values);
}

function discardStoredForm(): void {
  store("session", key, null);
}

type ContactValues = { name: string; email: string; subject: string; message: string };

/** The response to a form that was sent without JavaScript and has errors. */
export type ContactOutcome = {
  values: ContactValues;
  fields: Record<string, string>;
  /** See `waitSeconds`. */
  waitSeconds: number | null;
};

/** How long to wait after too many messages; null for other problems. */
function waitSeconds({ status, retryAfterSeconds }: ApiProblem): number | null {
  return status === 429 ? retryAfterSeconds : null;
}

/** Handles a form sent without JavaScript: sends the message and redirects, or responds with the form's errors. */
export async function sendContactForm(request: Request, api: PageApi, fixedSubject?: string) {
  const entry = await formEntries(request);
  const values = {
    name: entry("name"),
    email: entry("email"),
    subject: fixedSubject ?? entry("subject"),
    message: entry("message"),
  };
  const response = await api.call("POST /api/contact", { body: { ...values, website: entry("website") } });
  if (response.ok) return redirect(`/contact/sent?reference=${response.body.data.reference}`, 303);
  const { status, fields } = response.problem;
  const outcome: ContactOutcome = { values, fields, waitSeconds: waitSeconds(response.problem) };
  return data(outcome, { status });
}
