import { sql } from "drizzle-orm";
import { pick } from "../domain/shared/pick.ts";
import type { Db } from "../server/platform/database/database.ts";
import { csvRows } from "./csv.ts";
import type { TestBrowser } from "./shop.ts";

/**
 * All amounts of orders in the panel, the books and the CSV files. `from` and `to`: days of the books, such as
 * `2026-01-31`.
 */
export async function readOrderFigures(
  owner: TestBrowser,
  db: Db,
  { from, to }: { from: string; to: string },
): Promise<Record<string, unknown>> {
  const period = `from=${from}&to=${to}`;
  const read = async (path: string) => (await owner.get(path)).body;
  const rows = async (path: string) => csvRows(await (await owner.fetch(path)).text());
  const listFigures = (row: Record<string, unknown>) =>
    pick(row, "number", "amount", "orderStatus", "refunded");
  const fileFigures = (row: Record<string, unknown>) =>
    pick(row, "Order", "Total", "Refunded", "Charged back");
  const customers = (await read("/api/admin/customers?sort=value")).data;
  const { figures } = (await read(`/api/admin/books?${period}`)).data;
  const allFigures: Record<string, unknown> = {
    figures,
    list: (await read("/api/orders?limit=100")).data.map(listFigures),
    file: (await rows("/api/admin/orders.csv")).map(fileFigures),
    customers: [],
    orders: [],
  };
  for (const { id, email, valueCents } of customers) {
    const { data } = await read(`/api/admin/customers/${id}`);
    const orders = data.recentOrders.map((order: Record<string, unknown>) =>
      pick(order, "number", "totalCents", "refundedCents"),
    );
    (allFigures.customers as unknown[]).push({
      email,
      valueCents,
      refundedCents: data.refundedCents,
      orders,
    });
  }
  for (const file of ["orders", "lines", "refunds", "payments", "tax", "ledger"]) {
    // Leaves out the first column of these two files: the time, which for an exchange is that of its edit.
    const firstColumn = file === "refunds" || file === "ledger" ? 1 : 0;
    allFigures[file === "orders" ? "booked" : file] = (await rows(`/api/admin/books/${file}?${period}`)).map(
      (row) => Object.values(row).slice(firstColumn).join(" | "),
    );
  }
  const ids = await db.execute<{ id: string }>(sql`select id from orders order by number`);
  for (const { id } of ids.rows) {
    const { data } = await read(`/api/admin/orders/${id}`);
    const invoices = (await read(`/api/admin/orders/${id}/invoices`)).data;
    (allFigures.orders as unknown[]).push({
      ...pick(
        data,
        "number",
        "status",
        "totals",
        "shipHold",
        "refundableCents",
        "refundable",
        "itemsVersion",
      ),
      may: data.may,
      refunds: data.refunds.map(
        ({ createdAt: _, settledAt: __, ...refund }: Record<string, unknown>) => refund,
      ),
      payments: [data.payment, ...data.changePayments].map((payment) =>
        pick(payment, "intentId", "status", "amountCents", "changeId"),
      ),
      changes: data.changes.map((change: Record<string, unknown>) =>
        pick(change, "id", "status", "removed", "addedTotal", "removedTotal", "difference"),
      ),
      invoices: invoices.map((invoice: Record<string, unknown>) =>
        pick(invoice, "kind", "label", "changeId", "totalCents"),
      ),
    });
  }
  return allFigures;
}
