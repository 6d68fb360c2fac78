import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { InvoiceRow } from "../../domain/books/invoice.ts";
import { countedModes } from "../../domain/payments/payment-mode.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { orderEvents, orders } from "../orders/tables.ts";
import { refunds } from "../payments/tables.ts";
import { type Db, isDatabaseUnavailable, isLockTimeout } from "../platform/database/database.ts";
import { credits } from "../sales/sales-events.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { invoicePdf } from "./invoice-pdf.ts";
import { type InvoiceRecord, issueCreditNote, issueEditInvoice, issueInvoice } from "./issue.ts";
import { invoices } from "./tables.ts";

/** Selects documents of one order, or issued in a period. */
type DocumentFilter = { orderId: string } | { from: Date; before: Date };

const batchSize = 50;

/** Documents, newest first. `after`: id of the last document of the previous page. */
export async function listInvoices(
  { db, provider }: ShopContext,
  filter: DocumentFilter,
  { limit, after }: { limit: number; after: string | null },
): Promise<InvoiceRow[]> {
  const rows = await db
    .select({ invoice: invoices, orderNumber: orders.number })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .where(
      and(
        isSelected(filter),
        inArray(invoices.mode, countedModes[provider.mode]),
        after === null
          ? undefined
          : sql`(${invoices.issuedAt}, ${invoices.id}) < (select issued_at, id from ${invoices} where id = ${after}::uuid)`,
      ),
    )
    .orderBy(desc(invoices.issuedAt), desc(invoices.id))
    .limit(limit);
  return rows.map(({ invoice, orderNumber }) => toRow(invoice, orderNumber));
}

export function toRow(invoice: InvoiceRecord, orderNumber: number): InvoiceRow {
  const { id, kind, orderId, orderEditId, snapshot, totalCents, issuedAt, voidedAt, voidReason } = invoice;
  return {
    id,
    kind,
    label: snapshot.label,
    orderId,
    orderNumber,
    changeId: kind === "invoice" ? orderEditId : null,
    buyer: snapshot.buyer.company ?? snapshot.buyer.name,
    issuedAt: issuedAt.toISOString(),
    totalCents,
    voidedAt: voidedAt?.toISOString() ?? null,
    voidReason,
  };
}

export async function findInvoice(db: Db, id: string): Promise<InvoiceRecord | null> {
  const [invoice] = await db.select().from(invoices).where(eq(invoices.id, id));
  return invoice ?? null;
}

/** Voids a document, which keeps its number and content. Null if it does not exist, or is void already. */
export async function voidInvoice(
  ctx: ShopContext,
  id: string,
  reason: string,
): Promise<InvoiceRecord | null> {
  const [voided] = await ctx.db
    .update(invoices)
    .set({ voidedAt: ctx.now(), voidReason: reason })
    .where(and(eq(invoices.id, id), isNull(invoices.voidedAt)))
    .returning();
  return voided ?? null;
}

/** A document's PDF, and its file name. */
export async function invoiceFile(
  ctx: ShopContext,
  invoice: InvoiceRecord,
): Promise<{ name: string; bytes: Uint8Array }> {
  const { snapshot, voidedAt, voidReason } = invoice;
  const timeZone = await ownerTimeZone(ctx);
  const voided = voidedAt && { on: dateIn(timeZone, voidedAt), reason: voidReason ?? "" };
  return { name: `${snapshot.label}.pdf`, bytes: await invoicePdf(snapshot, voided) };
}

/** All documents of a period as PDF files, oldest first; those of test payments are left out in live mode. */
export async function* invoiceFiles(
  ctx: ShopContext,
  period: { from: Date; before: Date },
): AsyncGenerator<{ name: string; bytes: Uint8Array; at: Date }> {
  let after = "";
  for (;;) {
    const ids = await ctx.db
      .select({ id: invoices.id })
      .from(invoices)
      .where(
        and(
          isSelected(period),
          inArray(invoices.mode, countedModes[ctx.provider.mode]),
          after === ""
            ? undefined
            : sql`(${invoices.issuedAt}, ${invoices.id}) > (select issued_at, id from ${invoices} where id = ${after}::uuid)`,
        ),
      )
      .orderBy(asc(invoices.issuedAt), asc(invoices.id))
      .limit(batchSize);
    for (const { id } of ids) {
      const invoice = await findInvoice(ctx.db, id);
      if (invoice) yield { ...(await invoiceFile(ctx, invoice)), at: invoice.issuedAt };
    }
    after = ids.at(-1)?.id ?? "";
    if (ids.length < batchSize) return;
  }
}

function isSelected(filter: DocumentFilter) {
  return "orderId" in filter
    ? eq(invoices.orderId, filter.orderId)
    : and(gte(invoices.issuedAt, filter.from), lt(invoices.issuedAt, filter.before));
}

const dayMs = 24 * 60 * 60 * 1000;
/** Documents are issued for payments and order edits of this period. */
const lookBackMs = 7 * dayMs;
/** Credit notes cover a longer period, because a refund may be detected, or its order invoiced, long after it was made. */
const creditsLookBackMs = 400 * dayMs;
const maxIssuedPerRun = 200;

