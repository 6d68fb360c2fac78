import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import {
  type MoneyCheck,
  type MoneyCheckDetail,
  type MoneyFinding,
  providerNames,
} from "../../../domain/payments/money-check.ts";
import { dateIn } from "../../../domain/shared/zoned-days.ts";
import { orders } from "../../orders/tables.ts";
import type { Db } from "../../platform/database.ts";
import type { PaymentProvider } from "../provider.ts";
import { moneyChecks, moneyFindings } from "../tables.ts";

const findingsOf = (which = sql`true`) =>
  sql<number>`(select count(*)::int from ${moneyFindings}
    where money_findings.check_id = money_checks.id and ${which})`;
const columns = {
  check: moneyChecks,
  findings: findingsOf(),
  openFindings: findingsOf(sql`money_findings.mended_at is null`),
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
  const data = rows.slice(0, limit).map((row) => toCheck(row, timeZone));
  return { data, nextCursor: rows.length > limit ? String(data.at(-1)?.id) : null };
}

/** One run with all it found, open differences first; null where there is no such run. */
export async function readMoneyCheck(
  db: Db,
  checkId: number,
  timeZone: string,
  provider: Pick<PaymentProvider, "name" | "dashboardUrl">,
): Promise<MoneyCheckDetail | null> {
  const [row] = await db.select(columns).from(moneyChecks).where(eq(moneyChecks.id, checkId));
  if (!row) return null;
  const found = await db
    .select({ finding: moneyFindings, number: orders.number })
    .from(moneyFindings)
    .leftJoin(orders, eq(orders.id, moneyFindings.orderId))
    .where(and(eq(moneyFindings.checkId, checkId)))
    .orderBy(sql`${moneyFindings.mendedAt} is not null`, asc(moneyFindings.id));
  return {
    ...toCheck(row, timeZone),
    providerName: providerNames[provider.name],
    items: found.map(
      ({ finding, number }): MoneyFinding => ({
        id: finding.id,
        kind: finding.kind,
        intentId: finding.intentId,
        order: finding.orderId === null || number === null ? null : { id: finding.orderId, number },
        provider: finding.providerCents,
        booked: finding.bookedCents,
        mendedAt: finding.mendedAt?.toISOString() ?? null,
        byItself: finding.byItself,
        outcome: finding.outcome,
        dashboardUrl: finding.intentId.startsWith("#") ? null : provider.dashboardUrl(finding.intentId),
      }),
    ),
  };
}

type Row = { check: typeof moneyChecks.$inferSelect; findings: number; openFindings: number };

function toCheck({ check, findings, openFindings }: Row, timeZone: string): MoneyCheck {
  return {
    id: check.id,
    from: dateIn(timeZone, check.periodFrom),
    to: dateIn(timeZone, new Date(check.periodTo.getTime() - 1)),
    requestedBy: check.requestedBy,
    status: check.status,
    problem: check.problem,
    looked: check.looked,
    matched: check.matched,
    apart: check.apart,
    apartCents: check.apartCents,
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
