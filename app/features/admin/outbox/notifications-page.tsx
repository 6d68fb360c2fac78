import type { NotificationChannels } from "../../../../domain/outbox/notifications.ts";
import type { OutboxEntry } from "../../../../domain/outbox/outbox.ts";
import type { OwnerSettings } from "../../../../domain/settings/settings.ts";
import { AdminPage } from "../kit/admin-page.tsx";
import { EmailSwitches } from "./email-switches.tsx";
import { RecentTexts } from "./recent-texts.tsx";
import { TextAlerts } from "./text-alerts.tsx";

export type NotificationsData = {
  channels: NotificationChannels;
  email: OwnerSettings["notifications"]["email"];
  /** The latest texts, newest first. */
  texts: OutboxEntry[];
};

/** Where the shop tells its owner what happened: by text and by e-mail. */
export function NotificationsPage({ data: { channels, email, texts } }: { data: NotificationsData }) {
  return (
    <AdminPage title="Notification Settings">
      <div className="grid max-w-160 gap-6">
        <TextAlerts channels={channels} />
        <RecentTexts texts={texts} />
        <EmailSwitches email={email} mail={channels.mail} />
      </div>
    </AdminPage>
  );
}
