import { and, eq, isNull, sql } from "drizzle-orm";
import { disputeNotes, isDisputeOver, needsAnswer, nothingShipped } from "../../domain/disputes/dispute.ts";
import { formatCents } from "../../domain/shared/money.ts";
import type { ShopContext } from "../context.ts";
import { updateIssue } from "../issues/issues.ts";
import { endUnpayableEdit } from "../order-desk/edits/waiting-edit.ts";
import { shipments } from "../order-desk/tables.ts";
import { bookChargebacks, type LockedOrder, lockOrder } from "../orders/lifecycle.ts";
import { recordOrderNote } from "../orders/transition.ts";
import type { ProviderDispute } from "../payment-providers/provider.ts";
import { closeSettledIssues } from "../payments/close-issues.ts";
import { isThisAccount } from "../payments/other-account.ts";
import { refundLockedOrder } from "../payments/refunds/refunds.ts";
import { payments } from "../payments/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { raiseDispute } from "./raise.ts";
import { disputeEvidence, disputes } from "./tables.ts";

type DisputeRow = typeof disputes.$inferSelect;

/** Maximum number of attempts while other callers update the dispute at the same time. */
const maxAttempts = 5;

/**
 * Reads a dispute from the provider and stores it, with its order's money, issues and ship hold. Repeated and concurrent calls have
 * the same effect as a single one. `closedAt` is when the dispute ended, if the caller knows it from an event. The result is
 * `unchanged` if this state was stored before, and `foreign` if the payment belongs to another program. Throws ProviderUnavailable
 * or ProviderRefused.
 */
export async function syncDispute(
  ctx: ShopContext,
  disputeId: string,
  { closedAt }: { closedAt?: Date } = {},
): Promise<"synced" | "unchanged" | "foreign"> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const [before] = await ctx.db
      .select({ revision: disputes.revision })
      .from(disputes)
      .where(eq(disputes.id, disputeId));
    const current = await ctx.provider.retrieveDispute(disputeId);
    const outcome = await ctx.db.transaction((tx) =>
      storeDispute(ctx, tx, {
        dispute: current,
        revision: before?.revision ?? 0,
        closedAt: closedAt ?? ctx.now(),
      }),
    );
    if (outcome !== "outdated") return outcome;
  }
  throw new Error(`Dispute ${disputeId} changes faster than it can be read`);
}

/** Syncs every dispute of a payment. */
export async function syncIntentDisputes(ctx: ShopContext, intentId: string): Promise<void> {
  for (const { id } of await ctx.provider.listIntentDisputes(intentId)) await syncDispute(ctx, id);
}

/**
 * Syncs disputes whose events may be lost: disputes opened at the provider since `from`, and disputes that are open in the
 * database. A listed dispute that is stored in the same state needs no further call. A failing dispute does not stop the run.
 */
export async function syncDisputesSince(
  ctx: ShopContext,
  from: Date,
): Promise<{ checked: number; changed: number; failed: number }> {
  const result = { checked: 0, changed: 0, failed: 0 };
  const listedIds = new Set<string>();
  const sync = async (id: string) => {
    try {
      if ((await syncDispute(ctx, id)) === "synced") result.changed += 1;
    } catch (error) {
      result.failed += 1;
      ctx.log.warn(
        { err: error, disputeId: id },
        "a dispute could not be looked up; the next run checks it again",
      );
    }
  };
  for await (const dispute of ctx.provider.listDisputes(from)) {
    result.checked += 1;
    listedIds.add(dispute.id);
    const [row] = await ctx.db.select().from(disputes).where(eq(disputes.id, dispute.id));
    const isDue = row ? !isUpToDate(row, dispute) : await isShopPayment(ctx.db, dispute.intentId);
    if (isDue) await sync(dispute.id);
  }
  const open = await ctx.db
    .select({ id: disputes.id })
    .from(disputes)
    .innerJoin(payments, eq(payments.intentId, disputes.intentId))
    .where(and(isNull(disputes.closedAt), isThisAccount(ctx.provider)));
  for (const { id } of open) {
    if (listedIds.has(id)) continue;
    result.checked += 1;
    await sync(id);
  }
  return result;
}

