import * as v from "valibot";
import type { ShopContext } from "../context.ts";
import { defineJob, moreToDo, type Task, task } from "../platform/jobs/jobs.ts";
import { issueDue } from "./invoices.ts";

export const issueInvoicesEverySeconds = 60;

const issueInvoicesJob = defineJob({
  name: "issue_invoices",
  payload: v.object({}),
  lane: "upkeep",
  priority: 15,
  maxAttempts: 1,
});

/** Runs every minute: what was paid or refunded gets its document. */
export function issueInvoicesTask(ctx: ShopContext): Task {
  return task(issueInvoicesJob, async () => ((await issueDue(ctx)) > 0 ? moreToDo : undefined));
}
