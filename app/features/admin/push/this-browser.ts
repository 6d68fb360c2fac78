import type { Device, Subscription } from "../../../../domain/push/device.ts";
import { callApi } from "../../api.ts";
import { readStored, store } from "../../browser-storage.ts";

/** Storage keys: the id of this browser's device, and when its entry was last renewed. */
const idKey = "push-device";
const renewedKey = "push-heard";
const scope = "/admin";

/** Why this browser cannot receive push notifications. */
export type Obstacle = "insecure" | "home-screen" | "unsupported" | "blocked";

/** Null if this browser can receive push notifications. */
export function findObstacle(): Obstacle | null {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    // On Apple's mobile devices, only apps on the Home Screen support push.
    return isAppleMobile() ? "home-screen" : "unsupported";
  }
  return Notification.permission === "denied" ? "blocked" : null;
}

/** An iPad may identify itself as a Mac; only its touch screen distinguishes them. */
function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
}

export function isPhone(): boolean {
  return isAppleMobile() || /Android|Mobile/.test(navigator.userAgent);
}

/** Id of this browser's registered device, or null. */
export function ownDeviceId(): string | null {
  const id = readStored("local", idKey);
  return typeof id === "string" ? id : null;
}

type SubscribeResult = { ok: true; subscription: Subscription } | { ok: false; message: string };

/** Requests the permission and subscribes. Call it from a click, because browsers require one. */
export async function subscribe(publicKey: string): Promise<SubscribeResult> {
  try {
    const permission = await Notification.requestPermission();
    if (permission !== "granted") {
      return { ok: false, message: permission === "denied" ? deniedText : "Nothing was turned on." };
    }
    const registration = await navigator.serviceWorker.register("/admin-sw.js", { scope });
    await whenActive(registration);
    const applicationServerKey = decodeBase64Url(publicKey);
    const subscription = await registration.pushManager
      .subscribe({ userVisibleOnly: true, applicationServerKey })
      .catch(async (error: unknown) => {
        // Fails if the browser has a subscription with a former key of the shop.
        const olderSubscription = await registration.pushManager.getSubscription();
        if (!olderSubscription) throw error;
        await olderSubscription.unsubscribe();
        return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
      });
    return { ok: true, subscription: toSubscription(subscription) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `This browser could not turn notifications on: ${reason}` };
  }
}

const deniedText = "Your browser blocks notifications from this site. You can allow them in its settings.";

/** Waits for this registration, because `navigator.serviceWorker.ready` may be the storefront's. */
async function whenActive({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (active || !worker) return;
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("its worker did not start"));
    });
  });
}

/** The key as bytes, because not all browsers accept it as text. */
function decodeBase64Url(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function toSubscription(subscription: PushSubscription): Subscription {
  const { endpoint = "", keys = {} } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys;
  return { endpoint, keys: { p256dh, auth } };
}

export function rememberDevice(id: Device["id"]): void {
  store("local", idKey, id);
  store("local", renewedKey, String(Date.now()));
}

/** Unsubscribes this browser, even if the server still lists the device. */
export async function forgetDevice(): Promise<void> {
  store("local", idKey, null);
  await (await currentSubscription())?.unsubscribe().catch(() => false);
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration(scope);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

const renewEveryMs = 6 * 60 * 60 * 1000;

/**
 * Renews this browser's entry on the server: the device then belongs to the current session, whose end also ends its
 * notifications, and has the browser's current push address. A device removed elsewhere is unsubscribed here as well.
 */
export async function renewDevice(): Promise<void> {
  const id = ownDeviceId();
  const renewedAt = Number(readStored("local", renewedKey) ?? 0);
  if (id === null || Date.now() - renewedAt < renewEveryMs) return;
  const subscription = await currentSubscription();
  if (!subscription) {
    store("local", idKey, null);
    return;
  }
  const body = toSubscription(subscription);
  const response = await callApi("PUT /api/admin/account/devices/:id", { params: { id }, body });
  if (response.ok) rememberDevice(id);
  else if (response.problem.status === 404) await forgetDevice();
}

/** Makes the next session renew the device's entry; called when the panel is locked. */
export function renewDeviceSoon(): void {
  store("local", renewedKey, null);
}
