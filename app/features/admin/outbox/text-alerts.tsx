import type { FormEvent } from "react";
import { Link } from "react-router";
import type { NotificationChannels } from "../../../../domain/outbox/notifications.ts";
import { parsePhoneDigits, phoneDigits } from "../../../../domain/shared/phone.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field } from "../../../ui/field.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { PageSection } from "../kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { useAdminAction, useAdminForm } from "../kit/use-admin-action.ts";

/** The number that is texted about new orders; a test message can be sent before it is saved. */
export function TextAlerts({ channels }: { channels: NotificationChannels }) {
  const { phoneNumber: savedNumber, carrier, texts } = channels;
  const form = useAdminForm(
    "POST /api/notifications/sms-settings",
    { phoneNumber: savedNumber ?? "" },
    {
      success: {
        title:
          "Notification settings updated successfully. You’ll receive SMS alerts at this number for new orders.",
      },
      failure: "Failed to update notification settings",
    },
  );
  const { phoneNumber } = form.values;
  const sendTest = useAdminAction("POST /api/notifications/test-sms", {
    success: { title: "Test SMS Sent" },
    failure:
      "Failed to send test SMS notification. Please make sure your Twilio credentials are configured correctly.",
  });
  const isComplete = phoneNumber.length === phoneDigits;
  const failure = form.fields.phoneNumber ?? sendTest.fields.phoneNumber;

  function save(event: FormEvent) {
    event.preventDefault();
    if (isComplete && !form.busy) void form.run({ body: { phoneNumber, carrier } });
  }
  return (
    <PageSection
      isRow
      title="Order alerts by text message"
      lead={
        savedNumber === null
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
      <form onSubmit={save} className="stack gap-5">
        <Field
          {...form.field("phoneNumber", parsePhoneDigits)}
          label="Phone number"
          inputMode="numeric"
          autoComplete="tel-national"
          hint={phoneHint(phoneNumber)}
          error={failure}
          className="max-w-88"
        />
        <div className="flex flex-wrap gap-3 max-sm:grid">
          <PanelButton
            variant="primary"
            type="submit"
            busy={form.busy}
            busyText="Saving..."
            disabled={!isComplete}
          >
            Save settings
          </PanelButton>
          <PanelButton
            busy={sendTest.busy}
            busyText="Sending..."
            disabled={!isComplete}
            onClick={() => void sendTest.run({ body: { phoneNumber }, timeoutMs: 25_000 })}
          >
            Send test message
          </PanelButton>
          {savedNumber !== null && (
            // Asks for confirmation, because missing alerts would go unnoticed.
            <ButtonWithConfirmation
              label="Remove number"
              variant="quiet"
              call="DELETE /api/notifications/sms-settings"
              title="Stop texts about new orders?"
              description="The number is removed. You can set one again at any time."
              confirmLabel="Remove number"
              busyText="Removing..."
              success={{ title: "Texts stopped", description: "No number is stored anymore." }}
              send={(run) => run()}
              onDone={() => form.set({ phoneNumber: "" })}
            />
          )}
        </div>
      </form>
    </PageSection>
  );
}

function phoneHint({ length }: string) {
  return (
    <>
      Enter your 10-digit number, digits only.
      {length > 0 && length !== phoneDigits && (
        <span className="tabular-nums">
          {" "}
          {length} of {phoneDigits}
        </span>
      )}
    </>
  );
}
