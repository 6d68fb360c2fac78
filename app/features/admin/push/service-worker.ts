/*
 * Shows push notifications and opens their page of the panel. Its scope is /admin only; it caches nothing and serves
 * no requests: the storefront has a separate worker (app/offline/service-worker.ts).
 */
import type { Notice } from "../../../../domain/push/device.ts";

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type PushEvent = ExtendableEvent & { data: { json(): unknown } | null };
type ClickEvent = ExtendableEvent & { notification: Notification };
type Window = { url: string; focus(): Promise<unknown> };
/** Service worker types missing from TypeScript's DOM types. */
declare const self: {
  addEventListener(type: "install", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "push", listener: (event: PushEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: ClickEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> };
  location: Location;
};

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));

self.addEventListener("push", (event) => {
  const { title, body, path, tag } = readNotice(event);
  // A notification with the same tag replaces the earlier one silently.
  const display = self.registration.showNotification(title, { body, tag, data: path, icon: "/icon-192.png" });
  event.waitUntil(display);
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});

/** Always returns a notice: browsers revoke the permission of a site that receives a push and shows nothing. */
function readNotice({ data }: PushEvent): Notice {
  try {
    if (data) return data.json() as Notice;
  } catch {
    // The notice below replaces one that cannot be read.
  }
  return { title: "New in your shop", body: "Open the panel to see it.", path: "/admin", tag: "unknown" };
}

/** Focuses a window that shows the page, or opens a new one, so that unsaved input in other windows is kept. */
async function open(path: string): Promise<void> {
  const { href, pathname } = new URL(path.startsWith("/admin") ? path : "/admin", self.location.origin);
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const openWindow = windows.find(({ url }) => new URL(url).pathname === pathname);
  await (openWindow ? openWindow.focus() : self.clients.openWindow(href));
}
