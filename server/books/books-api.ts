import { and, gte, inArray, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import { booksSchema } from "../../domain/books/books.ts";
import { bookFiles } from "../../domain/books/exports.ts";
import { countedModes } from "../../domain/payments/payment-mode.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import { dataOf, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { csvHeaders } from "../platform/csv.ts";
import { readFigures } from "../sales/figures.ts";
import { balanceReadUntil } from "./balance.ts";
import { bookFile, taxByPlace } from "./book-files.ts";
import { type Moments, momentsOf, periodDays } from "./period.ts";
import { balanceEntries, invoices } from "./tables.ts";

const shared = { tag: "Books", access: "admin", limit: "none", roles: ["accountant"] } as const;

/** Files and sums for the accountant, over any days of the shop's time zone. */
export const booksApi = [
  route("GET /api/admin/books", {
    ...shared,
    summary: "A period's figures, its tax by place, and what moved at the payment provider",
    query: v.object(periodDays),
    response: dataOf(booksSchema),
    answers: { 200: "Amounts in cents; days are the shop's" },
    async handle(ctx, { query }) {
      const period = await momentsOf(ctx, query);
      if ("problem" in period) return period;
      const [figures, tax, balance, documents] = await Promise.all([
        readFigures(ctx, query, period.timeZone),
        taxByPlace(ctx, period),
        balanceSums(ctx, period),
        ctx.db.$count(
          invoices,
          and(
            gte(invoices.issuedAt, period.from),
            lt(invoices.issuedAt, period.before),
            inArray(invoices.mode, countedModes[ctx.provider.mode]),
          ),
        ),
      ]);
      return ok({
        ...query,
        today: dateIn(period.timeZone, ctx.now()),
        timeZone: period.timeZone,
        figures,
        tax: tax.map(({ country, state, sold, tax, sold_back, tax_back }) => ({
          country,
          state,
          soldCents: Number(sold),
          taxCents: Number(tax),
          soldBackCents: Number(sold_back),
          taxBackCents: Number(tax_back),
        })),
        balance: { ...balance, readUntil: await balanceReadUntil(ctx) },
        invoices: documents,
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
    answers: {
      200: "CSV, UTF-8, sent while it is read; `X-Lines` says about how many lines it will have. Amounts with two decimals, times in the shop's zone",
    },
    async handle(ctx, { params, query }) {
      const period = await momentsOf(ctx, query);
      if ("problem" in period) return period;
      const { stream, lines } = await bookFile(ctx, params.file, period);
      const name = `${params.file}-${period.dates.from}-${period.dates.to}.csv`;
      return { status: 200, stream, headers: { ...csvHeaders(name), "X-Lines": String(lines) } };
    },
  }),
];

async function balanceSums({ db, provider }: ShopContext, { from, before }: Moments) {
  const rows = await db
    .select({
      kind: balanceEntries.kind,
      amount: sql<number>`coalesce(sum(${balanceEntries.amountCents}), 0)`.mapWith(Number),
      fee: sql<number>`coalesce(sum(${balanceEntries.feeCents}), 0)`.mapWith(Number),
    })
    .from(balanceEntries)
    .where(
      and(
        gte(balanceEntries.createdAt, from),
        lt(balanceEntries.createdAt, before),
        inArray(balanceEntries.mode, countedModes[provider.mode]),
      ),
    )
    .groupBy(balanceEntries.kind);
  const amount = (kind: (typeof rows)[number]["kind"]) => rows.find((row) => row.kind === kind)?.amount ?? 0;
  return {
    chargesCents: amount("charge"),
    refundsCents: -amount("refund"),
    disputesCents: -amount("dispute"),
    feesCents: rows.reduce((cents, { fee }) => cents + fee, 0) - amount("fee"),
    payoutsCents: -amount("payout"),
    otherCents: amount("other"),
  };
}
