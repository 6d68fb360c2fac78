import { randomUUID } from "node:crypto";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { addressLines } from "../../domain/address/address-format.ts";
import { type InvoiceBuyer, type InvoiceSnapshot, invoiceLabel } from "../../domain/books/invoice.ts";
import { multiplyDivideHalfUp } from "../../domain/checkout/rounding.ts";
import { taxRateFor } from "../../domain/checkout/tax.ts";
import { type Totals, taxOn } from "../../domain/checkout/totals.ts";
import type { Order } from "../../domain/orders/order.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { orderChanges } from "../order-desk/tables.ts";
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
  | { ok: false; because: "unknown_order" | "no_sale" | "no_seller" | "erased" };

/**
 * Issues the invoice of a paid order, or answers the one it has. The number is taken and the invoice written in one
 * transaction, so that a crash leaves neither: no number is skipped, and none is used twice.
 */
export async function issueInvoice(
  ctx: ShopContext,
  orderId: string,
  buyer: InvoiceBuyer = { company: null, vatId: null },
): Promise<IssueResult> {
  return ctx.db.transaction(async (tx): Promise<IssueResult> => {
    // Twins wait for each other here, before either takes a number.
    const locked = await lockOrder(tx, orderId);
    if (!locked) return { ok: false, because: "unknown_order" };
    const existing = await invoiceOf(tx, orderId);
    if (existing) return { ok: true, invoice: existing, isNew: false };
    const order = await findOrder(tx, orderId);
    if (!order?.paidAt || !isSale(order)) return { ok: false, because: "no_sale" };
    if (order.erasedAt !== null) return { ok: false, because: "erased" };
    const { lines, totals } = await soldFirst(tx, order);
    const facts = await snapshotFacts(ctx, tx, { ...order, totals: { ...order.totals, ...totals } });
    if (!facts) return { ok: false, because: "no_seller" };
    const { seller, timeZone, note } = facts;
    const invoice = await write(tx, ctx, {
      kind: "invoice",
      timeZone,
      mode: locked.mode ?? ctx.provider.mode,
      orderId,
      refundId: null,
      changeId: null,
      totalCents: totals.total,
      say: ({ label, issuedOn, isTest }) => ({
        version: 1,
        label,
        issuedOn,
        isTest,
        seller,
        buyer: { ...buyerOf(order), company: buyer.company || null, vatId: buyer.vatId || null },
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
      }),
    });
    return { ok: true, invoice, isNew: true };
  });
}

/** Lines and totals of an order as it was first paid: what changes of its items add later has an invoice of its own. */
async function soldFirst(
  tx: Db,
  { id, items, totals }: Order,
): Promise<{ lines: InvoiceSnapshot["lines"]; totals: Totals }> {
  const [first] = await tx
    .select()
    .from(orderChanges)
    .where(and(eq(orderChanges.orderId, id), eq(orderChanges.status, "applied")))
    .orderBy(asc(orderChanges.endedAt), asc(orderChanges.createdAt))
    .limit(1);
  if (first) {
    const lines = first.before.lines.map(({ name, quantity, unitPrice: price, total }) => {
      return { name, quantity, price, total };
    });
    return { lines, totals: first.before.totals };
  }
  return {
    lines: items.map(({ name, quantity, price, total }) => ({ name, quantity, price, total })),
    totals,
  };
}

/** Issues what changes added to an order that has just got its invoice, so that whoever asked for that finds these, too. */
export async function issueChangeInvoices(ctx: ShopContext, orderId: string): Promise<void> {
  const applied = await ctx.db
    .select({ id: orderChanges.id })
    .from(orderChanges)
    .where(and(eq(orderChanges.orderId, orderId), eq(orderChanges.status, "applied")))
    .orderBy(asc(orderChanges.endedAt), asc(orderChanges.id));
  for (const { id } of applied) await issueChangeInvoice(ctx, id);
}

