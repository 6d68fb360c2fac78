import { useState } from "react";
import { Link } from "react-router";
import { type Campaign, sendingTime } from "../../../../domain/campaigns/campaign.ts";
import { isoToLocal, localToIso } from "../../../../domain/shared/zoned-time.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Field, Select } from "../../../ui/field.tsx";
import { PanelButton } from "../kit/action-button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useShopZone } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { May } from "../rights.ts";
import { type CampaignFacts, subscribersText } from "./campaign-content.ts";

/** Sends or schedules the saved newsletter, after a confirmation that names the number of recipients. */
export function SendCampaign({
  campaign: { id, revision, status, scheduledAt, recipients },
  facts,
  warnings = [],
  disabled = false,
  onRefused,
}: {
  campaign: Campaign;
  facts: CampaignFacts;
  warnings?: readonly string[];
  disabled?: boolean;
  /** Called with the messages by field if the server rejects the newsletter's content. */
  onRefused?: (fields: Record<string, string>) => void;
}) {
  const timeZone = useShopZone();
  const [isOpen, setOpen] = useState(false);
  const [isLater, setLater] = useState(scheduledAt !== null);
  const [localTime, setLocalTime] = useState(scheduledAt === null ? "" : isoToLocal(scheduledAt, timeZone));
  const send = useAdminAction("POST /api/admin/campaigns/:id/send", { failure: null });
  const at = isLater ? localToIso(localTime, timeZone) : null;
  const recipientsText = subscribersText(recipients);
  return (
    <May call="POST /api/admin/campaigns/:id/send">
      <PanelButton
        variant="primary"
        disabled={disabled}
        onClick={() => {
          send.clearProblem();
          setOpen(true);
        }}
      >
        {status === "scheduled" ? "Change the time" : "Send …"}
      </PanelButton>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Send this newsletter to ${recipientsText}?`}
        description={`At ${facts.perMinute.toLocaleString("en-US")} a minute that takes about ${sendingTime(recipients, facts.perMinute)}. Sent emails cannot be recalled.${isLater ? " Recipients are counted again when it is sent." : ""}`}
        confirmLabel={isLater ? "Schedule newsletter" : `Send to ${recipientsText}`}
        busyText={isLater ? "Scheduling..." : "Sending..."}
        danger={false}
        disabled={isLater ? at === null : recipients === 0}
        form={send}
        send={async () => {
          const response = await send.run({
            params: { id: String(id) },
            body: { at, revision },
            success: { title: isLater ? "Newsletter scheduled" : "Newsletter on its way" },
          });
          if (!response.ok && response.problem.status === 422 && onRefused) {
            setOpen(false);
            onRefused(response.problem.fields);
          }
          return response;
        }}
      >
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          <Select
            name="when"
            label="When"
            value={isLater ? "later" : "now"}
            onChange={({ target }) => setLater(target.value === "later")}
          >
            <option value="now">Now</option>
            <option value="later">At a set time</option>
          </Select>
          {isLater && (
            <Field
              name="at"
              label="Time"
              type="datetime-local"
              className="min-w-0"
              value={localTime}
              onChange={({ target }) => setLocalTime(target.value)}
              hint={`In the shop’s time zone, ${timeZone.replaceAll("_", " ")}`}
            />
          )}
          <div className="grid gap-4 empty:hidden sm:col-span-2">
            <SendNotes facts={facts} warnings={warnings} />
          </div>
        </div>
      </ConfirmDialog>
    </May>
  );
}

/** Warnings about the newsletter, and about settings that newsletters need: the postal address and the mail server. */
export function SendNotes({
  facts: { hasPostalAddress, sendsEmail },
  warnings = [],
}: {
  facts: CampaignFacts;
  warnings?: readonly string[];
}) {
  return (
    <>
      {warnings.map((warning) => (
        <Banner key={warning} tone="warning" title="Not every reader can use their code.">
          {warning}
        </Banner>
      ))}
      {!hasPostalAddress && (
        <Banner tone="warning" title="Your postal address is missing.">
          The law asks for it in newsletters. Enter it under{" "}
          <Link className="link" to="/admin/settings">
            Shop, Settings
          </Link>
          ; it is then printed at the end of every email.
        </Banner>
      )}
      {!sendsEmail && <NoMailServer />}
    </>
  );
}

export function NoMailServer() {
  return (
    <Banner tone="info" title="No mail server is set.">
      Newsletters are kept instead of being sent; read them under Messages, Sent.
    </Banner>
  );
}
