import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import { defineJob, moreToDo, type Task, task } from "../platform/jobs/jobs.ts";
import { readBalance } from "./balance.ts";
import { refreshBookDays } from "./book-sums.ts";
import { issueDue } from "./invoices.ts";

export const issueInvoicesEverySeconds = 60;

const issueInvoicesJob = defineJob({
  name: "issue_invoices",
  payload: v.object({}),
  lane: "upkeep",
  priority: 15,
  maxAttempts: 1,
});

/** Runs every minute: issues documents for payments and refunds. */
export function issueInvoicesTask(ctx: ShopContext): Task {
  return task(issueInvoicesJob, async () => ((await issueDue(ctx)) > 0 ? moreToDo : undefined));
}

export const readBalanceEverySeconds = 60 * 60;

const readBalanceJob = defineJob({
  name: "read_balance",
  payload: v.object({}),
  lane: "long",
  priority: 30,
  maxAttempts: 1,
});

/** Runs every hour: reads fees and payouts from the payment provider. */
export function readBalanceTask(ctx: ShopContext): Task {
  return task(readBalanceJob, () => readBalance(ctx));
}

export const refreshBooksEverySeconds = 300;

const refreshBooksJob = defineJob({
  name: "refresh_books",
  payload: v.object({}),
  lane: "upkeep",
  priority: 20,
  maxAttempts: 1,
});

/** Runs at start and every few minutes: updates the sums of the books. */
export function refreshBooksTask(ctx: ShopContext): Task {
  return task(refreshBooksJob, async () => {
    const { timeZone } = await ctx.ownerSettings();
    await refreshBookDays(ctx.db, { now: ctx.now(), timeZone });
  });
}
