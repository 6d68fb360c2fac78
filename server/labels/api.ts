import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import * as v from "valibot";
import {
  boughtLabelSchema,
  bulkLabelsSchema,
  labelAddressSchema,
  labelJobSchema,
  labelPurchaseSchema,
  labelRateSchema,
  labelRatesFormSchema,
  orderLabelsSchema,
  printedLabelsSchema,
} from "../../domain/labels/labels.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { pick } from "../../domain/shared/pick.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { accepted, created, dataEnvelope, ok, okOrNotFound, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { readPacking } from "../order-desk/fulfilment/packing.ts";
import { orderFor } from "../order-desk/viewer-orders.ts";
import { lockOrder } from "../orders/lifecycle.ts";
import { orderLinkSchema } from "../orders/link-tokens.ts";
import { orders } from "../orders/tables.ts";
import { type Db, isLockTimeout } from "../platform/database/database.ts";
import { uuidParams } from "../platform/http/params.ts";
import { problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { buyLabel, labelUrl, shipLabel, toBoughtLabel } from "./buy.ts";
import { readLabelJob, startLabelJob } from "./jobs.ts";
import { readLabel, readLabelRefunds } from "./label-rows.ts";
import { readOrderParcel } from "./parcel.ts";
import { labelsPdf, type PrintedLabel } from "./pdf.ts";
import { checkAddress, findRate, labelRate, requestRates } from "./rates.ts";
import { type LabelRow, labelJobOrders, labels } from "./tables.ts";
import { countAsVoid, voidLabel } from "./void.ts";

const shared = {
  tag: "Labels",
  access: "admin",
  roles: ["staff", "packer"],
} as const;
const responses = {
  404: "There is no such order",
  409: "`invalid_state`: not possible in the order's current state; the message says why",
  502: "`provider_unavailable`: the carrier has not answered; nothing is bought twice",
  503: "`not_configured`: no carrier is connected",
};
const labelParams = v.object({ ...uuidParams.entries, labelId: uuidSchema });
const voidedResponse = dataEnvelope(v.object({ labelId: v.string(), state: v.literal("voided") }));
const pdfQuery = v.object({ slips: v.optional(v.picklist(["0", "1"], "0 or 1"), "0") });

/** Calls that buy, print and void carriers' labels. Packers see no amounts. */
export const labelsApi = [
  route("POST /api/admin/orders/:id/label-rates", {
    onlyReads: true,
    ...shared,
    summary:
      "Services for what is left of an order, the cheapest that keeps the promised day first; or for its return",
    params: uuidParams,
    body: labelRatesFormSchema,
    response: dataEnvelope(v.array(labelRateSchema)),
    responses: {
      200: "Services; `amount` in cents is missing for packers",
      ...responses,
      403: "`forbidden`: packers get no rates for a return",
    },
    handle: async (ctx, { params: { id }, body, viewer }) => {
      if (body.returnId && isPacker(viewer)) return returnLabelsForbidden();
      const rates = await requestRates(ctx, id, body);
      return "problem" in rates ? rates : ok(rates.map((rate) => labelRate(rate, canSeeAmounts(viewer))));
    },
  }),
  route("POST /api/admin/orders/:id/label-address", {
    onlyReads: true,
    ...shared,
    summary: "Check an order's address at the carriers before a label is bought",
    params: uuidParams,
    response: dataEnvelope(labelAddressSchema),
    responses: { 200: "What the carriers found; empty if they do not answer", ...responses },
    handle: async (ctx, { params: { id } }) => {
      const parcel = await readOrderParcel(ctx, ctx.db, id);
      return "problem" in parcel ? parcel : ok(await checkAddress(ctx, parcel));
    },
  }),
  route("GET /api/admin/orders/:id/labels", {
    ...shared,
    summary: "Labels of an order, and whether one can be bought",
    params: uuidParams,
    response: dataEnvelope(orderLabelsSchema),
    responses: { 200: "Oldest first; `amount` is missing for packers", 404: responses[404] },
    handle: async (ctx, { params: { id }, viewer }) => {
      const parcel = await readOrderParcel(ctx, ctx.db, id);
      if ("problem" in parcel && parcel.problem === "not_found") return parcel;
      const rows = await ctx.db
        .select()
        .from(labels)
        .where(eq(labels.orderId, id))
        .orderBy(asc(labels.createdAt));
      const refunds = await readLabelRefunds(ctx.db, id, rows);
      return ok({
        labels: rows.map((row) => ({
          labelId: row.id,
          ...pick(row, "returnId", "state", "carrier", "service", "arrivesOn", "trackingNumber", "tracking"),
          refund: refunds.get(row.id) ?? null,
          ...(canSeeAmounts(viewer) && { amount: row.amountCents }),
          labelUrl: row.state === "bought" ? labelUrl(row.id) : null,
          boughtAt: row.boughtAt?.toISOString() ?? null,
          printedAt: row.printedAt?.toISOString() ?? null,
          isShipped: row.shippedAt !== null,
          isTest: row.mode !== "live",
        })),
        problem: "problem" in parcel ? parcel.message : null,
        returnShipping: (await ctx.settings()).returnShipping,
      });
    },
  }),
  route("POST /api/admin/orders/:id/labels", {
    ...shared,
    summary:
      "Buy a label for what is left of an order, which by default then counts as shipped; a return’s is e-mailed to its buyer",
    params: uuidParams,
    body: labelPurchaseSchema,
    response: dataEnvelope(boughtLabelSchema),
    responses: {
      200: "The label that was bought before at the same rate",
      201: "Bought; `amount` in cents is missing for packers",
      ...responses,
      403: "`forbidden`: packers buy the proposed service only, and none for an order on hold",
      409: "It has a label at another rate, the rate is no longer offered, or its state does not permit it; an order on hold needs `force` and a `reason`",
    },
    handle: async (ctx, { params: { id }, body, viewer, log }) => {
      if (body.force && isPacker(viewer)) {
        return problem("forbidden", "Only the owner or staff can buy a label for an order on hold.");
      }
      if (isPacker(viewer) && (await findRate(ctx, id, body.rateId))?.returnId)
        return returnLabelsForbidden();
      const result = await buyLabel(ctx, { orderId: id, ...body }, { onlyProposed: isPacker(viewer) });
      if ("problem" in result) return result;
      const { label, isNew, shipHold } = result;
      if (isNew) {
        const number = await readOrderNumber(ctx, id);
        const what = label.returnId === null ? "Label" : "Return label";
        const bought = `${what} bought for order #${number}: ${label.carrier} ${label.service}, ${formatCents(label.amountCents)}`;
        const summary = shipHold ? `${bought}, although it is held back: ${body.reason}` : bought;
        log({ subject: `order:${id}`, summary });
      }
      const boughtLabel = toBoughtLabel(label, canSeeAmounts(viewer));
      return isNew ? created(boughtLabel) : ok(boughtLabel);
    },
  }),
  route("DELETE /api/admin/orders/:id/labels/:labelId", {
    ...shared,
    summary: "Void a label; its parcel is taken back, and the order is as before",
    params: labelParams,
    response: voidedResponse,
    responses: {
      200: "Voided, now or by an earlier call",
      ...responses,
      403: "`forbidden`: packers cannot void the label of a return",
      404: "There is no such label",
    },
    handle: async (ctx, { params: { id, labelId }, viewer, log }) => {
      const voidProblem = await voidLabel(ctx, { orderId: id, labelId, mayVoidReturn: !isPacker(viewer) });
      if (voidProblem) return voidProblem;
      log({ subject: `order:${id}`, summary: `Label of order #${await readOrderNumber(ctx, id)} voided` });
      return ok({ labelId, state: "voided" as const });
    },
  }),
  route("POST /api/admin/orders/:id/labels/:labelId/count-as-void", {
    ...shared,
    roles: [],
    summary:
      "Count a label as void that its carrier has been asked to void without an answer, so that another one can be bought; if the carrier refuses later, both are paid",
    params: labelParams,
    response: voidedResponse,
    responses: {
      200: "It counts as void, from now or from an earlier call; the shop keeps requesting the refund from the carrier",
      404: "There is no such label",
      409: "`invalid_state`: the carrier was not asked to void it, or has refused",
    },
    handle: async (ctx, { params: { id, labelId }, log }) => {
      const voidProblem = await countAsVoid(ctx, { orderId: id, labelId });
      if (voidProblem) return voidProblem;
      const { carrier, amountCents } = await readLabel(ctx.db, labelId);
      const summary = `Label of order #${await readOrderNumber(ctx, id)} counted as void without the word of ${carrier}, which may still charge ${formatCents(amountCents)}`;
      log({ subject: `order:${id}`, summary });
      return ok({ labelId, state: "voided" as const });
    },
  }),
  route("POST /api/admin/labels", {
    ...shared,
    summary: "Buy labels for several orders, each at its proposed rate",
    body: bulkLabelsSchema,
    response: dataEnvelope(v.object({ jobId: v.string() })),
    responses: { 202: "The job was queued; request its progress by its id" },
    handle: async (ctx, { body, log }) => {
      const jobId = await startLabelJob(ctx, body.orderIds);
      log({ summary: `Labels bought for ${body.orderIds.length} orders` });
      return accepted({ jobId });
    },
  }),
  route("GET /api/admin/labels/jobs/:id", {
    ...shared,
    summary: "Progress of labels bought for several orders",
    params: uuidParams,
    response: dataEnvelope(labelJobSchema),
    responses: { 200: "`pdfUrl` once there is a label", 404: "There is no such job" },
    handle: async (ctx, { params: { id } }) => okOrNotFound("job", await readLabelJob(ctx.db, id)),
  }),
  route("GET /api/admin/labels/jobs/:id/pdf", {
    ...shared,
    downloads: true,
    summary: "The labels of a job in one PDF, with `slips=1` each with its packing slip",
    params: uuidParams,
    query: pdfQuery,
    file: ["application/pdf"],
    responses: { 200: "PDF", 404: "There is no label to print" },
    handle: async (ctx, { params: { id }, query }) => {
      const rows = await ctx.db
        .select({ label: labels })
        .from(labelJobOrders)
        .innerJoin(labels, eq(labels.id, labelJobOrders.labelId))
        .where(and(eq(labelJobOrders.jobId, id), eq(labels.state, "bought")))
        .orderBy(asc(labelJobOrders.position));
      const labelRows = rows.map(({ label }) => label);
      return pdfResponse(ctx, labelRows, query.slips === "1");
    },
  }),
  route("GET /api/admin/labels/:id/pdf", {
    ...shared,
    downloads: true,
    summary: "A label as PDF, with `slips=1` with its packing slip",
    params: uuidParams,
    query: pdfQuery,
    file: ["application/pdf"],
    responses: { 200: "PDF", 404: "There is no such label, or it is void" },
    handle: async (ctx, { params: { id }, query }) => {
      const rows = await ctx.db
        .select()
        .from(labels)
        .where(and(eq(labels.id, id), eq(labels.state, "bought")));
      return pdfResponse(ctx, rows, query.slips === "1");
    },
  }),
  route("GET /api/orders/:id/returns/:returnId/label", {
    tag: "Labels",
    access: "anyone",
    // Panel users may open it, too, which the activity log records.
    byBuyer: true,
    downloads: true,
    limit: "none",
    summary: "The label that the shop sent for the visitor's return, as PDF",
    params: v.object({ ...uuidParams.entries, returnId: uuidSchema }),
    query: v.object({ token: orderLinkSchema }),
    file: ["application/pdf"],
    responses: { 200: "PDF", 404: "The order is not this visitor's, or it has no such label" },
    handle: async (ctx, { params: { id, returnId }, query, viewer, log }) => {
      const order = await orderFor(ctx, viewer, id, query.token);
      const matchesReturn = and(eq(labels.orderId, id), eq(labels.returnId, returnId));
      const rows = order
        ? await ctx.db
            .select()
            .from(labels)
            .where(and(matchesReturn, eq(labels.state, "bought"), isNotNull(labels.recipient)))
        : [];
      if (order && rows.length > 0)
        log({ subject: `order:${id}`, summary: `Opened the return label of order #${order.number}` });
      return pdfResponse(ctx, rows, false);
    },
  }),
  route("POST /api/admin/labels/printed", {
    ...shared,
    summary: "Mark labels as printed; depending on the owner's setting, their orders then count as shipped",
    body: printedLabelsSchema,
    response: dataEnvelope(v.object({ shipped: v.number(), busy: v.array(v.number()) })),
    responses: {
      200: "`shipped`: the number of parcels that were marked as shipped; `busy`: numbers of orders that someone else is working on, whose labels were not marked",
    },
    handle: async (ctx, { body, log }) => {
      const { shippedWhen } = (await ctx.ownerSettings()).labels;
      const rows = await ctx.db
        .select()
        .from(labels)
        .where(and(inArray(labels.id, body.labelIds), eq(labels.state, "bought")));
      let shippedCount = 0;
      const busy: number[] = [];
      for (const { id, orderId, shippedAt } of rows) {
        const markPrinted = async (tx: Db) => {
          await lockOrder(tx, orderId);
          await tx.update(labels).set({ printedAt: ctx.now() }).where(eq(labels.id, id));
          if (shippedWhen !== "printed" || shippedAt !== null) return;
          await shipLabel(ctx, tx, id, { isPurchase: false });
          // An order on hold keeps its label.
          if ((await readLabel(tx, id)).shippedAt !== null) shippedCount += 1;
        };
        await ctx.db.transaction(markPrinted).catch(async (error: unknown) => {
          if (!isLockTimeout(error)) throw error;
          busy.push(await readOrderNumber(ctx, orderId));
        });
      }
      log({ summary: `Labels printed: ${rows.length - busy.length}` });
      return ok({ shipped: shippedCount, busy });
    },
  }),
];

function returnLabelsForbidden() {
  return problem("forbidden", "Only the owner or staff can send return labels.");
}

const isPacker = ({ admin }: Viewer) => admin?.role === "packer";
const canSeeAmounts = (viewer: Viewer) => !isPacker(viewer);

async function readOrderNumber({ db }: ShopContext, orderId: string): Promise<number> {
  const [row] = await db.select({ number: orders.number }).from(orders).where(eq(orders.id, orderId));
  return row?.number ?? 0;
}

async function pdfResponse(ctx: ShopContext, rows: readonly LabelRow[], withSlips: boolean) {
  if (rows.length === 0) return problem("not_found", "There is no label to print.");
  const printedLabels: PrintedLabel[] = [];
  for (const label of rows) {
    const slip = withSlips && label.returnId === null ? await readPacking(ctx, label.orderId) : null;
    printedLabels.push({ label, slip, number: slip?.number ?? (await readOrderNumber(ctx, label.orderId)) });
  }
  const [shop, { labels: settings, timeZone }] = [await ctx.settings(), await ctx.ownerSettings()];
  const bytes = await labelsPdf(printedLabels, { settings, shop, timeZone });
  const name = rows.length === 1 ? `label-${printedLabels[0]?.number}.pdf` : "labels.pdf";
  return {
    status: 200 as const,
    stream: new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(),
    headers: {
      "Content-Disposition": `inline; filename="${name}"`,
      "Cache-Control": "no-store",
      "Content-Type": "application/pdf",
      "Content-Length": String(bytes.length),
    },
  };
}
