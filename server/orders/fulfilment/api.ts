import * as v from "valibot";
import {
  type AdminOrder,
  parcelSchema,
  type ShipResult,
  shipmentSchema,
  shipTogetherMax,
} from "../../../domain/orders/admin-order.ts";
import { returnDecisionSchema } from "../../../domain/orders/order-return.ts";
import type { ShipHold } from "../../../domain/payments/dispute.ts";
import { type Answer, type AnyApiRow, type Change, ok, route } from "../../http/api-row.ts";
import { uuidParams } from "../../platform/id-params.ts";
import { type Problem, problem } from "../../platform/problem.ts";
import type { ActionResult, OrderActionParts } from "../actions.ts";
import { decideReturn } from "./returns.ts";
import { correctParcel, deliverOrder, shipOrder, shipOrders } from "./shipping.ts";

export type FulfilmentApiParts = OrderActionParts & {
  adminOrder(orderId: string): Promise<AdminOrder | null>;
};

const tag = "Contact, notifications, admin";
const answers = {
  200: "The order as it is now",
  404: "There is no such order",
  409: "Not possible in its state, with the reason",
};

const shipTogetherSchema = v.object({
  orders: v.pipe(
    v.array(
      v.object({ id: v.pipe(v.string("Must be text"), v.uuid("Is no order id")), ...shipmentSchema.entries }),
    ),
    v.minLength(1, "Name at least one order"),
    v.maxLength(shipTogetherMax, `Name at most ${shipTogetherMax} orders`),
  ),
});

/** What the owner does with an order's parcel, there and back. */
export function fulfilmentApi(parts: FulfilmentApiParts): AnyApiRow[] {
  /** Does something with one order, and writes down what it has changed of it in the words of `summary`. */
  const act = async (
    orderId: string,
    log: (change: Change) => void,
    summary: (order: AdminOrder) => string,
    action: () => Promise<ActionResult | null>,
  ): Promise<Answer | Problem> => {
    const before = await parts.adminOrder(orderId);
    const result = await action();
    const after = await parts.adminOrder(orderId);
    if (result === null || !before || !after) return problem("not_found", "There is no such order.");
    if (!result.ok) return problem("invalid_state", result.reason);
    log({
      subject: `order:${orderId}`,
      summary: summary(after),
      before: parcelOf(before),
      after: parcelOf(after),
    });
    return ok(after);
  };
  return [
    route("POST /api/admin/orders/:id/ship", {
      tag,
      summary: "Mark a paid order as shipped; the buyer gets the tracking link",
      access: "admin",
      limit: "none",
      params: uuidParams,
      body: shipmentSchema,
      answers: {
        ...answers,
        409: "Not possible in its state, with the reason; disputed or being refunded whole: only with `force` and a `reason`",
      },
      handle: async (_ctx, { params: { id }, body, log }) => {
        let heldBack: ShipHold | undefined;
        return act(
          id,
          log,
          ({ number }) => {
            const shipped = `Order #${number} shipped with ${body.carrier}`;
            return heldBack ? `${shipped}, although ${heldWords[heldBack]}: ${body.reason}` : shipped;
          },
          async () => {
            const result = await shipOrder(parts, { orderId: id, ...body });
            heldBack = result?.shipHold;
            return result;
          },
        );
      },
    }),
    route("POST /api/admin/orders/ship", {
      tag,
      summary: "Mark several paid orders as shipped, each by itself",
      access: "admin",
      limit: "none",
      body: shipTogetherSchema,
      answers: {
        200: "For each order, as they were named: `{id, number, ok}` and, where it is not, the `reason`; `shipHold` where it is held back",
      },
      handle: async (_ctx, { body, log }) => {
        const results = await shipOrders(parts, body.orders);
        const reasons = new Map(body.orders.map(({ id, reason }) => [id, reason]));
        log({ summary: shippedTogether(results, reasons) });
        return ok(results);
      },
    }),
    route("PATCH /api/admin/orders/:id/fulfilment", {
      tag,
      summary: "Correct the carrier and tracking number of a shipped order; the buyer gets the right link",
      access: "admin",
      limit: "none",
      params: uuidParams,
      body: parcelSchema,
      answers,
      handle: async (_ctx, { params: { id }, body, log }) =>
        act(
          id,
          log,
          ({ number }) => `Tracking of order #${number} corrected`,
          () => correctParcel(parts, { orderId: id, ...body }),
        ),
    }),
    route("POST /api/admin/orders/:id/deliver", {
      tag,
      summary: "Mark a shipped order as delivered",
      access: "admin",
      limit: "none",
      params: uuidParams,
      answers,
      handle: async (_ctx, { params: { id }, log }) =>
        act(
          id,
          log,
          ({ number }) => `Order #${number} delivered`,
          () => deliverOrder(parts, id),
        ),
    }),
    route("PATCH /api/admin/returns/:id", {
      tag,
      summary:
        "Approve or decline a return, close a request that is settled, or only write to its buyer, who is told",
      access: "admin",
      limit: "none",
      params: uuidParams,
      body: returnDecisionSchema,
      answers: {
        200: "`{status}` of the request now",
        404: "There is no such return",
        409: "It was decided before, with the reason",
      },
      handle: async (_ctx, { params, body, log }) => {
        const result = await decideReturn(parts, { returnId: params.id, ...body });
        if (result === null) return problem("not_found", "There is no such return.");
        if (!result.ok) return problem("invalid_state", result.reason);
        const { orderId, kind, number, status } = result;
        const done = body.status === undefined ? "answered" : status;
        log({
          subject: `order:${orderId}`,
          summary: `${nouns[kind]} order #${number} ${done}`,
          after: { status },
        });
        return ok({ status });
      },
    }),
  ];
}

const nouns = { return: "Return of", withdrawal: "Withdrawal from" };

function parcelOf({ status, fulfilment }: AdminOrder) {
  return { status, carrier: fulfilment?.carrier ?? null, deliveredAt: fulfilment?.deliveredAt ?? null };
}

/** For the record of changes. */
const heldWords: Record<ShipHold, string> = {
  dispute: "its payment is disputed",
  refund: "it is being refunded",
  test: "it was placed in test mode",
};

/** "Shipped: #1001, #1002 (although its payment is disputed: paid by bank). Not shipped: #1003" */
function shippedTogether(
  results: readonly ShipResult[],
  reasons: ReadonlyMap<string, string | null>,
): string {
  const numbers = (isShipped: boolean) =>
    results
      .filter(({ ok: is }) => is === isShipped)
      .map(({ id, ok: is, number, shipHold }) => {
        const name = number === null ? "unknown" : `#${number}`;
        return is && shipHold ? `${name} (although ${heldWords[shipHold]}: ${reasons.get(id)})` : name;
      });
  const [shipped, left] = [numbers(true), numbers(false)];
  return [
    ...(shipped.length > 0 ? [`Shipped: ${shipped.join(", ")}`] : []),
    ...(left.length > 0 ? [`Not shipped: ${left.join(", ")}`] : []),
  ].join(". ");
}
