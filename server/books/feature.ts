import type { Feature } from "../feature.ts";
import { invoicesApi } from "./api.ts";
import { issueInvoicesEverySeconds, issueInvoicesTask } from "./jobs.ts";

/** Invoices, and what the accountant needs. */
export const booksFeature = {
  api: invoicesApi,
  cron: (ctx) => [{ task: issueInvoicesTask(ctx), everySeconds: issueInvoicesEverySeconds }],
} satisfies Feature;
