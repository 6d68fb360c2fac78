import {
  type AdminOrder,
  cancelRequestSchema,
  restockRequestSchema,
} from "../../domain/orders/admin-order.ts";
import type { ShopContext } from "../context.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import { readAdminOrder } from "../orders/admin/order.ts";
import { restockOrder } from "../orders/fulfilment/restock-order.ts";
import { uuidParams } from "../platform/id-params.ts";
import { problem } from "../platform/problem.ts";
import { cancelOrder } from "./cancellation/cancel-order.ts";
import { invalid, noOrder } from "./owner-call.ts";
import { refundApi } from "./refunds/api.ts";

const tag = "Contact, notifications, admin";
/** What the owner does with an order's money, and with units that came back. */
export function ownerPaymentsApi(ctx: ShopContext): AnyApiRow[] {
  return [
    ...refundApi(ctx),
    route("POST /api/admin/orders/:id/restock", {
      tag,
      summary: "Put units of an order back on the shelf, without giving money back",
      access: "admin",
      limit: "none",
      params: uuidParams,
      body: restockRequestSchema,
      answers: {
        200: "The order",
        404: "There is no such order",
        409: "All of it is back, or none was sold",
      },
      handle: async (_ctx, { params, body, log }) => {
        const result = await restockOrder(ctx, params.id, body.restock);
        if (result === null) return noOrder();
        if (!result.ok) {
          return "fields" in result ? invalid(result.fields) : problem("invalid_state", result.reason);
        }
        const order = await readAdminOrder(ctx, params.id);
        const units = result.units.reduce((sum, { quantity }) => sum + quantity, 0);
        log({
          subject: `order:${params.id}`,
          summary: `Restocked from order #${order?.number}: ${units} ${units === 1 ? "unit" : "units"}`,
          after: { restocked: result.units },
        });
        return ok(order);
      },
    }),
    route("POST /api/admin/orders/:id/cancel", {
      tag,
      summary: "Call an order off before it ships; what was paid goes back, and its buyer is told",
      access: "admin",
      limit: "none",
      params: uuidParams,
      body: cancelRequestSchema,
      answers: {
        200: "The order; the same again where it was cancelled before",
        404: "There is no such order",
        409: "It has been shipped or paid back, with the reason",
        502: "An unpaid order, while its payment provider cannot be reached: nothing has changed",
      },
      handle: async (_ctx, { params, body, log }) => {
        const before = await readAdminOrder(ctx, params.id);
        if (!before) return noOrder();
        const result = await cancelOrder(ctx, params.id, { by: "shop", ...body });
        if (!result.ok) return problem("invalid_state", result.reason);
        const after = await readAdminOrder(ctx, params.id);
        log({
          subject: `order:${params.id}`,
          summary: `Order #${before.number} ${isCancelled(before) ? "was cancelled before" : "cancelled"}`,
          before: { status: before.status, cancelledAt: before.cancelledAt },
          after: { status: after?.status, cancelledAt: after?.cancelledAt, restock: body.restock },
        });
        return ok(after);
      },
    }),
  ];
}

function isCancelled({ status, cancelledAt }: AdminOrder): boolean {
  return status === "cancelled" || cancelledAt !== null;
}
