import MailCheck from "lucide-react/icons/mail-check";
import { type FormEvent, useState } from "react";
import * as v from "valibot";
import { emailSchema } from "../../../domain/checkout.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { Field } from "../../ui/field.tsx";
import { callApi } from "../api.ts";

/** Sends a link to the orders of an e-mail address; says the same whether or not that address is known. */
export function FindOrder() {
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [state, setState] = useState<"open" | "sending" | "sent">("open");

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (state === "sending") return;
    const checked = v.safeParse(emailSchema, email);
    setFailure(null);
    setProblem(checked.success ? null : checked.issues[0].message);
    if (!checked.success) return document.getElementById("find-email")?.focus();
    setState("sending");
    const answer = await callApi("POST", "/api/orders/find", { body: { email: checked.output } });
    setState(answer.ok ? "sent" : "open");
    if (answer.ok) return;
    const { status, fields, message, retryAfterSeconds } = answer.problem;
    if (fields.email) setProblem(fields.email);
    else if (status === 429) {
      setFailure(`There were many tries in a short time. Please wait ${retryAfterSeconds ?? 60} seconds.`);
    } else setFailure(message);
  };

  return (
    <Panel>
      <h2 className="text-h3">Find my order</h2>
      <p className="mt-2 mb-5 text-small text-ink-muted">
        Ordered on another device? Enter the email address you used and we will send you a link to your
        orders.
      </p>
      <div role="status">
        {state === "sent" && (
          <Banner tone="success" glyph={MailCheck} title="Check your inbox.">
            If that address has orders, a link is on its way. It works once, for one hour.
          </Banner>
        )}
      </div>
      {state !== "sent" && (
        <form noValidate className="grid gap-3.5" onSubmit={send}>
          {failure && <Banner>{failure}</Banner>}
          <Field
            name="email"
            id="find-email"
            label="Email Address"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="name@example.com"
            value={email}
            error={problem}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Button type="submit" variant="secondary" block busy={state === "sending"} busyText="Sending...">
            Send me the link
          </Button>
        </form>
      )}
    </Panel>
  );
}
