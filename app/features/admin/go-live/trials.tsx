import { useState } from "react";
import type { GoLiveCheck } from "../../../../domain/go-live/go-live.ts";
import type { ApiKeys } from "../../../shop-context.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { ActionButton } from "../kit/action-button.tsx";
import type { AdminAction } from "../kit/use-admin-action.ts";
import { ChooseFounderPicture } from "../settings/founder-picture.tsx";

/** The button that runs a check's test, if it has one. `webhookLine`: id of the check that tests the webhook. */
export function trialOf({ id, state }: GoLiveCheck, webhookLine: string, phoneNumber: string | null) {
  if (id === webhookLine) return <WebhookTrial />;
  if (id === "wallets" && state !== "ok") return <DomainRegistration />;
  if (id === "founder" && state !== "ok") return <ChooseFounderPicture label="Choose a photograph" />;
  if (id === "test_email") {
    return (
      <div>
        <ActionButton
          call="POST /api/admin/go-live/test-email"
          success={{
            title: "Test email on its way",
            description: "Check your inbox, then run the check again.",
          }}
          failure="The test email was not sent"
          busyText="Sending..."
          send={(run) => run()}
        >
          Send test email
        </ActionButton>
      </div>
    );
  }
  if (id !== "texts" || phoneNumber === null) return null;
  return (
    <div>
      <ActionButton
        call="POST /api/notifications/test-sms"
        success={{ title: "Test SMS Sent" }}
        failure="Failed to send test SMS notification."
        busyText="Sending..."
        send={(run) => run({ body: { phoneNumber }, timeoutMs: 30_000 })}
      >
        Send test text
      </ActionButton>
    </div>
  );
}

/** Registers the shop's domain with Stripe, for wallets. */
function DomainRegistration() {
  return (
    <Trial
      label="Register the domain"
      busyText="Registering..."
      call="POST /api/admin/go-live/register-domain"
      failure="The domain was not registered"
      send={async (run) => {
        const answer = await run({ timeoutMs: 60_000 });
        if (!answer.ok) return null;
        const { isRegistered, detail } = answer.body.data;
        return { isGood: isRegistered, title: isRegistered ? "Registered." : "Not registered.", detail };
      }}
    />
  );
}

/** Asks the provider to send an event, and reports whether it arrived. */
function WebhookTrial() {
  return (
    <Trial
      label="Test the webhook"
      busyText="Waiting for the event..."
      call="POST /api/admin/go-live/test-webhook"
      failure="The webhook was not tested"
      send={async (run) => {
        const answer = await run({ timeoutMs: 60_000 });
        if (!answer.ok) return null;
        const { arrived, detail } = answer.body.data;
        const title = arrived ? "The event arrived." : "The event did not arrive.";
        return { isGood: arrived, title, detail };
      }}
    />
  );
}

type Outcome = { isGood: boolean; title: string; detail: string };

/** A button for a call whose outcome is shown below it. `send` returns null if the call failed. */
function Trial<K extends ApiKeys>({
  label,
  send,
  ...action
}: {
  label: string;
  busyText: string;
  call: K;
  failure: string;
  send: (run: AdminAction<K>["run"]) => Promise<Outcome | null>;
}) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return (
    <div className="grid min-w-0 justify-items-start gap-2.5 lg:justify-items-end">
      <ActionButton
        {...action}
        send={async (run) => {
          setOutcome(null);
          setOutcome(await send(run));
        }}
      >
        {label}
      </ActionButton>
      <div role="status">
        {outcome && (
          <Banner tone={outcome.isGood ? "success" : "danger"} title={outcome.title}>
            {outcome.detail}
          </Banner>
        )}
      </div>
    </div>
  );
}
