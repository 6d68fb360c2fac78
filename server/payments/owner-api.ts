import * as v from "valibot";
import {
  type AdminOrder,
  cancelRequestSchema,
  type RefundAnswer,
  refundRequestSchema,
  restockRequestSchema,
} from "../../domain/admin-order.ts";
import { formatCents } from "../../domain/money.ts";
import { restockOrder } from "../orders/restock-order.ts";
import { type Answer, type AnyApiRoute, type Change, ok, route } from "../platform/api-route.ts";
import { type Problem, problem } from "../platform/problem.ts";
import { type CallOffParts, callOffOrder } from "./call-off.ts";
import { refundOrder } from "./owner-refund.ts";

export type OwnerApiParts = CallOffParts & {
  adminOrder(orderId: string): Promise<AdminOrder | null>;
};

const tag = "Contact, notifications, admin";
const params = v.object({ id: v.pipe(v.string(), v.uuid()) });
const idempotencyKeySchema = v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(255)));

/** What the owner does with an order's money. */
export function ownerPaymentsApi(parts: OwnerApiParts): AnyApiRoute[] {
  return [
    route({
      method: "POST",
      path: "/api/admin/orders/:id/refund",
      tag,
      summary:
        "Give back what was paid, all that is left or `amount` of it, with units that came back or without",
      access: "admin",
      limit: "none",
      params,
      body: refundRequestSchema,
      headers: { "Idempotency-Key": "1 to 255 characters; the same key is the same refund" },
      answers: {
        200: "The order, and its `refund`, which has succeeded",
        202: "The same; the provider has not confirmed the refund yet, or cannot be reached: it is tried again until it can",
        404: "There is no such order",
        409: "Nothing (more) can be given back, or the provider refused it, with the reason",
      },
      handle: async ({ params, body, header, log }) => {
        const key = v.safeParse(idempotencyKeySchema, header("idempotency-key"));
        if (!key.success) return invalid({ "Idempotency-Key": "1 to 255 characters" });
        const asked = { orderId: params.id, ...body, idempotencyKey: key.output };
        const before = await parts.adminOrder(params.id);
        const result = await refundOrder(parts, asked);
        if (result.ok) return answerRefund(parts, { before, ...asked, ...result, log });
        switch (result.because) {
          case "unknown_order":
            return noOrder();
          case "state":
            return problem("invalid_state", result.message);
          case "input":
            return invalid(result.fields);
        }
      },
    }),
    route({
      method: "POST",
      path: "/api/admin/orders/:id/restock",
      tag,
      summary: "Put units of an order back on the shelf, without giving money back",
      access: "admin",
      limit: "none",
      params,
      body: restockRequestSchema,
      answers: {
        200: "The order",
        404: "There is no such order",
        409: "All of it is back, or none was sold",
      },
      handle: async ({ params, body, log }) => {
        const result = await restockOrder(parts, params.id, body.restock);
        if (result === null) return noOrder();
        if (!result.ok) {
          return "fields" in result ? invalid(result.fields) : problem("invalid_state", result.reason);
        }
        const order = await parts.adminOrder(params.id);
        const units = result.units.reduce((sum, { quantity }) => sum + quantity, 0);
        log({
          subject: `order:${params.id}`,
          summary: `Back on the shelf from order #${order?.number}: ${units} ${units === 1 ? "unit" : "units"}`,
          after: { restocked: result.units },
        });
        return ok(order);
      },
    }),
    route({
      method: "POST",
      path: "/api/admin/orders/:id/cancel",
      tag,
      summary: "Call an order off before it ships; what was paid goes back, and its buyer is told",
      access: "admin",
      limit: "none",
      params,
      body: cancelRequestSchema,
      answers: {
        200: "The order; the same again where it was called off before",
        404: "There is no such order",
        409: "It has been shipped or paid back, with the reason",
        502: "An unpaid order, while its payment provider cannot be reached: nothing has changed",
      },
      handle: async ({ params, body, log }) => {
        const before = await parts.adminOrder(params.id);
        if (!before) return noOrder();
        const result = await callOffOrder(parts, params.id, { by: "shop", ...body });
        if (!result.ok) return problem("invalid_state", result.reason);
        const after = await parts.adminOrder(params.id);
        log({
          subject: `order:${params.id}`,
          summary: `Order #${before.number} ${isCancelled(before) ? "was cancelled before" : "cancelled"}`,
          before: { status: before.status, calledOffAt: before.calledOffAt },
          after: { status: after?.status, calledOffAt: after?.calledOffAt, restock: body.restock },
        });
        return ok(after);
      },
    }),
  ];
}

function isCancelled({ status, calledOffAt }: AdminOrder): boolean {
  return status === "cancelled" || calledOffAt !== null;
}

/** Says how the refund stands by now; one that the provider refused is no success. */
async function answerRefund(
  parts: OwnerApiParts,
  asked: {
    orderId: string;
    before: AdminOrder | null;
    refundId: string;
    isNew: boolean;
    log(change: Change): void;
  },
): Promise<Answer | Problem> {
  const { orderId, refundId, before } = asked;
  const order = await parts.adminOrder(orderId);
  const refund = order?.refunds.find(({ id }) => id === refundId);
  if (!order || !refund) throw new Error(`Refund ${refundId} is not there any more`);
  const what = asked.isNew ? "Refund" : "Asked again for the refund";
  asked.log({
    subject: `order:${orderId}`,
    summary: `${what} of ${formatCents(refund.amount)} for order #${order.number}${endings[refund.status]}`,
    before: before && { refunded: before.totals.refunded, returned: returnedOf(before) },
    after: { refunded: order.totals.refunded, returned: returnedOf(order) },
  });
  if (refund.status === "failed") {
    return problem("invalid_state", `The payment provider refused this refund: ${refund.failure}`);
  }
  const data: RefundAnswer = { ...order, refund };
  return { status: refund.status === "succeeded" ? 200 : 202, body: { success: true, data } };
}

const endings = { succeeded: "", pending: ", not confirmed yet", failed: ": refused" };

function returnedOf({ items }: AdminOrder): Record<string, number> {
  return Object.fromEntries(items.map(({ productId, returned }) => [productId, returned]));
}

function noOrder(): Problem {
  return problem("not_found", "There is no such order.");
}

function invalid(fields: Record<string, string>): Problem {
  return problem("validation_failed", "Please check the highlighted fields.", { fields });
}
