import MailCheck from "lucide-react/icons/mail-check";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Banner } from "../../ui/error-banner.tsx";
import { EmailField } from "../../ui/field.tsx";
import { dataCalls, type LinkRequestOutcome, useLinkRequest } from "./link-request.ts";

/** Form for a copy or the deletion of all data stored about an address; the e-mailed link proves who owns the address. */
export function YourData({
  email,
  outcome,
}: {
  email: string | null;
  outcome: LinkRequestOutcome | undefined;
}) {
  const { state, request } = useLinkRequest(dataCalls, outcome);
  return (
    <Panel id="your-data">
      <h2 className="text-h3">Your data</h2>
      <p className="mt-2 mb-5 text-small text-ink-muted">
        Get a copy of everything we store about your email address, or have it deleted. We’ll send a link to
        that address first, so that nobody else can ask for it. Nothing is deleted until you confirm.
      </p>
      <div role="status">
        {state.sent && (
          <Banner tone="success" glyph={MailCheck} title="Check your inbox." className="mb-5">
            If we store anything about that address, a link{" "}
            {state.sent === "deletion" ? "to delete it" : "to your copy"} is on its way. It works once, for
            one hour.
          </Banner>
        )}
      </div>
      <form method="post" noValidate className="grid gap-3.5" onSubmit={request}>
        {state.failure && <Banner>{state.failure}</Banner>}
        <EmailField
          name="email"
          id="data-email"
          placeholder="name@example.com"
          defaultValue={outcome?.email || (email ?? undefined)}
          error={state.problem}
        />
        <div className="grid gap-3 sm:grid-cols-2">
          <Button
            type="submit"
            name="ask"
            value="export"
            variant="secondary"
            busy={state.sending === "export"}
            busyText="Sending..."
          >
            Get a copy
          </Button>
          <Button
            type="submit"
            name="ask"
            value="deletion"
            variant="danger-quiet"
            busy={state.sending === "deletion"}
            busyText="Sending..."
          >
            Delete my data
          </Button>
        </div>
      </form>
    </Panel>
  );
}
