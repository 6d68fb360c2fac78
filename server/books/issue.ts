import { randomUUID } from "node:crypto";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import {
  type InvoiceBuyer,
  type InvoiceSnapshot,
  invoiceBuyer,
  invoiceLabel,
} from "../../domain/books/invoice.ts";
import { multiplyDivideHalfUp } from "../../domain/checkout/rounding.ts";
import { taxRateFor } from "../../domain/checkout/tax.ts";
import { type Totals, taxOn } from "../../domain/checkout/totals.ts";
import { type Order, wasSold } from "../../domain/orders/order.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { orderEdits } from "../order-desk/tables.ts";
import { lockOrder } from "../orders/lifecycle.ts";
import { findOrder } from "../orders/queries.ts";
import { orderLines } from "../orders/tables.ts";
import { readTaxPlace, taxPlaceName } from "../orders/tax-place.ts";
import { refunds } from "../payments/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { invoiceNumbers, invoices } from "./tables.ts";

export type InvoiceRecord = typeof invoices.$inferSelect;
export type IssueResult =
  | { ok: true; invoice: InvoiceRecord; isNew: boolean }
  | { ok: false; reason: "unknown_order" | "no_sale" | "no_seller" | "erased" };

/**
 * Issues the invoice of a paid order, or returns the existing one. Takes the number and inserts the invoice in one
 * transaction, so that no number is skipped or used twice.
 */
export async function issueInvoice(
  ctx: ShopContext,
  orderId: string,
  buyer: InvoiceBuyer = { company: null, vatId: null },
): Promise<IssueResult> {
  return ctx.db.transaction(async (tx): Promise<IssueResult> => {
    // Concurrent calls for the same order wait here before taking a number.
    const lockedOrder = await lockOrder(tx, orderId);
    if (!lockedOrder) return { ok: false, reason: "unknown_order" };
    const existingInvoice = await findInvoice(tx, orderId);
    if (existingInvoice) return { ok: true, invoice: existingInvoice, isNew: false };
    const order = await findOrder(tx, orderId);
    if (!order?.paidAt || !wasSold(order)) return { ok: false, reason: "no_sale" };
    if (order.erasedAt !== null) return { ok: false, reason: "erased" };
    const { lines, totals } = await originalSale(tx, order);
    const facts = await snapshotFacts(ctx, tx, { ...order, totals: { ...order.totals, ...totals } });
    if (!facts) return { ok: false, reason: "no_seller" };
    const { seller, timeZone, note } = facts;
    const invoice = await insertDocument(tx, ctx, {
      kind: "invoice",
      timeZone,
      mode: lockedOrder.mode ?? ctx.provider.mode,
      orderId,
      refundId: null,
      orderEditId: null,
      totalCents: totals.total,
      content: {
        version: 1,
        seller,
        buyer: { ...invoiceBuyer(order), company: buyer.company || null, vatId: buyer.vatId || null },
        order: orderFacts(order, timeZone),
        currency: order.currency,
        lines,
        subtotal: totals.subtotal,
        discount: totals.discount,
        discountCode: order.discountCode,
        shipping: { name: order.shippingOption.name, cents: totals.shipping },
        tax: {
          place: taxPlaceName(facts.place),
          percent: facts.percent,
          cents: totals.tax,
          ...(totals.taxIncluded && { included: totals.taxIncluded }),
        },
        total: totals.total,
        corrects: null,
        note,
      },
    });
    return { ok: true, invoice, isNew: true };
  });
}

/** Lines and totals of an order without its edits, which have their own invoices. */
async function originalSale(
  tx: Db,
  { id, items, totals }: Order,
): Promise<{ lines: InvoiceSnapshot["lines"]; totals: Totals }> {
  const [firstEdit] = await tx
    .select()
    .from(orderEdits)
    .where(and(eq(orderEdits.orderId, id), eq(orderEdits.status, "applied")))
    .orderBy(asc(orderEdits.endedAt), asc(orderEdits.createdAt))
    .limit(1);
  if (firstEdit) {
    const lines = firstEdit.before.lines.map(({ name, quantity, unitPrice: price, total }) => {
      return { name, quantity, price, total };
    });
    return { lines, totals: firstEdit.before.totals };
  }
  return {
    lines: items.map(({ name, quantity, price, total }) => ({ name, quantity, price, total })),
    totals,
  };
}

