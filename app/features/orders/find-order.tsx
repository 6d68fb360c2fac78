import MailCheck from "lucide-react/icons/mail-check";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmailField } from "../../ui/email-field.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { type LinkRequestOutcome, useLinkRequest } from "../account/use-link-request.ts";

export const findCalls = { orders: "POST /api/orders/find" } as const;

/**
 * Sends a link to the orders of an e-mail address; the answer is the same whether or not the address has orders. Without
 * JavaScript the page's action handles the form, and `outcome` is its answer.
 */
export function FindOrder({ outcome }: { outcome: LinkRequestOutcome | undefined }) {
  const { state, request, reset } = useLinkRequest(findCalls, outcome);
  const panel = useRef<HTMLDivElement>(null);
  const wasSent = useRef(state.sent !== null);
  const isSent = state.sent !== null;
  // The focused control has been replaced: focus the message, or the field for another try.
  useEffect(() => {
    if (isSent === wasSent.current) return;
    wasSent.current = isSent;
    panel.current?.querySelector<HTMLElement>(isSent ? "[role=status]" : "input")?.focus();
  }, [isSent]);

  return (
    <Panel id="find" ref={panel}>
      <h2 className="text-h3">Find my order</h2>
      <p className="mt-2 mb-5 text-small text-ink-muted">
        Ordered on another device? Enter the email address you used and we will send you a link to your
        orders.
      </p>
      <div role="status" tabIndex={-1} className="outline-none">
        {isSent && (
          <Banner tone="success" glyph={MailCheck} title="Check your inbox.">
            If that address has orders, a link is on its way. It works once, for one hour.
          </Banner>
        )}
      </div>
      {isSent && (
        <p className="mt-3 text-small text-ink-muted">
          Nothing there after a few minutes? Check your spam folder, or{" "}
          {/* The address is for browsers without JavaScript. */}
          <Link
            to="/orders#find"
            className="link"
            onClick={(event) => {
              event.preventDefault();
              reset();
            }}
          >
            try another address
          </Link>
          .
        </p>
      )}
      {!isSent && (
        <form method="post" noValidate className="grid gap-3.5" onSubmit={request}>
          {state.failure && <Banner>{state.failure}</Banner>}
          <EmailField
            name="email"
            id="find-email"
            placeholder="name@example.com"
            defaultValue={outcome?.email}
            error={state.problem}
          />
          <Button type="submit" variant="secondary" block busy={state.sending !== null} busyText="Sending...">
            Send me the link
          </Button>
        </form>
      )}
    </Panel>
  );
}
