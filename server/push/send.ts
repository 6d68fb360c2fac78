import { createHash } from "node:crypto";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { buildPushPayload } from "@block65/webcrypto-web-push";
import type { Notice } from "../../domain/push/device.ts";
import type { ShopContext } from "../context.ts";
import { publicLookup } from "../platform/http/public-lookup.ts";
import type { DeviceRow } from "./devices.ts";
import { type VapidKeys, vapidKeys } from "./vapid.ts";

/** Connecting, sending and the answer's first line, together. */
const timeoutMs = 10_000;
/** For how long (seconds) a push service keeps it for a phone that is switched off. */
const keptS = 24 * 60 * 60;
const waitMaxS = 60 * 60;

export type Pushed =
  | { result: "delivered" }
  /** The browser does not take notifications of the shop any more. */
  | { result: "gone" }
  /** Trying again changes nothing. */
  | { result: "refused"; message: string }
  /** To be tried again; `waitS`: as soon as the push service says. `isSilent`: it took its whole time to say nothing. */
  | { result: "away"; message: string; waitS: number | null; isSilent?: boolean };

type Address = Pick<DeviceRow, "endpoint" | "p256dh" | "auth">;

/** Hands one notification to the device's push service, encrypted for the browser. What goes wrong there is in the answer. */
export async function pushTo(ctx: ShopContext, device: Address, notice: Notice): Promise<Pushed> {
  const keys = await vapidKeys(ctx);
  if (keys === null) return { result: "refused", message: noKey };
  const sealed = await seal(device, notice, { subject: contactOf(ctx), ...keys }).catch(() => null);
  if (sealed === null) return { result: "refused", message: unusableKeys };
  try {
    return judge(await post(addressOf(ctx, device.endpoint), sealed));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The push service could not be reached: ${reason}`;
    return { result: "away", message, waitS: null, isSilent: error instanceof Silent };
  }
}

class Silent extends Error {}

/** Rejects where the browser's keys are none. */
function seal({ endpoint, p256dh, auth }: Address, notice: Notice, vapid: VapidKeys & { subject: string }) {
  const topic = createHash("sha256").update(notice.tag).digest("base64url").slice(0, 32);
  return buildPushPayload(
    { data: notice, options: { ttl: keptS, urgency: "high", topic } },
    { endpoint, expirationTime: null, keys: { p256dh, auth } },
    vapid,
  );
}

const unusableKeys = "The browser’s keys cannot be used. Turn notifications off and on again on that device.";
const noKey = "The shop’s key for notifications cannot be read on this server.";

type PushAnswer = { status: number; retryAfter: string | undefined };

function post(url: URL, { headers, body }: { headers: Record<string, string>; body: Uint8Array }) {
  return new Promise<PushAnswer>((resolve, reject) => {
    const open = url.protocol === "https:" ? httpsRequest : httpRequest;
    // Only tests and development send to an address of the shop's own choice, without https.
    const lookup = url.protocol === "https:" ? { lookup: publicLookup } : {};
    const signal = AbortSignal.timeout(timeoutMs);
    const call = open(url, { method: "POST", headers, signal, ...lookup }, (answer: IncomingMessage) => {
      const { statusCode = 0, headers } = answer;
      answer.destroy();
      resolve({ status: statusCode, retryAfter: headers["retry-after"] });
    });
    call.on("error", (error) => reject(signal.aborted ? new Silent("no answer within 10 seconds") : error));
    call.end(body);
  });
}

function judge({ status, retryAfter }: PushAnswer): Pushed {
  if (status >= 200 && status < 300) return { result: "delivered" };
  if (status === 404 || status === 410) return { result: "gone" };
  const message = `The push service answered ${status}`;
  if (status === 429 || status >= 500) return { result: "away", message, waitS: secondsOf(retryAfter) };
  return { result: "refused", message: `${message}. Turn notifications off and on again on that device.` };
}

/** `120` or a date; null: it says nothing. */
function secondsOf(retryAfter: string | undefined): number | null {
  if (!retryAfter) return null;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(1, Math.ceil(seconds)), waitMaxS);
}

function addressOf({ config }: ShopContext, endpoint: string): URL {
  const { pathname, search } = new URL(endpoint);
  return config.webPushApiBase === null
    ? new URL(endpoint)
    : new URL(pathname + search, config.webPushApiBase);
}

/** Whom a push service writes to if the shop troubles it. */
function contactOf({ config: { mail, publicUrl } }: ShopContext): string {
  const address = mail.ownerEmail?.match(/[^\s<>]+@[^\s<>]+/)?.[0];
  return address ? `mailto:${address}` : publicUrl;
}
