import type { LiveRates } from "../domain/shipping/shipping-policy.ts";
import type { AnyApiRow } from "./api-row.ts";
import type { LiveRatesRequest } from "./cart/live-rates.ts";
import type { ShopContext } from "./context.ts";
import type { Mail } from "./outbox/compose.ts";
import type { PaymentHooksOf } from "./payments/hooks.ts";
import type { PersonalDataOf } from "./personal-data.ts";
import type { RecurringTask, Task } from "./platform/jobs/jobs.ts";

/**
 * Deletes rows of one kind after their retention period (docs/decisions/0030-tables-and-retention.md). The function's name
 * is logged.
 */
type Purge = (ctx: ShopContext) => Promise<void>;

/** API rows, jobs and hooks that one feature registers with the shop. */
export type Feature = {
  api?: readonly AnyApiRow[];
  /** Background work. */
  tasks?(ctx: ShopContext): readonly Task[];
  /** Runs on every server before it serves; an error keeps the server from starting. */
  atStart?(ctx: ShopContext): Promise<void>;
  cron?(ctx: ShopContext): readonly RecurringTask[];
  purges?: readonly Purge[];
  /** E-mails and texts: kind -> function that composes the message when it is sent. */
  mail?: Mail;
  paymentHooks?: PaymentHooksOf<ShopContext>;
  /** Carriers' prices for a cart at checkout, by option id; without options that have no price. Only one feature has it. */
  liveRates?(ctx: ShopContext, request: LiveRatesRequest): Promise<LiveRates>;
  /** Export and erasure of the personal data that it stores. */
  personalData?: PersonalDataOf<ShopContext>;
};
