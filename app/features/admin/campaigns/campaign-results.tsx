import { useNavigate } from "react-router";
import { type Campaign, type CampaignStatus, sendingTime } from "../../../../domain/campaigns/campaign.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Badge } from "../../../ui/badge.tsx";
import { useRefreshWhile } from "../../../ui/browser/use-refresh-while.ts";
import { Card } from "../../../ui/card.tsx";
import { Banner } from "../../../ui/error-banner.tsx";
import { EmailPreview } from "../content/email-preview.tsx";
import { ActionButton } from "../kit/action-button.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { May } from "../rights.ts";
import {
  type CampaignFacts,
  campaignContent,
  subscribersText,
  useCampaignCheck,
} from "./campaign-content.ts";
import { NoMailServer, SendCampaign } from "./send-campaign.tsx";

const states: Record<CampaignStatus, { label: string; tone: "green" | "blue" | "yellow" | "cream" }> = {
  draft: { label: "Draft", tone: "cream" },
  scheduled: { label: "Scheduled", tone: "blue" },
  sending: { label: "Being sent", tone: "yellow" },
  sent: { label: "Sent", tone: "green" },
  stopped: { label: "Stopped", tone: "cream" },
};

export function CampaignBadge({ campaign }: { campaign: Pick<Campaign, "status" | "problem"> }) {
  const { label, tone } = wasOnlyStored(campaign)
    ? { label: "Kept, not sent", tone: "yellow" as const }
    : states[campaign.status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Whether the newsletter ended with its e-mails stored instead of sent, because no mail server was set. */
export function wasOnlyStored({ status, problem }: Pick<Campaign, "status" | "problem">): boolean {
  return status === "sent" && problem !== null;
}

/** Page of a newsletter that is scheduled, being sent or done: its state, results and content. */
export function CampaignResults({ campaign, facts }: { campaign: Campaign; facts: CampaignFacts }) {
  const { status, subject, problem } = campaign;
  const isUnfinished = status === "scheduled" || status === "sending";
  useRefreshWhile(isUnfinished, { maxTimes: 1_000 });
  const check = useCampaignCheck(campaignContent(campaign));
  return (
    <AdminPage
      title={subject}
      back={{ to: "/admin/campaigns", label: "Newsletters" }}
      actions={
        <>
          {status === "scheduled" && <SendCampaign campaign={campaign} facts={facts} />}
          {isUnfinished && <StopCampaign campaign={campaign} />}
          <CopyCampaign campaign={campaign} />
        </>
      }
    >
      <p className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-muted">
        <CampaignBadge campaign={campaign} />
        <StatusText campaign={campaign} perMinute={facts.perMinute} />
      </p>
      {problem !== null && status === "sending" && (
        <Banner tone="warning" className="mb-5" title="No newsletters are being sent at present.">
          {problem}. Sending continues automatically: another attempt is made every minute.
        </Banner>
      )}
      {problem !== null && status === "stopped" && (
        <Banner tone="warning" className="mb-5" title="The shop stopped this newsletter.">
          {problem}. Ask whoever runs the mail server what is wrong before you write a similar one, which goes
          to everybody again.
        </Banner>
      )}
      {!facts.sendsEmail && (
        <div className="mb-5">
          <NoMailServer />
        </div>
      )}
      <div className="grid gap-6">
        {status !== "scheduled" && <Figures campaign={campaign} />}
        <div className="min-w-0">
          <EmailPreview check={check} />
        </div>
      </div>
    </AdminPage>
  );
}

function StatusText({ campaign, perMinute }: { campaign: Campaign; perMinute: number }) {
  const { status, scheduledAt, startedAt, endedAt, waiting, recipients } = campaign;
  if (status === "scheduled" && scheduledAt)
    return (
      <span>
        Leaves <ShortDay iso={scheduledAt} withTime />, at present to {subscribersText(recipients)}.
      </span>
    );
  if (status === "sending")
    return (
      <span role="status">
        {waiting.toLocaleString("en-US")} still to go: about {sendingTime(waiting, perMinute)}. Orders’ emails
        go first.
      </span>
    );
  return (
    <span>
      {startedAt && (
        <>
          <span className="whitespace-nowrap">
            Begun <ShortDay iso={startedAt} withTime />.
          </span>{" "}
        </>
      )}
      <span className="whitespace-nowrap">
        {status === "sent" ? "Done" : "Stopped"} {endedAt && <ShortDay iso={endedAt} withTime />}.
      </span>
    </span>
  );
}

function Figures({ campaign }: { campaign: Campaign }) {
  const { recipients, sent, bounced, complained, left, orders, revenue, failed, unknown } = campaign;
  const { code, personalCodes, codesUsed } = campaign;
  return (
    <div>
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <Figure name={wasOnlyStored(campaign) ? "Kept" : "Sent"} value={sent}>
          of {subscribersText(recipients)}
        </Figure>
        <Figure name="Bounced" value={bounced}>
          no such address, so taken off the list
        </Figure>
        <Figure name="Unsubscribed" value={left}>
          within 7 days
        </Figure>
        <Figure name="Orders" value={code === null ? "–" : orders}>
          {code === null
            ? "not counted: it has no code"
            : `${formatCents(revenue)} with ${personalCodes ? "the readers’ codes" : code}, within 7 days`}
        </Figure>
      </dl>
      {code !== null && personalCodes && (
        <p className="mt-3 text-small text-ink-muted">
          {codesUsed === 0
            ? "None of the readers’ codes has been used yet."
            : `${codesUsed.toLocaleString("en-US")} of the readers’ codes ${codesUsed === 1 ? "has" : "have"} been used. Each works once, with the terms of ${code}.`}
        </p>
      )}
      {complained > 0 && (
        <p className="mt-3 text-small text-ink-muted">
          {subscribersText(complained)} reported it as spam; unsubscribed.
        </p>
      )}
      {failed > 0 && (
        <p className="mt-3 text-small text-ink-muted">
          {subscribersText(failed)} did not get it: the mail server refused it permanently.
        </p>
      )}
      {unknown > 0 && (
        <p className="mt-3 text-small text-ink-muted">
          {subscribersText(unknown)} may or may not have received it: sending was interrupted. It is not sent
          to them again.
        </p>
      )}
    </div>
  );
}

function Figure({
  name,
  value,
  children,
}: {
  name: string;
  value: number | string;
  children: string | string[];
}) {
  return (
    <Card className="p-4">
      <dt className="text-small text-ink-muted">{name}</dt>
      <dd className="type-display text-h2 lining-nums">
        {typeof value === "number" ? value.toLocaleString("en-US") : value}
      </dd>
      <dd className="text-caption text-ink-muted">{children}</dd>
    </Card>
  );
}

function StopCampaign({ campaign: { id, waiting, status } }: { campaign: Campaign }) {
  return (
    <May call="POST /api/admin/campaigns/:id/stop">
      <ButtonWithConfirmation
        call="POST /api/admin/campaigns/:id/stop"
        label="Stop"
        title="Stop this newsletter?"
        description={
          status === "scheduled"
            ? "Nobody gets it. To send it after all, write a similar one."
            : `${subscribersText(waiting)} who have not received it yet will not get it. It cannot be resumed.`
        }
        confirmLabel="Stop newsletter"
        keepLabel="Do not stop"
        busyText="Stopping..."
        success={{ title: "Newsletter stopped" }}
        send={(run) => run({ params: { id: String(id) } })}
      />
    </May>
  );
}

function CopyCampaign({ campaign }: { campaign: Campaign }) {
  const navigate = useNavigate();
  return (
    <ActionButton
      call="POST /api/admin/campaigns"
      failure="No copy was made"
      busyText="Copying..."
      send={async (run) => {
        const response = await run({ body: campaignContent(campaign), reloads: false });
        if (response.ok) await navigate(`/admin/campaigns/${response.body.data.id}`);
      }}
    >
      Write a similar one
    </ActionButton>
  );
}
