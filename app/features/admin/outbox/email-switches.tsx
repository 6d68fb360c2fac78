import { useState } from "react";
import type { NotificationChannels } from "../../../../domain/outbox/notifications.ts";
import type { OwnerNews } from "../../../../domain/settings/settings.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { Panel } from "./panel.tsx";

const kinds: { news: OwnerNews; label: string; hint: string }[] = [
  { news: "order", label: "Orders", hint: "A new order is paid, or its buyer cancels it or returns it." },
  { news: "message", label: "Messages", hint: "Somebody writes in the contact form." },
  { news: "review", label: "Reviews", hint: "A review is new, changed, or waits for your approval." },
  { news: "lowStock", label: "Low stock", hint: "A product falls to the number set in Settings." },
  {
    news: "attention",
    label: "Needs attention",
    hint: "A payment or refund that only you can decide about.",
  },
];

/** Of what the owner is told by e-mail. A switch moves at once, and back where the shop did not take it. */
export function EmailSwitches({
  email,
  mail,
}: {
  email: Record<OwnerNews, boolean>;
  mail: NotificationChannels["mail"];
}) {
  const action = useAdminAction("PATCH /api/admin/settings", {
    failure: "Failed to update notification settings",
  });
  const [wanted, setWanted] = useState<Partial<Record<OwnerNews, boolean>>>({});

  async function turn(news: OwnerNews, isOn: boolean) {
    // One change after the other: disabled meanwhile, the switch would lose the focus.
    if (news in wanted) return;
    setWanted((others) => ({ ...others, [news]: isOn }));
    await action.run({
      body: { notifications: { email: { [news]: isOn } } },
    });
    // Taken or not: what the shop says holds now.
    setWanted(({ [news]: _, ...others }) => others);
  }
  return (
    <Panel title="Emails to you" lead={isReady(mail) ? `They go to ${mail.ownerEmail}.` : undefined}>
      <MailState mail={mail} />
      <div className="grid gap-3">
        {kinds.map(({ news, label, hint }) => (
          <Switch
            key={news}
            name={`email-${news}`}
            label={label}
            hint={hint}
            checked={wanted[news] ?? email[news]}
            onChange={(isOn) => void turn(news, isOn)}
          />
        ))}
      </div>
    </Panel>
  );
}

function MailState({ mail }: { mail: NotificationChannels["mail"] }) {
  if (isReady(mail)) return null;
  return (
    <Banner
      tone="warning"
      title={mail.isConfigured ? "No address of yours is set." : "No mail server is set."}
    >
      {mail.isConfigured
        ? "Set OWNER_EMAIL where the shop runs, and start it again. Until then your emails are kept under Messages, Sent."
        : "Set SMTP_URL and OWNER_EMAIL where the shop runs, and start it again. Until then every email is kept under Messages, Sent, and nobody gets one."}
    </Banner>
  );
}

function isReady({ isConfigured, ownerEmail }: NotificationChannels["mail"]): boolean {
  return isConfigured && ownerEmail !== null;
}
