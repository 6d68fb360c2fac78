import * as v from "valibot";
import type { ShipHold } from "../../../domain/disputes/dispute.ts";
import {
  type AdminOrder,
  adminOrderSchema,
  maxBulkShipments,
  parcelSchema,
  type ShipResult,
  shipmentSchema,
  shipResultSchema,
  trackingCheckSchema,
  usedTrackingSchema,
} from "../../../domain/orders/admin-order.ts";
import { returnDecisionSchema, returnStatusSchema } from "../../../domain/orders/order-return.ts";
import { type Packing, packingQueueSchema, packingSchema } from "../../../domain/orders/packing.ts";
import { uuidSchema } from "../../../domain/shared/uuid.ts";
import { dataEnvelope, ok, route } from "../../api-row.ts";
import type { ShopContext } from "../../context.ts";
import { findOrder } from "../../orders/queries.ts";
import { uuidParams } from "../../platform/http/params.ts";
import { notFoundProblem, problem } from "../../platform/http/problem.ts";
import type { Viewer } from "../../platform/http/viewer.ts";
import type { ActionResult } from "../actions.ts";
import { actionResponse, panelOrderRow } from "../admin/action-response.ts";
import { readAdminOrder } from "../admin/order.ts";
import { nextToPack, readPacking } from "./packing.ts";
import { correctParcel, findUsedTracking, undoShipping } from "./parcels.ts";
import { decideReturn } from "./returns.ts";
import { deliverOrder, shipOrder, shipOrders } from "./shipping.ts";

const orderRow = { ...panelOrderRow, params: uuidParams, response: dataEnvelope(adminOrderSchema) } as const;
const shipmentRow = {
  ...panelOrderRow,
  params: v.object({ ...uuidParams.entries, shipmentId: uuidSchema }),
  response: dataEnvelope(adminOrderSchema),
} as const;
const responses = {
  200: "The order as it is now",
  404: "There is no such order",
  409: "Not possible in its state, with the reason",
};

const shipmentResponses = { ...responses, 404: "There is no such order, or no such parcel of it" };

const bulkShipSchema = v.object({
  orders: v.pipe(
    v.array(
      v.object({ id: v.pipe(v.string("Must be text"), v.uuid("Is no order id")), ...shipmentSchema.entries }),
    ),
    v.minLength(1, "Name at least one order"),
    v.maxLength(maxBulkShipments, `Name at most ${maxBulkShipments} orders`),
  ),
});

