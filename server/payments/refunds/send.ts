import { setTimeout as wait } from "node:timers/promises";
import { and, eq, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import { ProviderFailed, ProviderRefused, UnknownPayment } from "../../payment-providers/provider.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { closeSettledIssues } from "../close-issues.ts";
import { sendRefundJob, sendRefundKey } from "../job-kinds.ts";
import { findSourcePayment, otherAccountRefundText } from "../other-account.ts";
import { payments, refunds } from "../tables.ts";
import { readOrderMoney, refundSources, splitProviderRefunds } from "./refundable.ts";
import { writeRefund } from "./refunds.ts";
import { syncRefunds } from "./sync.ts";

type RefundRow = typeof refunds.$inferSelect;

/** Longest time (ms) that the owner's call waits for the provider; after that, it reports the refund as pending. */
const sendWaitMs = 8_000;

/**
 * Pause after a failure at the provider. It is far longer than any call, so that the provider's list shows afterwards whether the
 * refund was made.
 */
const pauseMs = 10 * 60 * 1000;

/**
 * Job: sends a stored refund to the provider. Safe to repeat, because it first checks whether the provider has the refund, and
 * uses one idempotency key at a time. Throws while the provider is unavailable.
 */
export async function sendRefund(ctx: ShopContext, refundId: string): Promise<void> {
  const refund = await findUnsentRefund(ctx, refundId);
  if (!refund) return;
  try {
    await sendOnce(ctx, refund);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    const isUnknown = error instanceof UnknownPayment;
    await recordRefusal(ctx, refund, isUnknown ? await refundInstructions(ctx, refund) : error.message);
  }
}

async function refundInstructions({ db, provider }: ShopContext, refund: RefundRow): Promise<string> {
  return otherAccountRefundText(provider, await findRefundSource(db, refund));
}

/** The payment, at the provider or outside the shop, that a refund is taken from. */
async function findRefundSource(db: Db, { intentId }: RefundRow) {
  const [payment] = await db.select().from(payments).where(eq(payments.intentId, intentId));
  if (!payment) throw new Error(`Payment ${intentId} is missing`);
  return findSourcePayment(db, payment);
}

/** Sends a refund immediately and waits for the provider for a limited time. Never throws: after a failure, the job retries. */
export async function sendRefundNow(ctx: ShopContext, refundId: string): Promise<void> {
  const sending = sendRefund(ctx, refundId).catch(async (error: unknown) => {
    ctx.log.warn({ err: error, refundId }, "a refund could not be sent yet; its job retries it");
    await addJob(ctx.db, sendRefundJob, { refundId }, { key: sendRefundKey(refundId) });
  });
  const loggedSending = sending.catch((error: unknown) => {
    ctx.log.error(
      { err: error, refundId },
      "a refund could not be queued again; its first job sends it later",
    );
  });
  await Promise.race([loggedSending, wait(sendWaitMs, undefined, { ref: false })]);
}

async function findUnsentRefund({ db }: ShopContext, refundId: string): Promise<RefundRow | null> {
  const [refund] = await db.select().from(refunds).where(isUnsent(refundId));
  return refund ?? null;
}

/** Condition: the refund is pending, and no id of the provider is stored. */
const isUnsent = (refundId: string) =>
  and(eq(refunds.id, refundId), eq(refunds.status, "pending"), isNull(refunds.providerRefundId));

/**
 * Reads the provider's list, then requests the refund with its idempotency key, so that another call after a lost response returns
 * the same refund. After a failure, the provider returns that failure for the same key for a day. A refund that is not in the list
 * after a pause was not made, and is requested with the next key. No pause is needed if the payment's balance at the provider does
 * not allow a second refund.
 */
async function sendOnce(ctx: ShopContext, unsent: RefundRow): Promise<void> {
  const { id: refundId, intentId } = unsent;
  const source = (await findRefundSource(ctx.db, unsent)).intentId ?? intentId;
  let failure: ProviderFailed | null = null;
  for (const isLast of [false, true]) {
    const listReadAt = ctx.now();
    await syncRefunds(ctx, intentId);
    const refund = await findUnsentRefund(ctx, refundId);
    if (!refund) return;
    const isSafeNow = refund.failedAt !== null && (await canOnlyBeRefundedOnce(ctx, refund));
    const attempt = await startAttempt(ctx, refund, { listReadAt, isSafeNow });
    if (attempt === null) return retryAfterPause(ctx, refund);
    try {
      const { idempotencyKey } = attempt;
      await ctx.provider.createRefund({
        intentId: source,
        amount: refund.amountCents,
        idempotencyKey,
        refundId,
      });
      await syncRefunds(ctx, intentId);
      return;
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error;
      failure = error;
      // If it returns false, another caller has requested the refund since, and its result counts.
      if (!(await recordFailure(ctx, attempt)) || isLast) break;
    }
  }
  throw failure;
}

type Attempt = { refundId: string; revision: number; requestedAt: Date; idempotencyKey: string };

/**
 * Stores an attempt before its call and returns it with its key; concurrent callers get the same key. Null during the pause after
 * a failure. `listReadAt` is when the provider's list was read without finding the refund. `isSafeNow` means that no pause is
 * needed, because the provider cannot make the refund twice.
 */
async function startAttempt(
  { db, now }: ShopContext,
  { id: refundId }: RefundRow,
  { listReadAt, isSafeNow }: { listReadAt: Date; isSafeNow: boolean },
): Promise<Attempt | null> {
  const isPauseOver = or(
    isNull(refunds.failedAt),
    lte(refunds.failedAt, new Date(listReadAt.getTime() - pauseMs)),
    isSafeNow ? lte(refunds.failedAt, listReadAt) : undefined,
  );
  const requestedAt = now();
  const [attempt] = await db
    .update(refunds)
    .set({
      requestedAt,
      revision: sql`${refunds.revision} + (${refunds.failedAt} is not null)::int`,
      failedAt: null,
    })
    .where(and(isUnsent(refundId), isPauseOver))
    .returning({ revision: refunds.revision });
  if (!attempt) return null;
  const { revision } = attempt;
  const idempotencyKey = revision === 1 ? `refund-${refundId}` : `refund-${refundId}-${revision}`;
  return { refundId, revision, requestedAt, idempotencyKey };
}

/** Stores that an attempt failed. False if another caller has requested the refund since. */
async function recordFailure(
  { db, now }: ShopContext,
  { refundId, revision, requestedAt }: Attempt,
): Promise<boolean> {
  const isOurs = and(
    isUnsent(refundId),
    eq(refunds.revision, revision),
    eq(refunds.requestedAt, requestedAt),
  );
  const { rowCount } = await db.update(refunds).set({ failedAt: now() }).where(isOurs);
  return rowCount === 1;
}

/** Schedules the job for the end of the pause. A failure that is dated in the future, because the clock was ahead, is dated now. */
async function retryAfterPause({ db, now }: ShopContext, { id: refundId }: RefundRow): Promise<void> {
  const [waiting] = await db
    .update(refunds)
    .set({ failedAt: sql`least(${refunds.failedAt}, ${now().toISOString()}::timestamptz)` })
    .where(and(isUnsent(refundId), isNotNull(refunds.failedAt)))
    .returning({ failedAt: refunds.failedAt });
  if (!waiting?.failedAt) return;
  const runAt = new Date(waiting.failedAt.getTime() + pauseMs);
  await addJob(db, sendRefundJob, { refundId }, { key: sendRefundKey(refundId), runAt });
}

/** Whether the payment's balance at the provider is less than twice the amount, so that it would refuse a second refund. */
async function canOnlyBeRefundedOnce({ db }: ShopContext, refund: RefundRow): Promise<boolean> {
  const ofIntent = eq(refunds.intentId, refund.intentId);
  const [payment] = await db
    .select({ amountCents: payments.amountCents, sourceIntentId: payments.sourceIntentId })
    .from(payments)
    .where(eq(payments.intentId, refund.intentId));
  const [refunded] = await db
    .select({ cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int` })
    .from(refunds)
    .where(
      and(ofIntent, isNotNull(refunds.providerRefundId), inArray(refunds.status, ["pending", "succeeded"])),
    );
  if (payment?.sourceIntentId) return false;
  return payment !== undefined && 2 * refund.amountCents > payment.amountCents - (refunded?.cents ?? 0);
}

/** Stores a refusal. If the order is cancelled and less is left of the payment, refunds that amount; otherwise raises an issue. */
async function recordRefusal(ctx: ShopContext, refund: RefundRow, message: string): Promise<void> {
  // The reason may be refunds made at the provider in the meantime, so they are booked first.
  await syncRefunds(ctx, refund.intentId).catch((error: unknown) => {
    if (!(error instanceof ProviderRefused)) throw error;
  });
  const { orderId, intentId, amountCents, reason } = refund;
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const { rowCount } = await tx
      .update(refunds)
      .set({ status: "failed", failure: message })
      .where(and(eq(refunds.id, refund.id), isNull(refunds.providerRefundId), eq(refunds.status, "pending")));
    if (rowCount === 0) return;
    await splitProviderRefunds(tx, orderId);
    await closeSettledIssues(tx, { orderId, now: ctx.now() });
    if (order && order.cancelledAt !== null) {
      const sources = refundSources(ctx.provider, await readOrderMoney(tx, orderId));
      const leftCents = sources.find((source) => source.intentId === intentId)?.leftCents ?? 0;
      if (leftCents <= 0) return;
      if (leftCents < amountCents) {
        await writeRefund(tx, {
          orderId,
          intentId,
          amountCents: leftCents,
          reason,
          actor: refund.actor ?? "system",
          personId: refund.personId,
        });
        return;
      }
    }
    await raiseIssue(tx, {
      kind: "refund_refused",
      subject: refund.id,
      orderId,
      message: `The payment provider refused a refund of ${formatCents(amountCents)}: ${message}`,
    });
  });
}
