import * as v from "valibot";
import {
  type AdminOrder,
  adminOrderSchema,
  cancelRequestSchema,
  type Restock,
  refundRequestSchema,
  refundResponseSchema,
  restockRequestSchema,
} from "../../../domain/orders/admin-order.ts";
import { countUnits } from "../../../domain/orders/order.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { dataEnvelope, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import { type RestockableUnits, recordRestock, restockableUnits } from "../../orders/restock.ts";
import type { LoggedChange } from "../../platform/http/api-response.ts";
import { uuidParams } from "../../platform/http/params.ts";
import { invalidFields, notFoundProblem, problem } from "../../platform/http/problem.ts";
import { actionResponse, panelOrderRow } from "../admin/action-response.ts";
import { readAdminOrder } from "../admin/order.ts";
import { cancelOrder } from "../cancel-order.ts";
import { refundOrder } from "./owner-refund.ts";

const shared = { ...panelOrderRow, params: uuidParams } as const;
const idempotencyKeySchema = v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(255)));

/** Calls that refund, restock and cancel orders in the panel. */
export const orderRefundsApi = [
  route("POST /api/admin/orders/:id/refund", {
    ...shared,
    summary:
      "Refund an order: everything not refunded yet, an `amount`, or `items` and `shipping` with their tax; optionally returns units to stock",
    body: refundRequestSchema,
    givesAway: true,
    headers: { "Idempotency-Key": "1 to 255 characters; the same key is the same refund" },
    response: dataEnvelope(refundResponseSchema),
    responses: {
      200: "The order, and its `refund`, which has succeeded",
      202: "The same; the provider has not confirmed the refund yet, or cannot be reached: the refund is retried until it is",
      404: "There is no such order",
      409: "Nothing (more) can be refunded, or the provider refused it, with the reason",
    },
    handle: async (ctx, { params, body, header, log }) => {
      const key = v.safeParse(idempotencyKeySchema, header("idempotency-key"));
      if (!key.success) return invalidFields({ "Idempotency-Key": "1 to 255 characters" });
      const request = { orderId: params.id, ...body, idempotencyKey: key.output };
      const before = await readAdminOrder(ctx, params.id);
      const result = await refundOrder(ctx, request);
      if (result.ok) return respondWithRefund(ctx, { before, ...request, ...result, log });
      switch (result.code) {
        case "unknown_order":
          return notFoundProblem("order");
        case "state":
          return problem("invalid_state", result.message);
        case "input":
          return invalidFields(result.fields);
      }
    },
  }),
  route("POST /api/admin/orders/:id/restock", {
    ...shared,
    summary: "Return units of an order to stock, without a refund",
    body: restockRequestSchema,
    response: dataEnvelope(adminOrderSchema),
    responses: {
      200: "The order",
      404: "There is no such order",
      409: "All units were restocked before, or none was sold",
    },
    handle: async (ctx, call) => {
      const result = await restockOrder(ctx, call.params.id, call.body.restock);
      if (result && "fields" in result) return invalidFields(result.fields);
      return actionResponse(ctx, call, result, ({ number }) => {
        const restocked = result?.ok ? result.units : [];
        const units = countUnits(restocked);
        const summary = `Restocked from order #${number}: ${units} ${units === 1 ? "unit" : "units"}`;
        return { summary, after: { restocked } };
      });
    },
  }),
  route("POST /api/admin/orders/:id/cancel", {
    ...shared,
    summary: "Cancel an order before it ships; what was paid is refunded, and its buyer is notified",
    body: cancelRequestSchema,
    givesAway: true,
    response: dataEnvelope(adminOrderSchema),
    responses: {
      200: "The order, also if it was cancelled before",
      404: "There is no such order",
      409: "It has been shipped or refunded, with the reason",
      502: "The order is unpaid and its payment provider cannot be reached; nothing has changed",
    },
    handle: async (ctx, { params, body, log }) => {
      const before = await readAdminOrder(ctx, params.id);
      if (!before) return notFoundProblem("order");
      const result = await cancelOrder(ctx, params.id, { by: "shop", ...body });
      if (!result.ok) return problem("invalid_state", result.reason);
      const after = await readAdminOrder(ctx, params.id);
      if (!after) return notFoundProblem("order");
      log({
        summary: `Order #${before.number} ${isCancelled(before) ? "was cancelled before" : "cancelled"}`,
        before: { status: before.status, cancelledAt: before.cancelledAt },
        after: { status: after.status, cancelledAt: after.cancelledAt, restock: body.restock },
      });
      return ok(after);
    },
  }),
];

/** Responds with the refund's current status; a refund refused by the provider is an error. */
async function respondWithRefund(
  ctx: ShopContext,
  refunded: {
    orderId: string;
    before: AdminOrder | null;
    refundIds: readonly string[];
    isNew: boolean;
    returnId: string | null;
    log(change: LoggedChange): void;
  },
) {
  const { orderId, refundIds, before } = refunded;
  const order = await readAdminOrder(ctx, orderId);
  const parts = order?.refunds.filter(({ id }) => refundIds.includes(id)) ?? [];
  // A refund in several parts has the status of the part that is furthest behind, and the sum of all.
  const slowest =
    parts.find(({ status }) => status === "failed") ??
    parts.find(({ status }) => status === "pending") ??
    parts[0];
  if (!order || !slowest) throw new Error(`Refund ${refundIds.join()} is missing`);
  const total = (getCents: (refund: (typeof parts)[number]) => number) =>
    parts.reduce((cents, part) => cents + getCents(part), 0);
  const refund = {
    ...slowest,
    amount: total(({ amount }) => amount),
    goods: total(({ goods }) => goods),
    shipping: total(({ shipping }) => shipping),
    tax: total(({ tax }) => tax),
  };
  const title = refunded.isNew ? "Refund" : "Repeated request for the refund";
  refunded.log({
    subject: `order:${orderId}`,
    summary: `${title} of ${formatCents(refund.amount)} for order #${order.number}${statusTexts[refund.status]}${refunded.returnId === null ? "" : ", whose return was received"}`,
    before: before && { refunded: before.totals.refunded, returned: returnedUnits(before) },
    after: { refunded: order.totals.refunded, returned: returnedUnits(order) },
  });
  if (refund.status === "failed") {
    const part = parts.length > 1 ? `${formatCents(slowest.amount)} of this refund` : "this refund";
    return problem("invalid_state", `The payment provider refused ${part}: ${refund.failure}`);
  }
  const status: 200 | 202 = refund.status === "succeeded" ? 200 : 202;
  return { status, body: { data: { ...order, refund } } };
}

const statusTexts = { succeeded: "", pending: ", not confirmed yet", failed: ": refused" };

function returnedUnits({ items }: AdminOrder): Record<string, number> {
  return Object.fromEntries(items.map(({ productId, returned }) => [productId, returned]));
}

function isCancelled({ status, cancelledAt }: AdminOrder): boolean {
  return status === "cancelled" || cancelledAt !== null;
}

/** Restocks units without a refund, which was made before or in another account. Null if there is no such order. */
async function restockOrder(
  { db, now }: ShopContext,
  orderId: string,
  request: Restock,
): Promise<RestockableUnits | { ok: false; reason: string } | null> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) return null;
    const restockable = await restockableUnits(tx, order, request);
    if (!restockable.ok) return restockable;
    if (restockable.units.length === 0) {
      return { ok: false, reason: "All units of this order have been restocked already." };
    }
    await recordRestock(tx, order, restockable.units, now());
    return restockable;
  });
}
