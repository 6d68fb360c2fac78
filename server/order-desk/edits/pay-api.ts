import { and, desc, eq, isNotNull } from "drizzle-orm";
import * as v from "valibot";
import {
  editDays,
  type OwnEdit,
  ownEditSchema,
  type PayableEdit,
  payableEditSchema,
} from "../../../domain/orders/order-edit.ts";
import { uuidSchema } from "../../../domain/shared/uuid.ts";
import { dataEnvelope, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { orderLinkSchema } from "../../orders/link-tokens.ts";
import { ProviderUnavailable } from "../../payment-providers/provider.ts";
import {
  isPaymentLinkValid,
  linkToken,
  nothingToPay,
  paymentLinkRow,
  providerProblem,
} from "../../payments/payment-link.ts";
import { notFoundProblem, type Problem, problem } from "../../platform/http/problem.ts";
import { orderEdits } from "../tables.ts";
import { findBuyerOrder } from "../viewer-orders.ts";
import { openEditPayment, refreshEditPayment } from "./payment.ts";
import { editContent, findEdit } from "./queries.ts";

export const payEditApi = [
  route("GET /api/pay-change/:id", {
    ...paymentLinkRow,
    summary: "The order edit that a payment link pays; the link contains `token`",
    query: v.object({ token: v.optional(linkToken, ""), done: v.optional(v.string(), "") }),
    response: dataEnvelope(payableEditSchema),
    responses: { 200: "The items added and removed, and the amount to pay", 404: "No such link" },
    handle: async (ctx, { params: { id }, query }) => {
      if (!(await isLinkValid(ctx, id, query.token))) return problem("not_found", nothingToPay);
      // A buyer returning from the provider's page need not wait for its event.
      if (query.done !== "") await refreshIfReachable(ctx, id);
      const payable = await readPayable(ctx, id);
      return payable ? ok(payable) : problem("not_found", nothingToPay);
    },
  }),
  route("POST /api/pay-change/:id", {
    ...paymentLinkRow,
    summary: "Open the payment of an order edit on the provider’s page",
    body: v.object({ token: linkToken }),
    response: dataEnvelope(v.object({ url: v.string() })),
    responses: {
      200: "Address of the payment page, the same for everybody who opens the link",
      404: "No such link",
      409: "It was already paid, was withdrawn, or has expired",
      502: "The payment provider is unavailable",
    },
    handle: async (ctx, { params: { id }, body }) => {
      if (!(await isLinkValid(ctx, id, body.token))) return problem("not_found", nothingToPay);
      const result = await openEditPayment(ctx, id);
      if (result.ok) return ok({ url: result.url });
      return editPaymentProblem(
        result.reason,
        "This can no longer be paid with the link. Please ask us for a new one.",
      );
    },
  }),
];

async function isLinkValid(ctx: ShopContext, id: string, token: string): Promise<boolean> {
  const linked = await findEdit(ctx.db, id);
  return linked !== null && isPaymentLinkValid(ctx, { id: linked.edit.id, email: linked.order.email }, token);
}

const editNotFound = "There is no such change of this order.";

/**
 * The order edit that a buyer sees and pays on the order's page. Panel users can open that page, too, so no response contains the
 * edit's payment link.
 */
export const ownEditApi = [
  route("GET /api/orders/:id/change", {
    tag: "Checkout and orders",
    access: "anyone",
    limit: "none",
    summary: "The unpaid edit of the visitor's order, or one that ended in the last days",
    params: v.object({ id: v.string() }),
    query: v.object({ token: orderLinkSchema }),
    response: dataEnvelope(v.nullable(ownEditSchema)),
    responses: {
      200: "The items added and removed, and the amount to pay; null: there is no such edit",
      404: "Not an order of this visitor, nor of the link's bearer",
    },
    handle: async (ctx, { params, query, viewer }) => {
      const order = await findBuyerOrder(ctx, viewer, params.id, query.token);
      return order ? ok(await readLatestPayable(ctx, order.id)) : notFoundProblem("order");
    },
  }),
  route("POST /api/orders/:id/change/:changeId/pay", {
    ...paymentLinkRow,
    summary: "Open the payment of an edit of the visitor's order on the provider’s page",
    params: v.object({ id: v.string(), changeId: v.string() }),
    body: v.object({ token: orderLinkSchema }),
    response: dataEnvelope(v.object({ url: v.string() })),
    responses: {
      200: "Address of the payment page, the same for repeated calls",
      404: "Not an order of this visitor, nor of the link's bearer, or no edit of it",
      409: "It was already paid, is being paid, was withdrawn, or has expired",
      502: "The payment provider is unavailable",
    },
    handle: async (ctx, { params: { id, changeId: editId }, body, viewer }) => {
      const order = await findBuyerOrder(ctx, viewer, id, body.token);
      const isId = v.is(uuidSchema, editId);
      const result = order && isId ? await findEdit(ctx.db, editId) : null;
      if (!order || result?.order.id !== order.id) return problem("not_found", editNotFound);
      const opening = await openEditPayment(ctx, editId);
      if (opening.ok) return ok({ url: opening.url });
      const current = await readPayable(ctx, editId);
      return editPaymentProblem(opening.reason, closedMessages[current?.status ?? "withdrawn"]);
    },
  }),
];

/** Why an edit with this status cannot be paid. */
const closedMessages: Record<PayableEdit["status"], string> = {
  waiting: "This can’t be paid right now. Your order stays as it was. Please write to us.",
  processing: "Your payment is being processed already. You don’t need to pay again.",
  applied: "This is paid already. It ships with the rest.",
  withdrawn: "This can no longer be paid. Your order stays as it was.",
  expired: "The time to pay this is over. Your order stays as it was.",
};

function editPaymentProblem(
  reason: Extract<Awaited<ReturnType<typeof openEditPayment>>, { ok: false }>["reason"],
  closedMessage: string,
): Problem {
  switch (reason) {
    case "provider_unavailable":
    case "provider_refused":
      return providerProblem(reason);
    case "closed":
      return problem("invalid_state", closedMessage);
  }
}

const dayMs = 24 * 60 * 60 * 1000;

/** The order's latest edit with a payment link; null if there is none, or if it ended more than `editDays` ago. */
async function readLatestPayable(ctx: ShopContext, orderId: string): Promise<OwnEdit | null> {
  const [latest] = await ctx.db
    .select({ id: orderEdits.id, endedAt: orderEdits.endedAt })
    .from(orderEdits)
    .where(and(eq(orderEdits.orderId, orderId), isNotNull(orderEdits.expiresAt)))
    .orderBy(desc(orderEdits.createdAt), desc(orderEdits.id))
    .limit(1);
  if (!latest) return null;
  const shownUntil = latest.endedAt && latest.endedAt.getTime() + editDays * dayMs;
  if (shownUntil !== null && shownUntil < ctx.now().getTime()) return null;
  const payable = await readPayable(ctx, latest.id);
  return payable && { id: latest.id, ...payable };
}

async function refreshIfReachable(ctx: ShopContext, id: string): Promise<void> {
  try {
    await refreshEditPayment(ctx, id);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    ctx.log.warn({ err: error }, "the payment of an order edit could not be looked up yet");
  }
}

async function readPayable(ctx: ShopContext, id: string): Promise<PayableEdit | null> {
  const result = await findEdit(ctx.db, id);
  if (!result) return null;
  const { edit, order, isProcessing } = result;
  const isExpired = edit.expiresAt !== null && edit.expiresAt <= ctx.now();
  const status =
    edit.status !== "waiting" ? edit.status : isProcessing ? "processing" : isExpired ? "expired" : "waiting";
  return {
    status,
    orderNumber: order.number,
    customerName: order.customerName,
    currency: order.currency,
    ...editContent(edit, order),
    note: edit.note,
    expiresAt: edit.expiresAt?.toISOString() ?? null,
  };
}
