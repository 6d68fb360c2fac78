import { and, asc, count, eq, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { unusedDeviceDays } from "../../domain/privacy/retention.ts";
import {
  type Device,
  eventsFor,
  maxDevices,
  type PushEvent,
  type Subscription,
} from "../../domain/push/device.ts";
import { pick } from "../../domain/shared/pick.ts";
import type { ShopContext } from "../context.ts";
import { people } from "../people/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { Admin } from "../platform/http/viewer.ts";
import { pushDevices } from "./tables.ts";

export type DeviceRow = typeof pushDevices.$inferSelect;

/** The person's own devices; the owner gets the devices of all people, with the owner's own first. */
export async function listDevices(db: Db, admin: Admin): Promise<Device[]> {
  const isOwn = sql<boolean>`${pushDevices.personId} is not distinct from ${admin.person?.id ?? null}::uuid`;
  const rows = await db
    .select({ device: pushDevices, person: { id: people.id, name: people.name }, isOwn })
    .from(pushDevices)
    .leftJoin(people, eq(people.id, pushDevices.personId))
    .where(manageableBy(admin))
    .orderBy(sql`${isOwn} desc`, asc(pushDevices.createdAt), asc(pushDevices.id));
  const allowedEvents = eventsFor(admin.role);
  return rows.map(({ device, person, isOwn }) => ({
    ...pick(device, "id", "name", "sessionId", "problem"),
    person,
    isOwn,
    wants: isOwn ? device.wants.filter((event) => allowedEvents.includes(event)) : device.wants,
    createdAt: device.createdAt.toISOString(),
    lastDeliveredAt: device.lastDeliveredAt?.toISOString() ?? null,
  }));
}

type NewDevice = Subscription & { name: string | null; wants: PushEvent[]; now: Date };

/** Adds the browser, or moves it to this person if its subscription is stored already. `full` if the person's limit is reached. */
export async function addDevice(tx: Db, admin: Admin, device: NewDevice): Promise<DeviceRow | "full"> {
  const { endpoint, keys, name, wants, now } = device;
  const personId = admin.person?.id ?? null;
  // Locked, so that two tabs at once cannot exceed the limit.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('push_devices'), hashtext(${personId ?? ""}))`);
  const [otherDevices] = await tx
    .select({ count: count() })
    .from(pushDevices)
    .where(and(ownedBy(personId), ne(pushDevices.endpoint, endpoint)));
  if ((otherDevices?.count ?? 0) >= maxDevices) return "full";
  const values = { personId, sessionId: admin.sessionId, name, ...keys, wants, usedAt: now, problem: null };
  const [row] = await tx
    .insert(pushDevices)
    .values({ ...values, endpoint, createdAt: now })
    .onConflictDoUpdate({ target: pushDevices.endpoint, set: values })
    .returning();
  if (!row) throw new Error("the insert returned no device");
  return row;
}

/**
 * Stores the browser's current subscription; null if the device was removed. A device registered with the access code is assigned
 * to the person who signs in with the same browser.
 */
export async function renewDevice(
  tx: Db,
  admin: Admin,
  { id, subscription, now }: { id: string; subscription: Subscription; now: Date },
): Promise<DeviceRow | null> {
  const { endpoint, keys } = subscription;
  const personId = admin.person?.id ?? null;
  const isSameBrowser = and(isNull(pushDevices.personId), eq(pushDevices.endpoint, endpoint));
  const isOwnDevice = and(eq(pushDevices.id, id), or(ownedBy(personId), isSameBrowser));
  const [device] = await tx.select({ id: pushDevices.id }).from(pushDevices).where(isOwnDevice).for("update");
  if (!device) return null;
  await tx.delete(pushDevices).where(and(eq(pushDevices.endpoint, endpoint), ne(pushDevices.id, id)));
  const [row] = await tx
    .update(pushDevices)
    .set({ personId, sessionId: admin.sessionId, endpoint, ...keys, usedAt: now })
    .where(eq(pushDevices.id, id))
    .returning();
  return row ?? null;
}

export async function findOwnDevice(db: Db, admin: Admin, id: string): Promise<DeviceRow | null> {
  const [row] = await db
    .select()
    .from(pushDevices)
    .where(and(eq(pushDevices.id, id), ownedBy(admin.person?.id ?? null)));
  return row ?? null;
}

export async function setChosenEvents(
  db: Db,
  admin: Admin,
  { id, wants }: { id: string; wants: PushEvent[] },
): Promise<DeviceRow | null> {
  const [row] = await db
    .update(pushDevices)
    .set({ wants })
    .where(and(eq(pushDevices.id, id), ownedBy(admin.person?.id ?? null)))
    .returning();
  return row ?? null;
}

/** Removes the person's own device; the owner may remove any. */
export async function removeDevice(db: Db, admin: Admin, id: string): Promise<DeviceRow | null> {
  const [row] = await db
    .delete(pushDevices)
    .where(and(eq(pushDevices.id, id), manageableBy(admin)))
    .returning();
  return row ?? null;
}

/** Removes the devices of sessions that were signed out and of people who were deactivated. */
export async function deleteDevices(
  db: Db,
  selection:
    | { session: string }
    | { person: string | null }
    | { exceptSession: string | null; of: "everybody" | "code" | { personId: string } }
    | "all",
): Promise<void> {
  await db.delete(pushDevices).where(matchesSelection(selection));
}

function matchesSelection(selection: Parameters<typeof deleteDevices>[1]): SQL | undefined {
  if (selection === "all") return undefined;
  if ("session" in selection) return eq(pushDevices.sessionId, selection.session);
  if ("person" in selection) return ownedBy(selection.person);
  const { exceptSession, of } = selection;
  return and(
    sql`${pushDevices.sessionId} is distinct from ${exceptSession}::uuid`,
    of === "everybody" ? undefined : ownedBy(of === "code" ? null : of.personId),
  );
}

/** Deletes devices that were neither used nor reachable for a long time. */
export async function purgeDevices({ db, now }: ShopContext): Promise<void> {
  const until = new Date(now().getTime() - unusedDeviceDays * 24 * 60 * 60 * 1000);
  await deleteInBatches(db, pushDevices, lt(pushDevices.usedAt, until));
}

function manageableBy({ role, person }: Admin): SQL | undefined {
  return role === "owner" ? undefined : ownedBy(person?.id ?? null);
}

function ownedBy(personId: string | null): SQL {
  return personId === null ? isNull(pushDevices.personId) : eq(pushDevices.personId, personId);
}
