import type { BatchRecall } from "../../domain/stock.ts";
import { csvLine, csvStart } from "../platform/csv.ts";

/** A recall's orders for a mailing: one line each, those without an address too. */
export function recallFile({ batch, orders }: BatchRecall): ReadableStream<Uint8Array> {
  const lines = orders.map((order) =>
    csvLine([
      order.number,
      order.date.slice(0, 10),
      order.customerName,
      order.email,
      batch.productName,
      batch.code,
      batch.bestBefore,
      order.quantity,
      order.returned,
      order.shippedAt?.slice(0, 10) ?? null,
    ]),
  );
  return new Blob([csvStart, csvLine(head), ...lines]).stream();
}

const head = [
  "Order",
  "Paid on",
  "Customer",
  "Email",
  "Product",
  "Batch",
  "Best before",
  "Units",
  "Units returned",
  "Shipped on",
];
