import { and, asc, eq, isNull } from "drizzle-orm";
import type { Issue } from "../../domain/admin/admin.ts";
import { orders } from "../orders/tables.ts";
import { isElsewhere } from "../payments/elsewhere.ts";
import type { PaymentProvider } from "../payments/provider.ts";
import { disputes, issues, payments } from "../payments/tables.ts";
import type { Db } from "../platform/database.ts";

/** Where payments and disputes are looked at in the provider's own dashboard. */
export type Dashboard = Pick<PaymentProvider, "name" | "account" | "mode" | "dashboardUrl" | "disputeUrl">;

const shownMax = 100;

/** What waits for the owner, oldest first. */
export async function listIssues(db: Db, dashboard: Dashboard): Promise<Issue[]> {
  const rows = await db
    .select({
      flag: issues,
      orderNumber: orders.number,
      dispute: disputes,
      payment: payments,
    })
    .from(issues)
    .leftJoin(orders, eq(orders.id, issues.orderId))
    .leftJoin(disputes, eq(disputes.id, issues.subject))
    .leftJoin(payments, and(eq(payments.orderId, issues.orderId), eq(payments.status, "succeeded")))
    .where(isNull(issues.resolvedAt))
    .orderBy(asc(issues.id))
    .limit(shownMax);
  return rows.map(({ flag, orderNumber, dispute, payment }) => ({
    id: flag.id,
    kind: flag.kind,
    message: flag.message,
    createdAt: flag.createdAt.toISOString(),
    orderId: flag.orderId,
    orderNumber,
    amount: dispute?.amountCents ?? null,
    reason: dispute?.reason ?? null,
    dueAt: dispute?.status === "needs_response" ? (dispute.evidenceDueAt?.toISOString() ?? null) : null,
    url: urlOf(dashboard, payment, dispute),
  }));
}

/** Null, too, for what another account or mode holds: the present dashboard does not show it. */
function urlOf(
  dashboard: Dashboard,
  payment: typeof payments.$inferSelect | null,
  dispute: typeof disputes.$inferSelect | null,
): string | null {
  if (payment && isElsewhere(dashboard, payment)) return null;
  if (dispute) return dashboard.disputeUrl(dispute.id);
  return payment?.intentId ? dashboard.dashboardUrl(payment.intentId) : null;
}
