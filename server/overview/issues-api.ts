import { and, asc, eq, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import { type Issue, issueSchema } from "../../domain/admin/admin.ts";
import { pick } from "../../domain/shared/pick.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import { disputes } from "../disputes/tables.ts";
import { closeIssue } from "../issues/issues.ts";
import { issues } from "../issues/tables.ts";
import { lockOrder } from "../orders/lifecycle.ts";
import { updateShipHold } from "../orders/ship-hold.ts";
import { orders } from "../orders/tables.ts";
import type { PaymentProvider } from "../payment-providers/provider.ts";
import { isOtherAccount } from "../payments/other-account.ts";
import { payments } from "../payments/tables.ts";
import type { Database } from "../platform/database/database.ts";
import { notFoundProblem, problem } from "../platform/http/problem.ts";

const shared = { tag: "Admin", access: "admin", roles: ["staff"] } as const;

/** Issues that a person has to decide. */
export const issuesApi = [
  route("GET /api/admin/attention", {
    ...shared,
    summary: "Issues waiting for the owner's decision, oldest first",
    response: dataEnvelope(v.array(issueSchema)),
    responses: {
      200: "`[{id, kind, message, createdAt, orderId, orderNumber, amount, reason, dueAt, url}]`, at most 100; the last four only for a dispute: disputed amount, its reason, time to answer by, and page at the provider",
    },
    handle: async (ctx) => ok(await listIssues(ctx)),
  }),
  route("POST /api/admin/attention/:id/resolve", {
    ...shared,
    summary: "Close an issue, with a note of how it was resolved",
    limit: "write",
    params: v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)) }),
    body: v.object({
      note: v.optional(
        v.nullable(
          v.pipe(
            v.string("Must be text"),
            v.trim(),
            v.maxLength(500, "At most 500 characters"),
            v.transform((note) => note || null),
          ),
        ),
        null,
      ),
    }),
    response: dataEnvelope(v.object({ id: v.number(), resolvedAt: v.string() })),
    responses: { 200: "Closed", 404: "There is no such issue", 409: "The issue is closed already" },
    handle: async (ctx, { params, body, log }) => {
      const result = await resolveIssue(ctx.db, { issueId: params.id, note: body.note, now: ctx.now() });
      if (result === null) return notFoundProblem("issue");
      log({
        // Logged under the issue's order, if there is one.
        subject: result.orderId === null ? `attention:${params.id}` : `order:${result.orderId}`,
        summary: `Closed an issue: ${result.kind.replaceAll("_", " ")}${body.note === null ? "" : `: ${body.note}`}`,
      });
      return result.isNew
        ? ok({ id: params.id, resolvedAt: result.resolvedAt.toISOString() })
        : problem("invalid_state", "This issue is closed already.");
    },
  }),
];

const maxShown = 100;

/** Open issues, oldest first. */
export async function listIssues({ db, provider }: ShopContext): Promise<Issue[]> {
  const rows = await db
    .select({
      issue: issues,
      orderNumber: orders.number,
      dispute: disputes,
      payment: payments,
    })
    .from(issues)
    .leftJoin(orders, eq(orders.id, issues.orderId))
    .leftJoin(disputes, eq(disputes.id, sql`split_part(${issues.subject}, ':', 1)`))
    .leftJoin(
      payments,
      and(
        eq(payments.orderId, issues.orderId),
        eq(payments.status, "succeeded"),
        isNull(payments.orderEditId),
      ),
    )
    .where(isNull(issues.resolvedAt))
    .orderBy(asc(issues.id))
    .limit(maxShown);
  return rows.map(({ issue, orderNumber, dispute, payment }) => ({
    ...pick(issue, "id", "kind", "message", "orderId"),
    createdAt: issue.createdAt.toISOString(),
    orderNumber,
    amount: dispute?.amountCents ?? null,
    reason: dispute?.reason ?? null,
    dueAt: dispute?.status === "needs_response" ? (dispute.evidenceDueAt?.toISOString() ?? null) : null,
    disputeId: dispute?.id ?? null,
    url: providerUrl(provider, payment, dispute),
  }));
}

/** Null, too, for objects of another account or mode: the current account's dashboard does not show them. */
function providerUrl(
  provider: PaymentProvider,
  payment: typeof payments.$inferSelect | null,
  dispute: typeof disputes.$inferSelect | null,
): string | null {
  if (payment && isOtherAccount(provider, payment)) return null;
  if (dispute) return provider.disputeUrl(dispute.id);
  return payment?.intentId ? provider.dashboardUrl(payment.intentId) : null;
}

/**
 * Closes an issue by the owner's decision, and releases its order if no other issue holds it; `note`: the reason. Null if no
 * such issue. `isNew` is false if it was closed before and is unchanged.
 */
async function resolveIssue(
  db: Database,
  { issueId, note, now }: { issueId: number; note: string | null; now: Date },
): Promise<{ kind: string; orderId: string | null; resolvedAt: Date; isNew: boolean } | null> {
  return db.transaction(async (tx) => {
    const [issue] = await tx.select().from(issues).where(eq(issues.id, issueId));
    if (!issue) return null;
    const { orderId, kind } = issue;
    if (orderId !== null) await lockOrder(tx, orderId);
    const isNew = await closeIssue(tx, { id: issueId, resolution: note, now });
    if (orderId !== null) await updateShipHold(tx, orderId);
    const [{ resolvedAt } = issue] = await tx.select().from(issues).where(eq(issues.id, issueId));
    return { kind, orderId, resolvedAt: resolvedAt ?? now, isNew };
  });
}
