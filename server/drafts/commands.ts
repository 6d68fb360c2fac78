import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { eq, sql } from "drizzle-orm";
import { type DraftRequest, draftDays } from "../../domain/drafts/draft.ts";
import { enforceConfirmationLimit } from "../admin/confirmation-limit.ts";
import { findSellableForLines } from "../catalog/queries.ts";
import type { ShopContext } from "../context.ts";
import { isSameAddress } from "../orders/link-tokens.ts";
import { cancelUnpaidNow } from "../payments/cancellation/close.ts";
import type { Db } from "../platform/database/database.ts";
import { enqueuePaymentLink } from "./mail.ts";
import {
  type DraftEntry,
  type DraftRecord,
  type DraftToPrice,
  draftStatus,
  findDraft,
  priceDraft,
} from "./queries.ts";
import { orderDrafts } from "./tables.ts";

/** `isStale`: whether the draft is newer than the caller's revision. */
export type DraftResult = { ok: true } | { ok: false; isStale: boolean; reason: string };

const dayMs = 24 * 60 * 60 * 1000;

/** Returns the draft's id. Throws `ConfirmationRequired` if its reduction of the shop's prices exceeds the limit unconfirmed. */
export async function createDraft(ctx: ShopContext, request: DraftRequest): Promise<string> {
  const id = randomUUID();
  const at = ctx.now();
  const columns = await draftColumns(ctx, request);
  const reduction = await draftReduction(ctx, columns);
  await ctx.db.transaction(async (tx) => {
    await enforceConfirmationLimit(tx, reduction);
    await tx.insert(orderDrafts).values({ id, ...columns, ...draftDates(at), createdAt: at });
  });
  return id;
}

/**
 * Edits an unpaid draft. Cancels the unpaid order made from it, so that its link leads to a new one. Null if there is no such
 * draft. Throws `ConfirmationRequired` if its reduction of the shop's prices grows by more than the limit without a confirmation.
 */
export async function changeDraft(
  ctx: ShopContext,
  { id, revision, ...request }: DraftRequest & { id: string; revision: number },
): Promise<DraftResult | null> {
  const before = await findDraft(ctx.db, id);
  if (!before) return null;
  const columns = await draftColumns(ctx, request);
  // Checked before cancelling the unpaid order, after which its buyer can no longer pay.
  const reduction = await draftReduction(ctx, columns);
  const countedCents = hasSameRecipient(before.draft, columns)
    ? (await draftReduction(ctx, before.draft)).cents
    : 0;
  await ctx.db.transaction((tx) =>
    enforceConfirmationLimit(tx, { ...reduction, cents: reduction.cents - countedCents }),
  );
  return claimDraft(ctx, { id, revision }, async () => async (tx) => {
    // After a change of the address, the link has not been sent yet: the link sent to the former address no longer works.
    const resetSending = isSameAddress(before.draft.email, columns.email) ? {} : { sentAt: null };
    await tx
      .update(orderDrafts)
      .set({ ...columns, ...resetSending })
      .where(eq(orderDrafts.id, id));
    return { ok: true };
  });
}

/** Deletes an unpaid draft and cancels the unpaid order made from it. Null if there is no such draft. */
export async function deleteDraft(
  ctx: ShopContext,
  { id, revision }: { id: string; revision: number },
): Promise<DraftResult | null> {
  return claimDraft(ctx, { id, revision }, async () => async (tx) => {
    await tx.delete(orderDrafts).where(eq(orderDrafts.id, id));
    return { ok: true };
  });
}

/** Copies a draft. Returns the copy's id, or null if there is no such draft. */
export async function duplicateDraft(ctx: ShopContext, id: string): Promise<string | null> {
  const entry = await findDraft(ctx.db, id);
  if (!entry) return null;
  const { draft } = entry;
  const copyId = randomUUID();
  const at = ctx.now();
  const reduction = await draftReduction(ctx, draft);
  await ctx.db.transaction(async (tx) => {
    await enforceConfirmationLimit(tx, reduction);
    await tx.insert(orderDrafts).values({
      ...draft,
      ...draftDates(at),
      id: copyId,
      revision: 1,
      createdAt: at,
      sentAt: null,
      orderId: null,
    });
  });
  return copyId;
}

