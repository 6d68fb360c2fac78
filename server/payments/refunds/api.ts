import * as v from "valibot";
import {
  type AdminOrder,
  type RefundAnswer,
  refundRequestSchema,
} from "../../../domain/orders/admin-order.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { type Answer, type AnyApiRow, type Change, route } from "../../http/api-row.ts";
import { readAdminOrder } from "../../orders/admin/order.ts";
import { uuidParams } from "../../platform/id-params.ts";
import { type Problem, problem } from "../../platform/problem.ts";
import { invalid, noOrder } from "../owner-call.ts";
import { refundOrder } from "./owner-refund.ts";

const idempotencyKeySchema = v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(255)));

/** The owner gives money back. */
export function refundApi(ctx: ShopContext): AnyApiRow[] {
  return [
    route("POST /api/admin/orders/:id/refund", {
      tag: "Contact, notifications, admin",
      summary:
        "Give back what was paid, all that is left or `amount` of it, with units that came back or without",
      access: "admin",
      limit: "none",
      params: uuidParams,
      body: refundRequestSchema,
      headers: { "Idempotency-Key": "1 to 255 characters; the same key is the same refund" },
      answers: {
        200: "The order, and its `refund`, which has succeeded",
        202: "The same; the provider has not confirmed the refund yet, or cannot be reached: it is tried again until it can",
        404: "There is no such order",
        409: "Nothing (more) can be given back, or the provider refused it, with the reason",
      },
      handle: async (_ctx, { params, body, header, log }) => {
        const key = v.safeParse(idempotencyKeySchema, header("idempotency-key"));
        if (!key.success) return invalid({ "Idempotency-Key": "1 to 255 characters" });
        const asked = { orderId: params.id, ...body, idempotencyKey: key.output };
        const before = await readAdminOrder(ctx, params.id);
        const result = await refundOrder(ctx, asked);
        if (result.ok) return answerRefund(ctx, { before, ...asked, ...result, log });
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
  ];
}

/** Says how the refund stands by now; one that the provider refused is no success. */
async function answerRefund(
  ctx: ShopContext,
  asked: {
    orderId: string;
    before: AdminOrder | null;
    refundId: string;
    isNew: boolean;
    log(change: Change): void;
  },
): Promise<Answer | Problem> {
  const { orderId, refundId, before } = asked;
  const order = await readAdminOrder(ctx, orderId);
  const refund = order?.refunds.find(({ id }) => id === refundId);
  if (!order || !refund) throw new Error(`Refund ${refundId} is not there any more`);
  const what = asked.isNew ? "Refund" : "Requested the refund again";
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
