import type { CustomerRow } from "../../domain/customers/customer.ts";
import { csvLine, csvStart, csvTime } from "../platform/csv.ts";
import { withCustomPlans } from "../platform/database/custom-plans.ts";
import type { Database } from "../platform/database/database.ts";
import { type CustomerSelection, readCustomerPage } from "./list.ts";

const batchSize = 500;

type Column = [title: string, cell: (row: CustomerRow) => string | number | null];

const columnsIn = (timeZone: string): Column[] => [
  ["Customer", ({ id }) => id],
  ["Name", ({ name }) => name],
  ["Email", ({ email }) => email],
  ["Phone", ({ phone }) => phone],
  ["City", ({ city }) => city],
  ["Country", ({ country }) => country],
  ["Orders", ({ orders }) => orders],
  ["Value", ({ valueCents }) => (valueCents / 100).toFixed(2)],
  [`First order (${timeZone})`, ({ firstOrderAt }) => time(firstOrderAt, timeZone)],
  [`Last order (${timeZone})`, ({ lastOrderAt }) => time(lastOrderAt, timeZone)],
  ["Tags", ({ tags }) => tags.join(", ")],
];

const time = (iso: string | null, timeZone: string) => csvTime(iso === null ? null : new Date(iso), timeZone);

/** The list as a CSV stream, read in batches as the client takes them, each in its own transaction. */
export function customersFile(
  db: Database,
  timeZone: string,
  selection: Omit<CustomerSelection, "limit" | "cursor">,
): ReadableStream<Uint8Array> {
  const columns = columnsIn(timeZone);
  const encoder = new TextEncoder();
  let cursor: number | null = null;
  let begin = csvStart + csvLine(columns.map(([title]) => title));
  return new ReadableStream<Uint8Array>(
    {
      async pull(file) {
        const page = await withCustomPlans(db, (tx) =>
          readCustomerPage(tx, { ...selection, limit: batchSize, cursor }),
        );
        const lines = page.data.map((row) => csvLine(columns.map(([, cell]) => cell(row))));
        file.enqueue(encoder.encode(begin + lines.join("")));
        begin = "";
        if (page.nextCursor === null) file.close();
        else cursor = Number(page.nextCursor);
      },
    },
    { highWaterMark: 0 },
  );
}
