import { useState } from "react";
import { Link } from "react-router";
import type { NotificationChannels } from "../../../../domain/outbox/notifications.ts";
import type { OwnerAlert } from "../../../../domain/settings/settings.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import { Panel } from "./panel.tsx";

const kinds: { alert: OwnerAlert; label: string; hint: string }[] = [
  { alert: "order", label: "Orders", hint: "A new order is paid, or its buyer cancels it or returns it." },
  { alert: "message", label: "Messages", hint: "Somebody writes in the contact form." },
  { alert: "review", label: "Reviews", hint: "A review is new, changed, or waits for your approval." },
  { alert: "lowStock", label: "Low stock", hint: "A product falls to the number set in Settings." },
  {
    alert: "attention",
    label: "Needs attention",
    hint: "A payment or refund that only you can decide about.",
  },
];

/** The owner's e-mail alerts. A switch moves at once, and back if the server rejects the change. */
export function EmailSwitches({
  email,
  mail,
}: {
  email: Record<OwnerAlert, boolean>;
  mail: NotificationChannels["mail"];
}) {
  const action = useAdminAction("PATCH /api/admin/settings", {
    failure: "Failed to update notification settings",
  });
  const [wanted, setWanted] = useState<Partial<Record<OwnerAlert, boolean>>>({});

  async function turn(alert: OwnerAlert, isOn: boolean) {
    // One change after the other: disabled meanwhile, the switch would lose the focus.
    if (alert in wanted) return;
    setWanted((others) => ({ ...others, [alert]: isOn }));
    await action.run({
      body: { notifications: { email: { [alert]: isOn } } },
    });
    // Taken or not: what the shop says holds now.
    setWanted(({ [alert]: _, ...others }) => others);
  }
  return (
    <Panel title="Emails to you" lead={isReady(mail) ? `They go to ${mail.ownerEmail}.` : undefined}>
      <MailState mail={mail} />
      <div className="grid gap-3">
        {kinds.map(({ alert, label, hint }) => (
          <Switch
            key={alert}
            name={`email-${alert}`}
            label={label}
            hint={hint}
            checked={wanted[alert] ?? email[alert]}
            onChange={(isOn) => void turn(alert, isOn)}
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
      Enter {mail.isConfigured ? "it" : "it, and your address,"} under{" "}
      <Link className="link" to="/admin/settings/keys">
        Keys and connections
      </Link>
      . Until then,{" "}
      {mail.isConfigured
        ? "your emails are kept under Messages, Sent."
        : "every email is kept under Messages, Sent, and nobody gets one."}
    </Banner>
  );
}

function isReady({ isConfigured, ownerEmail }: NotificationChannels["mail"]): boolean {
  return isConfigured && ownerEmail !== null;
}
