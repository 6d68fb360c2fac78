import { useEffect, useRef } from "react";
import {
  contactMessageMax,
  contactNameMax,
  contactSubjects,
  offeredSubjects,
} from "../../../domain/contact/contact.ts";
import { Button } from "../../ui/button.tsx";
import { EmailField } from "../../ui/email-field.tsx";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { ContactNotice } from "./contact-notice.tsx";
import type { ContactOutcome } from "./contact-outcome.ts";
import { useContactForm } from "./use-contact-form.ts";

/**
 * Both contact forms. The simple one asks for no subject and says inline how sending went. Sent without JavaScript it
 * goes to its page's action, whose `outcome` it then shows.
 */
export function ContactForm({
  simple = false,
  outcome,
}: {
  simple?: boolean;
  outcome: ContactOutcome | undefined;
}) {
  const form = useRef<HTMLFormElement>(null);
  const { state, problems, keep, send } = useContactForm(form, outcome, simple);
  const notice = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new state is told, even in the same words
  useEffect(() => notice.current?.focus(), [state]);
  const values = outcome?.values;

  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="grid gap-4.5"
      onInput={keep}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <ContactNotice ref={notice} state={state} problems={problems} simple={simple} />
      <p className="text-small text-ink-muted">Fields marked with * are required.</p>
      <div className="grid gap-4.5 sm:grid-cols-2">
        <Field
          name="name"
          label="Name"
          autoComplete="name"
          required
          maxLength={contactNameMax}
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
            {offeredSubjects.map((subject) => (
              <option key={subject} value={subject}>
                {contactSubjects[subject]}
              </option>
            ))}
          </Select>
        )}
        <TextArea
          name="message"
          label="Message"
          required
          maxLength={contactMessageMax}
          defaultValue={values?.message}
          error={problems.message}
          hint={`Up to ${contactMessageMax.toLocaleString("en-US")} characters.`}
          className="sm:col-span-2"
        />
      </div>
      {/* For robots, which fill in everything: people neither see it nor come to it with the keyboard. */}
      <div aria-hidden="true" className="sr-only">
        <label htmlFor="website">Leave this empty</label>
        <input type="text" id="website" name="website" tabIndex={-1} autoComplete="off" />
      </div>
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
