import type { ShopContext } from "./context.ts";
import type { AnyApiRow } from "./http/api-row.ts";
import type { Mail } from "./outbox/compose.ts";
import type { RecurringTask } from "./platform/job-workers.ts";
import type { Task } from "./platform/jobs.ts";

/** Deletes what has served its time of one kind (docs/decisions/0030-tables-and-retention.md). Its name goes to the log. */
export type Purge = (ctx: ShopContext) => Promise<void>;

/** What one noun of the shop brings, apart from what pages and other features import from it. */
export type Feature = {
  api?: readonly AnyApiRow[] | ((ctx: ShopContext) => readonly AnyApiRow[]);
  /** Its background work. */
  tasks?(ctx: ShopContext): readonly Task[];
  /** Work that is done again and again. */
  cron?(ctx: ShopContext): readonly RecurringTask[];
  purges?: readonly Purge[];
  /** Its e-mails and texts: kind -> how its facts are gathered when it is sent. */
  mail?: Mail;
};
