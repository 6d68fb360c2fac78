import * as v from "valibot";
import { recipientSchema, shippingAddressSchema } from "../../domain/checkout/checkout.ts";
import { shownOrderSchema } from "../../domain/orders/order-actions.ts";
import { returnRequestSchema, withdrawalSchema } from "../../domain/orders/order-return.ts";
import type { ShopContext } from "../context.ts";
import { dataOf, ok, route } from "../http/api-row.ts";
import { cancelOrder } from "../payments/cancellation/cancel-order.ts";
import { withdrawFromOrder } from "../payments/cancellation/withdraw.ts";
import { problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import type { ActionResult } from "./actions.ts";
import { changeAddress } from "./change-address.ts";
import { requestReturn } from "./fulfilment/returns.ts";
import { orderOfBuyer } from "./viewer-orders.ts";

const shared = {
  tag: "Checkout and orders",
  access: "anyone",
  limit: "write",
  params: v.object({ id: v.string() }),
  response: dataOf(shownOrderSchema),
} as const;
/** The `token` of the order's e-mailed link, for a browser that does not own the order. */
const token = v.optional(v.nullable(v.pipe(v.string("Must be text"), v.maxLength(200))), null);
const answers = {
  200: "The order as it is now; the same again where it was done before",
  404: "Not an order of this visitor, nor of the link's bearer",
  409: "Not possible (any more), with the reason",
};

/** What a buyer can do with an order, without an account. */
export const orderActionsApi = [
  route("POST /api/orders/:id/cancel", {
    ...shared,
    summary: "Cancel an order that has not been shipped; what was paid goes back",
    body: v.object({ token }),
    answers: {
      ...answers,
      502: "An unpaid order, while its payment provider cannot be reached: nothing has changed",
    },
    handle: async (ctx, { params: { id }, body, viewer }) =>
      act(ctx, viewer, id, body.token, () => cancelOrder(ctx, id)),
  }),
  route("POST /api/orders/:id/address", {
    ...shared,
    summary: "Send a paid order elsewhere before it ships, where it costs the same",
    body: v.object({ ...recipientSchema.entries, shipping: shippingAddressSchema, token }),
    answers,
    handle: async (ctx, { params: { id }, body: { token, ...change }, viewer }) =>
      act(ctx, viewer, id, token, () => changeAddress(ctx, { orderId: id, ...change })),
  }),
  route("POST /api/orders/:id/return", {
    ...shared,
    summary: "Ask to send an order back, by the shop's own policy",
    body: v.object({ ...returnRequestSchema.entries, token }),
    answers,
    handle: async (ctx, { params: { id }, body, viewer }) =>
      act(ctx, viewer, id, body.token, () => requestReturn(ctx, { orderId: id, reason: body.reason })),
  }),
  route("POST /api/orders/:id/withdraw", {
    ...shared,
    summary: "Withdraw from the contract, for addresses in the EU, the EEA and the UK; acknowledged by email",
    body: v.object({ ...withdrawalSchema.entries, token }),
    answers,
    handle: async (ctx, { params: { id }, body: { name = null, email = null, token }, viewer }) =>
      act(ctx, viewer, id, token, () => withdrawFromOrder(ctx, { orderId: id, name, email })),
  }),
];

/** Does something with an order of the viewer's, and answers it as it is then. */
async function act(
  ctx: ShopContext,
  viewer: Viewer,
  orderId: string,
  linkToken: string | null,
  action: () => Promise<ActionResult>,
) {
  const noOrder = problem("not_found", "There is no such order.");
  if ((await orderOfBuyer(ctx, viewer, orderId, linkToken)) === null) return noOrder;
  const result = await action();
  if (!result.ok) return problem("invalid_state", result.reason);
  const order = await orderOfBuyer(ctx, viewer, orderId, linkToken);
  return order ? ok(order) : noOrder;
}
