import { asc, inArray } from "drizzle-orm";
import * as v from "valibot";
import { booksSchema } from "../../domain/books/books.ts";
import { bookFiles } from "../../domain/books/exports.ts";
import type { BalanceEntryKind } from "../../domain/payments/providers.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import type { Feature } from "../feature.ts";
import type { Person } from "../personal-data.ts";
import { csvHeaders } from "../platform/csv.ts";
import type { Db } from "../platform/database/database.ts";
import { defineJob, moreToDo, task } from "../platform/jobs/jobs.ts";
import { readFigures } from "../sales/figures.ts";
import { invoicesApi } from "./api.ts";
import { archiveFiles } from "./archive.ts";
import { balanceReadUntil, latestPayouts, readBalance } from "./balance.ts";
import { bookFile } from "./book-files.ts";
import { type BookSum, readBookSums, refreshBookDays, taxByPlace } from "./book-sums.ts";
import { issueDueInvoices } from "./invoices.ts";
import { periodDays, resolveTimeRange } from "./period.ts";
import { invoices } from "./tables.ts";
import { zipStream } from "./zip.ts";

const shared = { tag: "Books", access: "admin", roles: ["accountant"] } as const;

/** Files and sums for the accountant, over any days of the shop's time zone. */
const booksApi = [
  route("GET /api/admin/books", {
    ...shared,
    summary: "A period's figures, its tax by place, and the movements of the balance at the payment provider",
    query: v.object(periodDays),
    response: dataEnvelope(booksSchema),
    responses: { 200: "Amounts in cents; days are the shop's" },
    async handle(ctx, { query }) {
      const period = await resolveTimeRange(ctx, query);
      if ("problem" in period) return period;
      const [figures, sums, payouts, readUntil] = await Promise.all([
        readFigures(ctx, query, period.timeZone),
        readBookSums(ctx, period),
        latestPayouts(ctx, period),
        balanceReadUntil(ctx),
      ]);
      return ok({
        ...query,
        today: dateIn(period.timeZone, ctx.now()),
        timeZone: period.timeZone,
        figures,
        tax: taxByPlace(sums),
        balance: { ...balanceSummary(sums), readUntil },
        payouts: { count: findSum(sums, "payout").entries, latest: payouts },
        postageCents: findSum(sums, "label").amountCents,
        invoices: findSum(sums, "document").entries,
      });
    },
  }),
  route("GET /api/admin/books/:file", {
    ...shared,
    summary: "A period's books as a file: orders, lines, refunds, payments, tax, balance or the ledger",
    downloads: true,
    params: v.object({ file: v.picklist(bookFiles, `One of ${bookFiles.join(", ")}`) }),
    query: v.object(periodDays),
    file: ["text/csv"],
    responses: {
      200: "CSV, UTF-8, streamed while it is read; `X-Lines` is the estimated number of lines. Amounts with two decimals, times in the shop's zone",
    },
    async handle(ctx, { params, query }) {
      const period = await resolveTimeRange(ctx, query);
      if ("problem" in period) return period;
      const { stream, lines } = await bookFile(ctx, params.file, period);
      const name = `${params.file}-${period.dates.from}-${period.dates.to}.csv`;
      return { status: 200, stream, headers: { ...csvHeaders(name), "X-Lines": String(lines) } };
    },
  }),
  route("GET /api/admin/books.zip", {
    ...shared,
    summary: "All files of a period's books, its invoices and credit notes, and a cover page, in one archive",
    downloads: true,
    query: v.object(periodDays),
    file: ["application/zip"],
    responses: { 200: "ZIP, streamed while it is being created" },
    async handle(ctx, { query }) {
      const period = await resolveTimeRange(ctx, query);
      if ("problem" in period) return period;
      const { from, to } = period.dates;
      return {
        status: 200,
        stream: zipStream(archiveFiles(ctx, period)),
        headers: { ...csvHeaders(`books-${from}-${to}.zip`), "Content-Type": "application/zip" },
      };
    },
  }),
];

function balanceSummary(sums: readonly BookSum[]) {
  const sumCents = (kind: BalanceEntryKind) => findSum(sums, kind).amountCents;
  const fees = sums.reduce((cents, { feeCents }) => cents + feeCents, 0);
  return {
    chargesCents: sumCents("charge"),
    refundsCents: -sumCents("refund"),
    disputesCents: -sumCents("dispute"),
    feesCents: fees - sumCents("fee"),
    payoutsCents: -sumCents("payout"),
    otherCents: sumCents("other"),
  };
}

function findSum(sums: readonly BookSum[], kind: BalanceEntryKind | "document" | "label") {
  return sums.find((sum) => sum.kind === kind) ?? { entries: 0, amountCents: 0 };
}

const withoutRetry = { payload: v.object({}), maxAttempts: 1 } as const;
const issueInvoicesJob = defineJob({ name: "issue_invoices", lane: "upkeep", priority: 15, ...withoutRetry });
const readBalanceJob = defineJob({ name: "read_balance", lane: "long", priority: 30, ...withoutRetry });
const refreshBooksJob = defineJob({ name: "refresh_books", lane: "upkeep", priority: 20, ...withoutRetry });

/** Invoices, and the accountant's files. */
export const booksFeature = {
  api: [...booksApi, ...invoicesApi],
  cron: (ctx) => [
    {
      task: task(issueInvoicesJob, async () => ((await issueDueInvoices(ctx)) > 0 ? moreToDo : undefined)),
      everySeconds: 60,
    },
    { task: task(readBalanceJob, () => readBalance(ctx)), everySeconds: 60 * 60 },
    {
      task: task(refreshBooksJob, async () => {
        const { timeZone } = await ctx.ownerSettings();
        await refreshBookDays(ctx.db, { now: ctx.now(), timeZone });
      }),
      everySeconds: 300,
    },
  ],
  personalData: { lists: { invoices: exportInvoices } },
} satisfies Feature;

/**
 * Invoices of these orders, as issued. They are not erased, because tax law requires that they are kept with the buyer's name
 * (docs/decisions/0049-books.md).
 */
async function exportInvoices(db: Db, { orderIds }: Person) {
  return db
    .select({ issuedAt: invoices.issuedAt, voidedAt: invoices.voidedAt, document: invoices.snapshot })
    .from(invoices)
    .where(inArray(invoices.orderId, orderIds))
    .orderBy(asc(invoices.issuedAt), asc(invoices.id));
}
