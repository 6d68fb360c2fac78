import { createHash } from "node:crypto";
import { buildPushPayload } from "@block65/webcrypto-web-push";
import { and, eq } from "drizzle-orm";
import type * as v from "valibot";
import { eventsFor, isAlarm, type Notice } from "../../domain/push/device.ts";
import type { ShopContext } from "../context.ts";
import { people } from "../people/tables.ts";
import { requestExternal } from "../platform/http/public-lookup.ts";
import { addJob, type JobContext } from "../platform/jobs/jobs.ts";
import type { DeviceRow } from "./devices.ts";
import { buildNotice } from "./notice.ts";
import { notifyDeviceJob } from "./notify.ts";
import { pushDevices } from "./tables.ts";
import { type VapidKeys, vapidKeys } from "./vapid.ts";

/** How many times a push service may postpone a notification before it is dropped. */
const maxPostponements = 5;

/**
 * Job: sends one notification; the current role of the device's person decides whether it is sent, and what it says. Throws to be
 * retried. After the last attempt only the device's `problem` is stored, and no failed job is left: the order itself is in the
 * panel.
 */
export async function notifyDevice(
  ctx: ShopContext,
  payload: v.InferOutput<typeof notifyDeviceJob.payload>,
  { isLastAttempt }: Pick<JobContext, "isLastAttempt">,
): Promise<void> {
  const { db } = ctx;
  const { deviceId, event, subject, waits } = payload;
  const [row] = await db
    .select({ device: pushDevices, person: people })
    .from(pushDevices)
    .leftJoin(people, eq(people.id, pushDevices.personId))
    .where(eq(pushDevices.id, deviceId));
  if (!row) return;
  const { device, person } = row;
  const role = person?.role ?? "owner";
  const isWanted = isAlarm(event)
    ? role === "owner"
    : device.wants.includes(event) && eventsFor(role).includes(event);
  const isNotified = device.lastEvent === `${event}:${subject}`;
  if (isNotified || !isWanted || (person && person.deactivatedAt !== null)) return;
  const notice = await buildNotice(ctx, { event, subject, role });
  if (notice === null) return;
  const result = await pushNotice(ctx, device, { notice });
  if (result.state === "unreachable") {
    if (result.waitS !== null && waits < maxPostponements) {
      const runAt = new Date(Date.now() + result.waitS * 1000);
      await addJob(db, notifyDeviceJob, { ...payload, waits: waits + 1 }, { runAt });
      return;
    }
    if (result.waitS === null && !isLastAttempt) throw new Error(result.message);
  }
  await recordPush(ctx, device, { result, eventTag: notice.tag });
}

/** For each host of a push service that timed out, the time (`performance.now()`) until which calls are skipped. */
const pausedUntil = new Map<string, number>();
const pauseMs = 30_000;

/**
 * Sends a notification. After a timeout, only one notification per 30 seconds is sent to that push service; the others fail
 * immediately and are retried, because each would block a worker, which also sends e-mails, for ten seconds. A test is always
 * sent.
 */
export async function pushNotice(
  ctx: ShopContext,
  device: DeviceRow,
  { notice, isTest = false }: { notice: Notice; isTest?: boolean },
): Promise<PushResult> {
  const { host } = new URL(device.endpoint);
  const until = pausedUntil.get(host);
  if (until !== undefined && performance.now() < until && !isTest) {
    return { state: "unreachable", message: "The push service did not answer a moment ago", waitS: null };
  }
  if (until !== undefined) pausedUntil.set(host, performance.now() + pauseMs);
  const result = await encryptAndPost(ctx, device, notice);
  if (result.state === "unreachable" && result.isTimeout) pausedUntil.set(host, performance.now() + pauseMs);
  else pausedUntil.delete(host);
  return result;
}

/** Stores the result in the device's row; removes a device whose subscription has ended. */
export async function recordPush(
  { db, log, now }: Pick<ShopContext, "db" | "log" | "now">,
  { id, endpoint }: Pick<DeviceRow, "id" | "endpoint">,
  { result, eventTag }: { result: PushResult; eventTag: string | null },
): Promise<void> {
  // The result says nothing about a subscription that has replaced this one in the meantime.
  const isThisSubscription = and(eq(pushDevices.id, id), eq(pushDevices.endpoint, endpoint));
  if (result.state === "gone") {
    await db.delete(pushDevices).where(isThisSubscription);
    log.info({ deviceId: id }, "a device no longer receives notifications, and was removed");
  } else if (result.state === "delivered") {
    const at = now();
    const lastEvent = eventTag === null ? {} : { lastEvent: eventTag };
    await db
      .update(pushDevices)
      .set({ lastDeliveredAt: at, usedAt: at, problem: null, ...lastEvent })
      .where(isThisSubscription);
  } else {
    await db.update(pushDevices).set({ problem: result.message }).where(isThisSubscription);
    log.warn({ deviceId: id, reason: result.message }, "a device was not notified");
  }
}

