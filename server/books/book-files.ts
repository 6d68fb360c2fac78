import { sql } from "drizzle-orm";
import type { BookFile } from "../../domain/books/exports.ts";
import { placeName } from "../../domain/shared/country.ts";
import { products } from "../catalog/tables.ts";
import type { ShopContext } from "../context.ts";
import { orderEdits, orderExchanges } from "../order-desk/tables.ts";
import { orderLines, orders } from "../orders/tables.ts";
import { taxPlaceColumns } from "../orders/tax-place.ts";
import { payments } from "../payments/tables.ts";
import { byteOrderMark, csvLine, csvTime } from "../platform/csv.ts";
import { readFigures } from "../sales/figures.ts";
import { credits, isSale } from "../sales/sales-events.ts";
import { type PlaceTax, readBookSums, taxByPlace } from "./book-sums.ts";
import { ledgerCells, ledgerTitles } from "./ledger.ts";
import {
  type Cells,
  countedBalance,
  exactTime,
  instant,
  type KeyedRow,
  mergedByTime,
  money,
  ofMode,
  paged,
} from "./paged.ts";
import type { TimeRange } from "./period.ts";
import { balanceEntries } from "./tables.ts";

type File = {
  titles(zone: string): string[];
  batches(ctx: ShopContext, period: TimeRange): AsyncIterable<Cells[]>;
  /** Estimated lines per sale and per refund, for a progress bar. */
  lines: { sale: number; refund: number };
};

/** A column's title, in which "(zone)" stands for the time zone, and a function for its cells. */
type Column<Row> = [title: string, cell: (row: Row, period: TimeRange) => Cells[number]];

/** A file with a line for each row of `pages`. */
function buildFile<Row>(
  lines: File["lines"],
  columns: Column<Row>[],
  pages: (ctx: ShopContext, period: TimeRange) => AsyncIterable<readonly Row[]>,
): File {
  return {
    titles: (zone) => columns.map(([title]) => title.replace("(zone)", `(${zone})`)),
    async *batches(ctx, period) {
      for await (const rows of pages(ctx, period))
        yield rows.map((row) => columns.map(([, cell]) => cell(row, period)));
    },
    lines,
  };
}

const isPaidIn = (ctx: ShopContext, { from, before }: TimeRange) =>
  sql`o.paid_at >= ${instant(from)} and o.paid_at < ${instant(before)} and ${isSale} and ${ofMode(ctx)}`;
const isEditedIn = (ctx: ShopContext, { from, before }: TimeRange) =>
  sql`e.ended_at >= ${instant(from)} and e.ended_at < ${instant(before)} and e.status = 'applied' and ${isSale} and ${ofMode(ctx)}`;
const isRefundedIn = (ctx: ShopContext, { from, before }: TimeRange) =>
  sql`r.settled_at >= ${instant(from)} and r.settled_at < ${instant(before)} and ${isSale} and ${ofMode(ctx)}`;
const isBalanceEntryIn = (ctx: ShopContext, { from, before }: TimeRange) =>
  sql`b.created_at >= ${instant(from)} and b.created_at < ${instant(before)} and ${countedBalance(ctx)}`;

/** Name of the tax included in the prices and discounts of an order's lines. All other amounts are before tax. */
const taxIncluded = sql`o.with_tax->>'name' as tax_included`;

const time = (iso: string | null, { timeZone }: TimeRange) =>
  csvTime(iso === null ? null : new Date(iso), timeZone);

type OrderRow = KeyedRow &
  Record<"number" | "status" | "currency" | "placed", string> &
  Record<"country" | "state" | "discount_code" | "intent_id", string | null> & {
    order_id: string;
    exchange_of: number | null;
  } & Record<
    | "subtotal_cents"
    | "discount_cents"
    | "shipping_cents"
    | "tax_cents"
    | "total_cents"
    | "credited_cents"
    | "charged_back_cents",
    number
  >;
