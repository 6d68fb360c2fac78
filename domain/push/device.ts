import * as v from "valibot";
import { type HelperRole, isAllowed, type Role } from "../people/roles.ts";

/** What a phone may be told of. */
export const pushEvents = ["order", "message", "return", "dispute"] as const;
export type PushEvent = (typeof pushEvents)[number];

/** What every device of an owner is told of, whatever it has chosen. */
export const pushAlarms = ["mail_outage"] as const;
export type PushAlarm = (typeof pushAlarms)[number];

export function isAlarm(event: PushEvent | PushAlarm): event is PushAlarm {
  return pushAlarms.some((alarm) => alarm === event);
}

/** Who besides the owner may be told: whoever may open the page that the notification leads to. */
const eventRoles: Record<PushEvent, readonly HelperRole[]> = {
  order: ["staff", "packer", "accountant"],
  message: ["staff"],
  return: ["staff"],
  dispute: ["staff"],
};

export function eventsFor(role: Role): PushEvent[] {
  return pushEvents.filter((event) => isAllowed(role, eventRoles[event]));
}

/** Devices that one person may have. */
export const devicesMax = 10;

const event = v.picklist(pushEvents, "Choose what to be told of");
/** Base64url of so many bytes. */
const bytes = (count: number) =>
  v.pipe(
    v.string("Must be text"),
    v.regex(new RegExp(`^[\\w-]{${Math.ceil((count * 4) / 3)}}=*$`), "Must be base64url of the right length"),
  );

/** Where a browser takes notifications, as its `PushSubscription` says it. */
export const subscriptionSchema = v.object({
  endpoint: v.pipe(
    v.string("Must be an address"),
    v.maxLength(1500, "Too long"),
    v.check(isPushAddress, "Must be the https address of a push service"),
  ),
  keys: v.object({ p256dh: bytes(65), auth: bytes(16) }),
});
export type Subscription = v.InferOutput<typeof subscriptionSchema>;

export const wantsSchema = v.pipe(
  v.array(event, "Choose what to be told of"),
  v.maxLength(pushEvents.length, "Name each once"),
);

/** A browser that is told of what happens in the shop. Times ISO 8601 UTC. */
export const deviceSchema = v.object({
  id: v.string(),
  /** "Chrome on Android". */
  name: v.nullable(v.string()),
  /** Whose; null: of whoever entered the access code. */
  person: v.nullable(v.object({ id: v.string(), name: v.string() })),
  /** Whether whoever asks has turned it on. */
  isOwn: v.boolean(),
  wants: v.array(v.picklist(pushEvents)),
  createdAt: v.string(),
  /** When its push service last took a notification for it. */
  lastDeliveredAt: v.nullable(v.string()),
  /** Why the last one did not go out, in a sentence; null: it did. */
  problem: v.nullable(v.string()),
});
export type Device = v.InferOutput<typeof deviceSchema>;

export const devicesSchema = v.object({
  /** What browsers subscribe with; null: this server has no key, `problem` says why. */
  publicKey: v.nullable(v.string()),
  devices: v.array(deviceSchema),
  /** What one's role may be told of. */
  offered: v.array(v.picklist(pushEvents)),
});
export type Devices = v.InferOutput<typeof devicesSchema>;

/** What the panel's service worker is sent, and shows. */
export type Notice = {
  title: string;
  body: string;
  /** Of the panel, from `/admin` on. */
  path: string;
  /** Another notice with the same takes its place. */
  tag: string;
};

/**
 * Whether an address may be one of a push service: https, on the usual port, of a host with a public name. That the name leads
 * to a public address is checked when something is sent there.
 */
export function isPushAddress(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== "https:" || url.port !== "" || url.username !== "" || url.password !== "")
    return false;
  const host = url.hostname.replace(/\.$/, "").toLowerCase();
  const isNumber = /^[\d.]+$/.test(host) || host.startsWith("[");
  return !isNumber && host.includes(".") && !/\.(local|localhost|internal|home\.arpa|lan|test)$/.test(host);
}
