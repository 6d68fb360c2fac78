import BellRing from "lucide-react/icons/bell-ring";
import { useState } from "react";
import { Link } from "react-router";
import { type Device, type Devices, type PushEvent, pushEvents } from "../../../../domain/push/device.ts";
import { useBrowserState } from "../../../ui/browser/browser-state.ts";
import { Banner } from "../../../ui/error-banner.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { ActionButton, PanelButton } from "../kit/action-button.tsx";
import { PageSection } from "../kit/admin-page.tsx";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { Switch } from "../kit/switch.tsx";
import { useAdminAction } from "../kit/use-admin-action.ts";
import {
  findObstacle,
  forgetDevice,
  isPhone,
  type Obstacle,
  ownDeviceId,
  rememberDevice,
  subscribe,
} from "./this-browser.ts";

/** Notifications in this browser. The person's other devices are listed under My account. */
export function NotificationPanel({ data: { devices, offered, publicKey } }: { data: Devices }) {
  const [thisDeviceId, setThisDeviceId] = useBrowserState<string | null>(null, ownDeviceId);
  const thisDevice = devices.find(({ id, isOwn }) => isOwn && id === thisDeviceId);
  const otherDeviceCount = devices.filter((device) => device.isOwn && device !== thisDevice).length;
  return (
    <PageSection isRow title="Notifications on your phone" lead="Free, and shown even with the panel closed.">
      {thisDevice ? (
        <DeviceNotifications
          device={thisDevice}
          name={thisDevice.name ?? "this browser"}
          offered={offered}
          isThisDevice
          onRemoved={() => setThisDeviceId(null)}
        />
      ) : (
        <TurnOnNotifications publicKey={publicKey} onDone={setThisDeviceId} />
      )}
      <div className="-my-2.5 flex flex-wrap items-center gap-x-3 text-small text-ink-muted">
        {otherDeviceCount > 0 && (
          <p>
            {otherDeviceCount === 1 ? "1 other device is" : `${otherDeviceCount} other devices are`} notified.
          </p>
        )}
        <Link className="link inline-flex min-h-11 items-center" to="/admin/account">
          All your devices
        </Link>
      </div>
    </PageSection>
  );
}

const obstacleTexts: Record<Obstacle, { title: string; text: string }> = {
  insecure: {
    title: "Notifications need a secure address.",
    text: "Open the panel under an address that begins with https.",
  },
  "home-screen": {
    title: "On iPhone and iPad the panel has to be on the Home Screen.",
    text: "Tap Share in Safari, then Add to Home Screen. Open the panel from its new icon, sign in, and come back to this page.",
  },
  unsupported: {
    title: "This browser cannot show notifications.",
    text: "Try a current Chrome, Edge, Firefox or Safari, and not a private window.",
  },
  blocked: {
    title: "Notifications are blocked in this browser.",
    text: "Allow them for this site in the browser’s settings, then reload the page.",
  },
};

