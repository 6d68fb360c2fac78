import { setTimeout as wait } from "node:timers/promises";
import { and, eq, isNull, ne, sql } from "drizzle-orm";
import * as v from "valibot";
import { type EvidenceSlot, evidenceTextNames } from "../../../domain/disputes/evidence.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { enforceConfirmationLimit } from "../../admin/confirmation-limit.ts";
import type { ShopContext } from "../../context.ts";
import { raiseIssue } from "../../issues/issues.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import { orderEvents } from "../../orders/tables.ts";
import { recordOrderNote } from "../../orders/transition.ts";
import {
  type ProviderDispute,
  ProviderFailed,
  ProviderRefused,
  ProviderUnavailable,
} from "../../payment-providers/provider.ts";
import { addJob, defineJob } from "../../platform/jobs/jobs.ts";
import { syncDispute } from "../disputes.ts";
import { disputeEvidence, disputeFiles } from "../tables.ts";
import type { Refusal } from "./commands.ts";
import { answerProblem, type DisputeRow, findDispute } from "./read.ts";

/** Longest time (ms) that the owner's call waits for the provider; after that, it reports the evidence as being sent. */
const sendWaitMs = 10_000;
/** Time (ms) after which a job sends evidence that was not sent because of a crash. */
const takeOverMs = 2 * 60_000;

/** `isNew` is false if this was requested before. */
type Sent = { ok: true; isNew: boolean };

/**
 * Sends the answer to a dispute to the bank, which is possible once. Stores the request first; then the provider is called
 * immediately, and if that fails, by a job.
 */
export async function sendToBank(
  ctx: ShopContext,
  disputeId: string,
  revision: number,
): Promise<Sent | Refusal> {
  const result = await ctx.db.transaction(async (tx): Promise<Sent | Refusal> => {
    const dispute = await findDispute(tx, disputeId);
    const [row] = await tx
      .select()
      .from(disputeEvidence)
      .where(eq(disputeEvidence.disputeId, disputeId))
      .for("update");
    if (!dispute || !row) return { ok: false, code: "missing" };
    if (row.status !== "draft") return { ok: true, isNew: false };
    const reason = await answerProblem(ctx, tx, dispute);
    if (reason !== null) return { ok: false, code: "state", reason };
    if (row.revision !== revision) return { ok: false, code: "conflict" };
    const files = await tx.$count(disputeFiles, eq(disputeFiles.disputeId, disputeId));
    if (files === 0 && evidenceTextNames.every((name) => row.texts[name] === "")) {
      return {
        ok: false,
        code: "state",
        reason: "There is nothing in it yet: write or add something first.",
      };
    }
    await tx
      .update(disputeEvidence)
      .set({
        status: "sending",
        attempts: sql`${disputeEvidence.attempts} + 1`,
        answeredBefore: null,
        failure: null,
      })
      .where(eq(disputeEvidence.disputeId, disputeId));
    const runAt = new Date(ctx.now().getTime() + takeOverMs);
    await addJob(tx, sendEvidenceJob, { disputeId }, { key: sendEvidenceKey(disputeId), runAt });
    return { ok: true, isNew: true };
  });
  if (result.ok && result.isNew) await sendNow(ctx, disputeId);
  return result;
}

/** Never throws: the job retries whatever fails here. */
async function sendNow(ctx: ShopContext, disputeId: string): Promise<void> {
  const sending = sendEvidence(ctx, disputeId, { isWaitedFor: true })
    .catch(async (error: unknown) => {
      ctx.log.warn({ err: error, disputeId }, "evidence could not be sent yet; its job retries it");
      await addJob(ctx.db, sendEvidenceJob, { disputeId }, { key: sendEvidenceKey(disputeId) });
    })
    .catch((error: unknown) => {
      ctx.log.error({ err: error, disputeId }, "evidence waits for its job");
    });
  await Promise.race([sending, wait(sendWaitMs, undefined, { ref: false })]);
}

/**
 * Job: sends the answer to the provider. Safe to repeat and to run concurrently: it first checks whether the provider has the
 * answer, and each file and answer has an idempotency key. Throws while the provider is unavailable.
 */
