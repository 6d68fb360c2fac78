import { asc, desc, eq, lt, sql } from "drizzle-orm";
import type { Discrepancy, MoneyCheck, MoneyCheckDetail } from "../../domain/money-check/money-check.ts";
import { providerNames } from "../../domain/payments/providers.ts";
import { pick } from "../../domain/shared/pick.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { cutPage } from "../platform/http/params.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { discrepancies, moneyChecks } from "./tables.ts";

const countDiscrepancies = (condition = sql`true`) =>
  sql<number>`(select count(*)::int from ${discrepancies}
    where discrepancies.check_id = money_checks.id and ${condition})`;
const columns = {
  check: moneyChecks,
  findings: countDiscrepancies(),
  openFindings: countDiscrepancies(sql`discrepancies.repaired_at is null`),
};

/** Runs of the check, newest first. */
export async function listMoneyChecks(
  db: Db,
  timeZone: string,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ data: MoneyCheck[]; nextCursor: string | null }> {
  const rows = await db
    .select(columns)
    .from(moneyChecks)
    .where(cursor === null ? undefined : lt(moneyChecks.id, cursor))
    .orderBy(desc(moneyChecks.id))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ check }) => String(check.id));
  return { data: page.map((row) => toCheck(row, timeZone)), nextCursor };
}

/** One run with its differences, open ones first; null if there is no such run. */
export async function readMoneyCheck(ctx: ShopContext, checkId: number): Promise<MoneyCheckDetail | null> {
  const { db, provider } = ctx;
  const [row] = await db.select(columns).from(moneyChecks).where(eq(moneyChecks.id, checkId));
  if (!row) return null;
  const rows = await db
    .select({ discrepancy: discrepancies, number: orders.number })
    .from(discrepancies)
    .leftJoin(orders, eq(orders.id, discrepancies.orderId))
    .where(eq(discrepancies.checkId, checkId))
    .orderBy(sql`${discrepancies.repairedAt} is not null`, asc(discrepancies.id));
  return {
    ...toCheck(row, await ownerTimeZone(ctx)),
    providerName: providerNames[provider.name],
    items: rows.map(
      ({ discrepancy, number }): Discrepancy => ({
        ...pick(discrepancy, "id", "kind", "intentId", "byItself"),
        order: discrepancy.orderId === null || number === null ? null : { id: discrepancy.orderId, number },
        provider: discrepancy.providerCents,
        booked: discrepancy.bookedCents,
        mendedAt: discrepancy.repairedAt?.toISOString() ?? null,
        outcome: discrepancy.repairFailure,
        dashboardUrl: discrepancy.intentId.startsWith("#")
          ? null
          : provider.dashboardUrl(discrepancy.intentId),
      }),
    ),
  };
}

type Row = { check: typeof moneyChecks.$inferSelect; findings: number; openFindings: number };

function toCheck({ check, findings, openFindings }: Row, timeZone: string): MoneyCheck {
  return {
    ...pick(check, "id", "requestedBy", "status", "problem", "matched"),
    from: dateIn(timeZone, check.periodFrom),
    to: dateIn(timeZone, new Date(check.periodTo.getTime() - 1)),
    looked: check.checkedPayments,
    apart: check.ignoredPayments,
    apartCents: check.ignoredCents,
    providerIn: check.providerInCents,
    providerRefunded: check.providerRefundedCents,
    bookedIn: check.bookedInCents,
    bookedRefunded: check.bookedRefundedCents,
    providerChargedBack: check.providerChargedBackCents,
    bookedChargedBack: check.bookedChargedBackCents,
    providerFees: check.providerFeeCents,
    bookedFees: check.bookedFeeCents,
    held: check.heldCents,
    findings,
    openFindings,
    startedAt: check.startedAt.toISOString(),
    finishedAt: check.finishedAt?.toISOString() ?? null,
  };
}