/** The invoice of what a change added to a paid order, where the order has one; null where nothing is to be invoiced. */
export async function issueChangeInvoice(ctx: ShopContext, changeId: string): Promise<InvoiceRecord | null> {
  return ctx.db.transaction(async (tx) => {
    const [asked] = await tx.select().from(orderChanges).where(eq(orderChanges.id, changeId));
    const locked = asked && (await lockOrder(tx, asked.orderId));
    if (asked?.status !== "applied" || !locked) return null;
    const known = and(eq(invoices.changeId, changeId), isNull(invoices.voidedAt));
    const first = await invoiceOf(tx, locked.id);
    if (!first || (await tx.$count(invoices, known)) > 0) return null;
    const { timeZone } = await ctx.ownerSettings(tx);
    const of = first.snapshot;
    const { added, goodsCents, shippingCents, taxCents } = asked;
    const isIncluded = of.tax.included !== undefined;
    const inShipping = added.reduce((left, { tax }) => left - tax, taxCents);
    const shipping = shippingCents + (isIncluded ? inShipping : 0);
    const total = goodsCents + shippingCents + taxCents;
    if (total === 0) return null;
    const subtotal = isIncluded ? total - shipping : goodsCents;
    const place = await readTaxPlace(tx, locked.id);
    const rate = taxRateFor((await ctx.settings(tx)).tax, place.country ?? "", place.state);
    return write(tx, ctx, {
      kind: "invoice",
      timeZone,
      mode: first.mode,
      orderId: locked.id,
      refundId: null,
      changeId,
      totalCents: total,
      say: ({ label, issuedOn, isTest }) => ({
        ...of,
        label,
        issuedOn,
        isTest,
        order: { ...of.order, paidOn: dateIn(timeZone, asked.endedAt ?? ctx.now()) },
        lines: added.map(({ name, quantity, unitPrice, bundleSaving }) => ({
          ...{ name, quantity, price: unitPrice, total: quantity * unitPrice - bundleSaving },
        })),
        subtotal,
        discount: 0,
        discountCode: null,
        shipping: { ...of.shipping, cents: shipping },
        tax: {
          ...of.tax,
          // The rate may have changed since the order was placed.
          percent: percentOf(
            { subtotal, discount: 0, shipping, tax: taxCents, isIncluded, lines: added.length },
            rate,
          ),
          cents: taxCents,
          ...(of.tax.included && { included: { ...of.tax.included, inShipping } }),
        },
        total,
      }),
    });
  });
}

/** The credit note of a refund that went through, where its order has an invoice; null where there is nothing to correct. */
export async function issueCreditNote(ctx: ShopContext, refundId: string): Promise<InvoiceRecord | null> {
  return ctx.db.transaction(async (tx) => {
    const [asked] = await tx
      .select({ orderId: refunds.orderId })
      .from(refunds)
      .where(eq(refunds.id, refundId));
    const locked = asked && (await lockOrder(tx, asked.orderId));
    if (!locked) return null;
    const [refund] = await tx.select().from(refunds).where(eq(refunds.id, refundId));
    const [known] = await tx
      .select()
      .from(invoices)
      .where(and(eq(invoices.refundId, refundId), isNull(invoices.voidedAt)));
    if (known) return known;
    const invoice = await invoiceOf(tx, locked.id);
    if (!invoice || refund?.status !== "succeeded") return null;
    const { timeZone } = await ctx.ownerSettings(tx);
    const of = invoice.snapshot;
    const ofLines = await creditedLines(tx, refund, of);
    const { included } = of.tax;
    const inShipping = included ? taxInShipping(refund, included, ofLines !== null) : 0;
    const shipping = refund.shippingCents + inShipping;
    const goods = included ? refund.amountCents - shipping : refund.goodsCents;
    return write(tx, ctx, {
      kind: "credit_note",
      timeZone,
      mode: invoice.mode,
      orderId: locked.id,
      refundId,
      changeId: null,
      totalCents: refund.amountCents,
      say: ({ label, issuedOn, isTest }) => ({
        ...of,
        label,
        issuedOn,
        isTest,
        lines: ofLines ?? [{ name: "Goods, in part", quantity: 1, price: goods, total: goods }],
        subtotal: goods,
        discount: 0,
        discountCode: null,
        shipping: { ...of.shipping, cents: shipping },
        tax: {
          ...of.tax,
          cents: refund.taxCents,
          ...(included && { included: { ...included, inShipping } }),
        },
        total: refund.amountCents,
        corrects: { label: of.label, issuedOn: of.issuedOn, reason: null },
      }),
    });
  });
}

/** Declares one void, which its number and its document stay; null: there is none, or it was void before. */
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

type ToWrite = Pick<InvoiceRecord, "kind" | "mode" | "orderId" | "refundId" | "changeId" | "totalCents"> & {
  timeZone: string;
  say(numbered: { label: string; issuedOn: string; isTest: boolean }): InvoiceSnapshot;
};

