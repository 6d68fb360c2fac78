import * as v from "valibot";
import { oneLine } from "../shared/required-text.ts";

export const invoiceKinds = ["invoice", "credit_note"] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** Who an invoice is for, beside what the order says: both may be missing. */
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

/** What was sold on a line, or goes back. Cents; `total` is after bundles and before discount. */
export type InvoiceLine = { name: string; quantity: number; price: number; total: number };

/** All that an invoice or a credit note says. Cents; dates `YYYY-MM-DD` in the shop's time zone. */
export type InvoiceSnapshot = {
  /** Counts the forms of this record: a new one must still print the older ones as they were. */
  version: 1;
  label: string;
  issuedOn: string;
  /** Test orders' documents say that they are none. */
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
   * `percent` is null where the tax does not come from one rate. With `included`, what it is called, all other amounts include
   * it; `inShipping` is how much of it is in the shipping.
   */
  tax: {
    place: string;
    percent: number | null;
    cents: number;
    included?: { name: string; inShipping: number };
  };
  total: number;
  /** Of a credit note: the invoice it corrects, and why money went back. */
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

/** One of them in a list. Times ISO 8601 UTC, cents. */
export const invoiceRowSchema = v.object({
  id: v.string(),
  kind: v.picklist(invoiceKinds),
  label: v.string(),
  orderId: v.string(),
  orderNumber: v.number(),
  /** The change of the order's items whose additions it is for; null: it is for the order as it was placed, or for a refund. */
  changeId: v.nullable(v.string()),
  buyer: v.string(),
  issuedAt: v.string(),
  totalCents: v.number(),
  voidedAt: v.nullable(v.string()),
  voidReason: v.nullable(v.string()),
});
export type InvoiceRow = v.InferOutput<typeof invoiceRowSchema>;
