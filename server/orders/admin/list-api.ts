import * as v from "valibot";
import { orderFilters } from "../../../domain/orders/admin-orders.ts";
import { orderStatuses } from "../../../domain/orders/order-status.ts";
import type { PaymentMode } from "../../../domain/payments/payment-mode.ts";
import type { OwnerSettings } from "../../../domain/settings/settings.ts";
import { dateIn, isDate } from "../../../domain/shared/zoned-days.ts";
import { type AnyApiRow, route } from "../../http/api-row.ts";
import { csvHeaders } from "../../platform/csv.ts";
import type { Database } from "../../platform/database.ts";
import { pageLimit } from "../../platform/page-limit.ts";
import { exportOrdersFile, placedBetween } from "./export.ts";
import { listAdminOrders } from "./list.ts";

/** An order's own state is understood, too, beside the words of the list. */
const asked = [...new Set([...orderFilters, ...orderStatuses])];

const selection = {
  status: v.optional(v.picklist(asked, `One of ${asked.join(", ")}`)),
  q: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(100, "Use at most 100 characters"),
      v.transform((text) => text || null),
    ),
  ),
};

const day = v.optional(v.pipe(v.string(), v.check(isDate, "Must be a day, as 2026-11-20")));

export type OrderListApiParts = {
  db: Database;
  now(): Date;
  ownerSettings(): Promise<OwnerSettings>;
  /** The shop's. */
  mode: PaymentMode;
};

/** The owner's list of orders, page by page and as a file. */
export function orderListApi(parts: OrderListApiParts): AnyApiRow[] {
  return [
    route("GET /api/orders", {
      tag: "Checkout and orders",
      summary:
        "Orders, newest first; without `status` paid ones. `q`: part of a name or address, a number, an id",
      access: "admin",
      limit: "none",
      query: v.object({
        ...selection,
        limit: pageLimit(50),
        cursor: v.optional(v.pipe(v.string(), v.uuid("Is not a cursor of this list"))),
      }),
      answers: { 200: "`{data, nextCursor, queues}`; `queues`: how many orders wait for what" },
      handle: async (_ctx, { query: { status = null, q = null, limit, cursor = null } }) => ({
        status: 200,
        body: {
          success: true,
          ...(await listAdminOrders(parts.db, { status, q, limit, cursor, mode: parts.mode })),
        },
      }),
    }),
    route("GET /api/admin/orders.csv", {
      tag: "Contact, notifications, admin",
      summary:
        "The same orders as a file for spreadsheets, without test orders where money is real; `from` and `to` are days on which they were placed",
      access: "admin",
      limit: "none",
      query: v.pipe(
        v.object({ ...selection, from: day, to: day }),
        v.forward(
          v.check(({ from, to }) => !from || !to || from <= to, "Must not be before the first day"),
          ["to"],
        ),
      ),
      answers: { 200: "CSV, UTF-8, one order a line" },
      handle: async (_ctx, { query: { status = null, q = null, from = null, to = null } }) => {
        const { timeZone } = await parts.ownerSettings();
        const now = parts.now();
        const placed = placedBetween({ from, to, timeZone, now });
        return {
          status: 200,
          stream: exportOrdersFile(parts.db, { status, q, placed, mode: parts.mode }),
          headers: csvHeaders(`orders-${dateIn(timeZone, now)}.csv`),
        };
      },
    }),
  ];
}