/** Parcels, packing and returns of orders in the panel. */
export const fulfilmentApi = [
  route("POST /api/admin/orders/:id/ship", {
    ...orderRow,
    roles: ["staff", "packer"],
    summary: "Mark a paid order as shipped; the buyer gets the tracking link",
    body: shipmentSchema,
    responses: {
      ...responses,
      409: "Not possible in its state, with the reason; an order on hold (`shipHold`) needs `force` and a `reason`",
    },
    handle: async (ctx, call) => {
      const { body } = call;
      if (body.force && isPacker(call.viewer)) return packerHoldProblem();
      let shipHold: ShipHold | undefined;
      const summary = ({ number, fulfilment }: AdminOrder) => {
        const subject = fulfilment === null ? "A parcel of order" : "Order";
        const shipment = `${subject} #${number} shipped with ${body.carrier}${body.email ? "" : ", without an email"}`;
        return shipHold ? `${shipment}, although ${shipHoldReasons[shipHold]}: ${body.reason}` : shipment;
      };
      return runParcelAction(ctx, call, summary, async () => {
        const result = await shipOrder(ctx, { orderId: call.params.id, ...body });
        shipHold = result?.shipHold;
        return result;
      });
    },
  }),
  route("GET /api/admin/packing", {
    ...panelOrderRow,
    roles: ["staff", "packer"],
    summary: "The order that has waited longest to be shipped, and how many are waiting, up to 100",
    query: v.object({ after: v.optional(uuidSchema) }),
    response: dataEnvelope(packingQueueSchema),
    responses: {
      200: "`next` null: no order waits; with `after` (an order's id): no order placed after that one waits",
    },
    handle: async (ctx, { query: { after = null } }) => ok(await nextToPack(ctx, after)),
  }),
  route("GET /api/admin/packing/:id", {
    ...panelOrderRow,
    roles: ["staff", "packer"],
    summary: "One order for packing: address, lines and parcels, without amounts",
    params: uuidParams,
    response: dataEnvelope(packingSchema),
    responses: { 200: "The order", 404: "There is no such order" },
    handle: async (ctx, { params: { id }, viewer }) => {
      const order = await readPacking(ctx, id);
      return order && isVisible(order, viewer) ? ok(order) : notFoundProblem("order");
    },
  }),
  route("POST /api/admin/orders/ship", {
    ...panelOrderRow,
    roles: ["staff", "packer"],
    summary: "Mark several paid orders as shipped, each independently",
    body: bulkShipSchema,
    response: dataEnvelope(v.array(shipResultSchema)),
    responses: {
      200: "For each order, in the order of the request: `{id, number, ok}`, and if not `ok`, the `reason`; with `shipHold` if it is on hold",
    },
    handle: async (ctx, { body, viewer, log }) => {
      if (isPacker(viewer) && body.orders.some(({ force }) => force)) return packerHoldProblem();
      const results = await shipOrders(ctx, body.orders);
      const reasons = new Map(body.orders.map(({ id, reason }) => [id, reason]));
      log(bulkShipSummary(results, reasons));
      return ok(results);
    },
  }),
  route("PATCH /api/admin/orders/:id/fulfilment", {
    ...orderRow,
    roles: ["staff", "packer"],
    summary: "Correct the carrier and tracking number of a shipped order; the buyer gets the right link",
    body: parcelSchema,
    responses,
    handle: async (ctx, call) => {
      const summary = ({ number }: AdminOrder) => `Tracking of order #${number} corrected`;
      return runParcelAction(ctx, call, summary, () =>
        correctParcel(ctx, { orderId: call.params.id, ...call.body }),
      );
    },
  }),
  route("POST /api/admin/orders/:id/deliver", {
    ...orderRow,
    summary: "Mark a shipped order as delivered, with all its parcels",
    responses,
    handle: async (ctx, call) => {
      const summary = ({ number }: AdminOrder) => `Order #${number} delivered`;
      return runParcelAction(ctx, call, summary, () => deliverOrder(ctx, { orderId: call.params.id }));
    },
  }),
  route("PATCH /api/admin/orders/:id/shipments/:shipmentId", {
    ...shipmentRow,
    roles: ["staff", "packer"],
    summary: "Correct the carrier and tracking number of one parcel; the buyer gets the right link",
    body: parcelSchema,
    responses: shipmentResponses,
    handle: async (ctx, call) => {
      const { id: orderId, shipmentId } = call.params;
      if (!(await hasShipment(ctx, orderId, shipmentId))) return notFoundProblem("parcel");
      const summary = ({ number }: AdminOrder) => `Tracking of a parcel of order #${number} corrected`;
      return runParcelAction(ctx, call, summary, () =>
        correctParcel(ctx, { orderId, shipmentId, ...call.body }),
      );
    },
  }),
  route("POST /api/admin/orders/:id/shipments/:shipmentId/deliver", {
    ...shipmentRow,
    summary: "Mark one parcel as delivered; the last one marks the order as delivered, too",
    responses: shipmentResponses,
    handle: async (ctx, call) => {
      const { id: orderId, shipmentId } = call.params;
      if (!(await hasShipment(ctx, orderId, shipmentId))) return notFoundProblem("parcel");
      const summary = ({ number, status }: AdminOrder) =>
        status === "delivered" ? `Order #${number} delivered` : `A parcel of order #${number} delivered`;
      return runParcelAction(ctx, call, summary, () => deliverOrder(ctx, { orderId, shipmentId }));
    },
  }),
  route("POST /api/admin/orders/:id/shipments/:shipmentId/undo", {
    ...shipmentRow,
    roles: ["staff", "packer"],
    summary: "Undo a shipped parcel within a minute, with its unsent e-mail",
    response: dataEnvelope(packingSchema),
    responses: {
      ...shipmentResponses,
      200: "The order without the parcel, also if it was undone before",
      409: "Too late: the e-mail was sent, or a minute has passed",
    },
    handle: async (ctx, { params: { id, shipmentId }, viewer, log }) => {
      const result = await undoShipping(ctx, { orderId: id, shipmentId });
      const order = result && (await readPacking(ctx, id));
      if (!order || !isVisible(order, viewer)) return notFoundProblem("order");
      if (!result.ok) return problem("invalid_state", result.reason);
      log(`Shipping of order #${order.number} undone`);
      return ok(order);
    },
  }),
  route("POST /api/admin/tracking/check", {
    onlyReads: true,
    ...panelOrderRow,
    roles: ["staff", "packer"],
    summary: "Orders already shipped with these tracking numbers",
    body: trackingCheckSchema,
    response: dataEnvelope(v.array(usedTrackingSchema)),
    responses: { 200: "Tracking numbers already in use, each with an order; ignores spaces and dashes" },
    handle: async ({ db }, { body }) => ok(await findUsedTracking(db, body.numbers)),
  }),
  route("PATCH /api/admin/returns/:id", {
    ...panelOrderRow,
    summary: "Approve or decline a return, close a settled request, or add a note; the buyer is notified",
    params: uuidParams,
    body: returnDecisionSchema,
    response: dataEnvelope(v.object({ status: returnStatusSchema })),
    responses: {
      200: "New `{status}` of the request",
      404: "There is no such return",
      409: "It was decided before, with the reason",
    },
    handle: async (ctx, { params, body, log }) => {
      const result = await decideReturn(ctx, { returnId: params.id, ...body });
      if (result === null) return notFoundProblem("return");
      if (!result.ok) return problem("invalid_state", result.reason);
      const { orderId, kind, number, status } = result;
      const action = body.status === undefined ? "answered" : status;
      log({
        subject: `order:${orderId}`,
        summary: `${kindTexts[kind]} order #${number} ${action}`,
        after: { status },
      });
      return ok({ status });
    },
  }),
];

