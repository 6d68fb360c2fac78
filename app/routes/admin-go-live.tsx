import RotateCw from "lucide-react/icons/rotate-cw";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { countsSentence, type GoLiveCheck } from "../../domain/go-live/go-live.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { CheckList } from "../features/admin/go-live/check-list.tsx";
import { useRestartSteps } from "../features/admin/go-live/steps.tsx";
import { ActionButton, PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, problemPage } from "../features/admin/kit/admin-page.tsx";
import type { AdminAction } from "../features/admin/kit/use-admin-action.ts";
import { ChooseFounderPicture } from "../features/admin/settings/founder-picture.tsx";
import { privatePageMeta } from "../seo/page-meta.ts";
import type { ApiKeys } from "../shop-context.ts";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-go-live";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Go-live check");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => {
  const [{ data: report }, { data: channels }] = await Promise.all([
    read("GET /api/admin/go-live"),
    read("GET /api/notifications/sms-settings"),
  ]);
  return { report, phoneNumber: channels.texts.isConfigured ? channels.phoneNumber : null };
});

export default function AdminGoLive({ loaderData: { report, phoneNumber } }: Route.ComponentProps) {
  useRestartSteps();
  const { revalidate, state: loading } = useRevalidator();
  // With simulated payments there is no check of signed events, so the check of the keys offers the test.
  const webhookCheckId = report.checks.some(({ id }) => id === "webhook_signed")
    ? "webhook_signed"
    : "payments";
  return (
    <AdminPage
      title="Go-live check"
      actions={
        <PanelButton busy={loading === "loading"} busyText="Checking..." onClick={() => void revalidate()}>
          <Icon glyph={RotateCw} size="small" /> Run again
        </PanelButton>
      }
    >
      <p className="mb-6 max-w-160 text-ink-muted">
        <strong className="font-semibold text-ink" role="status">
          {countsSentence(report.counts)}
        </strong>{" "}
        What has to be in order before the shop takes money, and after every move to another server.
      </p>
      <CheckList
        checks={report.checks}
        renderAction={(check) => renderTrial(check, webhookCheckId, phoneNumber)}
      />
      <p className="mt-7 text-small text-ink-muted">
        The same check runs on the machine as <code>palmira doctor</code>, or as <code>npm run doctor</code>{" "}
        in a checkout.
      </p>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Go-live check", "The check could not be run");

/**
 * The button that runs a check's test, if it has one. `webhookCheckId`: id of the check that offers the test of the
 * webhook.
 */
function renderTrial({ id, state }: GoLiveCheck, webhookCheckId: string, phoneNumber: string | null) {
  if (id === webhookCheckId) return <WebhookTrial />;
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
        const response = await run({ timeoutMs: 60_000 });
        if (!response.ok) return null;
        const { isRegistered, detail } = response.body.data;
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
        const response = await run({ timeoutMs: 60_000 });
        if (!response.ok) return null;
        const { arrived, detail } = response.body.data;
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
    <div className="grid min-w-0 justify-items-start lg:justify-items-end">
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
          <Banner tone={outcome.isGood ? "success" : "danger"} title={outcome.title} className="mt-2.5">
            {outcome.detail}
          </Banner>
        )}
      </div>
    </div>
  );
}
