import { and, desc, eq } from "drizzle-orm";
import * as v from "valibot";
import {
  adminOrderSchema,
  noteSchema,
  type OrderNote,
  orderNoteSchema,
} from "../../../domain/orders/admin-order.ts";
import { wasSold } from "../../../domain/orders/order.ts";
import { created, dataEnvelope, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { enqueueConfirmationCopy } from "../../orders/mail.ts";
import { findOrder } from "../../orders/queries.ts";
import { orders } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { uuidParams } from "../../platform/http/params.ts";
import { notFoundProblem } from "../../platform/http/problem.ts";
import { type ActionResult, refuse } from "../actions.ts";
import { orderNotes } from "../tables.ts";
import { actionResponse, panelOrderRow } from "./action-response.ts";
import { readAdminOrder } from "./order.ts";

const noteParams = v.object({
  ...uuidParams.entries,
  noteId: v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/), v.transform(Number)),
});
const notFound = { 404: "There is no such order" };

/** Calls that read an order in the panel, edit its notes and resend its confirmation. */
export const adminOrderApi = [
  route("GET /api/admin/orders/:id", {
    ...panelOrderRow,
    roles: ["staff", "packer", "accountant"],
    summary: "One order with its notes, its payment and the actions allowed now",
    params: uuidParams,
    response: dataEnvelope(adminOrderSchema),
    responses: {
      200: "The order and `needsAttention`, `attention`, `notes`, `payment`, `refundableCents`, `discountCode`, `may`",
      ...notFound,
    },
    handle: async (ctx, { params, viewer }) => {
      const order = await readAdminOrder(ctx, params.id);
      const isForPacker = order !== null && (order.may.ship || order.shipments.length > 0);
      return order && (viewer.admin?.role !== "packer" || isForPacker) ? ok(order) : notFoundProblem("order");
    },
  }),
  route("POST /api/admin/orders/:id/resend-confirmation", {
    ...panelOrderRow,
    summary: "Send an order's confirmation to its buyer once more",
    params: uuidParams,
    response: dataEnvelope(adminOrderSchema),
    responses: { 200: "The order; the e-mail is queued", ...notFound, 409: "The order was never paid" },
    handle: async (ctx, call) => {
      const result = await resendConfirmation(ctx, call.params.id);
      return actionResponse(ctx, call, result, ({ number }) => `Confirmation of order #${number} sent again`);
    },
  }),
  route("POST /api/admin/orders/:id/notes", {
    ...panelOrderRow,
    summary: "Add a note about an order, visible only in the panel",
    params: uuidParams,
    body: noteSchema,
    response: dataEnvelope(orderNoteSchema),
    responses: { 201: "The note; the same text twice in a row is one note", ...notFound },
    handle: async (ctx, { params, body, log }) => {
      const result = await addNote(ctx, { orderId: params.id, text: body.text });
      if (!result) return notFoundProblem("order");
      log(`Note added to order #${result.number}`);
      return created(result.note);
    },
  }),
  route("DELETE /api/admin/orders/:id/notes/:noteId", {
    ...panelOrderRow,
    summary: "Delete a note about an order",
    params: noteParams,
    response: dataEnvelope(v.object({ id: v.number() })),
    responses: { 200: "Deleted", 404: "There is no such note" },
    handle: async ({ db }, { params, log }) => {
      const number = await deleteNote(db, params);
      if (number === null) return notFoundProblem("note");
      log(`Note deleted from order #${number}`);
      return ok({ id: params.noteId });
    },
  }),
];

/** Sends an order's confirmation to its buyer again. Null if there is no such order. */
async function resendConfirmation({ db }: ShopContext, orderId: string): Promise<ActionResult | null> {
  const order = await findOrder(db, orderId);
  if (!order) return null;
  if (order.erasedAt !== null) {
    return refuse("The buyer’s address was deleted at their request, so no email can be sent.");
  }
  if (!wasSold(order)) {
    return refuse("This order has not been paid, so there is nothing to confirm.");
  }
  await enqueueConfirmationCopy(db, orderId);
  return { ok: true };
}

/** Adds a note of the owner. Adding the same text twice in a row stores one note. Null if there is no such order. */
async function addNote(
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
  if (!note) throw new Error("the insert returned no note");
  return note;
}

/** Returns the order's number, or null if the order has no such note. */
async function deleteNote(
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