const ordersFile = buildFile<OrderRow>(
  { sale: 1, refund: 0 },
  [
    ["Paid (zone)", (row, period) => time(row.at, period)],
    ["Placed (zone)", (row, period) => time(row.placed, period)],
    ["Order", (row) => row.number],
    ["Status", (row) => row.status],
    ["Country", (row) => row.country],
    ["State", (row) => row.state],
    ["Currency", (row) => row.currency],
    ["Goods", (row) => money(row.subtotal_cents)],
    ["Discount", (row) => money(row.discount_cents)],
    ["Discount code", (row) => row.discount_code],
    ["Shipping", (row) => money(row.shipping_cents)],
    ["Tax", (row) => money(row.tax_cents)],
    ["Total", (row) => money(row.total_cents)],
    ["Refunded", (row) => money(row.credited_cents)],
    ["Charged back", (row) => money(row.charged_back_cents)],
    ["Order id", (row) => row.order_id],
    ["Payment id", (row) => row.intent_id],
    // The order whose returned units paid this one, or a part of it.
    ["Exchange of", (row) => row.exchange_of],
  ],
  (ctx, period) => {
    const orderPages = paged(ctx, { at: sql`o.paid_at`, id: sql`o.id` }, (tx, after, page) =>
      tx.execute<OrderRow>(sql`select ${exactTime("o.paid_at")} as at, o.id, o.id as order_id, ${exactTime("o.created_at")} as placed, o.number, o.status, o.currency,
        ${taxPlaceColumns}, o.subtotal_cents - o.added_goods_cents as subtotal_cents, o.discount_cents, o.discount_code,
        o.shipping_cents - o.added_shipping_cents as shipping_cents, o.tax_cents - o.added_tax_cents as tax_cents,
        o.total_cents - o.added_goods_cents - o.added_shipping_cents - o.added_tax_cents as total_cents,
        o.credited_cents, o.charged_back_cents, p.intent_id, case when o.credit_cents > 0 then (
          select f.number from ${orderExchanges} x join ${orders} f on f.id = x.order_id where x.new_order_id = o.id) end as exchange_of
      from ${orders} o left join ${payments} p on p.order_id = o.id and p.status = 'succeeded' and p.order_edit_id is null and p.exchange_id is null
      where ${isPaidIn(ctx, period)} and ${after} ${page}`),
    );
    const editPages = paged(ctx, { at: sql`e.ended_at`, id: sql`e.id` }, (tx, after, page) =>
      tx.execute<OrderRow>(sql`select ${exactTime("e.ended_at")} as at, e.id, o.id as order_id, ${exactTime("o.created_at")} as placed, o.number, o.status, o.currency,
        ${taxPlaceColumns}, e.goods_cents as subtotal_cents, 0 as discount_cents, null as discount_code,
        e.shipping_cents, e.tax_cents, e.added_cents as total_cents, 0 as credited_cents, 0 as charged_back_cents,
        p.intent_id, null as exchange_of
      from ${orderEdits} e join ${orders} o on o.id = e.order_id
        left join ${payments} p on p.order_edit_id = e.id and p.status = 'succeeded'
      where ${isEditedIn(ctx, period)} and ${after} ${page}`),
    );
    return mergedByTime(orderPages, editPages);
  },
);

/** The lines that an order edit `e` added. */
const addedLines = sql.raw(
  `jsonb_to_recordset(e.added) as a("productId" int, name text, quantity int, "unitPrice" int, "bundleSaving" int, tax int)`,
);

type LineRow = KeyedRow & {
  number: number;
  name: string;
  product_id: number;
  size: string;
  sku: string | null;
} & Record<
    "quantity" | "unit_price_cents" | "bundle_saving_cents" | "discount_cents" | "tax_cents",
    number
  > & {
    tax_included: string | null;
  };
