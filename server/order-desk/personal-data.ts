import { and, eq, inArray } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { PersonalDataOf } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { withdrawEdit } from "./edits/waiting-edit.ts";
import { orderEdits, orderNotes, orderReturns, orderTags, shipments } from "./tables.ts";

/** Notes and tags of an order, and the notes of its edits. */
async function writtenAbout(db: Db, orderId: string) {
  const notes = await db
    .select({ text: orderNotes.text, at: orderNotes.at })
    .from(orderNotes)
    .where(eq(orderNotes.orderId, orderId))
    .orderBy(orderNotes.id);
  const tags = await db
    .select({ tag: orderTags.tag })
    .from(orderTags)
    .where(eq(orderTags.orderId, orderId))
    .orderBy(orderTags.tag);
  const changes = await db
    .select({ note: orderEdits.note, status: orderEdits.status, createdAt: orderEdits.createdAt })
    .from(orderEdits)
    .where(eq(orderEdits.orderId, orderId))
    .orderBy(orderEdits.createdAt, orderEdits.id);
  return { notes, tags: tags.map(({ tag }) => tag), changes };
}

/** Ends unpaid edits, and erases notes and tags of the orders and the tracking numbers of their parcels. */
async function eraseWrittenAbout(tx: Db, orderIds: string[], ctx: ShopContext): Promise<void> {
  const waiting = await tx
    .select({ id: orderEdits.id })
    .from(orderEdits)
    .where(and(inArray(orderEdits.orderId, orderIds), eq(orderEdits.status, "waiting")));
  for (const { id } of waiting) await withdrawEdit(ctx, tx, id, "The buyer’s data was deleted.");
  await tx.update(shipments).set({ trackingNumber: null }).where(inArray(shipments.orderId, orderIds));
  await tx
    .update(orderReturns)
    .set({ reason: null, answer: null })
    .where(inArray(orderReturns.orderId, orderIds));
  await tx.delete(orderNotes).where(inArray(orderNotes.orderId, orderIds));
  await tx.delete(orderTags).where(inArray(orderTags.orderId, orderIds));
  await tx.update(orderEdits).set({ note: null }).where(inArray(orderEdits.orderId, orderIds));
}

export const orderDeskPersonalData: PersonalDataOf<ShopContext> = {
  ofOrder: writtenAbout,
  eraseOrders: eraseWrittenAbout,
};