async function isShopPayment(db: Db, intentId: string): Promise<boolean> {
  return (await db.$count(payments, eq(payments.intentId, intentId))) > 0;
}

/** Whether the row has all properties that the provider returned. */
function isUpToDate(row: DisputeRow, dispute: ProviderDispute): boolean {
  const columns = disputeColumns(dispute);
  return (Object.keys(columns) as (keyof typeof columns)[]).every(
    (key) => toComparable(row[key]) === toComparable(columns[key]),
  );
}

function toComparable(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

function disputeColumns({ amount, withdrawn, fee, ...dispute }: ProviderDispute) {
  const { intentId, reason, status, isInquiry, evidenceDueAt, createdAt, withdrawnAt, reinstatedAt } =
    dispute;
  return {
    intentId,
    amountCents: amount,
    withdrawnCents: withdrawn,
    feeCents: fee,
    reason,
    status,
    isInquiry,
    evidenceDueAt,
    createdAt,
    withdrawnAt,
    reinstatedAt,
  };
}

type ReadDispute = {
  dispute: ProviderDispute;
  /** Revision of the row before the provider was called; 0 if there was no row. */
  revision: number;
  closedAt: Date;
};

/** Stores a dispute as the provider returned it. `outdated` if another caller has stored it since, perhaps from a newer response. */
async function storeDispute(
  ctx: ShopContext,
  tx: Db,
  { dispute, revision, closedAt }: ReadDispute,
): Promise<"synced" | "unchanged" | "foreign" | "outdated"> {
  const [payment] = await tx
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(eq(payments.intentId, dispute.intentId));
  if (!payment) return "foreign";
  const order = await lockOrder(tx, payment.orderId);
  if (!order) throw new Error(`Payment ${dispute.intentId} has no order`);
  const [before] = await tx.select().from(disputes).where(eq(disputes.id, dispute.id));
  if ((before?.revision ?? 0) !== revision) return "outdated";
  const isChanged = !before || !isUpToDate(before, dispute);
  const isClosed = isDisputeOver(dispute);
  if (isChanged) {
    const row = {
      ...disputeColumns(dispute),
      closedAt: isClosed ? (before?.closedAt ?? closedAt) : null,
      changedAt: ctx.now(),
      revision: revision + 1,
    };
    await tx
      .insert(disputes)
      .values({ ...row, id: dispute.id, orderId: order.id })
      .onConflictDoUpdate({ target: disputes.id, set: row });
    await reopenEvidence(tx, dispute, before ?? null);
    await writeHistory(tx, { order, dispute, before: before ?? null, now: ctx.now() });
    const timeZone = await ownerTimeZone(ctx, tx);
    await raiseDisputeIssues(tx, { dispute, before: before ?? null, orderId: order.id, timeZone });
  }
  await bookChargebacks(tx, order, await sumChargedBack(tx, order.id), ctx.now());
  // The amount could not be refunded while the bank held it.
  if (order.cancelledAt !== null && isClosed && !(before && isDisputeOver(before))) {
    const reason = "Cancelled before the dispute was over";
    await refundLockedOrder(ctx, tx, {
      orderId: order.id,
      amountCents: null,
      reason,
      actor: "system",
      from: "all",
    });
  }
  await closeSettledIssues(tx, { orderId: order.id, now: ctx.now() });
  await endUnpayableEdit(ctx, tx, order.id);
  return isChanged ? "synced" : "unchanged";
}

/**
 * Reopens the evidence when an inquiry becomes a dispute, or a decided dispute is opened again: the bank accepts another
 * answer.
 */
async function reopenEvidence(tx: Db, dispute: ProviderDispute, before: DisputeRow | null): Promise<void> {
  if (before === null || dispute.status !== "needs_response") return;
  const acceptsAnotherAnswer = before.status !== "needs_response" || (before.isInquiry && !dispute.isInquiry);
  if (!acceptsAnotherAnswer) return;
  await tx
    .update(disputeEvidence)
    .set({ status: "draft", sentAt: null, attempts: sql`${disputeEvidence.attempts} + 1` })
    .where(and(eq(disputeEvidence.disputeId, dispute.id), eq(disputeEvidence.status, "sent")));
}

/** Records in the order's history that the dispute was opened or closed, unless `bookChargebacks` does. */
async function writeHistory(
  tx: Db,
  {
    order,
    dispute,
    before,
    now,
  }: { order: LockedOrder; dispute: ProviderDispute; before: DisputeRow | null; now: Date },
): Promise<void> {
  const wasClosed = before !== null && isDisputeOver(before);
  const isClosed = isDisputeOver(dispute);
  const isLost = isClosed && dispute.status !== "won" && dispute.withdrawn > 0;
  if (isClosed === wasClosed && before !== null) return;
  if (isLost || (wasClosed && before.chargedBackCents > 0)) return;
  const openingText = `${dispute.isInquiry ? "The buyer’s bank asks about" : "Disputed by the buyer’s bank:"} ${formatCents(dispute.amount)} (${dispute.reason})`;
  const note = !isClosed ? openingText : dispute.status === "won" ? disputeNotes.won : disputeNotes.closed;
  await recordOrderNote(tx, order, { actor: "provider", note, now });
}

/** Sum of the order's chargebacks. Only disputes of booked payments count. */
async function sumChargedBack(tx: Db, orderId: string): Promise<number> {
  const [sum] = await tx
    .select({ cents: sql<number>`coalesce(sum(${disputes.chargedBackCents}), 0)::int` })
    .from(disputes)
    .innerJoin(payments, eq(payments.intentId, disputes.intentId))
    .where(and(eq(disputes.orderId, orderId), eq(payments.status, "succeeded")));
  return sum?.cents ?? 0;
}

/** Raises one issue when the dispute opens and one when it ends, and each again only if a verdict is overturned. */
async function raiseDisputeIssues(
  tx: Db,
  {
    dispute,
    before,
    orderId,
    timeZone,
  }: { dispute: ProviderDispute; before: DisputeRow | null; orderId: string; timeZone: string },
): Promise<void> {
  const isClosed = isDisputeOver(dispute);
  const kind = isClosed ? "dispute_closed" : "dispute";
  const hasShipped = (await tx.$count(shipments, eq(shipments.orderId, orderId))) > 0;
  const message = isClosed ? endText(dispute) : openText(dispute, hasShipped);
  const path = `/disputes/${encodeURIComponent(dispute.id)}`;
  const { evidenceDueAt } = dispute;
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone });
  const dueText =
    evidenceDueAt !== null && needsAnswer(dispute) ? `. Answer it by ${day.format(evidenceDueAt)}` : "";
  await raiseDispute(tx, {
    kind,
    subject: dispute.id,
    orderId,
    message,
    emailMessage: message + dueText,
    path,
  });
  const isReopened =
    before !== null && before.status !== dispute.status && (isClosed || isDisputeOver(before));
  await updateIssue(tx, { kind, subject: dispute.id, message, isReopened });
}

