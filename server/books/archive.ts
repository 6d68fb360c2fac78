import { sql } from "drizzle-orm";
import { type BookFile, bookFiles, bookFileTexts } from "../../domain/books/exports.ts";
import { periodName, salesStatement } from "../../domain/books/statement.ts";
import type { SalesFigures } from "../../domain/overview/overview.ts";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { escapeHtml } from "../../domain/shared/escape-html.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { zonedTimestamp } from "../../domain/shared/zoned-time.ts";
import type { ShopContext } from "../context.ts";
import { orders } from "../orders/tables.ts";
import { readFigures } from "../sales/figures.ts";
import { isSale } from "../sales/sales-events.ts";
import { balanceReadUntil } from "./balance.ts";
import { bookFileParts, bookFileTitles } from "./book-files.ts";
import { invoiceFiles } from "./invoices.ts";
import { type Cells, ofMode } from "./paged.ts";
import type { TimeRange } from "./period.ts";
import type { ZipFile } from "./zip.ts";

/** When the first order that the books count was paid; null if there is none. */
export async function firstSaleAt(ctx: ShopContext): Promise<Date | null> {
  const { rows } = await ctx.db.execute<{ paid_at: string }>(
    sql`select o.paid_at from ${orders} o where o.paid_at is not null and ${isSale} and ${ofMode(ctx)}
      order by o.paid_at, o.id limit 1`,
  );
  return rows[0] ? new Date(rows[0].paid_at) : null;
}

/** A file's control total: the column to sum, and the name and value of the amount that its sum must equal, or null for none. */
type ControlTotal = {
  title: string;
  equals: string | null;
  expected: (figures: SalesFigures, file: Tally) => number | null;
};
const controlTotals: Record<BookFile, ControlTotal> = {
  orders: { title: "Total", equals: "Received", expected: ({ receivedCents }) => receivedCents },
  lines: {
    title: "After discount",
    equals: "Gross sales less discounts",
    expected: ({ salesCents }) => salesCents,
  },
  refunds: { title: "Amount", equals: "Refunds", expected: ({ refundedCents }) => refundedCents },
  payments: { title: "Amount", equals: null, expected: () => null },
  tax: {
    title: "Tax less refunds",
    equals: "Tax less its refunds",
    expected: ({ taxCents, refundedTaxCents }) => taxCents - refundedTaxCents,
  },
  balance: { title: "Change of balance", equals: null, expected: () => null },
  ledger: { title: "Debit", equals: "its Credit", expected: (_, { sums }) => sums.get("Credit") ?? 0 },
};

/** Contents of a written file: number of lines, and the sums of the amounts in cents by column. */
type Tally = { lines: number; sums: Map<string, number> };

/**
 * All files of a period's books, as they are downloaded individually, its documents as PDF, and a cover page. The cover page is
 * made last, from the sums of the written files; its name sorts first.
 */
export async function* archiveFiles(ctx: ShopContext, period: TimeRange): AsyncGenerator<ZipFile> {
  const { from, to } = period.dates;
  const at = ctx.now();
  const tallies: [BookFile, Tally][] = [];
  for (const name of bookFiles) {
    const tally: Tally = { lines: 0, sums: new Map() };
    tallies.push([name, tally]);
    const titles = bookFileTitles(name, period);
    const bytes = bookFileParts(ctx, name, period, (rows) => addRows(tally, titles, rows));
    yield { name: `${name}-${from}-${to}.csv`, at, bytes };
  }
  let documents = 0;
  for await (const { name, ...document } of invoiceFiles(ctx, period)) {
    documents += 1;
    yield { name: `invoices/${name}`, ...document };
  }
  const html = await coverPage(ctx, period, { at, tallies, documents });
  yield { name: `0-cover-page-${from}-${to}.html`, at, bytes: new TextEncoder().encode(html) };
}

function addRows(tally: Tally, titles: readonly string[], rows: readonly Cells[]): void {
  tally.lines += rows.length;
  for (const title of summedTitles) {
    const column = titles.indexOf(title);
    if (column < 0) continue;
    const cents = rows.reduce((sum, row) => sum + Math.round(Number(row[column] ?? 0) * 100), 0);
    tally.sums.set(title, (tally.sums.get(title) ?? 0) + cents);
  }
}

const summedTitles = new Set(["Credit", ...Object.values(controlTotals).map(({ title }) => title)]);

type Contents = { at: Date; tallies: [BookFile, Tally][]; documents: number };

