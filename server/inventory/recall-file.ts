import type { BatchRecall, RecallOrder } from "../../domain/inventory/stock.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { csvLine, csvStart } from "../platform/csv.ts";
import type { Database } from "../platform/database.ts";
import { readRecallPage } from "./recall.ts";

/** Orders read at once. */
const batchSize = 500;

/**
 * A recall's orders for a mailing, one line each, those without an address too; read as the file is taken. Its days are
 * those of `timeZone`.
 */
export function recallFile(
  db: Database,
  batch: BatchRecall["batch"],
  timeZone: string,
): ReadableStream<Uint8Array> {
  const day = (at: string) => dateIn(timeZone, new Date(at));
  const encoder = new TextEncoder();
  let cursor: number | null = null;
  let begin = csvStart + csvLine(head);
  return new ReadableStream<Uint8Array>(
    {
      async pull(file) {
        const page = await readRecallPage(db, batch, { limit: batchSize, cursor });
        file.enqueue(encoder.encode(begin + page.orders.map((order) => lineOf(batch, order, day)).join("")));
        begin = "";
        if (page.nextCursor === null) file.close();
        else cursor = Number(page.nextCursor);
      },
    },
    { highWaterMark: 0 },
  );
}

function lineOf(batch: BatchRecall["batch"], order: RecallOrder, day: (at: string) => string): string {
  return csvLine([
    order.number,
    day(order.date),
    order.customerName,
    order.email,
    batch.productName,
    batch.code,
    batch.bestBefore,
    order.quantity,
    order.returned,
    order.shippedAt && day(order.shippedAt),
  ]);
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
