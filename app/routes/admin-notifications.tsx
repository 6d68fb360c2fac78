import Volume2 from "lucide-react/icons/volume-2";
import { useState } from "react";
import { Link } from "react-router";
import type { NotificationChannels } from "../../domain/outbox/notifications.ts";
import { messageKindLabels, type OutboxEntry } from "../../domain/outbox/outbox.ts";
import type { OwnerAlert } from "../../domain/settings/settings.ts";
import { adminLoader } from "../features/admin/admin-data.ts";
import { PanelButton } from "../features/admin/kit/action-button.tsx";
import { AdminPage, PageSection, problemPage } from "../features/admin/kit/admin-page.tsx";
import { ShortDay } from "../features/admin/kit/short-day.tsx";
import { Switch } from "../features/admin/kit/switch.tsx";
import { useAdminAction } from "../features/admin/kit/use-admin-action.ts";
import { MessageStateBadge } from "../features/admin/outbox/message-state.tsx";
import { TextAlerts } from "../features/admin/outbox/text-alerts.tsx";
import { NotificationPanel } from "../features/admin/push/notifications.tsx";
import { isRingOn, ring, setRing } from "../features/admin/shell/ring.ts";
import { privatePageMeta } from "../seo/page-meta.ts";
import { useBrowserState } from "../ui/browser/browser-state.ts";
import { useRefreshWhile } from "../ui/browser/use-refresh-while.ts";
import { Banner } from "../ui/error-banner.tsx";
import { Icon } from "../ui/icon.tsx";
import type { Route } from "./+types/admin-notifications";

export const meta: Route.MetaFunction = (args) => privatePageMeta(args, "Notification Settings");

export const loader = adminLoader(async (_: Route.LoaderArgs, read) => {
  const [channels, settings, texts, devices] = await Promise.all([
    read("GET /api/notifications/sms-settings"),
    read("GET /api/admin/settings"),
    read("GET /api/admin/outbox", { query: { channel: "sms", limit: "5" } }),
    read("GET /api/admin/account/devices"),
  ]);
  return {
    channels: channels.data,
    email: settings.data.notifications.email,
    texts: texts.data,
    devices: devices.data,
  };
});

/** Settings of the owner's notifications: texts, push notifications and e-mails. */
export default function AdminNotifications({
  loaderData: { channels, email, texts, devices },
}: Route.ComponentProps) {
  return (
    <AdminPage title="Notification Settings">
      <div className="max-w-232 divide-y divide-line rounded-md border border-line bg-surface">
        <TextAlerts channels={channels} />
        <RecentTexts texts={texts} areConfigured={channels.texts.isConfigured} />
        <EmailSwitches email={email} mail={channels.mail} />
        <NotificationPanel data={devices} />
        <RingSwitch />
      </div>
    </AdminPage>
  );
}

export const ErrorBoundary = problemPage("Notification Settings", "Failed to load notification settings");

/**
 * The latest text messages with their delivery states. An error that several messages in a row share is shown once. No
 * errors are shown while Twilio is not set up, because a banner above reports that. Renders nothing without messages.
 */
