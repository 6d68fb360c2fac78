import * as v from "valibot";
import { recipientSchema, shippingAddressSchema } from "../../domain/checkout/checkout.ts";
import { shownOrderSchema } from "../../domain/orders/order-actions.ts";
import { returnRequestSchema, withdrawalSchema } from "../../domain/orders/order-return.ts";
import { recordActivity } from "../admin/activity.ts";
import { type ApiCall, dataOf, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { actingAs, actingAsBuyer, whoActs } from "../platform/http/acting-person.ts";
import { problem } from "../platform/http/problem.ts";
import type { ActionResult } from "./actions.ts";
import { cancelOrder } from "./cancel-order.ts";
import { changeAddress } from "./change-address.ts";
import { whoChangedEmail, whoWroteDraft } from "./editing/contact.ts";
import { requestReturn } from "./fulfilment/returns.ts";
import { orderOfBuyer } from "./viewer-orders.ts";
import { withdrawFromOrder } from "./withdraw.ts";

const shared = {
  tag: "Checkout and orders",
  access: "anyone",
  byBuyer: true,
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
    handle: async (ctx, call) =>
      act(ctx, call, { call: "cancel", summary: "Cancelled" }, (orderId) => cancelOrder(ctx, orderId)),
  }),
  route("POST /api/orders/:id/address", {
    ...shared,
    summary: "Send a paid order elsewhere before it ships, where it costs the same",
    body: v.object({ ...recipientSchema.entries, shipping: shippingAddressSchema, token }),
    answers,
    handle: async (ctx, call) => {
      const { token: _, ...change } = call.body;
      return act(ctx, call, { call: "address", summary: "Changed the address of" }, (orderId) =>
        changeAddress(ctx, { orderId, ...change }),
      );
    },
  }),
  route("POST /api/orders/:id/return", {
    ...shared,
    summary: "Ask to send an order back, by the shop's own policy",
    body: v.object({ ...returnRequestSchema.entries, token }),
    answers,
    handle: async (ctx, call) =>
      act(ctx, call, { call: "return", summary: "Asked to return" }, (orderId) =>
        requestReturn(ctx, { orderId, reason: call.body.reason }),
      ),
  }),
  route("POST /api/orders/:id/withdraw", {
    ...shared,
    summary: "Withdraw from the contract, for addresses in the EU, the EEA and the UK; acknowledged by email",
    body: v.object({ ...withdrawalSchema.entries, token }),
    answers,
    handle: async (ctx, call) => {
      const { name = null, email = null } = call.body;
      return act(ctx, call, { call: "withdraw", summary: "Withdrew from" }, (orderId) =>
        withdrawFromOrder(ctx, { orderId, name, email }),
      );
    },
  }),
];

/**
 * Does something with an order of the viewer's, and answers it as it is then. What somebody of the panel does so is logged: the gate
 * knows the browsers in which it is open, and here those are known whose link the panel may have: it has entered the address that the
 * link went to, or has had the payment link of a draft, which any browser may have opened first.
 */
async function act(
  ctx: ShopContext,
  { params, body, viewer, log }: Pick<ApiCall<{ id: string }, undefined, { token: string | null }>, Used>,
  done: { call: string; summary: string },
  action: (orderId: string) => Promise<ActionResult>,
) {
  const { id } = params;
  const noOrder = problem("not_found", "There is no such order.");
  const before = await orderOfBuyer(ctx, viewer, id, body.token);
  if (before === null) return noOrder;
  const change = { subject: `order:${id}`, summary: `${done.summary} order #${before.number} as its buyer` };
  log(change);
  const { behind, why } = await whoStandsBehind(ctx, before.id, viewer.visitorId);
  const run = () => action(id);
  const result = await (behind ? actingAs(actingAsBuyer({ sessionId: null, ...behind }, why), run) : run());
  if (!result.ok) return problem("invalid_state", result.reason);
  if (behind) {
    const entry = { at: ctx.now(), action: `POST /api/orders/:id/${done.call}`, sessionId: null };
    const summary = `${change.summary}, ${why}`;
    await recordActivity(ctx.db, { ...change, ...entry, ...behind, summary, outcome: "done" });
  }
  const order = await orderOfBuyer(ctx, viewer, id, body.token);
  return order ? ok(order) : noOrder;
}

/** Who of the panel may be the buyer that calls, and why, as a history says it; `behind` null: nobody, or the gate knows already. */
async function whoStandsBehind({ db }: ShopContext, orderId: string, visitorId: string | null) {
  const why = "whose email address was changed in the panel";
  if (whoActs()) return { behind: null, why };
  const changed = await whoChangedEmail(db, { orderId, visitorId });
  if (changed) return { behind: changed, why };
  return { behind: await whoWroteDraft(db, { orderId }), why: "whose order was written in the panel" };
}

type Used = "params" | "body" | "viewer" | "log";
