import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import { defineJob, moreToDo, type Task, task } from "../platform/jobs/jobs.ts";
import { readBalance } from "./balance.ts";
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