const linesFile = buildFile<LineRow>(
  { sale: 1, refund: 0 },
  [
    ["Paid (zone)", (row, period) => time(row.at, period)],
    ["Order", (row) => row.number],
    ["Product id", (row) => row.product_id],
    ["Product", (row) => row.name],
    ["Quantity", (row) => row.quantity],
    ["Unit price", (row) => money(row.unit_price_cents)],
    ["Bundle saving", (row) => money(row.bundle_saving_cents)],
    ["Discount", (row) => money(row.discount_cents)],
    [
      "After discount",
      (row) =>
        money(
          row.unit_price_cents * row.quantity -
            row.bundle_saving_cents -
            row.discount_cents -
            (row.tax_included === null ? 0 : row.tax_cents),
        ),
    ],
    ["Tax", (row) => money(row.tax_cents)],
    ["Order id", (row) => row.id.split("/")[0] ?? null],
    // SKU and size are the product's current ones.
    ["SKU", (row) => row.sku],
    ["Size", (row) => row.size],
    ["Prices include", (row) => row.tax_included],
  ],
  (ctx, period) => {
    const orderPages = paged(
      ctx,
      { at: sql`o.paid_at`, id: sql`(o.id || '/' || (10000 + l.position))` },
      (tx, after, page) =>
        tx.execute<LineRow>(sql`select ${exactTime("o.paid_at")} as at, o.id || '/' || (10000 + l.position) as id, o.number, l.product_id, l.name,
        l.quantity - coalesce(later.quantity, 0) as quantity, l.unit_price_cents, l.bundle_saving_cents - coalesce(later.saving, 0) as bundle_saving_cents,
        l.discount_cents, l.tax_cents - coalesce(later.tax, 0) as tax_cents, s.sku, s.size, ${taxIncluded}
      from ${orders} o join ${orderLines} l on l.order_id = o.id join ${products} s on s.id = l.product_id
        left join lateral (
          select sum(a.quantity)::int as quantity, sum(a."bundleSaving")::int as saving, sum(a.tax)::int as tax
          from ${orderEdits} e, ${addedLines} where e.order_id = o.id and e.status = 'applied' and a."productId" = l.product_id
        ) as later on o.added_goods_cents > 0
      where ${isPaidIn(ctx, period)} and l.quantity > coalesce(later.quantity, 0) and ${after} ${page}`),
    );
    const editPages = paged(
      ctx,
      { at: sql`e.ended_at`, id: sql`(o.id || '/' || e.id || '/' || (10000 + a."productId"))` },
      (tx, after, page) =>
        tx.execute<LineRow>(sql`select ${exactTime("e.ended_at")} as at, o.id || '/' || e.id || '/' || (10000 + a."productId") as id, o.number,
        a."productId" as product_id, a.name, a.quantity, a."unitPrice" as unit_price_cents, a."bundleSaving" as bundle_saving_cents,
        0 as discount_cents, a.tax as tax_cents, s.sku, s.size, ${taxIncluded}
      from ${orderEdits} e join ${orders} o on o.id = e.order_id cross join lateral ${addedLines} join ${products} s on s.id = a."productId"
      where ${isEditedIn(ctx, period)} and ${after} ${page}`),
    );
    return mergedByTime(orderPages, editPages);
  },
);

type RefundRow = KeyedRow & { number: number; origin: string; is_exchange: boolean } & Record<
    "country" | "state" | "provider_refund_id",
    string | null
  > &
  Record<"goods_cents" | "shipping_cents" | "tax_cents" | "amount_cents", number>;
const refundsFile = buildFile<RefundRow>(
  { sale: 0, refund: 1 },
  [
    ["Refunded (zone)", (row, period) => time(row.at, period)],
    ["Order", (row) => row.number],
    ["Country", (row) => row.country],
    ["State", (row) => row.state],
    ["Goods", (row) => money(row.goods_cents)],
    ["Shipping", (row) => money(row.shipping_cents)],
    ["Tax", (row) => money(row.tax_cents)],
    ["Amount", (row) => money(row.amount_cents)],
    [
      "Asked for",
      ({ is_exchange: isExchange, origin }) =>
        isExchange ? "as an exchange" : origin === "shop" ? "in the shop" : "at the provider",
    ],
    ["Refund id", (row) => row.provider_refund_id ?? row.id],
  ],
  (ctx, period) =>
    paged(ctx, { at: sql`r.settled_at`, id: sql`r.id` }, (tx, after, page) =>
      tx.execute<RefundRow>(sql`select ${exactTime("r.settled_at")} as at, r.id, o.number, ${taxPlaceColumns},
        r.goods_cents, r.shipping_cents, r.tax_cents, r.amount_cents, r.origin, r.provider_refund_id, r.is_exchange
      from ${credits} join ${orders} o on o.id = r.order_id
      where ${isRefundedIn(ctx, period)} and ${after} ${page}`),
    ),
);

type PaymentRow = KeyedRow & { number: number; amount_cents: number; currency: string } & Record<
    "paid_with" | "intent_id" | "fee",
    string | null
  >;
const paymentsFile = buildFile<PaymentRow>(
  { sale: 1, refund: 0 },
  [
    ["Paid (zone)", (row, period) => time(row.at, period)],
    ["Order", (row) => row.number],
    ["Amount", (row) => money(row.amount_cents)],
    ["Fee", (row) => (row.fee === null ? null : money(row.fee))],
    ["After fee", (row) => (row.fee === null ? null : money(row.amount_cents - Number(row.fee)))],
    ["Currency", (row) => row.currency],
    ["Paid with", (row) => row.paid_with],
    ["Payment id", (row) => row.intent_id],
  ],
  (ctx, period) => {
    const fee = sql`(select sum(b.fee_cents) from ${balanceEntries} b where b.intent_id = p.intent_id and b.kind = 'charge') as fee`;
    const orderPages = paged(ctx, { at: sql`o.paid_at`, id: sql`p.id` }, (tx, after, page) =>
      tx.execute<PaymentRow>(sql`select ${exactTime("o.paid_at")} as at, p.id::text as id, o.number, p.amount_cents, p.currency, p.paid_with, p.intent_id, ${fee}
      from ${orders} o join ${payments} p on p.order_id = o.id and p.status = 'succeeded' and p.order_edit_id is null and p.exchange_id is null
      where ${isPaidIn(ctx, period)} and ${after} ${page}`),
    );
    const editPages = paged(ctx, { at: sql`e.ended_at`, id: sql`p.id` }, (tx, after, page) =>
      tx.execute<PaymentRow>(sql`select ${exactTime("e.ended_at")} as at, p.id::text as id, o.number, p.amount_cents, p.currency, p.paid_with, p.intent_id, ${fee}
      from ${orderEdits} e join ${orders} o on o.id = e.order_id
        join ${payments} p on p.order_edit_id = e.id and p.status = 'succeeded'
      where ${isEditedIn(ctx, period)} and ${after} ${page}`),
    );
    return mergedByTime(orderPages, editPages);
  },
);

