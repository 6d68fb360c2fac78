import { sql } from "drizzle-orm";
import * as v from "valibot";
import { type PushEvent, pushEvents } from "../../domain/push/device.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import type { Db } from "../platform/database/database.ts";
import { defineJob, queueJobsOfRows } from "../platform/jobs/jobs.ts";
import { devices } from "./tables.ts";

/** Tells one device of one thing. Attempts reach over about half an hour: later on the news are old. */
export const notifyDeviceJob = defineJob({
  name: "notify_device",
  payload: v.object({
    deviceId: uuidSchema,
    event: v.picklist(pushEvents),
    /** What it is about: an order's id, or a contact message's. */
    subject: uuidSchema,
    /** How often the push service has asked to wait. */
    waits: v.optional(v.number(), 0),
  }),
  lane: "mail",
  priority: 20,
  maxAttempts: 8,
});

/**
 * Queues a notification for every device that wants to be told of this, each on its own. Call it in the transaction in which
 * it happens, once.
 */
export async function notifyDevices(tx: Db, event: PushEvent, subject: string): Promise<void> {
  const payloads = sql`
    select json_build_object('deviceId', ${devices.id}, 'event', ${event}::text, 'subject', ${subject}::text)
    from ${devices} where ${event} = any(${devices.wants})`;
  await queueJobsOfRows(tx, notifyDeviceJob, payloads, (jobs) => sql`select from ${jobs}`);
}
