import type { Ref } from "react";
import { Banner } from "../../ui/error-banner.tsx";
import { FieldLinks } from "../../ui/field-links.tsx";
import type { ContactProblems, ContactState } from "./use-contact-form.ts";

const fields = ["name", "email", "subject", "message"] as const;

/** How sending went, above the form; takes focus, and stays when the toast has gone. */
export function ContactNotice({
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
      const found = fields.flatMap((field) => {
        const problem = problems[field];
        return problem ? [{ controlId: field, problem }] : [];
      });
      if (found.length === 0) return null;
      return (
        <Banner {...frame} title={state.isIncomplete ? "Missing information" : "Please check these fields"}>
          {state.isIncomplete && <p>Please fill out all required fields</p>}
          <FieldLinks links={found} />
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
