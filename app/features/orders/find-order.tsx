import MailCheck from "lucide-react/icons/mail-check";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { AddressField } from "../account/address-field.tsx";
import { type AskOutcome, useAsk } from "../account/use-ask.ts";

const paths = { orders: "/api/orders/find" };

/**
 * Sends a link to the orders of an e-mail address; says the same whether or not that address is known. Sent without
 * JavaScript it goes to its page's action, whose `outcome` it then shows.
 */
export function FindOrder({ outcome }: { outcome: AskOutcome | undefined }) {
  const { state, ask } = useAsk(paths, outcome);

  return (
    <Panel id="find">
      <h2 className="text-h3">Find my order</h2>
      <p className="mt-2 mb-5 text-small text-ink-muted">
        Ordered on another device? Enter the email address you used and we will send you a link to your
        orders.
      </p>
      <div role="status">
        {state.sent && (
          <Banner tone="success" glyph={MailCheck} title="Check your inbox.">
            If that address has orders, a link is on its way. It works once, for one hour.
          </Banner>
        )}
      </div>
      {!state.sent && (
        <form method="post" noValidate className="grid gap-3.5" onSubmit={ask}>
          {state.failure && <Banner>{state.failure}</Banner>}
          <AddressField id="find-email" problem={state.problem} defaultValue={outcome?.email} />
          <Button type="submit" variant="secondary" block busy={state.sending !== null} busyText="Sending...">
            Send me the link
          </Button>
        </form>
      )}
    </Panel>
  );
}
