import type { FormEvent } from "react";
import { Link } from "react-router";
import type { NotificationChannels } from "../../../../domain/outbox/notifications.ts";
import { digitsOf, phoneDigits } from "../../../../domain/shared/phone.ts";
import { Button } from "../../../ui/button.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { AskFirst } from "../kit/ask-first.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { useAdminForm } from "../kit/use-admin-form.ts";
import { Panel } from "./panel.tsx";

/** The number that hears of new orders; it can be tried before it is saved. */
export function TextAlerts({ channels }: { channels: NotificationChannels }) {
  const { phoneNumber: saved, carrier, texts } = channels;
  const form = useAdminForm(
    "POST /api/notifications/sms-settings",
    { phoneNumber: saved ?? "" },
    {
      success: {
        title:
          "Notification settings updated successfully. You'll receive SMS alerts at this number for new orders.",
      },
      failure: "Failed to update notification settings",
    },
  );
  const { phoneNumber: typed } = form.values;
  const testing = useAdminAction("POST /api/notifications/test-sms", {
    success: { title: "Test SMS Sent" },
    failure:
      "Failed to send test SMS notification. Please make sure your Twilio credentials are configured correctly.",
  });
  const isWhole = typed.length === phoneDigits;
  const failure = form.fields.phoneNumber ?? testing.fields.phoneNumber;

  function save(event: FormEvent) {
    event.preventDefault();
    if (isWhole && !form.busy) void form.run({ body: { phoneNumber: typed, carrier } });
  }
  return (
    <Panel
      title="Order alerts by text message"
      lead={
        saved === null
          ? "Get a text when a new order is paid."
          : "We text this number when a new order is paid."
      }
    >
      {texts.isConfigured ? (
        <p className="text-small text-ink-muted">Texts go out through Twilio, from {texts.from}.</p>
      ) : (
        <Banner tone="warning" title="Texts cannot be sent yet.">
          Enter Twilio’s keys under{" "}
          <Link className="link" to="/admin/settings/keys">
            Keys and connections
          </Link>
          . Until then, alerts are only listed here.
        </Banner>
      )}
      <form onSubmit={save} className="grid gap-5">
        <Field
          {...form.field("phoneNumber", (text) => digitsOf(text).slice(0, phoneDigits))}
          label="Phone number"
          inputMode="numeric"
          autoComplete="tel-national"
          hint={hintOf(typed)}
          error={failure}
          className="max-w-88"
        />
        <div className="flex flex-wrap gap-3 max-sm:grid">
          <Button type="submit" size="small" busy={form.busy} busyText="Saving..." disabled={!isWhole}>
            Save settings
          </Button>
          <Button
            variant="secondary"
            size="small"
            busy={testing.busy}
            busyText="Sending..."
            disabled={!isWhole}
            onClick={() =>
              void testing.run({
                body: { phoneNumber: typed },
                timeoutMs: 25_000,
              })
            }
          >
            Send test message
          </Button>
          {saved !== null && <StopTexts onStopped={() => form.set({ phoneNumber: "" })} />}
        </div>
      </form>
    </Panel>
  );
}

function hintOf(typed: string) {
  const isPart = typed.length > 0 && typed.length < phoneDigits;
  return (
    <>
      Enter your 10-digit number, digits only.
      {isPart && (
        <span className="tabular-nums">
          {" "}
          {typed.length} of {phoneDigits}
        </span>
      )}
    </>
  );
}

/** Takes the number out, after asking: a missing alert is not noticed. */
function StopTexts({ onStopped }: { onStopped: () => void }) {
  return (
    <AskFirst
      label="Remove number"
      variant="danger-quiet"
      call="DELETE /api/notifications/sms-settings"
      title="Stop texts about new orders?"
      description="The number is removed. You can set one again at any time."
      confirmLabel="Remove number"
      busyText="Removing..."
      success={{ title: "Texts stopped", description: "No number is stored any more." }}
      onDone={onStopped}
    />
  );
}
