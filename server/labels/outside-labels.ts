import { asc, eq, inArray, sql } from "drizzle-orm";
import * as v from "valibot";
import { activeShipHold, shipHoldText } from "../../domain/disputes/dispute.ts";
import {
  type MatchedTracking,
  matchedTrackingSchema,
  parseTrackingList,
  trackingListFormSchema,
  trackingListLimits,
} from "../../domain/labels/tracking-list.ts";
import { compactTracking } from "../../domain/orders/tracking.ts";
import { gramsPerOunce } from "../../domain/shared/measures.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { filterCondition } from "../order-desk/admin/queues.ts";
import { findUsedTracking } from "../order-desk/fulfilment/parcels.ts";
import { shippingProblem } from "../order-desk/fulfilment/shipping.ts";
import { findOrder } from "../orders/queries.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { byteOrderMark, csvHeaders, csvLine } from "../platform/csv.ts";
import { problem } from "../platform/http/problem.ts";
import { ownerTimeZone } from "../settings/today.ts";

/** Maximum number of orders in one file, more than a shop packs in a day. */
const maxExported = 2000;

const titles = [
  ...["Order Number", "Order Date", "Recipient Name", "Phone", "Street 1", "Street 2", "City", "State"],
  ...["Postal Code", "Country", "Items", "Quantity", "Weight (g)", "Weight (oz)", "Shipping Service"],
];

/**
 * CSV of orders to ship for a label tool, oldest first, one per line. Weights include the packaging of the settings' first
 * parcel.
 */
async function labelToolFile(ctx: ShopContext): Promise<string> {
  const { db, provider } = ctx;
  const { labels: settings } = await ctx.ownerSettings();
  const timeZone = await ownerTimeZone(ctx);
  const unitsToShip = sql<number>`${orderLines.quantity} - ${orderLines.shippedQuantity} - ${orderLines.restockedUnshippedQuantity}`;
  const openOrders = await db
    .select()
    .from(orders)
    .where(filterCondition(db, "to_ship", provider.mode))
    .orderBy(asc(orders.createdAt), asc(orders.id))
    .limit(maxExported);
  const ids = openOrders.map(({ id }) => id);
  const lines =
    ids.length === 0
      ? []
      : await db
          .select({
            orderId: orderLines.orderId,
            name: orderLines.name,
            quantity: unitsToShip,
            grams: products.weightGrams,
          })
          .from(orderLines)
          .innerJoin(products, eq(products.id, orderLines.productId))
          .where(inArray(orderLines.orderId, ids))
          .orderBy(orderLines.position);
  const linesByOrder = Map.groupBy(
    lines.filter(({ quantity }) => quantity > 0),
    ({ orderId }) => orderId,
  );
  const rows = openOrders.map((order) => {
    const contents = linesByOrder.get(order.id) ?? [];
    const grams = contents.reduce(
      (sum, line) => sum + line.quantity * (line.grams ?? settings.unitGrams),
      settings.parcels[0]?.weightGrams ?? 0,
    );
    const { shipping } = order;
    return csvLine([
      order.number,
      dateIn(timeZone, order.createdAt),
      order.customerName,
      // Spreadsheets interpret a leading plus as a formula.
      order.phone?.replace(/^\+/, "") ?? null,
      shipping?.line1 ?? order.shippingAddress,
      shipping?.line2 ?? null,
      shipping?.city ?? null,
      shipping?.state ?? null,
      shipping?.postalCode ?? null,
      shipping?.country ?? null,
      contents.map(({ quantity, name }) => `${quantity} x ${name}`).join("; "),
      contents.reduce((sum, { quantity }) => sum + quantity, 0),
      grams,
      (grams / gramsPerOunce).toFixed(1),
      order.shippingOptionName,
    ]);
  });
  return byteOrderMark + csvLine(titles) + rows.join("");
}

/** Finds the order of each row of a list of tracking numbers, without saving anything. */
async function matchTracking(ctx: ShopContext, text: string): Promise<MatchedTracking[]> {
  const { db, provider } = ctx;
  const rows = parseTrackingList(text).slice(0, trackingListLimits.rows + 1);
  const parseOrderNumber = (order: string | null) =>
    Number(/^#?(\d{1,9})$/.exec(order ?? "")?.[1] ?? Number.NaN);
  const numbers = rows.map(({ order }) => parseOrderNumber(order)).filter((number) => !Number.isNaN(number));
  const candidates =
    numbers.length === 0
      ? []
      : await db
          .select({ id: orders.id, number: orders.number, shipHold: orders.shipHold, mode: orders.mode })
          .from(orders)
          .where(inArray(orders.number, numbers));
  const trackingNumbers = rows.flatMap(({ trackingNumber }) => trackingNumber ?? []);
  const usedTracking = await findUsedTracking(db, trackingNumbers);
  const [seenOrders, seenTracking] = [new Set<number>(), new Set<string>()];
  const matchedRows: MatchedTracking[] = [];
  for (const { order, ...row } of rows) {
    const { trackingNumber } = row;
    const number = parseOrderNumber(order);
    const match = candidates.find((candidate) => candidate.number === number);
    const compactNumber = compactTracking(trackingNumber ?? "");
    const earlierShipment = usedTracking.find((shipment) => shipment.trackingNumber === trackingNumber);
    const findProblem = async () => {
      if (order === null) return "This row has no order number.";
      if (!match) return `There is no order ${order}.`;
      if (trackingNumber === null) return "This row has no tracking number.";
      if (seenOrders.has(number)) return "This order stands above already.";
      if (seenTracking.has(compactNumber)) return "This tracking number stands above already.";
      if (earlierShipment) return `Order #${earlierShipment.number} was sent with this number.`;
      const storedOrder = await findOrder(db, match.id);
      const refusal = storedOrder && shippingProblem(storedOrder);
      if (refusal) return refusal;
      const shipHold = activeShipHold(match, provider.mode);
      return shipHold && shipHoldText[shipHold];
    };
    matchedRows.push({
      ...row,
      orderId: match?.id ?? null,
      number: match?.number ?? null,
      problem: await findProblem(),
    });
    seenOrders.add(number);
    seenTracking.add(compactNumber);
  }
  return matchedRows;
}

const shared = { tag: "Labels", access: "admin" } as const;

/** Calls for labels bought with another tool. */
export const outsideLabelsApi = [
  route("GET /api/admin/label-tool.csv", {
    ...shared,
    roles: [],
    summary: "Orders to ship as CSV for a label tool: recipient, address, contents and weight",
    downloads: true,
    file: ["text/csv"],
    responses: { 200: "CSV, UTF-8, one order per line, the oldest first, at most 2,000" },
    handle: async (ctx) => {
      const file = await labelToolFile(ctx);
      return {
        status: 200,
        stream: new Blob([file]).stream(),
        headers: csvHeaders("orders-to-ship.csv"),
      };
    },
  }),
  route("POST /api/admin/tracking/match", {
    onlyReads: true,
    ...shared,
    roles: ["staff", "packer"],
    summary: "Find the orders of a list of tracking numbers, without saving anything",
    body: trackingListFormSchema,
    response: dataEnvelope(v.array(matchedTrackingSchema)),
    responses: {
      200: "Each row with its order, or the `problem` with it; mark the others as shipped with `POST /api/admin/orders/ship`",
    },
    handle: async (ctx, { body }) => {
      const rows = await matchTracking(ctx, body.text);
      if (rows.length > trackingListLimits.rows) {
        return problem("validation_failed", "Please check the list.", {
          fields: { text: `At most ${trackingListLimits.rows} rows at once` },
        });
      }
      return ok(rows);
    },
  }),
];