function RecentTexts({ texts, areConfigured }: { texts: OutboxEntry[]; areConfigured: boolean }) {
  useRefreshWhile(texts.some(({ status, delivery }) => status === "queued" || delivery === "accepted"));
  if (texts.length === 0) return null;
  return (
    <PageSection isRow title="Recent texts">
      <ul className="-my-2 divide-y divide-line">
        {texts.map((text, index) => (
          <li key={text.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0">
              <Link
                to={`/admin/messages/sent/${text.id}?channel=sms`}
                className="inline-flex min-h-11 items-center text-ui underline decoration-line-strong underline-offset-4"
              >
                {text.orderNumber === null ? messageKindLabels[text.kind] : `Order #${text.orderNumber}`}
              </Link>
              {areConfigured && text.lastError && text.lastError !== texts[index - 1]?.lastError && (
                <span className="block text-caption text-danger">{text.lastError}</span>
              )}
            </span>
            <span className="flex items-center gap-3 text-small text-ink-muted">
              <ShortDay iso={text.createdAt} withTime /> <MessageStateBadge state={text} />
            </span>
          </li>
        ))}
      </ul>
    </PageSection>
  );
}

/** Turns the sound for new orders on or off, in this browser only. */
function RingSwitch() {
  const [isOn, setOn] = useBrowserState(true, isRingOn);
  return (
    <PageSection isRow title="In this browser">
      <Switch
        name="ring"
        label="Play a sound when an order comes in"
        hint="While the panel is open here, and once you have tapped the page."
        checked={isOn}
        onChange={(next) => {
          setRing(next);
          setOn(next);
          if (next) ring();
        }}
      />
      <PanelButton className="justify-self-start" onClick={ring}>
        <Icon glyph={Volume2} size="small" /> Play the sound
      </PanelButton>
    </PageSection>
  );
}

const alerts: { alert: OwnerAlert; label: string; hint: string }[] = [
  { alert: "order", label: "Orders", hint: "Paid, cancelled or returned" },
  { alert: "message", label: "Messages", hint: "Sent through the contact form" },
  { alert: "review", label: "Reviews", hint: "New, changed, or waiting for your approval" },
  { alert: "lowStock", label: "Low stock", hint: "Down to the number set in Settings" },
  { alert: "attention", label: "Needs attention", hint: "Payments and refunds that wait for your decision" },
];

/** The owner's e-mail alerts. A switch moves immediately, and moves back if the server rejects the change. */
function EmailSwitches({
  email,
  mail,
}: {
  email: Record<OwnerAlert, boolean>;
  mail: NotificationChannels["mail"];
}) {
  const action = useAdminAction("PATCH /api/admin/settings", {
    failure: "Failed to update notification settings",
  });
  const [pendingAlerts, setPendingAlerts] = useState<Partial<Record<OwnerAlert, boolean>>>({});

  async function setAlert(alert: OwnerAlert, isOn: boolean) {
    // Input during a call is ignored. The switch is not disabled, because that would take away its focus.
    if (alert in pendingAlerts) return;
    setPendingAlerts((others) => ({ ...others, [alert]: isOn }));
    await action.run({ body: { notifications: { email: { [alert]: isOn } } } });
    // Whether saved or not, the reloaded settings apply now.
    setPendingAlerts(({ [alert]: _, ...others }) => others);
  }
  return (
    <PageSection isRow title="Emails to you" lead={isReady(mail) ? `To ${mail.ownerEmail}.` : undefined}>
      <MailState mail={mail} />
      <div className="grid gap-3">
        {alerts.map(({ alert, label, hint }) => (
          <Switch
            key={alert}
            name={`email-${alert}`}
            label={label}
            hint={hint}
            checked={pendingAlerts[alert] ?? email[alert]}
            onChange={(isOn) => void setAlert(alert, isOn)}
          />
        ))}
      </div>
    </PageSection>
  );
}

function MailState({ mail }: { mail: NotificationChannels["mail"] }) {
  if (isReady(mail)) return null;
  return (
    <Banner
      tone="warning"
      title={mail.isConfigured ? "Your email address is not set." : "No mail server is set."}
    >
      Enter {mail.isConfigured ? "it" : "it, and your address,"} under{" "}
      <Link className="link" to="/admin/settings/keys">
        Keys and connections
      </Link>
      . Until then,{" "}
      {mail.isConfigured
        ? "your emails are kept under Messages, Sent."
        : "every email is kept under Messages, Sent, and none is sent."}
    </Banner>
  );
}

function isReady({ isConfigured, ownerEmail }: NotificationChannels["mail"]): boolean {
  return isConfigured && ownerEmail !== null;
}
