import * as v from "valibot";
import type { Order, OrderSummary, PaymentState } from "../../domain/orders/order.ts";
import { emailSchema } from "../../domain/shared/email-address.ts";
import { centsToDollars } from "../../domain/shared/money.ts";
import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import type { Database } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import type { Viewer } from "../platform/viewer.ts";
import { requestLookup, spendOrdersLink } from "./lookup.ts";

export type OrdersApiParts = {
  db: Database;
  now(): Date;
  ordersOf(viewer: Viewer): Promise<OrderSummary[]>;
  /** The order as this viewer may see it, `needsAttention` for admins; null for strangers. */
  orderFor(viewer: Viewer, orderId: string): Promise<(Order & { needsAttention?: string | null }) | null>;
  /** `payment` is what the provider has just said of it. */
  orderByPayment(viewer: Viewer, sessionId: string): Promise<{ order: Order; payment: PaymentState } | null>;
};

const tag = "Checkout and orders";

export function ordersApi(parts: OrdersApiParts): AnyApiRow[] {
  return [
    route("GET /api/order-details", {
      tag,
      summary: "The visitor's order behind a payment, for the success page",
      access: "anyone",
      limit: "write",
      query: v.object({
        session_id: v.pipe(v.string("Is required"), v.minLength(1, "Is required"), v.maxLength(255)),
      }),
      answers: {
        200: "`{orderId, orderNumber, total, status, payment, items}`; `total` in dollars",
        404: "Not this visitor's order",
      },
      handle: async (_ctx, { query, viewer }) => {
        const found = await parts.orderByPayment(viewer, query.session_id);
        if (!found) return notFound();
        const { order, payment } = found;
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
      tag,
      summary: "The visitor's own orders; `1` and `me` both mean the visitor",
      access: "anyone",
      limit: "none",
      params: v.object({ user: v.string() }),
      answers: { 200: "A list of orders, newest first", 403: "Another user's orders" },
      handle: async (_ctx, { params, viewer }) =>
        params.user === "1" || params.user === "me"
          ? ok(await parts.ordersOf(viewer))
          : problem("forbidden", "You can only see your own orders."),
    }),
    route("GET /api/orders/:id", {
      tag,
      summary: "One order, to its owner or an admin",
      access: "anyone",
      limit: "none",
      params: v.object({ id: v.string() }),
      answers: { 200: "The order", 404: "Not an order of this visitor" },
      handle: async (_ctx, { params, viewer }) => {
        const order = await parts.orderFor(viewer, params.id);
        return order ? ok(order) : notFound();
      },
    }),
    route("POST /api/orders/find", {
      tag,
      summary: "Send a link to an address that shows its orders",
      access: "anyone",
      limit: "lookup",
      body: v.object({ email: emailSchema }),
      answers: { 202: "Always the same, whether or not the address has orders" },
      handle: async (_ctx, { body }) => {
        await requestLookup(parts.db, { email: body.email, purpose: "orders" });
        const message = "If this address has orders, a link to them is on its way.";
        return { status: 202, body: { success: true, data: { message } } };
      },
    }),
    route("POST /api/orders/find/use", {
      tag,
      summary: "Use an e-mailed link up: its orders are shown to this browser",
      access: "anyone",
      limit: "lookup",
      body: v.object({
        token: v.pipe(v.string("Is required"), v.minLength(1, "Is required"), v.maxLength(200)),
      }),
      answers: { 200: "The orders are attached", 404: "The link was used before or is older than an hour" },
      handle: async (_ctx, { body, visitor }) => {
        const isUsed = await spendOrdersLink(parts.db, {
          token: body.token,
          visitorId: visitor(),
          now: parts.now(),
        });
        return isUsed
          ? ok({ attached: true })
          : problem(
              "not_found",
              "This link was used before or is older than an hour. Please ask for a new one.",
            );
      },
    }),
  ];
}

function notFound() {
  return problem("not_found", "There is no such order.");
}