/** The text does not contain the deadline, because pages show the current one, in the shop's current time zone. */
function openText({ amount, reason, isInquiry, status }: ProviderDispute, hasShipped: boolean): string {
  const summary = isInquiry
    ? `The buyer’s bank asks about ${formatCents(amount)} of this payment (${reason}); no money has been taken yet`
    : `The buyer’s bank takes back ${formatCents(amount)} of this payment (${reason})`;
  if (status === "under_review") return `${summary}. It was answered: the bank decides`;
  return `${summary}${hasShipped ? "" : nothingShipped}`;
}

function endText({ amount, reason, isInquiry, status, withdrawn, fee }: ProviderDispute): string {
  const subject = `${isInquiry ? "The bank’s question about" : "The dispute over"} ${formatCents(amount)} (${reason})`;
  const cost = fee > 0 ? `, and a fee of ${formatCents(fee)}` : "";
  if (status === "won") {
    return `${subject} was won: the money comes back${fee > 0 ? `; the fee of ${formatCents(fee)} does not` : ""}`;
  }
  const outcomeText = status === "lost" ? "was lost" : "was closed";
  return withdrawn > 0
    ? `${subject} ${outcomeText}: ${formatCents(withdrawn)} was taken${cost}`
    : `${subject} ${outcomeText}; no money was taken`;
}
