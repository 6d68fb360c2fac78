import { and, asc, eq, gt, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { disputeEvidenceDays } from "../../domain/privacy/retention.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { pick } from "../../domain/shared/pick.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { closeOrRecordIssue, enqueueIssue, raiseIssue, wasIssueRaised } from "../issues/issues.ts";
import { endUnpayableEdit } from "../order-desk/edits/waiting-edit.ts";
import { lockOrder } from "../orders/lifecycle.ts";
import { orders } from "../orders/tables.ts";
import { ProviderRefused } from "../payment-providers/provider.ts";
import { eventKind } from "../payment-providers/providers.ts";
import { closeSettledIssues } from "../payments/close-issues.ts";
import { syncDisputesJob } from "../payments/job-kinds.ts";
import { syncRefunds } from "../payments/refunds/sync.ts";
import { type paymentEvents, payments } from "../payments/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import { recurring, task } from "../platform/jobs/jobs.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { syncDispute, syncDisputesSince, syncIntentDisputes } from "./disputes.ts";
import { evidenceApi } from "./evidence/api.ts";
import { sendEvidence, sendEvidenceJob } from "./evidence/send.ts";
import { raiseDispute } from "./raise.ts";
import { disputeEvidence, disputeFiles, disputes } from "./tables.ts";

const remindJob = { name: "remind_of_disputes", lane: "upkeep", priority: 0, everySeconds: 3600 } as const;

/** Disputes, fraud warnings, reviews of payments, and evidence for banks. */
export const disputesFeature = {
  api: evidenceApi,
  tasks: (ctx) => [
    task(syncDisputesJob, ({ intentId }) => syncIntentDisputes(ctx, intentId)),
    task(sendEvidenceJob, ({ disputeId }) => sendEvidence(ctx, disputeId)),
  ],
  cron: (ctx) => [recurring(remindJob, () => remindOfDisputes(ctx))],
  purges: [purgeDisputeEvidence],
  paymentHooks: {
    events: {
      dispute_changed: handleDisputeEvent,
      dispute_closed: handleDisputeEvent,
      fraud_warning: handleFraudWarning,
      review_opened: handlePaymentReview,
      review_closed: handlePaymentReview,
    },
    syncMadeSince: syncDisputesSince,
  },
  personalData: {
    ofOrder: async (db, orderId) => ({ disputes: await exportDisputes(db, orderId) }),
    /** Deletes the evidence, but not the fact that a dispute was answered. */
    async eraseOrders(tx, orderIds) {
      const ofOrders = tx
        .select({ id: disputes.id })
        .from(disputes)
        .where(inArray(disputes.orderId, orderIds));
      await tx.delete(disputeEvidence).where(inArray(disputeEvidence.disputeId, ofOrders));
    },
  },
} satisfies Feature;

/** An order's disputes with the evidence sent, including the names of its files. */
async function exportDisputes(db: Db, orderId: string) {
  return db
    .select({
      reference: disputes.id,
      ...pick(disputes, "status", "reason", "amountCents", "createdAt", "closedAt"),
      answer: disputeEvidence.texts,
      answeredAt: disputeEvidence.sentAt,
      files: sql<string[]>`(select coalesce(json_agg(name order by slot), '[]') from ${disputeFiles}
        where dispute_files.dispute_id = ${disputes.id})`,
    })
    .from(disputes)
    .leftJoin(disputeEvidence, eq(disputeEvidence.disputeId, disputes.id))
    .where(eq(disputes.orderId, orderId))
    .orderBy(disputes.createdAt, disputes.id);
}

type DisputeEvent = Pick<typeof paymentEvents.$inferSelect, "type" | "objectId" | "intentId" | "createdAt">;

/** Syncs the dispute of an event. If the key is not allowed to read disputes, the issue is raised from the event alone. */
async function handleDisputeEvent(ctx: ShopContext, event: DisputeEvent): Promise<string> {
  if (await isForeign(ctx, event)) return "foreign";
  const isClosed = eventKind(event.type) === "dispute_closed";
  try {
    return await syncDispute(ctx, event.objectId, isClosed ? { closedAt: event.createdAt } : {});
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log.warn({ err: error, disputeId: event.objectId }, "a dispute could not be looked up");
    return raiseFromEvent(ctx, event, isClosed);
  }
}

async function raiseFromEvent(ctx: ShopContext, event: DisputeEvent, isClosed: boolean): Promise<string> {
  const orderId = await findOrderId(ctx, event.intentId);
  if (orderId === null) return "foreign";
  const { objectId: subject } = event;
  await ctx.db.transaction(async (tx) => {
    await lockOrder(tx, orderId);
    // Events may come in any order: a closed dispute needs no answer.
    if (!isClosed && (await wasIssueRaised(tx, { kind: "dispute_closed", subject }))) return;
    await raiseDispute(tx, {
      kind: isClosed ? "dispute_closed" : "dispute",
      subject,
      orderId,
      url: ctx.provider.disputeUrl(subject),
      message: isClosed
        ? `Dispute ${subject} was closed; see its result at the payment provider`
        : `The buyer disputes this payment (${subject}); answer it at the payment provider`,
    });
    await closeSettledIssues(tx, { orderId, now: ctx.now() });
    await endUnpayableEdit(ctx, tx, orderId);
  });
  return "issue";
}

/** Raises an issue for a fraud warning, because an early refund avoids a dispute. The order is held until the owner decides. */
async function handleFraudWarning(ctx: ShopContext, event: DisputeEvent): Promise<string> {
  if (await isForeign(ctx, event)) return "foreign";
  const warning = await readIfAllowed(ctx, () => ctx.provider.retrieveFraudWarning(event.objectId));
  const intentId = warning?.intentId ?? event.intentId;
  const orderId = await findOrderId(ctx, intentId);
  if (intentId === null || orderId === null) return "foreign";
  if (warning?.isActionable === false) return "none";
  const reasonText = warning ? ` (${warning.fraudType})` : "";
  await ctx.db.transaction(async (tx) => {
    await lockOrder(tx, orderId);
    await raiseIssue(tx, {
      kind: "fraud_warning",
      subject: event.objectId,
      orderId,
      url: ctx.provider.dashboardUrl(intentId),
      message: `The card’s bank warns of fraud on this payment${reasonText}. A refund now spares you a dispute and its fee; do not ship before you are sure`,
    });
    await closeSettledIssues(tx, { orderId, now: ctx.now() });
  });
  return "issue";
}

/** Raises or closes an issue for the provider's manual review of a payment, which holds its order. */
async function handlePaymentReview(ctx: ShopContext, event: DisputeEvent): Promise<string> {
  if (await isForeign(ctx, event)) return "foreign";
  const review = await readIfAllowed(ctx, () => ctx.provider.retrieveReview(event.objectId));
  const intentId = review?.intentId ?? event.intentId;
  const orderId = await findOrderId(ctx, intentId);
  if (intentId === null || orderId === null) return "foreign";
  const reasonText = review ? ` (${review.reason})` : "";
  const issue = {
    kind: "payment_review",
    subject: event.objectId,
    orderId,
    message: `The payment provider asks you to look at this payment before you ship${reasonText}: approve or refund it there`,
  };
  const isOpen = review ? review.isOpen : eventKind(event.type) === "review_opened";
  // A review may end with a refund, which must be recorded before the order's ship hold is removed.
  if (!isOpen) await syncRefunds(ctx, intentId);
  await ctx.db.transaction(async (tx) => {
    await lockOrder(tx, orderId);
    if (isOpen) await raiseIssue(tx, { ...issue, url: ctx.provider.dashboardUrl(intentId) });
    else
      await closeOrRecordIssue(tx, issue, {
        now: ctx.now(),
        resolution: `Automatically: the review was closed${reasonText}`,
      });
    await closeSettledIssues(tx, { orderId, now: ctx.now() });
  });
  return isOpen ? "issue" : "none";
}

/** Reads an object from the provider; null if the key is not allowed to read it, so that only the event is known. */
async function readIfAllowed<T>({ log }: ShopContext, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    log.warn({ err: error }, "a fraud warning or review could not be looked up");
    return null;
  }
}