/** Issues the invoices of all applied edits of an order, whose own invoice has been issued. */
export async function issueEditInvoices(ctx: ShopContext, orderId: string): Promise<void> {
  const edits = await ctx.db
    .select({ id: orderEdits.id })
    .from(orderEdits)
    .where(and(eq(orderEdits.orderId, orderId), eq(orderEdits.status, "applied")))
    .orderBy(asc(orderEdits.endedAt), asc(orderEdits.id));
  for (const { id } of edits) await issueEditInvoice(ctx, id);
}

/** Issues the invoice of the lines that an edit added, if its order has an invoice. Null if there is nothing to invoice. */
export async function issueEditInvoice(ctx: ShopContext, orderEditId: string): Promise<InvoiceRecord | null> {
  return ctx.db.transaction(async (tx) => {
    const [edit] = await tx.select().from(orderEdits).where(eq(orderEdits.id, orderEditId));
    const lockedOrder = edit && (await lockOrder(tx, edit.orderId));
    if (edit?.status !== "applied" || !lockedOrder) return null;
    const isEditInvoice = and(
      eq(invoices.orderEditId, orderEditId),
      eq(invoices.kind, "invoice"),
      isNull(invoices.voidedAt),
    );
    const orderInvoice = await findInvoice(tx, lockedOrder.id);
    if (!orderInvoice || (await tx.$count(invoices, isEditInvoice)) > 0) return null;
    const { timeZone } = await ctx.ownerSettings(tx);
    const { snapshot } = orderInvoice;
    const { added, goodsCents, shippingCents, taxCents, addedCents: total } = edit;
    const isIncluded = snapshot.tax.included !== undefined;
    const inShipping = added.reduce((rest, { tax }) => rest - tax, taxCents);
    const shipping = shippingCents + (isIncluded ? inShipping : 0);
    if (total === 0) return null;
    const subtotal = isIncluded ? total - shipping : goodsCents;
    const place = await readTaxPlace(tx, lockedOrder.id);
    const rate = taxRateFor((await ctx.settings(tx)).tax, place.country ?? "", place.state);
    return insertDocument(tx, ctx, {
      kind: "invoice",
      timeZone,
      mode: orderInvoice.mode,
      orderId: lockedOrder.id,
      refundId: null,
      orderEditId,
      totalCents: total,
      content: {
        ...snapshot,
        order: { ...snapshot.order, paidOn: dateIn(timeZone, edit.endedAt ?? ctx.now()) },
        lines: added.map(({ name, quantity, unitPrice, bundleSaving }) => ({
          name,
          quantity,
          price: unitPrice,
          total: quantity * unitPrice - bundleSaving,
        })),
        subtotal,
        discount: 0,
        discountCode: null,
        shipping: { ...snapshot.shipping, cents: shipping },
        tax: {
          ...snapshot.tax,
          // The rate may have changed since the order was placed.
          percent: chargedPercent(
            { subtotal, discount: 0, shipping, tax: taxCents, isIncluded, lines: added.length },
            rate,
          ),
          cents: taxCents,
          ...(snapshot.tax.included && { included: { ...snapshot.tax.included, inShipping } }),
        },
        total,
      },
    });
  });
}

/** The reason for a credit note: a refund, or an order edit's offset, which is what its removed lines pay of its added lines. */
type CreditSource = { refundId: string; orderEditId: null } | { refundId: null; orderEditId: string };

