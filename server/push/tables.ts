import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { PushEvent } from "../../domain/push/device.ts";
import { people } from "../people/tables.ts";
import { timestamptz } from "../platform/database/column-types.ts";

/** Browsers that receive the panel's notifications by web push. */
export const pushDevices = pgTable(
  "push_devices",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Null if turned on in a session of the access code. */
    personId: uuid("person_id").references(() => people.id, { onDelete: "cascade" }),
    /** The session in which this browser last opened the panel. Its expiry keeps the device; signing it out removes the device. */
    sessionId: uuid("session_id"),
    /** Name of the browser, such as "Chrome on Android". */
    name: text(),
    /** URL at the browser maker's push service; `p256dh` and `auth` are the browser's keys for encryption. */
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    wants: text().array().$type<PushEvent[]>().notNull(),
    createdAt: timestamptz("created_at").notNull(),
    /** When the panel was last opened on the device, or a notification was delivered to it. */
    usedAt: timestamptz("used_at").notNull(),
    lastDeliveredAt: timestamptz("last_delivered_at"),
    /** The last event sent, such as `order:<id>`, so that a job that runs twice notifies once. */
    lastEvent: text("last_event"),
    /** Why the last notification failed; null if it was sent. */
    problem: text(),
  },
  (t) => [
    check("push_devices_wants", sql`${t.wants} <@ array['order','message','return','dispute']`),
    uniqueIndex("push_devices_endpoint").on(t.endpoint),
    index("push_devices_person").on(t.personId).where(sql`${t.personId} is not null`),
    index("push_devices_used").on(t.usedAt),
  ],
);
