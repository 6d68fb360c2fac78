import { type Placeholder, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { type PushAlarm, type PushEvent, pushAlarms, pushEvents } from "../../domain/push/device.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { people } from "../people/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { defineJob, queueJobsForRows } from "../platform/jobs/jobs.ts";
import { pushDevices } from "./tables.ts";

/** Sends one event to one device. Its attempts span about half an hour; a later notification would be of no use. */
export const notifyDeviceJob = defineJob({
  name: "notify_device",
  payload: v.object({
    deviceId: uuidSchema,
    event: v.picklist([...pushEvents, ...pushAlarms]),
    /** Id of the order, contact message or outage. */
    subject: uuidSchema,
    /** How often the push service has postponed this notification. */
    waits: v.optional(v.number(), 0),
  }),
  lane: "mail",
  priority: 20,
  maxAttempts: 8,
});

/** Queues a job for each device that has chosen this event. Call it once, in the transaction of the event. */
export async function notifyDevices(tx: Db, event: PushEvent, subject: string): Promise<void> {
  await queueJobsForRows(tx, notifyDeviceJob, notificationPayloads(event, subject));
}

/** SQL query that returns a job payload for each device that has chosen this event. */
export function notificationPayloads(event: PushEvent, subject: string | Placeholder): SQL {
  return sql`
    select json_build_object('deviceId', ${pushDevices.id}, 'event', ${event}::text, 'subject', ${subject}::text)
    from ${pushDevices} where ${event} = any(${pushDevices.wants})`;
}

/** Queues a job for each device of an owner, regardless of the events chosen on it. */
export async function alarmOwners(tx: Db, event: PushAlarm, subject: string): Promise<void> {
  const payloads = sql`
    select json_build_object('deviceId', ${pushDevices.id}, 'event', ${event}::text, 'subject', ${subject}::text)
    from ${pushDevices} left join ${people} on ${people.id} = ${pushDevices.personId}
    where ${pushDevices.personId} is null or (${people.role} = 'owner' and ${people.deactivatedAt} is null)`;
  await queueJobsForRows(tx, notifyDeviceJob, payloads);
}