/** Issues the credit note of a settled refund or an offset, if its order has an invoice. Null if there is nothing to correct. */
export async function issueCreditNote(ctx: ShopContext, source: CreditSource): Promise<InvoiceRecord | null> {
  return ctx.db.transaction(async (tx) => {
    const creditBeforeLock = await readCredit(tx, source);
    const lockedOrder = creditBeforeLock && (await lockOrder(tx, creditBeforeLock.orderId));
    if (!lockedOrder) return null;
    const [existingDocument] = await tx
      .select()
      .from(invoices)
      .where(
        and(
          source.refundId !== null
            ? eq(invoices.refundId, source.refundId)
            : and(eq(invoices.orderEditId, source.orderEditId), eq(invoices.kind, "credit_note")),
          isNull(invoices.voidedAt),
        ),
      );
    if (existingDocument) return existingDocument;
    const credit = await readCredit(tx, source);
    const invoice = await findInvoice(tx, lockedOrder.id);
    if (!invoice || !credit?.isSettled) return null;
    const { timeZone } = await ctx.ownerSettings(tx);
    const { snapshot } = invoice;
    const lines = await creditedLines(tx, credit, snapshot);
    const { included } = snapshot.tax;
    const inShipping = included ? taxInShipping(credit, included, lines !== null) : 0;
    const shipping = credit.shippingCents + inShipping;
    const goods = included ? credit.amountCents - shipping : credit.goodsCents;
    return insertDocument(tx, ctx, {
      kind: "credit_note",
      timeZone,
      mode: invoice.mode,
      orderId: lockedOrder.id,
      ...source,
      totalCents: credit.amountCents,
      content: {
        ...snapshot,
        lines: lines ?? [{ name: "Goods, in part", quantity: 1, price: goods, total: goods }],
        subtotal: goods,
        discount: 0,
        discountCode: null,
        shipping: { ...snapshot.shipping, cents: shipping },
        tax: {
          ...snapshot.tax,
          cents: credit.taxCents,
          ...(included && { included: { ...included, inShipping } }),
        },
        total: credit.amountCents,
        corrects: { label: snapshot.label, issuedOn: snapshot.issuedOn, reason: null },
      },
    });
  });
}

type Credit = Pick<
  typeof refunds.$inferSelect,
  "orderId" | "amountCents" | "goodsCents" | "shippingCents" | "taxCents" | "lines"
> & { isSettled: boolean };

async function readCredit(tx: Db, { refundId, orderEditId }: CreditSource): Promise<Credit | null> {
  if (refundId !== null) {
    const [refund] = await tx.select().from(refunds).where(eq(refunds.id, refundId));
    return refund ? { ...refund, isSettled: refund.status === "succeeded" } : null;
  }
  const [edit] = await tx.select().from(orderEdits).where(eq(orderEdits.id, orderEditId));
  return edit
    ? {
        orderId: edit.orderId,
        amountCents: edit.exchangedCents,
        goodsCents: edit.exchangedGoodsCents,
        shippingCents: edit.exchangedShippingCents,
        taxCents: edit.exchangedTaxCents,
        lines: edit.removed,
        isSettled: edit.exchangedCents > 0,
      }
    : null;
}

type NewDocument = Pick<
  InvoiceRecord,
  "kind" | "mode" | "orderId" | "refundId" | "orderEditId" | "totalCents"
> & {
  timeZone: string;
  /** The document without its number and date. */
  content: Omit<InvoiceSnapshot, "label" | "issuedOn" | "isTest">;
};

/** Takes the next number of the year, locking the series until the transaction ends, and inserts the document. */
async function insertDocument(
  tx: Db,
  ctx: ShopContext,
  { timeZone, content, ...row }: NewDocument,
): Promise<InvoiceRecord> {
  const { kind, mode } = row;
  // Locks the series before reading the time, so that at New Year the number and the date have the same year.
  await tx
    .select({ year: invoiceNumbers.year })
    .from(invoiceNumbers)
    .where(and(eq(invoiceNumbers.mode, mode), eq(invoiceNumbers.kind, kind)))
    .for("update");
  const issuedAt = ctx.now();
  const issuedOn = dateIn(timeZone, issuedAt);
  const year = Number(issuedOn.slice(0, 4));
  const [series] = await tx
    .insert(invoiceNumbers)
    .values({ mode, kind, year, last: 1 })
    .onConflictDoUpdate({
      target: [invoiceNumbers.mode, invoiceNumbers.kind, invoiceNumbers.year],
      set: { last: sql`${invoiceNumbers.last} + 1` },
    })
    .returning();
  if (!series) throw new Error("No invoice number was written");
  const number = series.last;
  const isTest = mode !== "live";
  const label = invoiceLabel({ kind, year, number, isTest });
  const snapshot = { ...content, label, issuedOn, isTest };
  const [document] = await tx
    .insert(invoices)
    .values({ ...row, id: randomUUID(), year, number, issuedAt, snapshot })
    .returning();
  if (!document) throw new Error("No invoice was written");
  return document;
}

