import { expect, test } from "vitest";
import { lookAtLayout } from "./look.ts";
import { openOwner } from "./owner.ts";
import { at, shareBrowser } from "./shopper.ts";

shareBrowser();

/**
 * No push service can be reached from here, and the browser from npm, which has no window, shows no notifications. So the
 * browser's subscription is simulated, and the worker's calls that show notifications are recorded.
 */
const subscription = {
  endpoint: "https://push.browser-maker.com/send/none",
  keys: { p256dh: `B${"A".repeat(86)}`, auth: "A".repeat(22) },
};
const notice = {
  title: "New order",
  body: "#1001 · $35.90 · 1 item",
  path: "/admin/orders/1",
  tag: "order:1",
};

/** Recorded calls of the service worker to its browser. */
type WorkerScope = {
  calls: { shown: unknown[]; opened: string[] };
  clients: { openWindow(address: string): Promise<void> };
  registration: { showNotification(title: string, options: NotificationOptions): Promise<void> };
};

test("a phone turns on notifications, shows one, opens its order, and turns notifications off", async () => {
  const { page, context } = await openOwner({ size: "phone", keepsPages: true });
  await page.addInitScript((subscription) => {
    const fakeSubscription = {
      toJSON: () => subscription,
      unsubscribe: async () => true,
    } as unknown as PushSubscription;
    PushManager.prototype.subscribe = async () => fakeSubscription;
    PushManager.prototype.getSubscription = async () => fakeSubscription;
    Object.defineProperty(Notification, "permission", { get: () => "default" });
    Notification.requestPermission = async () => "granted";
  }, subscription);
  await page.goto(at("/admin/notifications"));
  await page.getByRole("button", { name: /^Notify this/ }).click();
  await page.getByText("Notified of new orders").click();
  await page.getByRole("switch", { name: "A buyer requests a return" }).click();
  await page.getByText("Notified of new orders, returns").waitFor();
  await lookAtLayout(page, "admin-notifications-on");

  const [worker] = context.serviceWorkers().filter((candidate) => candidate.url() === at("/admin-sw.js"));
  if (!worker) throw new Error("the panel has no worker");
  await worker.evaluate(() => {
    const scope = globalThis as unknown as WorkerScope;
    scope.calls = { shown: [], opened: [] };
    scope.registration.showNotification = async (title, { body, tag, data }) => {
      scope.calls.shown.push({ title, body, tag, path: data });
    };
    scope.clients.openWindow = async (url) => {
      scope.calls.opened.push(url);
    };
  });
  const calls = () => worker.evaluate(() => (globalThis as unknown as WorkerScope).calls);
  const devtools = await context.newCDPSession(page);
  const registrationId = new Promise<string>((resolve) => {
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const registration = registrations.find(({ scopeURL }) => scopeURL === at("/admin"));
      if (registration) resolve(registration.registrationId);
    });
  });
  await devtools.send("ServiceWorker.enable");
  await devtools.send("ServiceWorker.deliverPushMessage", {
    origin: new URL(page.url()).origin,
    registrationId: await registrationId,
    data: JSON.stringify(notice),
  });
  await expect.poll(async () => (await calls()).shown).toEqual([notice]);
  await worker.evaluate(() => {
    const emptyPush = Object.assign(new Event("push"), { data: null, waitUntil: () => undefined });
    globalThis.dispatchEvent(emptyPush);
  });
  // Browsers revoke the permission of a site that shows nothing.
  await expect.poll(async () => (await calls()).shown).toMatchObject([notice, { title: "New in your shop" }]);
  await worker.evaluate((data) => {
    const clickEvent = Object.assign(new Event("notificationclick"), {
      notification: { data, close: () => undefined },
      waitUntil: () => undefined,
    });
    globalThis.dispatchEvent(clickEvent);
  }, notice.path);
  await expect.poll(async () => (await calls()).opened).toEqual([at("/admin/orders/1")]);

  // The list of devices shows each session together with its notifications.
  await page.getByRole("link", { name: "All your devices" }).click();
  const thisDevice = page.getByRole("listitem").filter({ hasText: "This one" });
  await thisDevice.getByText("Notified of new orders, returns").waitFor();
  await lookAtLayout(page, "admin-account-devices");
  await thisDevice.getByRole("button", { name: /^Stop notifications on / }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop notifications" }).click();
  await page.getByRole("button", { name: /^Notify this/ }).waitFor();
});
