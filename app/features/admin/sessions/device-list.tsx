import type { AdminSession } from "../../../../domain/admin/admin.ts";
import type { Device, Devices } from "../../../../domain/push/device.ts";
import { Badge } from "../../../ui/badge.tsx";
import { useBrowserState } from "../../../ui/browser/browser-state.ts";
import { ButtonWithConfirmation } from "../kit/confirm-dialog.tsx";
import { ShortDay } from "../kit/short-day.tsx";
import { DeviceNotifications, TurnOnNotifications } from "../push/notifications.tsx";
import { ownDeviceId } from "../push/this-browser.ts";
import { useRights } from "../rights.ts";

/** A browser that is signed in, gets notifications, or both. */
type PanelBrowser = { session: AdminSession | null; device: Device | null; isThisBrowser: boolean };

/** The browsers of one person, or `withNames` of all people: their sessions and notifications. */
export function DeviceList({
  sessions,
  data: { devices, offered, publicKey },
  withNames = false,
}: {
  sessions: readonly AdminSession[];
  data: Devices;
  withNames?: boolean;
}) {
  const [thisDeviceId, setThisDeviceId] = useBrowserState<string | null>(null, ownDeviceId);
  const browsers = panelBrowsers(sessions, devices, thisDeviceId);
  return (
    <ul className="divide-y divide-line">
      {browsers.map(({ session, device, isThisBrowser }) => {
        const name = session?.browser ?? device?.name ?? "Unknown browser";
        const person = (session ?? device)?.person;
        return (
          <li key={session?.id ?? device?.id} className="grid gap-y-2 py-4 first:pt-0 last:pb-0">
            <div className="flex items-center justify-between gap-x-4 gap-y-2 max-sm:flex-wrap">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 text-ui font-medium wrap-anywhere">
                  {name} {isThisBrowser && <Badge tone="green">This one</Badge>}
                </p>
                <p className="text-small wrap-anywhere text-ink-muted">
                  {withNames && `${person?.name ?? "Access code"}. `}
                  {session ? <Times session={session} /> : "Signed out, but still notified."}
                </p>
              </div>
              {session && !isThisBrowser && (
                <ButtonWithConfirmation
                  label={<span className="whitespace-nowrap">End session</span>}
                  buttonLabel={`End session: ${name}`}
                  title="End this session?"
                  description={`${name} has to sign in again${device ? " and gets no more notifications" : ""}. Unsaved input there is lost.`}
                  confirmLabel="End session"
                  busyText="Ending..."
                  call="DELETE /api/admin/sessions/:id"
                  success={{ title: "Session ended" }}
                  send={(run) => run({ params: { id: session.id } })}
                />
              )}
            </div>
            {device ? (
              <DeviceNotifications
                device={device}
                name={name}
                offered={offered}
                isThisDevice={device.id === thisDeviceId}
                onRemoved={() => setThisDeviceId(null)}
              />
            ) : (
              isThisBrowser &&
              !withNames && <TurnOnNotifications publicKey={publicKey} onDone={setThisDeviceId} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Pairs sessions with devices, the current browser first, whose device may still name an earlier session. */
function panelBrowsers(
  sessions: readonly AdminSession[],
  devices: readonly Device[],
  thisDeviceId: string | null,
): PanelBrowser[] {
  const thisDevice = devices.find(({ id, isOwn }) => isOwn && id === thisDeviceId) ?? null;
  const signedIn = sessions.map((session) => ({
    session,
    device:
      session.isCurrent && thisDevice
        ? thisDevice
        : (devices.find(isFromSession(session, thisDevice)) ?? null),
    isThisBrowser: session.isCurrent,
  }));
  const paired = new Set(signedIn.map(({ device }) => device));
  const signedOut = devices
    .filter((device) => !paired.has(device))
    .map((device) => ({ session: null, device, isThisBrowser: false }));
  return [...signedIn, ...signedOut].sort((a, b) => Number(b.isThisBrowser) - Number(a.isThisBrowser));
}

function isFromSession(session: AdminSession, thisDevice: Device | null) {
  return (device: Device) => device.sessionId === session.id && device !== thisDevice;
}

function Times({ session: { lastSeenAt, address, expiresAt } }: { session: AdminSession }) {
  return (
    <>
      Last used <ShortDay iso={lastSeenAt} withTime />
      {address && ` from ${address}`}; ends <ShortDay iso={expiresAt} withTime />
    </>
  );
}

/** A button that ends all other sessions of the viewer or, for the owner with `ofEverybody`, of all people. */
export function EndOtherSessions({ ofEverybody = false }: { ofEverybody?: boolean }) {
  const { role } = useRights();
  const description =
    ofEverybody && role === "owner"
      ? "Everybody else, and you in every other browser, has to sign in again. If somebody may know the access code, change it as well, under Keys and connections."
      : "You have to sign in again in every other browser, and those get no more notifications.";
  return (
    <ButtonWithConfirmation
      label="End all other sessions"
      variant="secondary"
      call="DELETE /api/admin/sessions"
      title="End all other sessions?"
      description={description}
      confirmLabel="End all others"
      busyText="Ending..."
      success={{ title: "All other sessions ended" }}
      send={(run) => run({ query: ofEverybody ? {} : { of: "own" } })}
    />
  );
}
