import * as v from "valibot";
import { maxQuantity } from "../../domain/cart/cart-limits.ts";
import { priceUnits } from "../../domain/catalog/bundles.ts";
import { type BuyAgain, buyAgainSchema } from "../../domain/orders/buy-again.ts";
import {
  orderItemSchema,
  orderStatusSchema,
  orderSummarySchema,
  paymentStateSchema,
} from "../../domain/orders/order.ts";
import { shownOrderSchema } from "../../domain/orders/order-actions.ts";
import { emailSchema } from "../../domain/shared/email-address.ts";
import { centsToDollars } from "../../domain/shared/money.ts";
import { accepted, dataEnvelope, ok, okOrNotFound, route } from "../api-row.ts";
import { fillCart, hashedNetwork, readCart } from "../cart/commands.ts";
import { thumbnailUrl } from "../catalog/pictures/sizes.ts";
import { findSellableForLines } from "../catalog/queries.ts";
import type { ShopContext } from "../context.ts";
import { orderLinkSchema } from "../orders/link-tokens.ts";
import { redeemOrdersLink, requestLookup } from "../orders/lookup.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { findViewerOrderByPayment, listViewerOrders, orderFor } from "./viewer-orders.ts";

const shared = { tag: "Checkout and orders", access: "anyone" } as const;

