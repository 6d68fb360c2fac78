import { and, asc, count, eq, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { unusedDeviceDays } from "../../domain/privacy/retention.ts";
import {
  type Device,
  devicesMax,
  eventsFor,
  type PushEvent,
  type Subscription,
} from "../../domain/push/device.ts";
import type { ShopContext } from "../context.ts";
import { people } from "../people/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { Admin } from "../platform/http/viewer.ts";
import { pushDevices } from "./tables.ts";

export type DeviceRow = typeof pushDevices.$inferSelect;

/** One's own devices, and to the owner everybody's, one's own first. */
export async function listDevices(db: Db, admin: Admin): Promise<Device[]> {
  const isOwn = sql<boolean>`${pushDevices.personId} is not distinct from ${admin.person?.id ?? null}::uuid`;
  const rows = await db
    .select({ device: pushDevices, person: { id: people.id, name: people.name }, isOwn })
    .from(pushDevices)
    .leftJoin(people, eq(people.id, pushDevices.personId))
    .where(within(admin))
    .orderBy(sql`${isOwn} desc`, asc(pushDevices.createdAt), asc(pushDevices.id));
  const offered = eventsFor(admin.role);
  return rows.map(({ device, person, isOwn }) => ({
    id: device.id,
    name: device.name,
    person,
    isOwn,
    wants: isOwn ? device.wants.filter((event) => offered.includes(event)) : device.wants,
    createdAt: device.createdAt.toISOString(),
    lastDeliveredAt: device.lastDeliveredAt?.toISOString() ?? null,
    problem: device.problem,
  }));
}

type NewDevice = Subscription & { name: string | null; wants: PushEvent[]; now: Date };

/**
 * Adds the browser, or takes it over: whoever has its subscription has the browser. `full`: this person has as many as
 * may be.
 */
export async function addDevice(tx: Db, admin: Admin, added: NewDevice): Promise<DeviceRow | "full"> {
  const { endpoint, keys, name, wants, now } = added;
  const personId = admin.person?.id ?? null;
  // One at a time: two tabs at once do not pass the limit.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('push_devices'), hashtext(${personId ?? ""}))`);
  const [others] = await tx
    .select({ own: count() })
    .from(pushDevices)
    .where(and(isOf(personId), ne(pushDevices.endpoint, endpoint)));
  if ((others?.own ?? 0) >= devicesMax) return "full";
  const told = { personId, sessionId: admin.sessionId, name, ...keys, wants, usedAt: now, problem: null };
  const [row] = await tx
    .insert(pushDevices)
    .values({ ...told, endpoint, createdAt: now })
    .onConflictDoUpdate({ target: pushDevices.endpoint, set: told })
    .returning();
  if (!row) throw new Error("a device was not written");
  return row;
}

/**
 * The browser is still there, with this subscription; null: it was removed meanwhile. What the access code turned on belongs to
 * the person who signs in with the same browser.
 */
export async function renewDevice(
  tx: Db,
  admin: Admin,
  { id, subscription, now }: { id: string; subscription: Subscription; now: Date },
): Promise<DeviceRow | null> {
  const { endpoint, keys } = subscription;
  const personId = admin.person?.id ?? null;
  const isSameBrowser = and(isNull(pushDevices.personId), eq(pushDevices.endpoint, endpoint));
  const mine = and(eq(pushDevices.id, id), or(isOf(personId), isSameBrowser));
  const [known] = await tx.select({ id: pushDevices.id }).from(pushDevices).where(mine).for("update");
  if (!known) return null;
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
    .where(and(eq(pushDevices.id, id), isOf(admin.person?.id ?? null)));
  return row ?? null;
}

export async function changeWants(
  db: Db,
  admin: Admin,
  { id, wants }: { id: string; wants: PushEvent[] },
): Promise<DeviceRow | null> {
  const [row] = await db
    .update(pushDevices)
    .set({ wants })
    .where(and(eq(pushDevices.id, id), isOf(admin.person?.id ?? null)))
    .returning();
  return row ?? null;
}

/** Removes one's own device, or as owner anybody's. */
export async function removeDevice(db: Db, admin: Admin, id: string): Promise<DeviceRow | null> {
  const [row] = await db
    .delete(pushDevices)
    .where(and(eq(pushDevices.id, id), within(admin)))
    .returning();
  return row ?? null;
}

/** Whoever was signed out on purpose is told no more. */
export async function endDevices(
  db: Db,
  which:
    | { session: string }
    | { person: string | null }
    | { exceptSession: string | null; of: "everybody" | "code" | { personId: string } }
    | "all",
): Promise<void> {
  await db.delete(pushDevices).where(whereOf(which));
}

function whereOf(which: Parameters<typeof endDevices>[1]): SQL | undefined {
  if (which === "all") return undefined;
  if ("session" in which) return eq(pushDevices.sessionId, which.session);
  if ("person" in which) return isOf(which.person);
  const { exceptSession, of } = which;
  return and(
    sql`${pushDevices.sessionId} is distinct from ${exceptSession}::uuid`,
    of === "everybody" ? undefined : isOf(of === "code" ? null : of.personId),
  );
}

/** Those that have not been reached nor opened for long. */
export async function purgeDevices({ db, now }: ShopContext): Promise<void> {
  const until = new Date(now().getTime() - unusedDeviceDays * 24 * 60 * 60 * 1000);
  await deleteInBatches(db, pushDevices, lt(pushDevices.usedAt, until));
}

function within({ role, person }: Admin): SQL | undefined {
  return role === "owner" ? undefined : isOf(person?.id ?? null);
}

function isOf(personId: string | null): SQL {
  return personId === null ? isNull(pushDevices.personId) : eq(pushDevices.personId, personId);
}