/**
 * Issues due documents: an invoice for each paid order (if the shop issues them at payment), one for the added lines of an
 * edit of an invoiced order, a credit note for each refund and offset of an invoiced order. Voids the credit note of a failed
 * refund. Runs as a separate job, so that no sale waits for a document number. Returns the number of documents issued. If one
 * fails, the others are issued nevertheless, and the first error is thrown at the end.
 */
export async function issueDueInvoices(ctx: ShopContext): Promise<number> {
  const { db, provider } = ctx;
  const [{ seller }, { invoices: terms }] = await Promise.all([ctx.settings(), ctx.ownerSettings()]);
  if (!seller.legalName || !seller.address) return 0;
  const since = new Date(ctx.now().getTime() - lookBackMs);
  const ofMode = inArray(orders.mode, countedModes[provider.mode]);
  let issuedCount = 0;
  const errors: unknown[] = [];
  const issueEach = async <Source>(
    sources: readonly Source[],
    issue: (source: Source) => Promise<boolean>,
  ): Promise<void> => {
    for (const source of sources) {
      try {
        if (await issue(source)) issuedCount += 1;
      } catch (error) {
        if (isDatabaseUnavailable(error) && !isLockTimeout(error)) throw error;
        errors.push(error);
      }
    }
  };
  if (terms.issue === "at_payment") {
    const paidOrders = await db
      .select({ id: orders.id })
      .from(orders)
      .where(
        and(
          gte(orders.paidAt, since),
          ofMode,
          isNull(orders.erasedAt),
          sql`not exists (select from ${invoices} i where i.order_id = ${orders.id} and i.kind = 'invoice' and i.order_edit_id is null)`,
          sql`exists (select from ${orderEvents} e where e.order_id = ${orders.id} and e.to_status = 'completed')`,
        ),
      )
      .orderBy(asc(orders.paidAt), asc(orders.id))
      .limit(maxIssuedPerRun);
    await issueEach(paidOrders, async ({ id }) => {
      const result = await issueInvoice(ctx, id);
      return result.ok && result.isNew;
    });
  }
  const editsToInvoice = await db
    .select({ id: orderEdits.id })
    .from(orderEdits)
    .innerJoin(
      invoices,
      and(
        eq(invoices.orderId, orderEdits.orderId),
        eq(invoices.kind, "invoice"),
        isNull(invoices.orderEditId),
      ),
    )
    .where(
      and(
        eq(orderEdits.status, "applied"),
        // An edit may add only shipping.
        gt(orderEdits.addedCents, 0),
        sql`greatest(${orderEdits.endedAt}, ${invoices.issuedAt}) >= ${since.toISOString()}::timestamptz`,
        isNull(invoices.voidedAt),
        sql`not exists (select from ${invoices} c where c.kind = 'invoice' and c.order_edit_id = ${orderEdits.id} and c.voided_at is null)`,
      ),
    )
    .orderBy(asc(orderEdits.endedAt), asc(orderEdits.id))
    .limit(maxIssuedPerRun);
  await issueEach(editsToInvoice, async ({ id }) => (await issueEditInvoice(ctx, id)) !== null);
  // A voided credit note is issued again only for a recent refund.
  const countsAsNote = sql`(c.voided_at is null or r.settled_at < ${since.toISOString()}::timestamptz)`;
  const { rows: uncreditedRows } = await db.execute<{ id: string; exchanged_by: string | null }>(sql`
    select r.id, r.exchanged_by from ${credits}
      join ${invoices} i on i.order_id = r.order_id and i.kind = 'invoice' and i.order_edit_id is null and i.voided_at is null
    where r.settled_at >= ${new Date(ctx.now().getTime() - creditsLookBackMs).toISOString()}::timestamptz
      and not exists (select from ${invoices} c where ${countsAsNote} and c.refund_id = r.id)
      and not exists (select from ${invoices} c where ${countsAsNote} and c.kind = 'credit_note' and c.order_edit_id = r.exchanged_by)
    order by r.settled_at, r.id limit ${maxIssuedPerRun}`);
  await issueEach(uncreditedRows, async ({ id, exchanged_by: orderEditId }) => {
    const credit = orderEditId === null ? { refundId: id, orderEditId } : { refundId: null, orderEditId };
    return (await issueCreditNote(ctx, credit)) !== null;
  });
  const failedRefundNotes = await db
    .select({ id: invoices.id })
    .from(invoices)
    .innerJoin(refunds, eq(refunds.id, invoices.refundId))
    .where(and(eq(refunds.status, "failed"), isNull(invoices.voidedAt), isNotNull(invoices.refundId)));
  await issueEach(failedRefundNotes, async ({ id }) => {
    await voidInvoice(ctx, id, "The bank sent the refund back");
    return false;
  });
  if (errors.length > 0) throw errors[0];
  return issuedCount;
}
