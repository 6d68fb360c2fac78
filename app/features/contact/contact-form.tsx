import { type Ref, useEffect, useRef } from "react";
import {
  contactSubjects,
  maxContactMessageLength,
  maxContactNameLength,
  offeredSubjects,
} from "../../../domain/contact/contact.ts";
import { Button } from "../../ui/button.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { EmailField, Field, FieldLinks, Honeypot, Options, Select, TextArea } from "../../ui/field.tsx";
import {
  type ContactOutcome,
  type ContactProblems,
  type ContactState,
  contactFields,
  useContactForm,
} from "./use-contact-form.ts";

/**
 * Both contact forms; the simple one has no subject and other texts. Without JavaScript the page's action handles the form,
 * and `outcome` is its response.
 */
export function ContactForm({
  simple = false,
  outcome,
}: {
  simple?: boolean;
  outcome: ContactOutcome | undefined;
}) {
  const form = useRef<HTMLFormElement>(null);
  const { state, problems, store, send } = useContactForm(form, outcome, simple);
  const notice = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new state is announced, even with the same text
  useEffect(() => notice.current?.focus(), [state]);
  const values = outcome?.values;

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="grid gap-4.5"
      onInput={store}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <ContactNotice ref={notice} state={state} problems={problems} simple={simple} />
      <p className="text-small text-ink-muted">Fields marked with * are required.</p>
      {/* Disabled, because entries typed while the message is being sent would be cleared with it. */}
      <fieldset disabled={state.kind === "sending"} className="grid min-w-0 gap-4.5 sm:grid-cols-2">
        <legend className="sr-only">Your contact details and message</legend>
        <Field
          name="name"
          label="Name"
          autoComplete="name"
          required
          maxLength={maxContactNameLength}
          defaultValue={values?.name}
          error={problems.name}
        />
        <EmailField name="email" required defaultValue={values?.email} error={problems.email} />
        {!simple && (
          <Select
            name="subject"
            label="Subject"
            required
            defaultValue={values?.subject ?? offeredSubjects[0]}
            error={problems.subject}
            className="sm:col-span-2"
          >
            <Options of={offeredSubjects.map((subject) => [subject, contactSubjects[subject]])} />
          </Select>
        )}
        <TextArea
          name="message"
          label="Message"
          required
          maxLength={maxContactMessageLength}
          defaultValue={values?.message}
          error={problems.message}
          hint={`Up to ${maxContactMessageLength.toLocaleString("en-US")} characters.`}
          className="sm:col-span-2"
        />
      </fieldset>
      <Honeypot id="website" />
      <div>
        <Button
          type="submit"
          busy={state.kind === "sending"}
          busyText={simple ? "Sending...." : "Sending..."}
          className="max-sm:w-full"
        >
          Send Message
        </Button>
      </div>
    </form>
  );
}

/** The outcome above the form, which receives the focus and stays after the toast has disappeared. */
function ContactNotice({
  ref,
  state,
  problems,
  simple,
}: {
  ref: Ref<HTMLDivElement>;
  state: ContactState;
  problems: ContactProblems;
  simple: boolean;
}) {
  const frame = { ref, tabIndex: -1 };
  switch (state.kind) {
    case "open":
    case "sending":
      return null;
    case "sent":
      return (
        <Banner
          {...frame}
          tone="success"
          role="status"
          title={simple ? "Form Submitted Successfully" : "Message sent"}
        >
          <p>Your reference is {state.reference}. We answer by email.</p>
        </Banner>
      );
    case "invalid": {
      const links = contactFields.flatMap((field) => {
        const problem = problems[field];
        return problem ? [{ controlId: field, problem }] : [];
      });
      if (links.length === 0) return null;
      return (
        <Banner {...frame} title={state.isIncomplete ? "Missing information" : "Please check these fields"}>
          {state.isIncomplete && <p>Please fill out all required fields</p>}
          <FieldLinks links={links} />
        </Banner>
      );
    }
    case "failed":
      return (
        <Banner
          {...frame}
          title={simple ? "Failed to send message. Please try again." : "Failed to send message"}
        >
          {state.waitSeconds !== null && (
            <p>Too many messages in a short time. Please wait {state.waitSeconds} seconds.</p>
          )}
          {state.waitSeconds === null && !simple && (
            <p>Please try again later. What you wrote is still here.</p>
          )}
        </Banner>
      );
  }
}
