import * as v from "valibot";
import { type AdminOrder, noteSchema } from "../../../domain/orders/admin-order.ts";
import { type AnyApiRow, ok, route } from "../../http/api-row.ts";
import { uuidParams } from "../../platform/id-params.ts";
import { problem } from "../../platform/problem.ts";
import type { OrderActionParts } from "../actions.ts";
import { resendConfirmation } from "../resend.ts";
import { addNote, deleteNote } from "./notes.ts";

export type AdminOrderApiParts = OrderActionParts & {
  adminOrder(orderId: string): Promise<AdminOrder | null>;
};

const tag = "Contact, notifications, admin";
const noteParams = v.object({
  ...uuidParams.entries,
  noteId: v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/), v.transform(Number)),
});
const notFound = { 404: "There is no such order" };

/** One order for the owner, and what the owner does with it apart from its parcel and its money. */
export function adminOrderApi(parts: AdminOrderApiParts): AnyApiRow[] {
  return [
    route("GET /api/admin/orders/:id", {
      tag,
      summary: "One order with its notes, its payment and what can be done with it now",
      access: "admin",
      limit: "none",
      params: uuidParams,
      answers: {
        200: "The order and `needsAttention`, `attention`, `notes`, `payment`, `refundableCents`, `discountCode`, `may`",
        ...notFound,
      },
      handle: async (_ctx, { params }) => {
        const order = await parts.adminOrder(params.id);
        return order ? ok(order) : noOrder();
      },
    }),
    route("POST /api/admin/orders/:id/resend-confirmation", {
      tag,
      summary: "Send an order's confirmation to its buyer once more",
      access: "admin",
      limit: "none",
      params: uuidParams,
      answers: { 200: "It is on its way; the order", ...notFound, 409: "The order was never paid" },
      handle: async (_ctx, { params, log }) => {
        const result = await resendConfirmation(parts, params.id);
        if (result === null) return noOrder();
        if (!result.ok) return problem("invalid_state", result.reason);
        log({ subject: `order:${params.id}`, summary: `Confirmation of order #${result.number} sent again` });
        return ok(await parts.adminOrder(params.id));
      },
    }),
    route("POST /api/admin/orders/:id/notes", {
      tag,
      summary: "Write something down about an order, for the owner alone",
      access: "admin",
      limit: "none",
      params: uuidParams,
      body: noteSchema,
      answers: { 201: "The note; the same text twice in a row is one note", ...notFound },
      handle: async (_ctx, { params, body, log }) => {
        const written = await addNote(parts, { orderId: params.id, text: body.text });
        if (!written) return noOrder();
        log({ subject: `order:${params.id}`, summary: `Note added to order #${written.number}` });
        return { status: 201, body: { success: true, data: written.note } };
      },
    }),
    route("DELETE /api/admin/orders/:id/notes/:noteId", {
      tag,
      summary: "Delete a note about an order",
      access: "admin",
      limit: "none",
      params: noteParams,
      answers: { 200: "It is gone", 404: "There is no such note" },
      handle: async (_ctx, { params, log }) => {
        const number = await deleteNote(parts.db, params);
        if (number === null) return problem("not_found", "There is no such note.");
        log({ subject: `order:${params.id}`, summary: `Note deleted from order #${number}` });
        return ok({ id: params.noteId });
      },
    }),
  ];
}

function noOrder() {
  return problem("not_found", "There is no such order.");
}