export async function sendEvidence(
  ctx: ShopContext,
  disputeId: string,
  { isWaitedFor = false }: { isWaitedFor?: boolean } = {},
): Promise<void> {
  const [row] = await ctx.db.select().from(disputeEvidence).where(isSending(disputeId));
  if (!row) return;
  try {
    const current = await ctx.provider.retrieveDispute(disputeId);
    const isFirst = row.answeredBefore === null;
    if (!isFirst && isAnswered(current, row.answeredBefore ?? 0)) return await bookSent(ctx, disputeId);
    if (current.status !== "needs_response") {
      await recordRefusal(ctx, disputeId, { message: overText(current), isWaitedFor });
      await syncDispute(ctx, disputeId);
      return;
    }
    if (isFirst) {
      await ctx.db
        .update(disputeEvidence)
        .set({ answeredBefore: current.answers })
        .where(and(isSending(disputeId), isNull(disputeEvidence.answeredBefore)));
    }
    await ctx.provider.answerDispute({
      disputeId,
      texts: Object.fromEntries(Object.entries(row.texts).filter(([, text]) => text !== "")),
      files: await uploadFiles(ctx, disputeId, row.attempts),
      idempotencyKey: `dispute-answer-${disputeId}-${row.attempts}`,
    });
    await bookSent(ctx, disputeId);
  } catch (error) {
    // The provider repeats this failure for the same key for a day. The next attempt checks first, then uses another key.
    if (error instanceof ProviderFailed) {
      await ctx.db
        .update(disputeEvidence)
        .set({ attempts: row.attempts + 1 })
        .where(and(isSending(disputeId), eq(disputeEvidence.attempts, row.attempts)));
    }
    if (!(error instanceof ProviderRefused)) throw error;
    await recordRefusal(ctx, disputeId, { message: refusalText(error), isWaitedFor });
  }
}

const isSending = (disputeId: string) =>
  and(eq(disputeEvidence.disputeId, disputeId), eq(disputeEvidence.status, "sending"));

function isAnswered({ answers, status }: ProviderDispute, before: number): boolean {
  return answers > before || status === "under_review";
}

function overText({ status }: ProviderDispute): string {
  return status === "under_review"
    ? "It had been answered in the payment provider’s dashboard before."
    : "The dispute was over before the evidence arrived.";
}

function refusalText({ code, message }: ProviderRefused): string {
  if (code === "forbidden") {
    return "The shop’s Stripe key may not answer disputes. In Stripe, give the key the right to write disputes and files, then send it again.";
  }
  if (code === "resource_missing") {
    return "The payment provider does not have this dispute or one of its files under the shop’s present keys.";
  }
  return message;
}

/** Ids of uploaded files at the provider, by kind of evidence. */
async function uploadFiles(ctx: ShopContext, disputeId: string, attempts: number) {
  const files = await ctx.db.select().from(disputeFiles).where(eq(disputeFiles.disputeId, disputeId));
  const ids: Partial<Record<EvidenceSlot, string>> = {};
  for (const { id, slot, name, type, bytes, providerFileId } of files) {
    if (providerFileId !== null) {
      ids[slot] = providerFileId;
      continue;
    }
    const idempotencyKey = `dispute-file-${id}-${attempts}`;
    const uploaded = await ctx.provider.uploadEvidence({ name, type, bytes, idempotencyKey });
    await ctx.db.update(disputeFiles).set({ providerFileId: uploaded }).where(eq(disputeFiles.id, id));
    ids[slot] = uploaded;
  }
  return ids;
}

async function bookSent(ctx: ShopContext, disputeId: string): Promise<void> {
  const dispute = await findDispute(ctx.db, disputeId);
  if (!dispute) return;
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, dispute.orderId);
    const now = ctx.now();
    const { rowCount } = await tx
      .update(disputeEvidence)
      .set({ status: "sent", sentAt: now })
      .where(isSending(disputeId));
    if (rowCount === 0 || !order) return;
    const note = `Evidence sent to the bank (${formatCents(dispute.amountCents)})`;
    await recordOrderNote(tx, order, { actor: "owner", note, now });
  });
  await syncIfReachable(ctx, disputeId);
}

/** The dispute's event syncs it as well, so a failure to read it now does not fail the sending. */
async function syncIfReachable(ctx: ShopContext, disputeId: string): Promise<void> {
  try {
    await syncDispute(ctx, disputeId);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    ctx.log.warn({ err: error, disputeId }, "a dispute could not be looked up; its next event syncs it");
  }
}

