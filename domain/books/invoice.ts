import * as v from "valibot";
import { addressLines } from "../address/address-format.ts";
import type { Order } from "../orders/order.ts";
import { oneLine } from "../shared/required-text.ts";

const invoiceKinds = ["invoice", "credit_note"] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** The buyer's company data, which orders do not contain. */
export const invoiceBuyerSchema = v.object({
  company: v.nullable(
    v.pipe(v.string("Must be text"), v.trim(), v.maxLength(120, "At most 120 characters"), oneLine),
  ),
  vatId: v.nullable(
    v.pipe(
      v.string("Must be text"),
      v.trim(),
      v.regex(/^[A-Za-z0-9 .-]{4,30}$|^$/, "Letters and digits, as DE123456789"),
    ),
  ),
});
export type InvoiceBuyer = v.InferOutput<typeof invoiceBuyerSchema>;

/** A line sold or refunded. Cents; `total` is after bundles and before discount. */
type InvoiceLine = { name: string; quantity: number; price: number; total: number };

/** Content of an invoice or credit note. Cents; dates `YYYY-MM-DD` in the shop's time zone. */
export type InvoiceSnapshot = {
  /** Version of this format; documents in an older one must still be printed as they were. */
  version: 1;
  label: string;
  issuedOn: string;
  /** Printed on documents of test orders. */
  isTest: boolean;
  seller: {
    name: string;
    address: string[];
    vatId: string | null;
    registration: string | null;
    email: string | null;
  };
  buyer: { name: string; company: string | null; vatId: string | null; address: string[] };
  order: { number: number; placedOn: string; paidOn: string; paidWith: string | null };
  currency: string;
  lines: InvoiceLine[];
  subtotal: number;
  discount: number;
  discountCode: string | null;
  shipping: { name: string; cents: number };
  /**
   * `percent` is null if the tax does not come from one rate. With `included`, the tax's name, all other amounts include the
   * tax; `inShipping` is its part in the shipping.
   */
  tax: {
    place: string;
    percent: number | null;
    cents: number;
    included?: { name: string; inShipping: number };
  };
  total: number;
  /** On a credit note, the corrected invoice and the reason for the refund. */
  corrects: { label: string; issuedOn: string; reason: string | null } | null;
  note: string | null;
};

/** `("INV-", 2026, 7)` -> "INV-2026-0007" */
export function invoiceLabel({
  kind,
  year,
  number,
  isTest,
}: {
  kind: InvoiceKind;
  year: number;
  number: number;
  isTest: boolean;
}): string {
  const series = kind === "invoice" ? "INV" : "CN";
  return `${isTest ? "TEST-" : ""}${series}-${year}-${String(number).padStart(4, "0")}`;
}

/** The buyer's name and address. An order for a gift has only the recipient's address, so the e-mail address stands for it. */
export function invoiceBuyer(order: Order): Pick<InvoiceSnapshot["buyer"], "name" | "address"> {
  if (order.gift) return { name: order.gift.from ?? order.email, address: [order.email] };
  const [name = order.customerName, ...address] = addressLines(order);
  return { name, address };
}

/** An entry of the list. Times ISO 8601 UTC, cents. */
export const invoiceRowSchema = v.object({
  id: v.string(),
  kind: v.picklist(invoiceKinds),
  label: v.string(),
  orderId: v.string(),
  orderNumber: v.number(),
  /** The order edit whose added items it covers; null if it covers the order as placed, or a refund. */
  changeId: v.nullable(v.string()),
  buyer: v.string(),
  issuedAt: v.string(),
  totalCents: v.number(),
  voidedAt: v.nullable(v.string()),
  voidReason: v.nullable(v.string()),
});
export type InvoiceRow = v.InferOutput<typeof invoiceRowSchema>;