/** Timeout for connecting, sending and the first line of the response. */
const timeoutMs = 10_000;
/** How long (s) the push service keeps a notification for a phone that is switched off. */
const ttlS = 24 * 60 * 60;
const maxWaitS = 60 * 60;

type PushResult =
  | { state: "delivered" }
  /** The browser has ended its subscription. */
  | { state: "gone" }
  /** The push service refuses the device permanently. */
  | { state: "refused"; message: string }
  /** To be retried; `waitS`: the push service's `Retry-After`. `isTimeout`: it did not respond in time. */
  | { state: "unreachable"; message: string; waitS: number | null; isTimeout?: boolean };

class PushTimeout extends Error {}

type Address = Pick<DeviceRow, "endpoint" | "p256dh" | "auth">;

/** Sends a notification, encrypted for the browser, to its push service. Errors of the push service are returned, not thrown. */
async function encryptAndPost(ctx: ShopContext, device: Address, notice: Notice): Promise<PushResult> {
  const keys = await vapidKeys(ctx);
  if (keys === null) return { state: "refused", message: noKeyMessage };
  const payload = await encrypt(device, notice, { subject: vapidContact(ctx), ...keys }).catch(() => null);
  if (payload === null) return { state: "refused", message: unusableKeysMessage };
  try {
    return pushResult(await post(endpointUrl(ctx, device.endpoint), payload));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The push service could not be reached: ${reason}`;
    return { state: "unreachable", message, waitS: null, isTimeout: error instanceof PushTimeout };
  }
}

/** Rejects if the browser's keys are invalid. */
function encrypt(
  { endpoint, p256dh, auth }: Address,
  notice: Notice,
  vapid: VapidKeys & { subject: string },
) {
  const topic = createHash("sha256").update(notice.tag).digest("base64url").slice(0, 32);
  return buildPushPayload(
    { data: notice, options: { ttl: ttlS, urgency: "high", topic } },
    { endpoint, expirationTime: null, keys: { p256dh, auth } },
    vapid,
  );
}

const unusableKeysMessage =
  "The browser’s keys cannot be used. Turn notifications off and on again on that device.";
const noKeyMessage = "The shop’s key for notifications cannot be read on this server.";

type PushResponse = { status: number; retryAfter: string | undefined };

async function post(
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: Uint8Array },
): Promise<PushResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  // Only tests and development send without https, to `webPushApiBase`.
  const isTrusted = url.protocol !== "https:";
  const response = await requestExternal(url, { method: "POST", headers, signal, body, isTrusted }).catch(
    (error: unknown) => {
      throw signal.aborted ? new PushTimeout("no answer within 10 seconds") : error;
    },
  );
  response.destroy();
  return { status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] };
}

function pushResult({ status, retryAfter }: PushResponse): PushResult {
  if (status >= 200 && status < 300) return { state: "delivered" };
  if (status === 404 || status === 410) return { state: "gone" };
  const message = `The push service answered ${status}`;
  if (status === 429 || status >= 500)
    return { state: "unreachable", message, waitS: parseSeconds(retryAfter) };
  return { state: "refused", message: `${message}. Turn notifications off and on again on that device.` };
}

/** `Retry-After`: `120` or a date; null if missing or invalid. */
function parseSeconds(retryAfter: string | undefined): number | null {
  if (!retryAfter) return null;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(1, Math.ceil(seconds)), maxWaitS);
}

function endpointUrl({ config }: ShopContext, endpoint: string): URL {
  const { pathname, search } = new URL(endpoint);
  return config.webPushApiBase === null
    ? new URL(endpoint)
    : new URL(pathname + search, config.webPushApiBase);
}

/** Contact for the operators of push services, as VAPID requires. */
function vapidContact({ config: { mail, publicUrl } }: ShopContext): string {
  const address = mail.ownerEmail?.match(/[^\s<>]+@[^\s<>]+/)?.[0];
  return address ? `mailto:${address}` : publicUrl;
}