/** E-mails the payment link, at most once a minute. Null if there is no such draft. */
export async function sendLink(ctx: ShopContext, id: string): Promise<DraftResult | null> {
  return ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select from ${orderDrafts} where id = ${id} for update`);
    const entry = await findDraft(tx, id);
    if (!entry) return null;
    const now = ctx.now();
    const problem = closedReason(draftStatus(entry, now));
    if (problem) return { ok: false, isStale: false, reason: problem };
    const { email, revision } = entry.draft;
    const minute = Math.floor(now.getTime() / 60_000);
    await enqueuePaymentLink(tx, { draftId: id, email, occasion: `${revision}:${minute}` });
    const expiresAt = new Date(now.getTime() + draftDays * dayMs);
    await tx.update(orderDrafts).set({ sentAt: now, expiresAt }).where(eq(orderDrafts.id, id));
    return { ok: true };
  });
}

/** Maximum number of attempts to claim a draft while its link is being opened concurrently. */
const maxClaimAttempts = 5;

export type Refused = Extract<DraftResult, { ok: false }>;
export const changedMeanwhile: Refused = {
  ok: false,
  isStale: true,
  reason: "Somebody has changed this draft in the meantime. Reload it.",
};

/**
 * Advances an unpaid draft to its next revision, for one caller only: cancels the order made from it, so that it can no longer be
 * paid, calls `prepare`, and runs the function that this returns in one transaction with the new revision. If the link is opened
 * concurrently, either the new order is cancelled as well, or that call finds the draft changed. `check` may refuse before anything
 * is cancelled. Null if there is no such draft. Throws `ProviderUnavailable` if the payment cannot be cancelled.
 */
export async function claimDraft<T extends { ok: true }>(
  ctx: ShopContext,
  {
    id,
    revision,
    check,
  }: { id: string; revision: number; check?: (entry: DraftEntry) => Promise<{ ok: true } | Refused> },
  prepare: (entry: DraftEntry) => Promise<Refused | ((tx: Db) => Promise<T | Refused>)>,
): Promise<T | Refused | null> {
  for (let attempt = 0; attempt < maxClaimAttempts; attempt += 1) {
    const entry = await findDraft(ctx.db, id);
    if (!entry) return null;
    const closedProblem = closedReason(draftStatus(entry, ctx.now()));
    if (closedProblem) return { ok: false, isStale: false, reason: closedProblem };
    if (entry.draft.revision !== revision) return changedMeanwhile;
    if (entry.order?.status === "pending") {
      const checkResult = await check?.(entry);
      if (checkResult && !checkResult.ok) return checkResult;
      const reason = { actor: "owner", note: "The shop changed what was to be paid" } as const;
      await cancelUnpaidNow(ctx, entry.order.id, reason);
      continue;
    }
    const writeOrRefusal = await prepare(entry);
    if (typeof writeOrRefusal !== "function") return writeOrRefusal;
    const result = await writeClaimed(ctx, entry, writeOrRefusal);
    if (result !== "opened") return result;
  }
  return changedMeanwhile;
}

/** Returns `opened` if the link has created another order since the draft was read. */
async function writeClaimed<T extends { ok: true }>(
  ctx: ShopContext,
  { draft: { id, revision, orderId } }: DraftEntry,
  write: (tx: Db) => Promise<T | Refused>,
): Promise<T | Refused | "opened"> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const [current] = await tx.select().from(orderDrafts).where(eq(orderDrafts.id, id)).for("update");
      if (current?.revision !== revision) return changedMeanwhile;
      if (current.orderId !== orderId) return "opened";
      await tx
        .update(orderDrafts)
        .set({ ...draftDates(ctx.now()), revision: revision + 1, orderId: null })
        .where(eq(orderDrafts.id, id));
      const result = await write(tx);
      if (!result.ok) throw new RollBack(result);
      return result;
    });
  } catch (error) {
    if (error instanceof RollBack) return error.result;
    throw error;
  }
}

/** Thrown to roll the transaction back; caught in this file. */
class RollBack extends Error {
  readonly result: Refused;
  constructor(result: Refused) {
    super(result.reason);
    this.result = result;
  }
}

function closedReason(status: ReturnType<typeof draftStatus>): string | null {
  if (status === "paid") return "This draft has been paid: it is an order now.";
  return status === "processing"
    ? "Its payment is being processed. Wait until it has gone through or failed."
    : null;
}

/**
 * The reduction of the shop's prices, in the form that `enforceConfirmationLimit` expects. Discount codes are not included, because
 * every shopper can use them.
 */
async function draftReduction(ctx: ShopContext, draft: Omit<DraftToPrice, "orderId">) {
  const { takenOff: cents } = await priceDraft(ctx, { ...draft, orderId: null });
  return { cents, verb: "is taken off" } as const;
}

/** Whether the edited draft has the same recipient; for another recipient, the whole reduction is new. */
function hasSameRecipient(before: DraftRecord, after: Pick<DraftRecord, "email" | "shipping">): boolean {
  return isSameAddress(before.email, after.email) && isDeepStrictEqual(before.shipping, after.shipping);
}

/** Drops agreed prices of unknown products: the reduction of a product that is created later cannot be computed now. */
async function draftColumns({ db }: ShopContext, { items, ...request }: DraftRequest) {
  const knownProducts = await findSellableForLines(db, items);
  return {
    ...request,
    items: items.map((item) => (knownProducts.has(item.productId) ? item : { ...item, price: null })),
    discountCents: request.discountCode === null ? request.discountCents : 0,
  };
}

function draftDates(at: Date) {
  return { changedAt: at, expiresAt: new Date(at.getTime() + draftDays * dayMs) };
}
