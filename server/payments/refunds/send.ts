import { setTimeout as wait } from "node:timers/promises";
import { and, eq, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { formatCents } from "../../../domain/shared/money.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import { ProviderFailed, ProviderRefused, UnknownPayment } from "../../payment-providers/provider.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { closeSettledIssues } from "../close-issues.ts";
import { sendRefundJob, sendRefundKey } from "../job-kinds.ts";
import { otherAccountRefundText } from "../other-account.ts";
import { payments, refunds } from "../tables.ts";
import { readOrderMoney, refundSources, splitAnew } from "./refundable.ts";
import { writeRefund } from "./refunds.ts";
import { syncRefunds } from "./sync.ts";

type RefundRow = typeof refunds.$inferSelect;

/** How long an owner waits to read how a refund went, before it is said to be on its way. */
const patienceMs = 8_000;

/**
 * After the provider failed on its side, nothing is asked for a refund for so long: longer by far than any call lasts, so
 * that by then the provider's list shows what it has done.
 */
const pauseMs = 10 * 60 * 1000;

/**
 * Job: hands a written refund to the provider. Safe to repeat: it looks first whether the provider has it already, and
 * asks for it under one idempotency key at a time. Throws where the provider is away.
 */
export async function sendRefund(ctx: ShopContext, refundId: string): Promise<void> {
  const refund = await findUnsent(ctx, refundId);
  if (!refund) return;
  try {
    await lookAndAsk(ctx, refund);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    const isUnknown = error instanceof UnknownPayment;
    await bookRefusal(ctx, refund, isUnknown ? await whereToRefund(ctx, refund) : error.message);
  }
}

async function whereToRefund({ db, provider }: ShopContext, { intentId }: RefundRow): Promise<string> {
  const [payment] = await db.select().from(payments).where(eq(payments.intentId, intentId));
  if (!payment) throw new Error(`Payment ${intentId} is not there any more`);
  return otherAccountRefundText(provider, payment);
}

/** The same at once, for somebody who waits. Never throws: what does not come to its end here is left to the job. */
export async function sendRefundNow(ctx: ShopContext, refundId: string): Promise<void> {
  const sending = sendRefund(ctx, refundId).catch(async (error: unknown) => {
    ctx.log.warn({ err: error, refundId }, "a refund could not be sent yet; its job retries it");
    await addJob(ctx.db, sendRefundJob, { refundId }, { key: sendRefundKey(refundId) });
  });
  const guarded = sending.catch((error: unknown) => {
    ctx.log.error({ err: error, refundId }, "a refund waits for its job");
  });
  await Promise.race([guarded, wait(patienceMs, undefined, { ref: false })]);
}

async function findUnsent({ db }: ShopContext, refundId: string): Promise<RefundRow | null> {
  const [refund] = await db.select().from(refunds).where(isUnsent(refundId));
  return refund ?? null;
}

/** The provider is not known to have it. */
const isUnsent = (refundId: string) =>
  and(eq(refunds.id, refundId), eq(refunds.status, "pending"), isNull(refunds.providerRefundId));

/**
 * Looks, then asks under the refund's key, so that an answer which was lost brings back the same refund. The provider keeps
 * a failure of its own under the key for a day. After such an answer the call is over there: what the list does not have
 * after a pause was not made, and is asked for under the next key; at once where the provider could not give it twice.
 */
async function lookAndAsk(ctx: ShopContext, { id: refundId, intentId }: RefundRow): Promise<void> {
  let failure: ProviderFailed | null = null;
  for (const isLast of [false, true]) {
    const lookedAt = ctx.now();
    await syncRefunds(ctx, intentId);
    const refund = await findUnsent(ctx, refundId);
    if (!refund) return;
    const isOnce = refund.failedAt !== null && (await canOnlyBeGivenOnce(ctx, refund));
    const turn = await takeTurn(ctx, refund, { lookedAt, isOnce });
    if (turn === null) return askAfterPause(ctx, refund);
    try {
      const { idempotencyKey } = turn;
      await ctx.provider.createRefund({ intentId, amount: refund.amountCents, idempotencyKey, refundId });
      await syncRefunds(ctx, intentId);
      return;
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error;
      failure = error;
      // Somebody else has asked since and may still wait for an answer: that decides.
      if (!(await noteFailure(ctx, turn)) || isLast) break;
    }
  }
  throw failure;
}

type Turn = { refundId: string; revision: number; askedAt: Date; idempotencyKey: string };

/**
 * The key to ask under, noted before the call: of all that ask at once, each gets the same. Null while the pause after a
 * failure lasts. `lookedAt`: when the list was read that did not have the refund.
 */
async function takeTurn(
  { db, now }: ShopContext,
  { id: refundId }: RefundRow,
  { lookedAt, isOnce }: { lookedAt: Date; isOnce: boolean },
): Promise<Turn | null> {
  const isOver = or(
    isNull(refunds.failedAt),
    lte(refunds.failedAt, new Date(lookedAt.getTime() - pauseMs)),
    isOnce ? lte(refunds.failedAt, lookedAt) : undefined,
  );
  const askedAt = now();
  const [turn] = await db
    .update(refunds)
    .set({
      askedAt,
      revision: sql`${refunds.revision} + (${refunds.failedAt} is not null)::int`,
      failedAt: null,
    })
    .where(and(isUnsent(refundId), isOver))
    .returning({ revision: refunds.revision });
  if (!turn) return null;
  const { revision } = turn;
  const idempotencyKey = revision === 1 ? `refund-${refundId}` : `refund-${refundId}-${revision}`;
  return { refundId, revision, askedAt, idempotencyKey };
}

/** False where somebody has asked since. */
async function noteFailure(
  { db, now }: ShopContext,
  { refundId, revision, askedAt }: Turn,
): Promise<boolean> {
  const isOurs = and(isUnsent(refundId), eq(refunds.revision, revision), eq(refunds.askedAt, askedAt));
  const { rowCount } = await db.update(refunds).set({ failedAt: now() }).where(isOurs);
  return rowCount === 1;
}

/** Its job goes on when the pause is over. */
async function askAfterPause({ db }: ShopContext, { id: refundId }: RefundRow): Promise<void> {
  const [waiting] = await db.select({ failedAt: refunds.failedAt }).from(refunds).where(isUnsent(refundId));
  if (!waiting?.failedAt) return;
  const runAt = new Date(waiting.failedAt.getTime() + pauseMs);
  await addJob(db, sendRefundJob, { refundId }, { key: sendRefundKey(refundId), runAt });
}

/** Whether twice the amount is more than what the provider still holds: then it refuses a second one. */
async function canOnlyBeGivenOnce({ db }: ShopContext, refund: RefundRow): Promise<boolean> {
  const ofIntent = eq(refunds.intentId, refund.intentId);
  const [payment] = await db
    .select({ amountCents: payments.amountCents })
    .from(payments)
    .where(eq(payments.intentId, refund.intentId));
  const [given] = await db
    .select({ cents: sql<number>`coalesce(sum(${refunds.amountCents}), 0)::int` })
    .from(refunds)
    .where(
      and(ofIntent, isNotNull(refunds.providerRefundId), inArray(refunds.status, ["pending", "succeeded"])),
    );
  return payment !== undefined && 2 * refund.amountCents > payment.amountCents - (given?.cents ?? 0);
}

/** A called-off order's buyer gets what is left all the same; every other refusal is the owner's to look at. */
async function bookRefusal(ctx: ShopContext, refund: RefundRow, message: string): Promise<void> {
  // First what was given back at the provider meanwhile: that may be why.
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
    await splitAnew(tx, orderId);
    await closeSettledIssues(tx, { orderId, now: ctx.now() });
    if (order && order.cancelledAt !== null) {
      const sources = refundSources(ctx.provider, await readOrderMoney(tx, orderId));
      const leftCents = sources.find((source) => source.intentId === intentId)?.left ?? 0;
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
