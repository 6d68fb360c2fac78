import { sql } from "drizzle-orm";
import * as v from "valibot";
import { type PushAlarm, type PushEvent, pushAlarms, pushEvents } from "../../domain/push/device.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { people } from "../people/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { defineJob, queueJobsOfRows } from "../platform/jobs/jobs.ts";
import { pushDevices } from "./tables.ts";

/** Tells one device of one thing. Attempts reach over about half an hour: later on the news are old. */
export const notifyDeviceJob = defineJob({
  name: "notify_device",
  payload: v.object({
    deviceId: uuidSchema,
    event: v.picklist([...pushEvents, ...pushAlarms]),
    /** What it is about: the id of an order, a contact message or an outage. */
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
    select json_build_object('deviceId', ${pushDevices.id}, 'event', ${event}::text, 'subject', ${subject}::text)
    from ${pushDevices} where ${event} = any(${pushDevices.wants})`;
  await queueJobsOfRows(tx, notifyDeviceJob, payloads, (jobs) => sql`select from ${jobs}`);
}

/** The same for every device of an owner, whatever it has chosen to be told of. */
export async function alarmOwners(tx: Db, event: PushAlarm, subject: string): Promise<void> {
  const payloads = sql`
    select json_build_object('deviceId', ${pushDevices.id}, 'event', ${event}::text, 'subject', ${subject}::text)
    from ${pushDevices} left join ${people} on ${people.id} = ${pushDevices.personId}
    where ${pushDevices.personId} is null or (${people.role} = 'owner' and ${people.deactivatedAt} is null)`;
  await queueJobsOfRows(tx, notifyDeviceJob, payloads, (jobs) => sql`select from ${jobs}`);
}