/** Makes the answer a draft again, with the reason, and raises an issue unless the owner waits for the result. */
async function recordRefusal(
  ctx: ShopContext,
  disputeId: string,
  { message, isWaitedFor }: { message: string; isWaitedFor: boolean },
): Promise<void> {
  const dispute = await findDispute(ctx.db, disputeId);
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(disputeEvidence)
      .set({ status: "draft", failure: message })
      .where(isSending(disputeId))
      .returning({ attempts: disputeEvidence.attempts });
    if (!row || !dispute) return;
    await tx.update(disputeFiles).set({ providerFileId: null }).where(eq(disputeFiles.disputeId, disputeId));
    if (isWaitedFor) return;
    await raiseIssue(tx, {
      kind: "evidence_refused",
      subject: `${disputeId}:${row.attempts}`,
      orderId: dispute.orderId,
      path: `/disputes/${encodeURIComponent(disputeId)}`,
      message: `The evidence for the dispute over ${formatCents(dispute.amountCents)} was not sent: ${message.replace(/\.$/, "")}`,
    });
  });
}

/** Accepts a dispute, which loses it and the disputed amount. Idempotent. */
export async function acceptDispute(
  ctx: ShopContext,
  disputeId: string,
  amountCents: number,
): Promise<Sent | Refusal | { ok: false; code: "unreachable"; reason: string }> {
  const dispute = await findDispute(ctx.db, disputeId);
  if (!dispute) return { ok: false, code: "missing" };
  if (dispute.status === "lost") return { ok: true, isNew: false };
  const reason = await acceptProblem(ctx, dispute, amountCents);
  if (reason !== null) return { ok: false, code: "state", reason };
  // The amount is counted before the call, since the money may be given up even if no answer arrives.
  await ctx.db.transaction((tx) => enforceConfirmationLimit(tx, { cents: amountCents, verb: "is given up" }));
  try {
    await closeAtProvider(ctx, disputeId);
  } catch (error) {
    if (error instanceof ProviderRefused) {
      return { ok: false, code: "state", reason: refusalText(error) };
    }
    if (!(error instanceof ProviderUnavailable)) throw error;
    return {
      ok: false,
      code: "unreachable",
      reason:
        "The payment provider did not answer. Please look at the dispute again in a minute before you try again.",
    };
  }
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, dispute.orderId);
    if (!order) return;
    const note = `Dispute over ${formatCents(amountCents)} accepted: nothing was sent to the bank`;
    const isNoted = and(eq(orderEvents.orderId, order.id), eq(orderEvents.note, note));
    if ((await tx.$count(orderEvents, isNoted)) > 0) return;
    await recordOrderNote(tx, order, { actor: "owner", note, now: ctx.now() });
  });
  await syncIfReachable(ctx, disputeId);
  return { ok: true, isNew: true };
}

async function acceptProblem(
  ctx: ShopContext,
  dispute: DisputeRow,
  amountCents: number,
): Promise<string | null> {
  if (dispute.isInquiry)
    return "The bank only asks. Refund the order to end its question: that costs no fee.";
  if (dispute.amountCents !== amountCents)
    return "The sum has changed in the meantime. Please look at it again.";
  const isOnItsWay = and(eq(disputeEvidence.disputeId, dispute.id), ne(disputeEvidence.status, "draft"));
  if ((await ctx.db.$count(disputeEvidence, isOnItsWay)) > 0) {
    return "Its evidence is on its way to the bank, or there already: it cannot be accepted anymore.";
  }
  return answerProblem(ctx, ctx.db, dispute);
}

/** Accepts the dispute at the provider. Succeeds, too, if it is lost already, after a lost response or a faster concurrent call. */
async function closeAtProvider({ provider }: ShopContext, disputeId: string): Promise<void> {
  try {
    await provider.acceptDispute(disputeId);
  } catch (error) {
    if (!(error instanceof ProviderRefused) && !(error instanceof ProviderUnavailable)) throw error;
    const { status } = await provider.retrieveDispute(disputeId).catch(() => ({ status: null }));
    if (status !== "lost") throw error;
  }
}

/** Sends the answer to a dispute to the bank. 25 attempts span about five days. */
export const sendEvidenceJob = defineJob({
  name: "send_evidence",
  payload: v.object({ disputeId: v.string() }),
  lane: "money",
  priority: 0,
  maxAttempts: 25,
});

/** Allows one waiting job per dispute. */
function sendEvidenceKey(disputeId: string): string {
  return `send_evidence:${disputeId}`;
}