const taxFile = buildFile<PlaceTax>(
  { sale: 0, refund: 0 },
  [
    ["Country", (row) => placeName(row.country)],
    ["Country code", (row) => row.country],
    ["State", (row) => row.state],
    ["Sales before tax", (row) => money(row.soldCents)],
    ["Tax", (row) => money(row.taxCents)],
    ["Refunds before tax", (row) => money(row.soldBackCents)],
    ["Tax refunded", (row) => money(row.taxBackCents)],
    ["Sales less refunds", (row) => money(row.soldCents - row.soldBackCents)],
    ["Tax less refunds", (row) => money(row.taxCents - row.taxBackCents)],
  ],
  async function* (ctx, period) {
    yield taxByPlace(await readBookSums(ctx, period));
  },
);

type BalanceRow = KeyedRow & {
  kind: string;
  currency: string;
  amount_cents: string;
  fee_cents: string;
} & Record<"number" | "source_id" | "description" | "arrives_on", string | null>;
const balanceFile = buildFile<BalanceRow>(
  { sale: 1, refund: 1 },
  [
    ["At (zone)", (row, period) => time(row.at, period)],
    ["Kind", (row) => row.kind],
    ["Amount", (row) => money(row.amount_cents)],
    ["Fee", (row) => money(row.fee_cents)],
    ["Change of balance", (row) => money(Number(row.amount_cents) - Number(row.fee_cents))],
    ["Currency", (row) => row.currency],
    ["Order", (row) => row.number],
    ["At the bank on", (row) => row.arrives_on],
    ["Description", (row) => row.description],
    ["Source", (row) => row.source_id],
    ["Id", (row) => row.id],
  ],
  (ctx, period) =>
    paged(ctx, { at: sql`b.created_at`, id: sql`b.id` }, (tx, after, page) =>
      tx.execute<BalanceRow>(sql`select ${exactTime("b.created_at")} as at, b.id, b.kind, b.currency, b.amount_cents, b.fee_cents, b.source_id,
        b.description, b.arrives_on::text as arrives_on, o.number
      from ${balanceEntries} b left join ${payments} p on p.intent_id = b.intent_id left join ${orders} o on o.id = p.order_id
      where ${isBalanceEntryIn(ctx, period)} and ${after} ${page}`),
    ),
);

const ledgerFile: File = {
  titles: ledgerTitles,
  batches: ledgerCells,
  lines: { sale: 8, refund: 7 },
};

const files: Record<BookFile, File> = {
  orders: ordersFile,
  lines: linesFile,
  refunds: refundsFile,
  payments: paymentsFile,
  tax: taxFile,
  balance: balanceFile,
  ledger: ledgerFile,
};

export function bookFileTitles(name: BookFile, { timeZone }: TimeRange): string[] {
  return files[name].titles(timeZone);
}

/** A file as CSV in parts, each read when it is requested. `onRows` is called with the cells of each part. */
export async function* bookFileParts(
  ctx: ShopContext,
  name: BookFile,
  period: TimeRange,
  onRows?: (rows: readonly Cells[]) => void,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(byteOrderMark + csvLine(bookFileTitles(name, period)));
  for await (const rows of files[name].batches(ctx, period)) {
    onRows?.(rows);
    if (rows.length > 0) yield encoder.encode(rows.map(csvLine).join(""));
  }
}

/** A file as a CSV stream, with the estimated number of its lines. */
export async function bookFile(
  ctx: ShopContext,
  name: BookFile,
  period: TimeRange,
): Promise<{ stream: ReadableStream<Uint8Array>; lines: number }> {
  const parts = bookFileParts(ctx, name, period);
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await parts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  const { lines } = files[name];
  const figures = await readFigures(ctx, period.dates, period.timeZone);
  return { stream, lines: lines.sale * figures.orders + lines.refund * figures.refunds };
}
