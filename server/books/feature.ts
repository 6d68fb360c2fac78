import { asc, inArray } from "drizzle-orm";
import * as v from "valibot";
import type { Feature } from "../feature.ts";
import type { Person } from "../personal-data.ts";
import type { Db } from "../platform/database/database.ts";
import { defineJob, moreToDo, task } from "../platform/jobs/jobs.ts";
import { invoicesApi } from "./api.ts";
import { readBalance } from "./balance.ts";
import { refreshBookDays } from "./book-sums.ts";
import { booksApi } from "./books-api.ts";
import { issueDue } from "./invoices.ts";
import { invoices } from "./tables.ts";

const withoutRetry = { payload: v.object({}), maxAttempts: 1 } as const;
const issueInvoicesJob = defineJob({ name: "issue_invoices", lane: "upkeep", priority: 15, ...withoutRetry });
const readBalanceJob = defineJob({ name: "read_balance", lane: "long", priority: 30, ...withoutRetry });
const refreshBooksJob = defineJob({ name: "refresh_books", lane: "upkeep", priority: 20, ...withoutRetry });

/** Invoices, and the accountant's files. */
export const booksFeature = {
  api: [...booksApi, ...invoicesApi],
  cron: (ctx) => [
    {
      task: task(issueInvoicesJob, async () => ((await issueDue(ctx)) > 0 ? moreToDo : undefined)),
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
