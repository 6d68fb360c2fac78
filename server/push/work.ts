import { and, eq } from "drizzle-orm";
import type * as v from "valibot";
import { eventsFor, isAlarm, type Notice } from "../../domain/push/device.ts";
import type { ShopContext } from "../context.ts";
import { people } from "../people/tables.ts";
import { addJob, type JobContext } from "../platform/jobs/jobs.ts";
import type { DeviceRow } from "./devices.ts";
import { noticeOf } from "./notice.ts";
import { notifyDeviceJob } from "./notify.ts";
import { type Pushed, pushTo } from "./send.ts";
import { pushDevices } from "./tables.ts";

/** So often a push service may ask to wait before a notification is given up. */
const waitsMax = 5;

/**
 * Tells a device, by the rights that its person has now. Throws when it should be tried again. After the last try the device says
 * so, and nothing waits for it: the order itself stands in the panel.
 */
export async function notifyDevice(
  ctx: ShopContext,
  payload: v.InferOutput<typeof notifyDeviceJob.payload>,
  { isLastAttempt }: Pick<JobContext, "isLastAttempt">,
): Promise<void> {
  const { db } = ctx;
  const { deviceId, event, subject, waits } = payload;
  const [found] = await db
    .select({ device: pushDevices, person: people })
    .from(pushDevices)
    .leftJoin(people, eq(people.id, pushDevices.personId))
    .where(eq(pushDevices.id, deviceId));
  if (!found) return;
  const { device, person } = found;
  const role = person?.role ?? "owner";
  const isWanted = isAlarm(event)
    ? role === "owner"
    : device.wants.includes(event) && eventsFor(role).includes(event);
  const isTold = device.lastEvent === `${event}:${subject}`;
  if (isTold || !isWanted || (person && person.deactivatedAt !== null)) return;
  const notice = await noticeOf(ctx, { event, subject, role });
  if (notice === null) return;
  const pushed = await pushInTurn(ctx, device, { notice });
  if (pushed.result === "away") {
    if (pushed.waitS !== null && waits < waitsMax) {
      const runAt = new Date(Date.now() + pushed.waitS * 1000);
      await addJob(db, notifyDeviceJob, { ...payload, waits: waits + 1 }, { runAt });
      return;
    }
    if (pushed.waitS === null && !isLastAttempt) throw new Error(pushed.message);
  }
  await recordPush(ctx, device, { pushed, told: notice.tag });
}

/** Host of a push service that has not answered -> until when (`performance.now()`) it is not asked. */
const silentUntil = new Map<string, number>();
const silenceMs = 30_000;

/**
 * One notification at a time finds out whether a push service that was silent answers again; the others fail at once, and are
 * tried again as usual. Else they would hold the workers that send e-mails and other notifications for ten seconds each.
 * `isWaitedFor`: somebody waits to hear whether it answers.
 */
export async function pushInTurn(
  ctx: ShopContext,
  device: DeviceRow,
  { notice, isWaitedFor = false }: { notice: Notice; isWaitedFor?: boolean },
): Promise<Pushed> {
  const { host } = new URL(device.endpoint);
  const until = silentUntil.get(host);
  if (until !== undefined && performance.now() < until && !isWaitedFor) {
    return { result: "away", message: "The push service did not answer a moment ago", waitS: null };
  }
  if (until !== undefined) silentUntil.set(host, performance.now() + silenceMs);
  const pushed = await pushTo(ctx, device, notice);
  if (pushed.result === "away" && pushed.isSilent) silentUntil.set(host, performance.now() + silenceMs);
  else silentUntil.delete(host);
  return pushed;
}

/** Notes at the device what became of a notification; one that the browser takes no more of is removed. */
export async function recordPush(
  { db, log, now }: Pick<ShopContext, "db" | "log" | "now">,
  { id, endpoint }: Pick<DeviceRow, "id" | "endpoint">,
  { pushed, told }: { pushed: Pushed; told: string | null },
): Promise<void> {
  // The browser may have got another address meanwhile: then this says nothing of it.
  const isSame = and(eq(pushDevices.id, id), eq(pushDevices.endpoint, endpoint));
  if (pushed.result === "gone") {
    await db.delete(pushDevices).where(isSame);
    log.info({ deviceId: id }, "a device takes no notifications any more, and was removed");
  } else if (pushed.result === "delivered") {
    const at = now();
    const lastEvent = told === null ? {} : { lastEvent: told };
    await db
      .update(pushDevices)
      .set({ lastDeliveredAt: at, usedAt: at, problem: null, ...lastEvent })
      .where(isSame);
  } else {
    await db.update(pushDevices).set({ problem: pushed.message }).where(isSame);
    log.warn({ deviceId: id, reason: pushed.message }, "a device was not notified");
  }
}
