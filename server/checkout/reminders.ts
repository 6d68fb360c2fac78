import { randomUUID } from "node:crypto";
import { and, eq, isNull, lt, ne, or, sql } from "drizzle-orm";
import { findSellable } from "../catalog/queries.ts";
import { orders } from "../orders/tables.ts";
import { messages } from "../outbox/tables.ts";
import type { Database, Db } from "../platform/database.ts";
import { deleteInBatches } from "../platform/in-batches.ts";
import { addJob } from "../platform/jobs.ts";
import type { VisitorId } from "../platform/viewer.ts";
import { rememberVisitor } from "../visitors/commands.ts";
import { remindOfCartJob } from "./job-kinds.ts";
import { restoreLifeMs, restoreToken } from "./restore-link.ts";
import { cartReminders } from "./tables.ts";

export type ReminderParts = {
  db: Database;
  /** Signs the link that brings the cart back. */
  secret: string;
  now(): Date;
  /** Whether the address has unsubscribed from reminders. */
  isOptedOut(db: Db, email: string): Promise<boolean>;
  announce: AnnounceReminder;
};
/** Sends the e-mail; `occasion` is another one each time the shopper asks anew. */
export type AnnounceReminder = (
  tx: Db,
  reminder: { reminderId: string; email: string; occasion: string; restore: string },
) => Promise<void>;

const hourMs = 60 * 60 * 1000;
const remindAfterMs = 4 * hourMs;

/** Keeps the cart to be sent in 4 hours; each change puts it off. A visitor has one at most. */
export async function keepReminder(
  { db, now }: Pick<ReminderParts, "db" | "now">,
  input: { visitorId: VisitorId; email: string; items: { productId: number; quantity: number }[] },
): Promise<{ dueAt: Date }> {
  const createdAt = now();
  const dueAt = new Date(createdAt.getTime() + remindAfterMs);
  const news = { email: input.email, items: input.items, createdAt, dueAt, sentAt: null };
  await db.transaction(async (tx) => {
    await rememberVisitor(tx, input.visitorId, createdAt);
    const [kept] = await tx
      .insert(cartReminders)
      .values({ id: randomUUID(), visitorId: input.visitorId, ...news })
      .onConflictDoUpdate({ target: cartReminders.visitorId, set: news })
      .returning({ reminderId: cartReminders.id });
    if (!kept) throw new Error("a reminder was written without its id");
    await addJob(tx, remindOfCartJob, kept, { key: `remind_of_cart:${kept.reminderId}`, runAt: dueAt });
  });
  return { dueAt };
}

/** The shopper wants none any more, or has bought. Its job will find nothing to do. */
export async function dropReminder(db: Db, visitorId: string): Promise<void> {
  await db.delete(cartReminders).where(eq(cartReminders.visitorId, visitorId));
}

/** Deletes reminders, sent or not, whose shopper was last at checkout 30 days ago. */
export async function forgetReminders(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - restoreLifeMs);
  await deleteInBatches(db, cartReminders, lt(cartReminders.createdAt, before));
}

/** Sends a reminder that is due, or deletes it where something speaks against it by now. */
export async function remindOfCart(parts: ReminderParts, reminderId: string): Promise<void> {
  const now = parts.now();
  await parts.db.transaction(async (tx) => {
    const [reminder] = await tx
      .select()
      .from(cartReminders)
      .where(and(eq(cartReminders.id, reminderId), isNull(cartReminders.sentAt)))
      .for("update");
    // Put off meanwhile: it has a later job.
    if (!reminder || reminder.dueAt > now) return;
    if (!(await isStillWanted(tx, parts, reminder))) {
      await dropReminder(tx, reminder.visitorId);
      return;
    }
    const { email, createdAt } = reminder;
    await parts.announce(tx, {
      reminderId,
      email,
      occasion: String(createdAt.getTime()),
      restore: restoreToken(parts.secret, reminderId, now),
    });
    await tx.update(cartReminders).set({ sentAt: now }).where(eq(cartReminders.id, reminderId));
  });
}

async function isStillWanted(
  tx: Db,
  parts: ReminderParts,
  reminder: typeof cartReminders.$inferSelect,
): Promise<boolean> {
  const { email } = reminder;
  if (await parts.isOptedOut(tx, email)) return false;
  if (await hasOrderedSince(tx, reminder)) return false;
  const products = await findSellable(
    tx,
    reminder.items.map(({ productId }) => productId),
  );
  if (![...products.values()].some(({ free }) => free > 0)) return false;
  return !(await wasRemindedThisWeek(tx, email, parts.now()));
}

/** An order of this browser or address that is paid, or may yet be. */
async function hasOrderedSince(
  tx: Db,
  { visitorId, email, createdAt }: typeof cartReminders.$inferSelect,
): Promise<boolean> {
  const found = await tx
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
  return found.length > 0;
}

/** Anybody can type anybody's address: whoever does so from many browsers still brings it one e-mail a week. */
async function wasRemindedThisWeek(tx: Db, email: string, now: Date): Promise<boolean> {
  const address = email.toLowerCase();
  // Two reminders to one address at once: the second waits here, and then sees the first.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`reminder:${address}`}, 0))`);
  const found = await tx
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
  return found.length > 0;
}
