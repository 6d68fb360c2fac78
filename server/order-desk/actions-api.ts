import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { recipientSchema, shippingAddressSchema } from "../../domain/checkout/checkout.ts";
import type { ShippingAddress } from "../../domain/orders/order.ts";
import { costsTheSame, shownOrderSchema } from "../../domain/orders/order-actions.ts";
import { returnRequestSchema, withdrawalSchema } from "../../domain/orders/order-return.ts";
import { recordActivity } from "../admin/activity.ts";
import { type ApiCall, dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { updateContact } from "../orders/commands.ts";
import { orderLinkSchema } from "../orders/link-tokens.ts";
import { recordOrderNote } from "../orders/transition.ts";
import { counterOfKey } from "../people/api-keys.ts";
import { actingAs, actingAsBuyer, currentActor } from "../platform/http/actor.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import { type ActionResult, orderNotFound, refuse, withLockedOrder } from "./actions.ts";
import { cancelOrder, withdrawFromOrder } from "./cancel-order.ts";
import { enqueueAddressChanged } from "./change-mail.ts";
import { lastDraftAuthor, lastEmailEditor } from "./editing/contact.ts";
import { requestReturn } from "./fulfilment/returns.ts";
import { findBuyerOrder } from "./viewer-orders.ts";

const shared = {
  tag: "Checkout and orders",
  access: "anyone",
  byBuyer: true,
  limit: "write",
  params: v.object({ id: v.string() }),
  response: dataEnvelope(shownOrderSchema),
} as const;
const token = orderLinkSchema;
const responses = {
  200: "The order as it is now, also if the action was done before",
  404: "Not an order of this visitor, nor of the link's bearer",
  409: "Not possible (anymore), with the reason",
};

/** API calls with which buyers change their orders. No account is needed. */
export const orderActionsApi = [
  route("POST /api/orders/:id/cancel", {
    ...shared,
    summary: "Cancel an order that has not been shipped, and refund what was paid",
    body: v.object({ token }),
    responses: {
      ...responses,
      502: "The order is unpaid and its payment provider cannot be reached; nothing has changed",
    },
    handle: async (ctx, call) =>
      runBuyerAction(ctx, call, { call: "cancel", summary: "Cancelled" }, (orderId) =>
        cancelOrder(ctx, orderId),
      ),
  }),
  route("POST /api/orders/:id/address", {
    ...shared,
    summary: "Change the address of a paid order before it ships, if shipping and tax cost the same there",
    body: v.object({ ...recipientSchema.entries, shipping: shippingAddressSchema, token }),
    responses,
    handle: async (ctx, call) => {
      const { token: _, ...change } = call.body;
      return runBuyerAction(ctx, call, { call: "address", summary: "Changed the address of" }, (orderId) =>
        changeAddress(ctx, { orderId, ...change }),
      );
    },
  }),
  route("POST /api/orders/:id/return", {
    ...shared,
    summary: "Request a return under the shop's policy",
    body: v.object({ ...returnRequestSchema.entries, token }),
    responses,
    handle: async (ctx, call) =>
      runBuyerAction(ctx, call, { call: "return", summary: "Requested a return of" }, (orderId) =>
        requestReturn(ctx, { orderId, reason: call.body.reason }),
      ),
  }),
  route("POST /api/orders/:id/withdraw", {
    ...shared,
    summary: "Withdraw from the contract, for addresses in the EU, the EEA and the UK; acknowledged by email",
    body: v.object({ ...withdrawalSchema.entries, token }),
    responses,
    handle: async (ctx, call) => {
      const { name = null, email = null } = call.body;
      return runBuyerAction(ctx, call, { call: "withdraw", summary: "Withdrew from" }, (orderId) =>
        withdrawFromOrder(ctx, { orderId, name, email }),
      );
    },
  }),
];

/**
 * Runs an action on a viewer's order and returns the changed order. If the browser has an open panel session, the API gate logs
 * the call. Otherwise this function logs it if a panel user may be acting as the buyer: one who entered the address that the
 * order's link was sent to, or who handled the payment link of its draft.
 */
async function runBuyerAction(
  ctx: ShopContext,
  {
    params,
    body,
    viewer,
    log,
  }: Pick<ApiCall<{ id: string }, undefined, { token: string | null }>, "params" | "body" | "viewer" | "log">,
  activity: { call: string; summary: string },
  action: (orderId: string) => Promise<ActionResult>,
) {
  const { id } = params;
  const before = await findBuyerOrder(ctx, viewer, id, body.token);
  if (before === null) return notFoundProblem("order");
  const entry = {
    subject: `order:${id}`,
    summary: `${activity.summary} order #${before.number} as its buyer`,
  };
  log(entry);
  const { panelUser, reason } = await findPanelUser(ctx, before.id, viewer.visitorId);
  const run = () => action(id);
  const result = await (panelUser
    ? actingAs(
        actingAsBuyer({ sessionId: null, ...panelUser }, reason, await counterOfKey(ctx, panelUser.personId)),
        run,
      )
    : run());
  if (!result.ok) return problem("invalid_state", result.reason);
  if (panelUser) {
    const details = { at: ctx.now(), action: `POST /api/orders/:id/${activity.call}`, sessionId: null };
    const summary = `${entry.summary}, ${reason}`;
    await recordActivity(ctx.db, { ...entry, ...details, ...panelUser, summary, outcome: "done" });
  }
  const order = await findBuyerOrder(ctx, viewer, id, body.token);
  return order ? ok(order) : notFoundProblem("order");
}

/** The panel user who may be acting as the buyer, and why. `panelUser` is null if there is none, or if the gate logs the call. */
async function findPanelUser({ db }: ShopContext, orderId: string, visitorId: string | null) {
  const reason = "whose email address was changed in the panel";
  if (currentActor()) return { panelUser: null, reason };
  const editor = await lastEmailEditor(db, { orderId, visitorId });
  if (editor) return { panelUser: editor, reason };
  const author = await lastDraftAuthor(db, { orderId });
  return { panelUser: author, reason: "whose order was written in the panel" };
}

const addressNote = "Address changed by the buyer";
/** Maximum number of address changes per order, because each sends an e-mail to buyer and owner. */
const maxChanges = 5;

type NewAddress = {
  orderId: string;
  customerName: string;
  phone: string | null;
  shipping: ShippingAddress;
};

/**
 * Changes the address of a paid, unshipped order if shipping and tax cost the same at the new one. E-mails buyer and owner,
 * because the owner may have printed the old address. Idempotent.
 */
async function changeAddress(
  ctx: ShopContext,
  { orderId, customerName, phone, shipping }: NewAddress,
): Promise<ActionResult> {
  const result = await withLockedOrder<ActionResult>(ctx, orderId, async (tx, { order, may }) => {
    const isSame =
      order.customerName === customerName &&
      (order.phone || null) === phone &&
      isDeepStrictEqual(order.shipping, shipping);
    if (isSame) return { ok: true };
    if (!may.changeAddress) {
      return refuse(
        order.fulfilment === null
          ? "The address of this order can’t be changed anymore."
          : "This order has shipped. Please ask the carrier to redirect it.",
      );
    }
    if (order.events.filter((event) => event.note?.startsWith(addressNote)).length >= maxChanges)
      return refuse("This address has been changed several times. Please write to us to change it again.");
    if (!costsTheSame(order, shipping, await ctx.settings(tx))) {
      return refuse(
        "Shipping or tax would cost a different amount there, or we can’t ship there this way. Cancel the order and place it again, or write to us.",
      );
    }
    await updateContact(tx, orderId, { customerName, phone, shipping });
    await recordOrderNote(tx, order, { actor: "shopper", note: addressNote, now: ctx.now() });
    await enqueueAddressChanged(tx, { orderId, email: order.email, at: ctx.now() });
    return { ok: true };
  });
  return result ?? orderNotFound;
}
