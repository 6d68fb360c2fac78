import type { Feature } from "../feature.ts";
import { invoicesApi } from "./api.ts";
import { booksApi } from "./books-api.ts";
import {
  issueInvoicesEverySeconds,
  issueInvoicesTask,
  readBalanceEverySeconds,
  readBalanceTask,
  refreshBooksEverySeconds,
  refreshBooksTask,
} from "./jobs.ts";
import { exportInvoices } from "./personal-data.ts";

/** Invoices, and the accountant's files. */
export const booksFeature = {
  api: [...booksApi, ...invoicesApi],
  cron: (ctx) => [
    { task: issueInvoicesTask(ctx), everySeconds: issueInvoicesEverySeconds },
    { task: readBalanceTask(ctx), everySeconds: readBalanceEverySeconds },
    { task: refreshBooksTask(ctx), everySeconds: refreshBooksEverySeconds },
  ],
  personalData: { lists: { invoices: exportInvoices } },
} satisfies Feature;
