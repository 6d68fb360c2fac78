import Volume2 from "lucide-react/icons/volume-2";
import { Link } from "react-router";
import type { NotificationChannels } from "../../../../domain/outbox/notifications.ts";
import type { OutboxEntry } from "../../../../domain/outbox/outbox.ts";
import { messageKindLabels } from "../../../../domain/outbox/outbox.ts";
import type { Devices } from "../../../../domain/push/device.ts";
import type { OwnerSettings } from "../../../../domain/settings/settings.ts";
import { useBrowserState } from "../../../ui/browser-state.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { AdminPage } from "../kit/admin-page.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { Switch } from "../kit/switch.tsx";
import { DevicePanel } from "../push/device-panel.tsx";
import { isRingOn, ring, setRing } from "../shell/ring.ts";
import { EmailSwitches } from "./email-switches.tsx";
import { MessageStateBadge } from "./message-state.tsx";
import { Panel } from "./panel.tsx";
import { TextAlerts } from "./text-alerts.tsx";
import { useRefreshWhile } from "./use-refresh-while.ts";

export type NotificationsData = {
  channels: NotificationChannels;
  email: OwnerSettings["notifications"]["email"];
  /** The latest texts, newest first. */
  texts: OutboxEntry[];
  devices: Devices;
};

/** Where the shop tells its owner what happened: by text, on the phone and by e-mail. */
export function NotificationsPage({
  data: { channels, email, texts, devices },
}: {
  data: NotificationsData;
}) {
  return (
    <AdminPage title="Notification Settings">
      <div className="grid max-w-160 gap-6">
        <TextAlerts channels={channels} />
        <RecentTexts texts={texts} />
        <DevicePanel data={devices} />
        <RingSwitch />
        <EmailSwitches email={email} mail={channels.mail} />
      </div>
    </AdminPage>
  );
}

/** The latest texts and whether they arrived; nothing before the first. */
function RecentTexts({ texts }: { texts: OutboxEntry[] }) {
  useRefreshWhile(texts.some(({ status, delivery }) => status === "queued" || delivery === "accepted"));
  if (texts.length === 0) return null;
  return (
    <Panel title="Recent texts">
      <ul className="-my-2 divide-y divide-line">
        {texts.map((text) => (
          <li key={text.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0">
              <Link
                to={`/admin/messages/sent/${text.id}?channel=sms`}
                className="inline-flex min-h-11 items-center text-ui underline decoration-line-strong underline-offset-4"
              >
                {text.orderNumber === null ? messageKindLabels[text.kind] : `Order #${text.orderNumber}`}
              </Link>
              {text.lastError && <span className="block text-caption text-danger">{text.lastError}</span>}
            </span>
            <span className="flex items-center gap-3 text-small text-ink-muted">
              <ShortDay iso={text.createdAt} withTime /> <MessageStateBadge state={text} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The sound of a new order, for this browser alone. */
function RingSwitch() {
  const [isOn, setOn] = useBrowserState(true, isRingOn);
  return (
    <Panel title="In this browser">
      <Switch
        name="ring"
        label="Play a sound when an order comes in"
        hint="While the panel is open here. Most browsers play no sound until you have tapped the page once."
        checked={isOn}
        onChange={(next) => {
          setRing(next);
          setOn(next);
          if (next) ring();
        }}
      />
      <Button variant="secondary" size="small" className="justify-self-start" onClick={ring}>
        <Icon glyph={Volume2} size="small" /> Play the sound
      </Button>
    </Panel>
  );
}
