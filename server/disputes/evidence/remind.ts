import { and, asc, eq, gt, isNotNull, lte, sql } from "drizzle-orm";
import { disputeEvidenceDays } from "../../../domain/privacy/retention.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { enqueueIssue } from "../../issues/issues.ts";
import { orders } from "../../orders/tables.ts";
import { deleteInBatches } from "../../platform/database/in-batches.ts";
import { ownerTimeZone } from "../../settings/today.ts";
import { disputeEvidence, disputes } from "../tables.ts";

const hourMs = 60 * 60 * 1000;
/** Times before the deadline at which the owner is reminded. */
const reminders = [
  { hours: 24, kind: "dispute_due_tomorrow" },
  { hours: 72, kind: "dispute_due_soon" },
];
const remindedMax = 100;

/** Reminds the owner of unanswered disputes close to their deadline, once per reminder. */
export async function remindOfDisputes(ctx: ShopContext): Promise<void> {
  const now = ctx.now();
  const before = new Date(now.getTime() + Math.max(...reminders.map(({ hours }) => hours)) * hourMs);
  const dueDisputes = await ctx.db
    .select({ dispute: disputes, number: orders.number, status: disputeEvidence.status })
    .from(disputes)
    .innerJoin(orders, eq(orders.id, disputes.orderId))
    .leftJoin(disputeEvidence, eq(disputeEvidence.disputeId, disputes.id))
    .where(
      and(
        sql`${disputes.closedAt} is null and ${disputes.status} = 'needs_response'`,
        isNotNull(disputes.evidenceDueAt),
        gt(disputes.evidenceDueAt, now),
        lte(disputes.evidenceDueAt, before),
        sql`${disputeEvidence.status} is distinct from 'sent'`,
      ),
    )
    .orderBy(asc(disputes.evidenceDueAt))
    .limit(remindedMax);
  if (dueDisputes.length === 0) return;
  const when = new Intl.DateTimeFormat("en-US", {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: await ownerTimeZone(ctx),
  });
  for (const { dispute, number, status } of dueDisputes) {
    const { id: subject, orderId, amountCents, evidenceDueAt, isInquiry } = dispute;
    if (evidenceDueAt === null) continue;
    const reminder = reminders.find(({ hours }) => evidenceDueAt.getTime() - now.getTime() <= hours * hourMs);
    if (!reminder) continue;
    const stage =
      status === "draft"
        ? "A draft is there; it has not been sent"
        : status === "sending"
          ? "It is being sent; the payment provider has not confirmed it"
          : "Nothing has been drafted";
    await enqueueIssue(ctx.db, {
      kind: reminder.kind,
      subject,
      orderId,
      path: `/disputes/${encodeURIComponent(subject)}`,
      message: `${isInquiry ? "The bank’s question about" : "The dispute over"} ${formatCents(amountCents)} of order #${number} has to be answered by ${when.format(evidenceDueAt)}. ${stage}`,
    });
  }
}

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes the evidence of disputes that closed long ago; the order's history still says that evidence was sent. */
export async function purgeDisputeEvidence({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - disputeEvidenceDays * dayMs).toISOString();
  await deleteInBatches(
    db,
    disputeEvidence,
    sql`${disputeEvidence.disputeId} in (select id from ${disputes} where closed_at < ${before})`,
  );
}