/** Takes the next number of the year, which is locked until the transaction ends, and writes the document. */
async function write(tx: Db, ctx: ShopContext, { timeZone, say, ...row }: ToWrite): Promise<InvoiceRecord> {
  const { kind, mode } = row;
  const year = Number(dateIn(timeZone, ctx.now()).slice(0, 4));
  const [taken] = await tx
    .insert(invoiceNumbers)
    .values({ mode, kind, year, last: 1 })
    .onConflictDoUpdate({
      target: [invoiceNumbers.mode, invoiceNumbers.kind, invoiceNumbers.year],
      set: { last: sql`${invoiceNumbers.last} + 1` },
    })
    .returning();
  if (!taken) throw new Error("No number was taken");
  const issuedAt = ctx.now();
  const number = taken.last;
  const isTest = mode !== "live";
  const label = invoiceLabel({ kind, year, number, isTest });
  const snapshot = say({ label, issuedOn: dateIn(timeZone, issuedAt), isTest });
  const [written] = await tx
    .insert(invoices)
    .values({ ...row, id: randomUUID(), year, number, issuedAt, snapshot })
    .returning();
  if (!written) throw new Error("No invoice was written");
  return written;
}

async function invoiceOf(tx: Db, orderId: string): Promise<InvoiceRecord | null> {
  const isInvoice = and(
    eq(invoices.orderId, orderId),
    eq(invoices.kind, "invoice"),
    isNull(invoices.changeId),
    isNull(invoices.voidedAt),
  );
  const [invoice] = await tx.select().from(invoices).where(isInvoice);
  return invoice ?? null;
}

/** Null while the seller's name or address is missing: by law there is no invoice without. */
async function snapshotFacts(ctx: ShopContext, tx: Db, order: Order) {
  const { seller, contact, tax } = await ctx.settings(tx);
  const { timeZone, invoices: terms } = await ctx.ownerSettings(tx);
  const place = await readTaxPlace(tx, order.id);
  if (!seller.legalName || !seller.address) return null;
  return {
    timeZone,
    place,
    note: terms.note || null,
    percent: percentOf(
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

/** The rate that holds now, if the tax comes from it: rates may have changed since. */
function percentOf(
  of: Pick<Totals, "subtotal" | "discount" | "shipping" | "tax"> & { isIncluded: boolean; lines: number },
  rate: ReturnType<typeof taxRateFor>,
): number | null {
  if (!rate || Boolean(rate.included) !== of.isIncluded) return null;
  const expected = taxOn(of.subtotal - of.discount + (rate.onShipping ? of.shipping : 0), rate);
  // Each line was rounded by itself.
  return Math.abs(expected - of.tax) <= Math.max(1, of.lines) ? rate.percent : null;
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

/** Of a gift the order knows the recipient alone, who pays nothing. */
function buyerOf(order: Order): { name: string; address: string[] } {
  if (order.gift) return { name: order.gift.from ?? order.email, address: [order.email] };
  const [name = order.customerName, ...address] = addressLines(order);
  return { name, address };
}

/** A payment that came too late and was only given back was no sale. */
function isSale(order: Order): boolean {
  return order.events.some(({ to }) => to === "completed");
}

/** The lines that a refund names, with what was paid for them; null where it names none, or not all of its goods. */
async function creditedLines(
  tx: Db,
  refund: typeof refunds.$inferSelect,
  of: InvoiceSnapshot,
): Promise<InvoiceSnapshot["lines"] | null> {
  const sum = refund.lines.reduce((cents, line) => cents + line.goodsCents, 0);
  if (refund.lines.length === 0 || sum !== refund.goodsCents) return null;
  const sold = await tx.select().from(orderLines).where(eq(orderLines.orderId, refund.orderId));
  const names = new Map(sold.map(({ productId, name }) => [productId, name]));
  return refund.lines.map(({ productId, quantity, goodsCents, taxCents }) => {
    const total = goodsCents + (of.tax.included ? taxCents : 0);
    return {
      name: names.get(productId) ?? "Goods",
      quantity,
      price: Math.round(total / Math.max(quantity, 1)),
      total,
    };
  });
}

/** How much of a refund's tax goes with its shipping: what its lines leave, or in proportion where it names none. */
function taxInShipping(
  { lines, goodsCents, shippingCents, taxCents }: typeof refunds.$inferSelect,
  included: { inShipping: number },
  isByLines: boolean,
): number {
  if (isByLines) return lines.reduce((left, line) => left - line.taxCents, taxCents);
  const beforeTax = goodsCents + shippingCents;
  if (included.inShipping === 0 || beforeTax <= 0) return 0;
  return multiplyDivideHalfUp(taxCents, shippingCents, beforeTax);
}