/** Calls by which buyers read their orders and buy them again. */
export const ordersApi = [
  route("GET /api/order-details", {
    ...shared,
    summary: "The visitor's order behind a payment, for the success page",
    limit: "write",
    query: v.object({
      session_id: v.pipe(v.string("Is required"), v.minLength(1, "Is required"), v.maxLength(255)),
    }),
    response: v.object({
      orderId: v.string(),
      orderNumber: v.number(),
      /** In dollars. */
      total: v.number(),
      status: orderStatusSchema,
      payment: paymentStateSchema,
      items: v.array(orderItemSchema),
    }),
    responses: {
      200: "`{orderId, orderNumber, total, status, payment, items}`; `total` in dollars",
      404: "Not this visitor's order",
    },
    handle: async (ctx, { query, viewer }) => {
      const result = await findViewerOrderByPayment(ctx, viewer, query.session_id);
      if (!result) return notFoundProblem("order");
      const { order, payment } = result;
      return {
        status: 200,
        body: {
          orderId: order.id,
          orderNumber: order.number,
          total: centsToDollars(order.totals.total),
          status: order.status,
          payment,
          items: order.items,
        },
      };
    },
  }),
  route("GET /api/orders/user/:user", {
    ...shared,
    summary: "The visitor's own orders; `1` and `me` both mean the visitor",
    limit: "none",
    params: v.object({ user: v.string() }),
    response: dataEnvelope(v.array(orderSummarySchema)),
    responses: { 200: "A list of orders, newest first", 403: "Another user's orders" },
    handle: async (ctx, { params, viewer }) =>
      params.user === "1" || params.user === "me"
        ? ok(await listViewerOrders(ctx, viewer))
        : problem("forbidden", "You can only see your own orders."),
  }),
  route("GET /api/orders/:id/again", {
    ...shared,
    summary: "The items of an order that can be bought again, at today’s prices",
    limit: "write",
    params: v.object({ id: v.string() }),
    query: v.object({ token: orderLinkSchema }),
    response: dataEnvelope(buyAgainSchema),
    responses: {
      200: "Its products with the quantity available now; no cart is changed",
      404: "Not an order of this visitor, nor of the link's bearer",
    },
    handle: async (ctx, { params, query, viewer }) =>
      okOrNotFound("order", await buyAgain(ctx, viewer, params.id, query.token)),
  }),
  route("POST /api/orders/:id/again", {
    ...shared,
    summary: "Put the available items of an order into the visitor's cart",
    limit: "write",
    params: v.object({ id: v.string() }),
    body: v.object({ token: orderLinkSchema }),
    response: dataEnvelope(
      v.object({
        ...buyAgainSchema.entries,
        cart: v.array(v.object({ productId: v.number(), quantity: v.number() })),
      }),
    ),
    responses: {
      200: "The same list, and the `cart` with its products; a product that was in the cart before has the larger of both quantities",
      404: "Not an order of this visitor, nor of the link's bearer",
    },
    handle: async (ctx, { params, body, viewer, visitor, address }) => {
      const list = await buyAgain(ctx, viewer, params.id, body.token);
      if (!list) return notFoundProblem("order");
      const items = list.items.filter(({ quantity }) => quantity > 0);
      const visitorId = visitor();
      await fillCart(ctx, { visitorId, network: hashedNetwork(ctx, address), items });
      return ok({ ...list, cart: await readCart(ctx.db, visitorId) });
    },
  }),
  route("GET /api/orders/:id", {
    ...shared,
    summary: "One order, to its owner or an admin",
    limit: "none",
    params: v.object({ id: v.string() }),
    response: dataEnvelope(shownOrderSchema),
    responses: { 200: "The order", 404: "Not an order of this visitor" },
    handle: async (ctx, { params, viewer }) =>
      okOrNotFound("order", await orderFor(ctx, viewer, params.id, null)),
  }),
  route("POST /api/orders/find", {
    ...shared,
    summary: "E-mail a link that shows the orders of the address",
    limit: "lookup",
    body: v.object({ email: emailSchema }),
    response: dataEnvelope(v.object({ message: v.string() })),
    responses: { 202: "Always the same, whether or not the address has orders" },
    handle: async ({ db }, { body }) => {
      await requestLookup(db, { email: body.email, purpose: "orders" });
      return accepted({ message: "If this address has orders, a link to them is on its way." });
    },
  }),
  route("POST /api/orders/find/use", {
    ...shared,
    summary: "Redeem an e-mailed link, which works once: this browser may then see the orders of its address",
    byBuyer: true,
    limit: "lookup",
    body: v.object({
      token: v.pipe(v.string("Is required"), v.minLength(1, "Is required"), v.maxLength(200)),
    }),
    response: dataEnvelope(v.object({ attached: v.literal(true) })),
    responses: {
      200: "This browser may now see the orders",
      404: "The link was used before or is older than an hour",
    },
    handle: async ({ db, now }, { body: { token }, visitor }) => {
      const isRedeemed = await redeemOrdersLink(db, { token, visitorId: visitor(), now: now() });
      return isRedeemed
        ? ok({ attached: true as const })
        : problem(
            "not_found",
            "This link was used before or is older than an hour. Please ask for a new one.",
          );
    },
  }),
];

/** Products of an order that can be bought again, at current prices. Null if the viewer may not see the order. */
async function buyAgain(
  ctx: ShopContext,
  viewer: Viewer,
  orderId: string,
  linkToken: string | null,
): Promise<BuyAgain | null> {
  const order = await orderFor(ctx, viewer, orderId, linkToken);
  if (!order) return null;
  const products = await findSellableForLines(ctx.db, order.items);
  const items = order.items.map(({ productId, name, image, quantity: ordered, price }) => {
    const product = products.get(productId);
    if (!product?.isPublished) {
      return { productId, name, slug: null, image, ordered, quantity: 0, price, total: 0, bundles: [] };
    }
    const quantity = Math.min(ordered, maxQuantity, Math.max(0, product.free));
    return {
      productId,
      name: product.name,
      slug: product.slug,
      image: product.imageFile === null ? null : thumbnailUrl(product.imageFile),
      ordered,
      quantity,
      price: product.priceCents,
      total: priceUnits(product.priceCents, quantity, product.bundles).total,
      bundles: product.bundles,
    };
  });
  return { number: order.number, items, subtotal: items.reduce((sum, { total }) => sum + total, 0) };
}
