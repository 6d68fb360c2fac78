import * as v from "valibot";
import { isAllowed, type NonOwnerRole, type Role } from "../people/roles.ts";

/** Events that a device can be notified of. */
export const pushEvents = ["order", "message", "return", "dispute"] as const;
export type PushEvent = (typeof pushEvents)[number];

/** Notifications that every device of an owner receives. */
export const pushAlarms = ["mail_outage"] as const;
export type PushAlarm = (typeof pushAlarms)[number];

export function isAlarm(event: PushEvent | PushAlarm): event is PushAlarm {
  return pushAlarms.some((alarm) => alarm === event);
}

/** Roles besides the owner's that may receive an event: those that may open the page it links to. */
const eventRoles: Record<PushEvent, readonly NonOwnerRole[]> = {
  order: ["staff", "packer", "accountant"],
  message: ["staff"],
  return: ["staff"],
  dispute: ["staff"],
};

export function eventsFor(role: Role): PushEvent[] {
  return pushEvents.filter((event) => isAllowed(role, eventRoles[event]));
}

export const maxDevices = 10;

const event = v.picklist(pushEvents, "Choose from the offered notifications");
/** Base64url of `count` bytes. */
const bytes = (count: number) =>
  v.pipe(
    v.string("Must be text"),
    v.regex(new RegExp(`^[\\w-]{${Math.ceil((count * 4) / 3)}}=*$`), "Must be base64url of the right length"),
  );

/** A browser's `PushSubscription`. */
export const subscriptionSchema = v.object({
  endpoint: v.pipe(
    v.string("Must be a URL"),
    v.maxLength(1500, "Too long"),
    v.check(isPushUrl, "Must be the https URL of a push service"),
  ),
  keys: v.object({ p256dh: bytes(65), auth: bytes(16) }),
});
export type Subscription = v.InferOutput<typeof subscriptionSchema>;

export const wantsSchema = v.pipe(
  v.array(event, "Choose from the offered notifications"),
  v.maxLength(pushEvents.length, "List each only once"),
);

/** A browser that receives notifications. Times ISO 8601 UTC. */
const deviceSchema = v.object({
  id: v.string(),
  /** "Chrome on Android". */
  name: v.nullable(v.string()),
  /** Null for a sign-in with the access code. */
  person: v.nullable(v.object({ id: v.string(), name: v.string() })),
  /** The session in which it last opened the panel, which may be over; null if unknown. */
  sessionId: v.nullable(v.string()),
  /** Whether the caller subscribed it. */
  isOwn: v.boolean(),
  wants: v.array(v.picklist(pushEvents)),
  createdAt: v.string(),
  /** When its push service last accepted a notification. */
  lastDeliveredAt: v.nullable(v.string()),
  /** Why the last notification failed; null if it was accepted. */
  problem: v.nullable(v.string()),
});
export type Device = v.InferOutput<typeof deviceSchema>;

export const devicesSchema = v.object({
  /** The key that browsers subscribe with; null if this server has none. */
  publicKey: v.nullable(v.string()),
  devices: v.array(deviceSchema),
  /** Events that the caller's role may receive. */
  offered: v.array(v.picklist(pushEvents)),
});
export type Devices = v.InferOutput<typeof devicesSchema>;

/** Payload for the panel's service worker, which displays it. */
export type Notice = {
  title: string;
  body: string;
  /** Within `/admin`. */
  path: string;
  /** A notification replaces an earlier one with the same tag. */
  tag: string;
};

/**
 * Whether a URL can be a push service's: https, default port, public host name. Whether the name resolves to a public
 * address is checked before each request.
 */
function isPushUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== "https:" || url.port !== "" || url.username !== "" || url.password !== "")
    return false;
  const host = url.hostname.replace(/\.$/, "").toLowerCase();
  const isIpAddress = /^[\d.]+$/.test(host) || host.startsWith("[");
  return (
    !isIpAddress && host.includes(".") && !/\.(local|localhost|internal|home\.arpa|lan|test)$/.test(host)
  );
}