/** A page for the accountant, to read and to print: the period, how its sums add up, and what each file contains. */
async function coverPage(
  ctx: ShopContext,
  { dates, timeZone }: TimeRange,
  { at, tallies, documents }: Contents,
): Promise<string> {
  const [{ brandName, seller }, figures, readUntil] = await Promise.all([
    ctx.settings(),
    readFigures(ctx, dates, timeZone),
    balanceReadUntil(ctx),
  ]);
  const name = periodName(dates);
  const zone = timeZone.replaceAll("_", " ");
  const formatMinute = (time: Date) => zonedTimestamp(time, timeZone).slice(0, 16);
  const statement = salesStatement(figures).map(
    ({ sign, name, cents, note }) =>
      `<tr${sign === "=" ? ' class="sum"' : ""}><td>${sign}</td><th scope="row">${name}${note ? `<small>${escapeHtml(note)}</small>` : ""}</th><td>${formatSigned(cents)}</td></tr>`,
  );
  const files = tallies.map(([file, tally]) => {
    const { title, equals, expected } = controlTotals[file];
    const cents = tally.sums.get(title) ?? 0;
    const expectedCents = expected(figures, tally);
    const check =
      equals === null || expectedCents === null
        ? title
        : expectedCents === cents
          ? `${title}, equal to ${equals}`
          : `${title}; ${equals}: ${formatSigned(expectedCents)}. They differ by ${formatSigned(cents - expectedCents)}`;
    return `<tr><th scope="row">${file}-${dates.from}-${dates.to}.csv<small>${escapeHtml(bookFileTexts[file].about)}</small></th><td>${tally.lines.toLocaleString("en-US")}</td><td>${formatSigned(cents)}<small>${check}</small></td></tr>`;
  });
  const about: [term: string, text: string][] = [
    [
      "Shop",
      [brandName, seller.legalName, seller.address?.replaceAll("\n", ", ")].filter(Boolean).join(", "),
    ],
    ["Period", `${dates.from} to ${dates.to}, days of ${zone}`],
    ["Made", `${formatMinute(at)}, ${zone}`],
    [
      "Payment provider",
      readUntil === null
        ? "Fees and payouts were not read yet"
        : `Fees and payouts read until ${formatMinute(new Date(readUntil))}`,
    ],
    ["Amounts", `US dollars${modeWords[ctx.provider.mode]}`],
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(brandName)}, books of ${name}</title><style>${style}</style></head><body>
<h1>${escapeHtml(brandName)}, books of ${name}</h1>
<dl>${about.map(([term, text]) => `<div><dt>${term}</dt><dd>${escapeHtml(text)}</dd></div>`).join("")}</dl>
<h2>How it adds up</h2>
<table><tbody>${statement.join("\n")}</tbody></table>
<p>Orders count on the day they were paid, refunds and chargebacks on their own day. The provider’s fees are not in the net.</p>
<h2>Files</h2>
<table><thead><tr><th scope="col">File</th><th scope="col">Lines</th><th scope="col">Main sum</th></tr></thead><tbody>
${files.join("\n")}
<tr><th scope="row">invoices/<small>Invoices and credit notes issued in the period, as PDF.</small></th><td>${documents.toLocaleString("en-US")}</td><td></td></tr>
</tbody></table>
</body></html>
`;
}

const modeWords = {
  live: "",
  test: ". Test payments are included",
  sandbox: ". All payments are simulated",
} satisfies Record<PaymentMode, string>;

/** `-500` -> "−$5.00" */
function formatSigned(cents: number): string {
  return cents < 0 ? `−${formatCents(-cents)}` : formatCents(cents);
}

const style = `
body { max-width: 46rem; margin: 2.5rem auto; padding: 0 1.25rem; color: #1d2a21; background: #fff; font: 1rem/1.5 Figtree, system-ui, sans-serif }
h1, h2 { font: 360 2rem/1.15 Fraunces, Georgia, serif; margin: 0 0 1rem } h2 { font-size: 1.375rem; margin: 2.5rem 0 .5rem }
dl { margin: 0 } dl div { display: grid; grid-template-columns: 10rem 1fr; padding: .25rem 0 } dt, small, thead th, p { color: #565e53 } dd { margin: 0 }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums } th { text-align: left; font-weight: 400; overflow-wrap: anywhere }
th, td { padding: .5rem 0; border-top: 1px solid #e2d8c5; vertical-align: baseline } td:first-child { width: 1.5rem } td + td, th + td, th + th { text-align: right; padding-left: 1rem }
small { display: block; font-size: .8125rem } p, thead th { font-size: .875rem } thead th { border: 0 } tbody td:not(:first-child) { white-space: nowrap } td small { white-space: normal }
.sum > * { font-weight: 600 } .sum:last-child > * { border-top: 3px double #1d2a21 }
@media (max-width: 30rem) { dl div { display: block } }
`;
