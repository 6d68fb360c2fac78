import { useState } from "react";
import { type Campaign, sendingTime } from "../../../../domain/campaigns/campaign.ts";
import { isoToLocal, localToIso } from "../../../../domain/shared/zoned-time.ts";
import { Button } from "../../../ui/button.tsx";
import { Field, Select } from "../../../ui/field.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { useShopZone } from "../kit/short-day.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { May } from "../rights.ts";
import { type CampaignFacts, subscribersText } from "./campaign-content.ts";

/** Sends or schedules the saved newsletter, after one question that names how many get it. */
export function SendCampaign({
  campaign: { id, status, scheduledAt, recipients },
  facts: { perMinute },
  disabled = false,
  onRefused,
}: {
  campaign: Campaign;
  facts: Pick<CampaignFacts, "perMinute">;
  disabled?: boolean;
  /** Problems by field. */
  onRefused?: (fields: Record<string, string>) => void;
}) {
  const timeZone = useShopZone();
  const [isOpen, setOpen] = useState(false);
  const [isLater, setLater] = useState(scheduledAt !== null);
  const [local, setLocal] = useState(scheduledAt === null ? "" : isoToLocal(scheduledAt, timeZone));
  const send = useAdminAction("POST /api/admin/campaigns/:id/send", { failure: null });
  const at = isLater ? localToIso(local, timeZone) : null;
  const who = subscribersText(recipients);
  return (
    <May call="POST /api/admin/campaigns/:id/send">
      <Button size="small" disabled={disabled} onClick={() => setOpen(true)}>
        {status === "scheduled" ? "Change the time" : "Send …"}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Send this newsletter to ${who}?`}
        description={`At ${perMinute.toLocaleString("en-US")} a minute that takes about ${sendingTime(recipients, perMinute)}. Sent emails cannot be recalled.${isLater ? " Recipients are counted again when it is sent." : ""}`}
        confirmLabel={isLater ? "Schedule newsletter" : `Send to ${who}`}
        busyText={isLater ? "Scheduling..." : "Sending..."}
        danger={false}
        disabled={isLater ? at === null : recipients === 0}
        form={send}
        send={async () => {
          const answer = await send.run({
            params: { id: String(id) },
            body: { at },
            success: { title: isLater ? "Newsletter scheduled" : "Newsletter on its way" },
          });
          if (!answer.ok && answer.problem.status === 422 && onRefused) {
            setOpen(false);
            onRefused(answer.problem.fields);
          }
          return answer;
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
              value={local}
              onChange={({ target }) => setLocal(target.value)}
              hint={`In the shop’s time zone, ${timeZone.replaceAll("_", " ")}`}
            />
          )}
        </div>
      </ConfirmDialog>
    </May>
  );
}