/** The button that turns notifications on in this browser, or why it cannot. */
export function TurnOnNotifications({
  publicKey,
  onDone,
}: {
  publicKey: string | null;
  onDone: (id: string) => void;
}) {
  const [currentObstacle, setCurrentObstacle] = useBrowserState<Obstacle | null>(null, findObstacle);
  const [deviceWord] = useBrowserState("phone", () => (isPhone() ? "phone" : "computer"));
  const [isRequesting, setRequesting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const addDevice = useAdminAction("POST /api/admin/account/devices", {
    success: { title: "Notifications are on", description: "Send a test to see one." },
    failure: null,
  });
  if (publicKey === null) {
    return (
      <Banner tone="warning" title="The key for notifications cannot be read.">
        It was stored with a key that this server does not have. Whoever runs the server sets it
        (SECRETS_KEY).
      </Banner>
    );
  }
  if (currentObstacle) {
    const { title, text } = obstacleTexts[currentObstacle];
    return (
      <Banner tone="info" title={title}>
        {text}
      </Banner>
    );
  }
  async function turnOn(key: string) {
    setProblem(null);
    setRequesting(true);
    const result = await subscribe(key);
    if (result.ok) {
      const initialEvents: PushEvent[] = ["order"];
      const response = await addDevice.run({
        body: { subscription: result.subscription, wants: initialEvents },
      });
      if (response.ok) {
        rememberDevice(response.body.data.id);
        onDone(response.body.data.id);
      } else {
        setProblem(response.problem.message);
      }
    } else {
      setCurrentObstacle(findObstacle());
      setProblem(result.message);
    }
    setRequesting(false);
  }
  return (
    <div>
      <p className="max-w-text text-small text-ink-muted">
        Choose Allow when your browser asks. Notifications name the order and its total, never the buyer.
        Logging out here turns them off.
      </p>
      <PanelButton
        variant="primary"
        className="mt-4"
        busy={isRequesting}
        busyText="Waiting for your browser..."
        onClick={() => void turnOn(publicKey)}
      >
        <Icon glyph={BellRing} size="small" /> Notify this {deviceWord}
      </PanelButton>
      <p role="status" className="mt-2 text-small text-danger empty:hidden">
        {problem}
      </p>
    </div>
  );
}

const eventTexts: Record<PushEvent, { label: string; short: string }> = {
  order: { label: "A new order is paid", short: "new orders" },
  message: { label: "Somebody sends a message", short: "messages" },
  return: { label: "A buyer requests a return", short: "returns" },
  dispute: { label: "A buyer’s bank disputes a payment", short: "disputes" },
};

/** The notifications of one device, with buttons to test and to stop them. */
export function DeviceNotifications({
  device,
  name,
  offered,
  isThisDevice,
  onRemoved,
}: {
  device: Device;
  name: string;
  offered: PushEvent[];
  isThisDevice: boolean;
  onRemoved: () => void;
}) {
  const { id, isOwn, lastDeliveredAt, problem } = device;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4">
      <div className="min-w-0">
        <DeviceEvents device={device} offered={offered} name={name} />
        {lastDeliveredAt && (
          <p className="-mt-2 pb-2 text-small text-ink-muted">
            Last notified <ShortDay iso={lastDeliveredAt} withTime />
          </p>
        )}
        {problem && <p className="pb-2 text-small text-danger">{problem}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {isOwn && (
          <ActionButton
            call="POST /api/admin/account/devices/:id/test"
            success={{ title: "Test sent", description: "It shows within a few seconds." }}
            failure="No test was sent"
            busyText="Sending..."
            aria-label={`Send a test to ${name}`}
            send={(run) => run({ params: { id }, timeoutMs: 20_000 })}
          >
            Send a test
          </ActionButton>
        )}
        <StopButton device={device} name={name} isThisDevice={isThisDevice} onRemoved={onRemoved} />
      </div>
    </div>
  );
}

/** The device's event types, collapsed below a summary. */
function DeviceEvents({ device, offered, name }: { device: Device; offered: PushEvent[]; name: string }) {
  const [pendingEvents, setPendingEvents] = useState<PushEvent[] | null>(null);
  const updateDevice = useAdminAction("PATCH /api/admin/account/devices/:id", {
    failure: "Nothing was changed",
  });
  const events = pendingEvents ?? device.wants;
  async function setEvent(event: PushEvent, isOn: boolean) {
    // Ignores input during a call. The switch is not disabled instead, because it would lose the focus.
    if (pendingEvents !== null) return;
    const next = pushEvents.filter((pushEvent) => (pushEvent === event ? isOn : events.includes(pushEvent)));
    setPendingEvents(next);
    await updateDevice.run({ params: { id: device.id }, body: { wants: next } });
    setPendingEvents(null);
  }
  const eventNames = events.map((event) => eventTexts[event].short);
  const summary = (
    <span className="inline-flex items-center gap-2">
      <Icon glyph={BellRing} size="small" />
      {eventNames.length === 0 ? "Not notified of anything" : `Notified of ${eventNames.join(", ")}`}
    </span>
  );
  if (!device.isOwn || offered.length < 2)
    return <p className="flex min-h-11 items-center text-small">{summary}</p>;
  return (
    <details className="group">
      <summary className="inline-flex min-h-11 cursor-pointer flex-wrap items-center gap-x-2 text-small">
        {summary}
        <span className="underline decoration-line-strong underline-offset-4">
          Change<span className="sr-only"> for {name}</span>
        </span>
      </summary>
      <div className="grid gap-2 pt-1 pb-2">
        {offered.map((event) => (
          <Switch
            key={event}
            name={`${event}-${device.id}`}
            label={eventTexts[event].label}
            checked={events.includes(event)}
            onChange={(isOn) => void setEvent(event, isOn)}
          />
        ))}
      </div>
    </details>
  );
}

type StopProps = { device: Device; name: string; isThisDevice: boolean; onRemoved: () => void };

function StopButton({ device, name, isThisDevice, onRemoved }: StopProps) {
  return (
    <ButtonWithConfirmation
      label="Stop"
      buttonLabel={`Stop notifications on ${name}`}
      title={
        device.isOwn
          ? `Stop notifications on ${name}?`
          : `Stop notifications for ${device.person?.name ?? "the access code"} on ${name}?`
      }
      description={
        isThisDevice
          ? "You can turn them on again here at any time."
          : "Only a person signed in on that device can turn them on again."
      }
      confirmLabel="Stop notifications"
      busyText="Stopping..."
      call="DELETE /api/admin/account/devices/:id"
      success={{ title: "Notifications are off", description: `${name} gets no more notifications.` }}
      send={(run) => run({ params: { id: device.id } })}
      onDone={async () => {
        if (!isThisDevice) return;
        onRemoved();
        await forgetDevice();
      }}
    />
  );
}