/** Whether the event names a payment of another program. An event that names no payment may still be the shop's. */
async function isForeign(ctx: ShopContext, { intentId }: DisputeEvent): Promise<boolean> {
  return intentId !== null && (await findOrderId(ctx, intentId)) === null;
}

async function findOrderId({ db }: ShopContext, intentId: string | null): Promise<string | null> {
  if (intentId === null) return null;
  const [payment] = await db
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(eq(payments.intentId, intentId));
  return payment?.orderId ?? null;
}

const hourMs = 60 * 60 * 1000;
/** Times before the deadline at which the owner is reminded. */
const reminders = [
  { hours: 24, kind: "dispute_due_tomorrow" },
  { hours: 72, kind: "dispute_due_soon" },
];
const maxReminded = 100;

/** Reminds the owner of unanswered disputes close to their deadline, once per reminder. */
async function remindOfDisputes(ctx: ShopContext): Promise<void> {
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
    .limit(maxReminded);
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
async function purgeDisputeEvidence({ db, now }: ShopContext): Promise<void> {
  const before = new Date(now().getTime() - disputeEvidenceDays * dayMs).toISOString();
  await deleteInBatches(
    db,
    disputeEvidence,
    sql`${disputeEvidence.disputeId} in (select id from ${disputes} where closed_at < ${before})`,
  );
}
