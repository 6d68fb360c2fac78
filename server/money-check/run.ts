import { and, eq, inArray, isNull, ne, not, type SQL, sql } from "drizzle-orm";
import { formatCents } from "../../domain/shared/money.ts";
import type { ShopContext } from "../context.ts";
import { raiseIssue } from "../issues/issues.ts";
import { issues } from "../issues/tables.ts";
import { orders } from "../orders/tables.ts";
import { closeAllSettledIssues } from "../payments/close-issues.ts";
import type { Db } from "../platform/database/database.ts";
import type { Comparison } from "./compare.ts";
import { discrepancies, moneyChecks } from "./tables.ts";

export type CheckRow = typeof moneyChecks.$inferSelect;

/** Resets the counts of a run and deletes the differences that an interrupted attempt has found. */
export async function restartRun(db: Db, checkId: number): Promise<void> {
  await db.delete(discrepancies).where(eq(discrepancies.checkId, checkId));
  const counts = { checkedPayments: 0, matched: 0, ignoredPayments: 0, ignoredCents: 0 };
  const sums = {
    providerInCents: 0,
    providerRefundedCents: 0,
    providerChargedBackCents: 0,
    providerFeeCents: 0,
    bookedInCents: 0,
    bookedRefundedCents: 0,
    bookedChargedBackCents: 0,
    bookedFeeCents: 0,
    heldCents: 0,
  };
  await db
    .update(moneyChecks)
    .set({ ...counts, ...sums })
    .where(eq(moneyChecks.id, checkId));
}

/**
 * Adds compared payments to the check's counts and sums, which show its progress. Closes differences that other runs found and
 * this one no longer finds.
 */
export async function recordProgress(
  { db, now }: ShopContext,
  checkId: number,
  allComparisons: readonly Comparison[],
): Promise<void> {
  if (allComparisons.length === 0) return;
  const counted = allComparisons.filter(({ isIgnored }) => !isIgnored);
  const ignored = allComparisons.filter(({ isIgnored }) => isIgnored);
  const differences = counted.flatMap((comparison) => comparison.differences);
  const sum = (
    comparisons: readonly Comparison[],
    key: Exclude<keyof Comparison, "intentId" | "isIgnored" | "differences">,
  ) => comparisons.reduce((cents, comparison) => cents + comparison[key], 0);
  await db.transaction(async (tx) => {
    await tx
      .update(moneyChecks)
      .set({
        checkedPayments: sql`${moneyChecks.checkedPayments} + ${allComparisons.length}`,
        matched: sql`${moneyChecks.matched} + ${counted.filter((comparison) => comparison.differences.length === 0).length}`,
        ignoredPayments: sql`${moneyChecks.ignoredPayments} + ${ignored.length}`,
        ignoredCents: sql`${moneyChecks.ignoredCents} + ${sum(ignored, "providerIn")}`,
        providerInCents: sql`${moneyChecks.providerInCents} + ${sum(counted, "providerIn")}`,
        providerRefundedCents: sql`${moneyChecks.providerRefundedCents} + ${sum(counted, "providerRefunded")}`,
        bookedInCents: sql`${moneyChecks.bookedInCents} + ${sum(counted, "bookedIn")}`,
        bookedRefundedCents: sql`${moneyChecks.bookedRefundedCents} + ${sum(counted, "bookedRefunded")}`,
        providerChargedBackCents: sql`${moneyChecks.providerChargedBackCents} + ${sum(counted, "providerChargedBack")}`,
        bookedChargedBackCents: sql`${moneyChecks.bookedChargedBackCents} + ${sum(counted, "bookedChargedBack")}`,
        providerFeeCents: sql`${moneyChecks.providerFeeCents} + ${sum(counted, "providerFees")}`,
        bookedFeeCents: sql`${moneyChecks.bookedFeeCents} + ${sum(counted, "bookedFees")}`,
        heldCents: sql`${moneyChecks.heldCents} + ${sum(counted, "held")}`,
      })
      .where(eq(moneyChecks.id, checkId));
    if (differences.length > 0) {
      await tx.insert(discrepancies).values(differences.map((difference) => ({ ...difference, checkId })));
    }
    const ids = allComparisons.map(({ intentId }) => intentId);
    await closeUnconfirmed(tx, { checkId, now: now() }, inArray(discrepancies.intentId, ids));
  });
}

/** Closes other runs' open differences that meet `condition`, unless this run has found them again. */
async function closeUnconfirmed(
  tx: Db,
  { checkId, now }: { checkId: number; now: Date },
  condition: SQL,
): Promise<void> {
  const isFoundAgain = sql`exists (select from ${discrepancies} as again where again.check_id = ${checkId}
    and again.intent_id = discrepancies.intent_id and again.kind = discrepancies.kind)`;
  await tx
    .update(discrepancies)
    .set({ repairedAt: now, byItself: true, repairFailure: null })
    .where(
      and(ne(discrepancies.checkId, checkId), isNull(discrepancies.repairedAt), not(isFoundAgain), condition),
    );
}

/** Condition: a difference of one of the period's orders that was booked as paid without a payment. */
function isWithoutPayment({ periodFrom, periodTo }: CheckRow): SQL {
  return sql`${discrepancies.intentId} like '#%' and exists (select from ${orders}
    where orders.id = discrepancies.order_id and orders.paid_at >= ${periodFrom.toISOString()}
      and orders.paid_at < ${periodTo.toISOString()})`;
}

/**
 * Ends the check and raises an issue for new differences, which neither an earlier check nor an issue about the payment reports.
 */
export async function finishRun(ctx: ShopContext, check: CheckRow): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(moneyChecks)
      .set({ status: "done", problem: null, finishedAt: ctx.now() })
      .where(eq(moneyChecks.id, check.id));
    await closeUnconfirmed(tx, { checkId: check.id, now: ctx.now() }, isWithoutPayment(check));
    const { rows } = await tx.execute<{ count: number; cents: number }>(sql`
      select count(*)::int as count, coalesce(sum(abs(provider_cents - booked_cents)), 0)::int as cents
      from ${discrepancies} as found where check_id = ${check.id}
        and not exists (select from ${discrepancies} as before
          where before.intent_id = found.intent_id and before.kind = found.kind and before.check_id < found.check_id
            and before.repaired_at is null)
        and not exists (select from ${issues} where subject = found.intent_id)`);
    const { count = 0, cents = 0 } = rows[0] ?? {};
    if (count === 0) return;
    await raiseIssue(tx, {
      kind: "money_check",
      subject: String(check.id),
      message: `The money check found ${count === 1 ? "a difference" : `${count} differences`} of ${formatCents(cents)} between the payment provider and the orders: see Money check`,
    });
  });
  await closeAllSettledIssues(ctx.db, ctx.now());
}
