import { asc, inArray } from "drizzle-orm";
import type { Person } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { invoices } from "./tables.ts";

/**
 * Invoices of these orders, as issued. They are not erased, because tax law requires that they are kept with the buyer's name
 * (docs/decisions/0049-books.md).
 */
export async function exportInvoices(db: Db, { orderIds }: Person) {
  const issued = await db
    .select({ issuedAt: invoices.issuedAt, voidedAt: invoices.voidedAt, document: invoices.snapshot })
    .from(invoices)
    .where(inArray(invoices.orderId, orderIds))
    .orderBy(asc(invoices.issuedAt), asc(invoices.id));
  return issued;
}
