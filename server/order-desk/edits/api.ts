import * as v from "valibot";
import { adminOrderSchema } from "../../../domain/orders/admin-order.ts";
import {
  editText,
  orderEditPreviewSchema,
  orderEditRequestSchema,
  requestedItemsSchema,
} from "../../../domain/orders/order-edit.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { uuidSchema } from "../../../domain/shared/uuid.ts";
import { dataEnvelope, flatDataEnvelope, ok, okFlat, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { listUnsentEditRefunds } from "../../payments/refunds/refunds.ts";
import { sendRefundNow } from "../../payments/refunds/send.ts";
import { uuidParams } from "../../platform/http/params.ts";
import { notFoundProblem, problem } from "../../platform/http/problem.ts";
import { actionResponse, panelOrderRow } from "../admin/action-response.ts";
import { readAdminOrder } from "../admin/order.ts";
import { type EditRefusal, editItems, editLink, previewEdit, sendEditLink } from "./edit.ts";
import { endEdit } from "./payment.ts";

const editParams = v.object({ ...uuidParams.entries, changeId: uuidSchema });
const notFound = { 404: "There is no such order, or no such edit of it" };

export const orderEditsApi = [
  route("POST /api/admin/orders/:id/items/preview", {
    ...panelOrderRow,
    summary: "Price of adding items to a paid order and removing others; nothing is saved",
    onlyReads: true,
    params: uuidParams,
    body: requestedItemsSchema,
    response: dataEnvelope(orderEditPreviewSchema),
    responses: {
      200: "Lines, tax and the difference, with the order's `version`, which saving the edit requires",
      ...notFound,
      409: "Not possible in its state, with the reason",
      422: "What cannot be added or removed",
    },
    handle: async (ctx, { params, body }) => {
      const result = await previewEdit(ctx, params.id, body);
      if (result === null) return notFoundProblem("order");
      return result.ok ? ok(result.preview) : editProblem(ctx, params.id, result);
    },
  }),
  route("POST /api/admin/orders/:id/items", {
    ...panelOrderRow,
    summary:
      "Add items to a paid order and remove others: if it costs more, the edit waits until its payment link is paid; otherwise it is applied at once and the difference refunded",
    params: uuidParams,
    body: orderEditRequestSchema,
    givesAway: true,
    response: dataEnvelope(adminOrderSchema),
    responses: {
      200: "The order as it is now; the edit is the first of `changes`",
      ...notFound,
      409: "Not possible in its state, or changed since it was read: `current` has the order",
      422: "What cannot be added or removed",
    },
    handle: async (ctx, call) => {
      const { params, body } = call;
      const result = await editItems(ctx, { orderId: params.id, ...body });
      if (result === null) return notFoundProblem("order");
      if (!result.ok) return editProblem(ctx, params.id, result);
      for (const refundId of await listUnsentEditRefunds(ctx.db, result.edit.id)) {
        await sendRefundNow(ctx, refundId);
      }
      const money = moneyText(body.difference, result.edit.status);
      return actionResponse(
        ctx,
        call,
        result,
        ({ number, changes: [edit] }) => `Items of order #${number}: ${edit ? editText(edit) : ""} ${money}`,
      );
    },
  }),
  route("POST /api/admin/orders/:id/items/:changeId/send", {
    ...panelOrderRow,
    summary: "E-mail the payment link of an order edit",
    params: editParams,
    response: dataEnvelope(adminOrderSchema),
    responses: {
      200: "The order; the e-mail is queued",
      ...notFound,
      409: "It is no longer waiting for payment",
    },
    handle: async (ctx, call) => {
      const { id: orderId, changeId: editId } = call.params;
      const result = await sendEditLink(ctx, { orderId, editId });
      return actionResponse(
        ctx,
        call,
        result,
        ({ number }) => `Payment link for the change of order #${number} sent`,
      );
    },
  }),
  route("POST /api/admin/orders/:id/items/:changeId/link", {
    ...panelOrderRow,
    summary: "Return the payment link of an order edit, to be passed on to the payer",
    handsOutLink: true,
    params: editParams,
    response: flatDataEnvelope({ url: v.string() }),
    responses: {
      200: "`{url}`; anybody who has it can pay",
      ...notFound,
      409: "It is no longer waiting for payment",
    },
    handle: async (ctx, { params, log }) => {
      const result = await editLink(ctx, { orderId: params.id, editId: params.changeId });
      if (result === null) return notFoundProblem("order");
      if (!result.ok) return problem("invalid_state", result.reason);
      const order = await readAdminOrder(ctx, params.id);
      if (!order) return notFoundProblem("order");
      log(`Payment link for the change of order #${order.number} handed out`);
      return okFlat({ url: result.url });
    },
  }),
  route("POST /api/admin/orders/:id/items/:changeId/withdraw", {
    ...panelOrderRow,
    summary: "Withdraw an unpaid order edit; its link stops working",
    params: editParams,
    response: dataEnvelope(adminOrderSchema),
    responses: {
      200: "The order without the edit, also if it was withdrawn before",
      ...notFound,
      409: "It has been paid in the meantime, or its payment is being processed",
      502: "The payment provider cannot be reached: nothing has changed",
    },
    handle: async (ctx, call) => {
      const { id: orderId, changeId: editId } = call.params;
      const outcome = await endEdit(
        ctx,
        { orderId, editId },
        { status: "withdrawn", actor: "owner", note: "The change of items was withdrawn" },
      );
      if (outcome === "gone") return notFoundProblem("order");
      if (outcome === "paid")
        return problem("invalid_state", "It has been paid: its items belong to the order now.");
      if (outcome === "processing") {
        return problem(
          "invalid_state",
          "Its payment is being processed. Wait until it has gone through or failed.",
        );
      }
      return actionResponse(
        ctx,
        call,
        { ok: true },
        ({ number }) => `Change of the items of order #${number} withdrawn`,
      );
    },
  }),
];

function moneyText(difference: number, status: string): string {
  if (difference === 0) return "Nothing to pay.";
  if (difference < 0) return `${formatCents(-difference)} goes back.`;
  return status === "waiting"
    ? `${formatCents(difference)} to be paid by link.`
    : `${formatCents(difference)} paid outside the shop.`;
}

async function editProblem(ctx: ShopContext, orderId: string, result: EditRefusal) {
  if (result.code === "input") {
    const [message = ""] = Object.values(result.fields);
    return problem("validation_failed", message, { fields: result.fields });
  }
  return problem("invalid_state", result.reason, {
    ...(result.code === "conflict" && { current: await readAdminOrder(ctx, orderId) }),
  });
}
