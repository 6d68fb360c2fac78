/*
 * Shows push notifications and opens their page of the panel. Its scope is /admin only; it caches nothing and answers
 * no requests: the storefront has a separate worker (app/offline/service-worker.ts).
 */
import type { Notice } from "../../../../domain/push/device.ts";

type Lifetime = Event & { waitUntil(work: Promise<unknown>): void };
type Pushed = Lifetime & { data: { json(): unknown } | null };
type Clicked = Lifetime & { notification: Notification };
type Window = { url: string; focus(): Promise<unknown> };
/** Service worker types missing from TypeScript's DOM types. */
declare const self: {
  addEventListener(type: "install", listener: (event: Lifetime) => void): void;
  addEventListener(type: "push", listener: (event: Pushed) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Clicked) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    matchAll(of: { type: "window"; includeUncontrolled: true }): Promise<Window[]>;
    openWindow(address: string): Promise<unknown>;
  };
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> };
  location: Location;
};

self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));

self.addEventListener("push", (event) => {
  const { title, body, path, tag } = noticeOf(event);
  // The same again takes its own place, without a sound.
  const shown = self.registration.showNotification(title, { body, tag, data: path, icon: "/icon-192.png" });
  event.waitUntil(shown);
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});

/** Browsers take the right to notify away from whoever shows nothing. */
function noticeOf({ data }: Pushed): Notice {
  try {
    return data?.json() as Notice;
  } catch {
    return { title: "New in your shop", body: "Open the panel to see it.", path: "/admin", tag: "unknown" };
  }
}

/** Focuses a window that shows the page, or opens a new one, so that unsaved input in other windows is kept. */
async function open(path: string): Promise<void> {
  const { href, pathname } = new URL(path.startsWith("/admin") ? path : "/admin", self.location.origin);
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find(({ url }) => new URL(url).pathname === pathname);
  await (shown ? shown.focus() : self.clients.openWindow(href));
}
