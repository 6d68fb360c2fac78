import { sql } from "drizzle-orm";
import { check, index, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import type { PushEvent } from "../../domain/push/device.ts";
import { people } from "../people/tables.ts";

/** Browsers that are told of orders and the like, by web push. */
export const pushDevices = pgTable(
  "push_devices",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Whose; null: of whoever entered the access code. */
    personId: uuid("person_id").references(() => people.id, { onDelete: "cascade" }),
    /** The session in which this browser last had the panel open. It may be over by its time; ending it ends this as well. */
    sessionId: uuid("session_id"),
    /** In words: "Chrome on Android". */
    name: text(),
    /** The address at the browser maker's push service, and what is encrypted for the browser with. */
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** What it is told of. */
    wants: text().array().$type<PushEvent[]>().notNull(),
    createdAt: timestamp("created_at", { withTimezone: true }).notNull(),
    /** When it was last opened or reached. */
    usedAt: timestamp("used_at", { withTimezone: true }).notNull(),
    lastDeliveredAt: timestamp("last_delivered_at", { withTimezone: true }),
    /** The event it was last notified of, so that a job that runs twice notifies once: `order:<id>`. */
    lastEvent: text("last_event"),
    /** Why the last notification did not go out; null: it did. */
    problem: text(),
  },
  (t) => [
    check("push_devices_wants", sql`${t.wants} <@ array['order','message','return','dispute']`),
    uniqueIndex("push_devices_endpoint").on(t.endpoint),
    index("push_devices_person").on(t.personId).where(sql`${t.personId} is not null`),
    index("push_devices_used").on(t.usedAt),
  ],
);
