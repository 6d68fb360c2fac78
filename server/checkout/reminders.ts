import { randomUUID } from "node:crypto";
import { and, asc, desc, eq, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { pick } from "../../domain/shared/pick.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { findSellableForLines } from "../catalog/queries.ts";
import type { ShopContext } from "../context.ts";
import { orders } from "../orders/tables.ts";
import { mayMailStranger } from "../outbox/mail-caps.ts";
import { isOptedOut } from "../outbox/optouts.ts";
import { messages } from "../outbox/tables.ts";
import type { Person, PersonToErase } from "../personal-data.ts";
import { queryBuilder } from "../platform/database/compiled-statement.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { VisitorId } from "../platform/http/viewer.ts";
import { addJob, defineJob, type Task, task } from "../platform/jobs/jobs.ts";
import { rememberVisitor } from "../visitors/commands.ts";
import { enqueueCartReminder } from "./mail.ts";
import { restoreLifeMs, restoreToken } from "./restore-link.ts";
import { cartReminders } from "./tables.ts";

/** Sends a requested cart reminder, unless it has become pointless. */
export const remindOfCartJob = defineJob({
  name: "remind_of_cart",
  payload: v.object({ reminderId: uuidSchema }),
  lane: "mail",
  priority: 5,
  maxAttempts: 6,
});

export function remindOfCartTask(ctx: ShopContext): Task {
  return task(remindOfCartJob, ({ reminderId }) => remindOfCart(ctx, reminderId));
}

const hourMs = 60 * 60 * 1000;
const remindAfterMs = 4 * hourMs;
/** Must be less than the time by which a change of the cart postpones a reminder. */
const clockToleranceMs = hourMs;

/** Schedules a visitor's cart reminder for 4 hours from now, at most one per visitor. Each change of the cart postpones it. */
export async function saveReminder(
  { db, now }: ShopContext,
  input: { visitorId: VisitorId; email: string; items: { productId: number; quantity: number }[] },
): Promise<{ dueAt: Date }> {
  const createdAt = now();
  const dueAt = new Date(createdAt.getTime() + remindAfterMs);
  const reminder = { email: input.email, items: input.items, createdAt, dueAt, sentAt: null };
  await db.transaction(async (tx) => {
    await rememberVisitor(tx, input.visitorId, createdAt);
    const [saved] = await tx
      .insert(cartReminders)
      .values({ id: randomUUID(), visitorId: input.visitorId, ...reminder })
      .onConflictDoUpdate({ target: cartReminders.visitorId, set: reminder })
      .returning({ reminderId: cartReminders.id });
    if (!saved) throw new Error("a reminder was written without its id");
    await addJob(tx, remindOfCartJob, saved, { key: `remind_of_cart:${saved.reminderId}`, runAt: dueAt });
  });
  return { dueAt };
}

/** Deletes a visitor's reminder; its job then does nothing. */
export async function dropReminder(db: Db, visitorId: string): Promise<void> {
  await db.execute(deleteReminderQuery(sql`${visitorId}`));
}

/** The query that deletes a visitor's reminder. */
export function deleteReminderQuery(visitorId: SQL) {
  return queryBuilder.delete(cartReminders).where(eq(cartReminders.visitorId, visitorId));
}

/** Deletes reminders, sent or not, 30 days after the shopper's last checkout. */
export async function purgeReminders({ db, now }: Pick<ShopContext, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - restoreLifeMs);
  await deleteInBatches(db, cartReminders, lt(cartReminders.createdAt, before));
}

/** Sends a due reminder, or deletes it if it has become pointless. */
async function remindOfCart(ctx: ShopContext, reminderId: string): Promise<void> {
  const now = ctx.now();
  await ctx.db.transaction(async (tx) => {
    const [reminder] = await tx
      .select()
      .from(cartReminders)
      .where(and(eq(cartReminders.id, reminderId), isNull(cartReminders.sentAt)))
      .for("update");
    // A postponed reminder is sent by a later job. The tolerance is for a database clock ahead of this server's.
    if (!reminder || reminder.dueAt.getTime() - now.getTime() > clockToleranceMs) return;
    if (!(await isStillWanted(ctx, tx, reminder))) {
      await dropReminder(tx, reminder.visitorId);
      return;
    }
    const { email, createdAt } = reminder;
    await enqueueCartReminder(tx, {
      reminderId,
      email,
      occasion: String(createdAt.getTime()),
      restore: restoreToken(ctx.secret, reminderId, now),
    });
    await tx.update(cartReminders).set({ sentAt: now }).where(eq(cartReminders.id, reminderId));
  });
}

async function isStillWanted(
  ctx: ShopContext,
  tx: Db,
  reminder: typeof cartReminders.$inferSelect,
): Promise<boolean> {
  const { email } = reminder;
  if (await isOptedOut(tx, email, "cart_reminder")) return false;
  if (await hasOrderedSince(tx, reminder)) return false;
  const products = await findSellableForLines(tx, reminder.items);
  if (![...products.values()].some(({ free }) => free > 0)) return false;
  if (await wasRemindedThisWeek(tx, email, ctx.now())) return false;
  return mayMailStranger(tx, { kind: "cart_reminder", email, now: ctx.now() });
}

/** Whether this browser or address has an order that is paid or can still be paid. */
async function hasOrderedSince(
  tx: Db,
  { visitorId, email, createdAt }: typeof cartReminders.$inferSelect,
): Promise<boolean> {
  const currentOrders = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        or(eq(orders.visitorId, visitorId), eq(sql`lower(${orders.email})`, email.toLowerCase())),
        ne(orders.status, "cancelled"),
        or(
          eq(orders.status, "pending"),
          sql`greatest(${orders.createdAt}, ${orders.paidAt}) >= ${createdAt}`,
        ),
      ),
    )
    .limit(1);
  return currentOrders.length > 0;
}

/** Limits an address to one reminder a week, because anyone can enter it in many browsers. */
async function wasRemindedThisWeek(tx: Db, email: string, now: Date): Promise<boolean> {
  const address = email.toLowerCase();
  // The second of two concurrent reminders to an address waits here and then finds the first one.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`reminder:${address}`}, 0))`);
  const recentReminders = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.kind, "cart_reminder"),
        eq(sql`lower(${messages.recipient})`, address),
        sql`${messages.createdAt} > ${new Date(now.getTime() - 7 * 24 * hourMs)}`,
      ),
    )
    .limit(1);
  return recentReminders.length > 0;
}

/** The address `email` (in lower case) as spelled in its latest reminder; null if there is none. */
export async function findReminderAddress(db: Db, email: string): Promise<string | null> {
  const [latest] = await db
    .select({ email: cartReminders.email })
    .from(cartReminders)
    .where(isFor(email))
    .orderBy(desc(cartReminders.createdAt))
    .limit(1);
  return latest?.email ?? null;
}

export async function exportReminders(db: Db, { email }: Person, limit: number) {
  return db
    .select({
      ...pick(cartReminders, "email", "items", "createdAt", "dueAt", "sentAt"),
    })
    .from(cartReminders)
    .where(isFor(email))
    .orderBy(asc(cartReminders.createdAt), asc(cartReminders.id))
    .limit(limit);
}

/** Deletes reminders requested up to the time `until`; their jobs then do nothing. */
export async function eraseReminders(tx: Db, { email, until }: PersonToErase): Promise<void> {
  await tx.delete(cartReminders).where(and(isFor(email), lte(cartReminders.createdAt, until)));
}

function isFor(email: string) {
  return eq(sql`lower(${cartReminders.email})`, email);
}
