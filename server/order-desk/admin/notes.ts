import { and, desc, eq } from "drizzle-orm";
import type { OrderNote } from "../../../domain/orders/admin-order.ts";
import type { ShopContext } from "../../context.ts";
import { orders } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { orderNotes } from "../tables.ts";

/** Adds a note of the owner; a repeated click adds it once. Null: no such order. */
export async function addNote(
  { db, now }: ShopContext,
  { orderId, text }: { orderId: string; text: string },
): Promise<{ note: OrderNote; number: number } | null> {
  return db.transaction(async (tx) => {
    const [order] = await tx
      .select({ number: orders.number })
      .from(orders)
      .where(eq(orders.id, orderId))
      .for("update");
    if (!order) return null;
    const [latest] = await tx
      .select()
      .from(orderNotes)
      .where(eq(orderNotes.orderId, orderId))
      .orderBy(desc(orderNotes.id))
      .limit(1);
    const note = latest?.text === text ? latest : await insertNote(tx, { orderId, text, at: now() });
    return { note: { id: note.id, at: note.at.toISOString(), text }, number: order.number };
  });
}

async function insertNote(tx: Db, values: typeof orderNotes.$inferInsert) {
  const [note] = await tx.insert(orderNotes).values(values).returning();
  if (!note) throw new Error("a note was not written");
  return note;
}

/** Returns the order's number; null: the order has no such note. */
export async function deleteNote(
  db: Db,
  { id: orderId, noteId }: { id: string; noteId: number },
): Promise<number | null> {
  const [deleted] = await db
    .delete(orderNotes)
    .where(and(eq(orderNotes.id, noteId), eq(orderNotes.orderId, orderId)))
    .returning({ orderId: orderNotes.orderId });
  if (!deleted) return null;
  const [order] = await db.select({ number: orders.number }).from(orders).where(eq(orders.id, orderId));
  return order?.number ?? null;
}
