import * as v from "valibot";
import { returnRequestSchema, withdrawalSchema } from "../../domain/orders/order-return.ts";
import { type Answer, type AnyApiRow, ok, route } from "../http/api-row.ts";
import { type Problem, problem } from "../platform/problem.ts";
import type { Viewer } from "../platform/viewer.ts";
import type { ActionResult, OrderActionParts } from "./actions.ts";
import { requestReturn } from "./fulfilment/returns.ts";

export type OrderActionsApiParts = OrderActionParts & {
  /** The order as its buyer sees it: the visitor who owns it, or the bearer of its e-mailed link. Null for others. */
  orderOfBuyer(viewer: Viewer, orderId: string, linkToken: string | null): Promise<object | null>;
  cancel(orderId: string): Promise<ActionResult>;
  withdraw(statement: { orderId: string; name: string | null; email: string | null }): Promise<ActionResult>;
};

const tag = "Checkout and orders";
const params = v.object({ id: v.string() });
/** The `token` of the order's e-mailed link, for a browser that does not own the order. */
const token = v.optional(v.nullable(v.pipe(v.string("Must be text"), v.maxLength(200))), null);
const answers = {
  200: "The order as it is now; the same again where it was done before",
  404: "Not an order of this visitor, nor of the link's bearer",
  409: "Not possible (any more), with the reason",
};

/** What a buyer can do with an order, without an account. */
export function orderActionsApi(parts: OrderActionsApiParts): AnyApiRow[] {
  const act = async (
    viewer: Viewer,
    orderId: string,
    linkToken: string | null,
    action: () => Promise<ActionResult>,
  ): Promise<Answer | Problem> => {
    const isBuyer = (await parts.orderOfBuyer(viewer, orderId, linkToken)) !== null;
    if (!isBuyer) return problem("not_found", "There is no such order.");
    const result = await action();
    if (!result.ok) return problem("invalid_state", result.reason);
    return ok(await parts.orderOfBuyer(viewer, orderId, linkToken));
  };
  return [
    route("POST /api/orders/:id/cancel", {
      tag,
      summary: "Cancel an order that has not been shipped; what was paid goes back",
      access: "anyone",
      limit: "write",
      params,
      body: v.object({ token }),
      answers: {
        ...answers,
        502: "An unpaid order, while its payment provider cannot be reached: nothing has changed",
      },
      handle: async (_ctx, { params, body, viewer }) =>
        act(viewer, params.id, body.token, () => parts.cancel(params.id)),
    }),
    route("POST /api/orders/:id/return", {
      tag,
      summary: "Ask to send an order back, by the shop's own policy",
      access: "anyone",
      limit: "write",
      params,
      body: v.object({ ...returnRequestSchema.entries, token }),
      answers,
      handle: async (_ctx, { params, body, viewer }) =>
        act(viewer, params.id, body.token, () =>
          requestReturn(parts, { orderId: params.id, reason: body.reason }),
        ),
    }),
    route("POST /api/orders/:id/withdraw", {
      tag,
      summary:
        "Withdraw from the contract, for addresses in the EU, the EEA and the UK; acknowledged by e-mail",
      access: "anyone",
      limit: "write",
      params,
      body: v.object({ ...withdrawalSchema.entries, token }),
      answers,
      handle: async (_ctx, { params, body, viewer }) =>
        act(viewer, params.id, body.token, () =>
          parts.withdraw({ orderId: params.id, name: body.name ?? null, email: body.email ?? null }),
        ),
    }),
  ];
}
