import * as v from "valibot";
import { invoiceBuyerSchema, invoiceRowSchema } from "../../domain/books/invoice.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { findBuyerOrder, orderFor } from "../order-desk/viewer-orders.ts";
import { orderLinkSchema } from "../orders/link-tokens.ts";
import { pageLimit, uuidParams } from "../platform/http/params.ts";
import { notFoundProblem, type Problem, problem } from "../platform/http/problem.ts";
import { findInvoice, invoiceFile, invoiceFiles, listInvoices, toRow, voidInvoice } from "./invoices.ts";
import { type InvoiceRecord, type IssueResult, issueEditInvoices, issueInvoice } from "./issue.ts";
import { periodDays, resolveTimeRange } from "./period.ts";
import { zipStream } from "./zip.ts";

const tag = "Books";
const shared = { tag, access: "admin" } as const;
const maxInvoicesPerOrder = 200;
const notFound = { 404: "There is no such invoice" };

/** Invoices and credit notes: for the owner and the accountant, and for the buyer of an order. */
export const invoicesApi = [
  route("GET /api/admin/invoices", {
    ...shared,
    roles: ["staff", "accountant"],
    summary: "Invoices and credit notes issued in a period, newest first",
    query: v.object({ ...periodDays, limit: pageLimit(50), cursor: v.optional(uuidSchema) }),
    response: v.object({ data: v.array(invoiceRowSchema), nextCursor: v.nullable(v.string()) }),
    responses: { 200: "`{data, nextCursor}`; days are in the shop's time zone" },
    handle: async (ctx, { query: { limit, cursor = null, ...days } }) => {
      const period = await resolveTimeRange(ctx, days);
      if ("problem" in period) return period;
      const data = await listInvoices(ctx, period, { limit, after: cursor });
      return {
        status: 200,
        body: { data, nextCursor: data.length < limit ? null : (data.at(-1)?.id ?? null) },
      };
    },
  }),
  route("GET /api/admin/invoices.zip", {
    ...shared,
    roles: ["accountant"],
    summary: "The PDFs of all invoices and credit notes issued in a period, in one archive",
    downloads: true,
    query: v.object(periodDays),
    file: ["application/zip"],
    responses: { 200: "ZIP, streamed while it is being created" },
    handle: async (ctx, { query }) => {
      const period = await resolveTimeRange(ctx, query);
      if ("problem" in period) return period;
      const name = `invoices-${period.dates.from}-${period.dates.to}.zip`;
      return {
        status: 200,
        stream: zipStream(invoiceFiles(ctx, period)),
        headers: { ...download(name), "Content-Type": "application/zip" },
      };
    },
  }),
  route("GET /api/admin/invoices/:id/pdf", {
    ...shared,
    roles: ["staff", "accountant"],
    summary: "One invoice or credit note as a PDF, identical bytes on every download",
    downloads: true,
    params: uuidParams,
    file: ["application/pdf"],
    responses: { 200: "PDF", ...notFound },
    handle: async (ctx, { params }) => {
      const invoice = await findInvoice(ctx.db, params.id);
      return invoice ? pdf(ctx, invoice) : notFoundProblem("invoice");
    },
  }),
  route("POST /api/admin/invoices/:id/void", {
    ...shared,
    summary: "Declare an invoice or a credit note void; its number and its document are kept",
    params: uuidParams,
    body: v.object({
      reason: v.pipe(
        v.string("Say why"),
        v.trim(),
        v.minLength(1, "Say why"),
        v.maxLength(200, "At most 200 characters"),
      ),
    }),
    response: dataEnvelope(invoiceRowSchema),
    responses: { 200: "The void document", ...notFound, 409: "It is already void" },
    handle: async (ctx, { params, body, log }) => {
      const invoice = await findInvoice(ctx.db, params.id);
      if (!invoice) return notFoundProblem("invoice");
      const voided = await voidInvoice(ctx, params.id, body.reason);
      const { label, order } = invoice.snapshot;
      if (!voided) return problem("invalid_state", `${label} is already void.`);
      log({ subject: `order:${invoice.orderId}`, summary: `${label} declared void`, after: body });
      return ok(toRow(voided, order.number));
    },
  }),
  route("GET /api/admin/orders/:id/invoices", {
    ...shared,
    roles: ["staff", "accountant"],
    summary: "The invoices and credit notes of an order, newest first",
    params: uuidParams,
    response: dataEnvelope(v.array(invoiceRowSchema)),
    responses: { 200: "All of them, including void ones" },
    handle: async (ctx, { params }) =>
      ok(await listInvoices(ctx, { orderId: params.id }, { limit: maxInvoicesPerOrder, after: null })),
  }),
  route("POST /api/admin/orders/:id/invoices", {
    ...shared,
    roles: ["staff"],
    summary: "Issue an order's invoice, made out to a company if one is given, or return the existing one",
    params: uuidParams,
    body: invoiceBuyerSchema,
    response: dataEnvelope(invoiceRowSchema),
    responses: {
      200: "The invoice",
      404: "There is no such order",
      409: "The order is not paid, or the seller's name and address are missing",
    },
    handle: async (ctx, { params, body, log }) => {
      const result = await issueInvoice(ctx, params.id, body);
      if (!result.ok) return issueProblem(result);
      if (result.isNew) await issueEditInvoices(ctx, params.id);
      const { snapshot } = result.invoice;
      if (result.isNew) log(`${snapshot.label} issued for order #${snapshot.order.number}`);
      return ok(toRow(result.invoice, snapshot.order.number));
    },
  }),
  route("GET /api/orders/:id/invoices", {
    tag,
    access: "anyone",
    limit: "none",
    summary: "The invoices and credit notes of the visitor's order",
    params: uuidParams,
    query: v.object({ token: orderLinkSchema }),
    response: dataEnvelope(v.array(invoiceRowSchema)),
    responses: {
      200: "The documents that are not void, newest first",
      404: "The order is not this visitor's",
    },
    handle: async (ctx, { params, query, viewer }) => {
      const order = await orderFor(ctx, viewer, params.id, query.token);
      if (!order) return notFoundProblem("order");
      const documents = await listInvoices(
        ctx,
        { orderId: params.id },
        { limit: maxInvoicesPerOrder, after: null },
      );
      return ok(documents.filter(({ voidedAt }) => voidedAt === null));
    },
  }),
  route("POST /api/orders/:id/invoices", {
    tag,
    access: "anyone",
    byBuyer: true,
    limit: "write",
    summary: "Request the invoice of the visitor's order, made out to a company if one is given",
    params: uuidParams,
    body: v.object({ ...invoiceBuyerSchema.entries, token: orderLinkSchema }),
    response: dataEnvelope(invoiceRowSchema),
    responses: {
      200: "The new invoice, or the one the order already has",
      404: "The order is not this visitor's",
      409: "The order is not paid, or the shop issues no invoices yet",
    },
    handle: async (ctx, { params, body: { token, ...buyer }, viewer }) => {
      const order = await findBuyerOrder(ctx, viewer, params.id, token);
      if (!order) return notFoundProblem("order");
      const result = await issueInvoice(ctx, params.id, buyer);
      if (!result.ok) return issueProblem(result);
      if (result.isNew) await issueEditInvoices(ctx, params.id);
      return ok(toRow(result.invoice, order.number));
    },
  }),
  route("GET /api/orders/:id/invoices/:invoiceId/pdf", {
    tag,
    access: "anyone",
    // Panel users may download it, too, which the activity log records.
    byBuyer: true,
    downloads: true,
    limit: "none",
    summary: "An invoice or credit note of the visitor's order as a PDF",
    params: v.object({ id: uuidSchema, invoiceId: uuidSchema }),
    query: v.object({ token: orderLinkSchema }),
    file: ["application/pdf"],
    responses: { 200: "PDF", ...notFound },
    handle: async (ctx, { params, query, viewer, log }) => {
      const order = await orderFor(ctx, viewer, params.id, query.token);
      const invoice = order && (await findInvoice(ctx.db, params.invoiceId));
      if (invoice?.orderId !== params.id) return notFoundProblem("invoice");
      log(`Downloaded ${invoice.snapshot.label}.pdf`);
      return pdf(ctx, invoice);
    },
  }),
];

async function pdf(ctx: ShopContext, invoice: InvoiceRecord) {
  const { name, bytes } = await invoiceFile(ctx, invoice);
  return {
    status: 200 as const,
    stream: new Blob([bytes as Uint8Array<ArrayBuffer>]).stream(),
    headers: { ...download(name), "Content-Type": "application/pdf", "Content-Length": String(bytes.length) },
  };
}

function download(name: string): Record<string, string> {
  return { "Content-Disposition": `attachment; filename="${name}"`, "Cache-Control": "no-store" };
}

function issueProblem({ reason }: Extract<IssueResult, { ok: false }>): Problem {
  switch (reason) {
    case "unknown_order":
      return notFoundProblem("order");
    case "no_sale":
      return problem("invalid_state", "There is no invoice for an order that was not paid.");
    case "erased":
      return problem("invalid_state", "The buyer’s data was deleted, so no invoice can be issued.");
    case "no_seller":
      return problem(
        "invalid_state",
        "The shop cannot issue invoices yet: the seller’s name and address are missing in Settings.",
      );
  }
}