const isPacker = ({ admin }: Viewer) => admin?.role === "packer";

/** Packers see only orders to ship and orders with a parcel. */
function isVisible({ mayShip, shipments }: Packing, viewer: Viewer): boolean {
  return !isPacker(viewer) || mayShip || shipments.length > 0;
}

function packerHoldProblem() {
  return problem("forbidden", "Only the owner or staff can ship an order that is on hold.");
}

async function hasShipment({ db }: ShopContext, orderId: string, shipmentId: string): Promise<boolean> {
  const order = await findOrder(db, orderId);
  return order?.shipments.some(({ id }) => id === shipmentId) ?? false;
}

/** Runs an action on the parcels of an order, and logs its effect with `summary`. */
async function runParcelAction(
  ctx: ShopContext,
  call: Parameters<typeof actionResponse>[1],
  summary: (order: AdminOrder) => string,
  action: () => Promise<ActionResult | null>,
) {
  const before = await readAdminOrder(ctx, call.params.id);
  const result = before && (await action());
  return actionResponse(ctx, call, result, (after) => {
    return { summary: summary(after), before: before && parcelView(before), after: parcelView(after) };
  });
}

const kindTexts = { return: "Return of", withdrawal: "Withdrawal from" };

function parcelView({ status, fulfilment, shipments }: AdminOrder) {
  return {
    status,
    carrier: fulfilment?.carrier ?? null,
    deliveredAt: fulfilment?.deliveredAt ?? null,
    parcels: shipments.length,
  };
}

const shipHoldReasons: Record<ShipHold, string> = {
  dispute: "its payment is disputed",
  refund: "it is being refunded",
  fraud: "its payment may be fraud",
  review: "its payment is under review",
  change: "added items are not paid yet",
  owner: "it is on hold",
  test: "it was placed in test mode",
};

/** "Shipped: #1001, #1002 (although its payment is disputed: paid by bank). Not shipped: #1003" */
function bulkShipSummary(
  results: readonly ShipResult[],
  reasons: ReadonlyMap<string, string | null>,
): string {
  const numbers = (isShipped: boolean) =>
    results
      .filter((result) => result.ok === isShipped)
      .map(({ id, ok: isDone, number, shipHold }) => {
        const name = number === null ? "unknown" : `#${number}`;
        return isDone && shipHold
          ? `${name} (although ${shipHoldReasons[shipHold]}: ${reasons.get(id)})`
          : name;
      });
  const [sent, unshipped] = [numbers(true), numbers(false)];
  return [
    ...(sent.length > 0 ? [`Shipped: ${sent.join(", ")}`] : []),
    ...(unshipped.length > 0 ? [`Not shipped: ${unshipped.join(", ")}`] : []),
  ].join(". ");
}