async function findInvoice(tx: Db, orderId: string): Promise<InvoiceRecord | null> {
  const isInvoice = and(
    eq(invoices.orderId, orderId),
    eq(invoices.kind, "invoice"),
    isNull(invoices.orderEditId),
    isNull(invoices.voidedAt),
  );
  const [invoice] = await tx.select().from(invoices).where(isInvoice);
  return invoice ?? null;
}

/** The seller, tax and note for an invoice. Null while the seller's name or address is missing, which the law requires. */
async function snapshotFacts(ctx: ShopContext, tx: Db, order: Order) {
  const { seller, contact, tax } = await ctx.settings(tx);
  const { timeZone, invoices: terms } = await ctx.ownerSettings(tx);
  const place = await readTaxPlace(tx, order.id);
  if (!seller.legalName || !seller.address) return null;
  return {
    timeZone,
    place,
    note: terms.note || null,
    percent: chargedPercent(
      { ...order.totals, isIncluded: order.totals.taxIncluded !== undefined, lines: order.items.length },
      taxRateFor(tax, place.country ?? "", place.state),
    ),
    seller: {
      name: seller.legalName,
      address: seller.address.split("\n").filter(Boolean),
      vatId: seller.vatId || null,
      registration: seller.registration || null,
      email: contact.email,
    },
  };
}

/** The current tax rate if the charged tax was computed from it; null otherwise, because rates may have changed since. */
function chargedPercent(
  charged: Pick<Totals, "subtotal" | "discount" | "shipping" | "tax"> & {
    isIncluded: boolean;
    lines: number;
  },
  rate: ReturnType<typeof taxRateFor>,
): number | null {
  if (!rate || Boolean(rate.included) !== charged.isIncluded) return null;
  const expected = taxOn(
    charged.subtotal - charged.discount + (rate.onShipping ? charged.shipping : 0),
    rate,
  );
  // Tax was rounded per line.
  return Math.abs(expected - charged.tax) <= Math.max(1, charged.lines) ? rate.percent : null;
}

function orderFacts(order: Order, timeZone: string): InvoiceSnapshot["order"] {
  const day = (iso: string) => dateIn(timeZone, new Date(iso));
  return {
    number: order.number,
    placedOn: day(order.createdAt),
    paidOn: day(order.paidAt ?? order.createdAt),
    paidWith: order.paidWith,
  };
}

/** The lines of a credit with their paid amounts; null if the credit lists no lines, or not all of its goods. */
async function creditedLines(
  tx: Db,
  credit: Credit,
  { tax }: InvoiceSnapshot,
): Promise<InvoiceSnapshot["lines"] | null> {
  const sum = credit.lines.reduce((cents, line) => cents + line.goodsCents, 0);
  if (credit.lines.length === 0 || sum !== credit.goodsCents) return null;
  const soldLines = await tx.select().from(orderLines).where(eq(orderLines.orderId, credit.orderId));
  const names = new Map(soldLines.map(({ productId, name }) => [productId, name]));
  return credit.lines.map(({ productId, quantity, goodsCents, taxCents }) => {
    const total = goodsCents + (tax.included ? taxCents : 0);
    return {
      name: names.get(productId) ?? "Goods",
      quantity,
      price: Math.round(total / Math.max(quantity, 1)),
      total,
    };
  });
}

/** The part of a credit's tax that is on shipping: the rest after its lines' tax, or in proportion if it lists no lines. */
function taxInShipping(
  { lines, goodsCents, shippingCents, taxCents }: Credit,
  included: { inShipping: number },
  isByLines: boolean,
): number {
  if (isByLines) return lines.reduce((rest, line) => rest - line.taxCents, taxCents);
  const beforeTax = goodsCents + shippingCents;
  if (included.inShipping === 0 || beforeTax <= 0) return 0;
  return multiplyDivideHalfUp(taxCents, shippingCents, beforeTax);
}
