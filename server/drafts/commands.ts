import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { type DraftRequest, draftDays } from "../../domain/drafts/draft.ts";
import type { ShopContext } from "../context.ts";
import { cancelUnpaidNow } from "../payments/cancellation/close.ts";
import { enqueuePaymentLink } from "./mail.ts";
import { findDraft, statusOf } from "./queries.ts";
import { orderDrafts } from "./tables.ts";

/** `stale`: it was changed by somebody else since. */
export type DraftResult = { ok: true } | { ok: false; isStale: boolean; reason: string };

const dayMs = 24 * 60 * 60 * 1000;

export async function createDraft({ db, now }: ShopContext, request: DraftRequest): Promise<string> {
  const id = randomUUID();
  const at = now();
  await db.insert(orderDrafts).values({ id, ...columnsOf(request), ...datesOf(at), createdAt: at });
  return id;
}

/**
 * Changes a draft that is not paid. An unpaid order that was made of it before is cancelled: its link leads to the new one.
 * Null: there is no such draft.
 */
export async function changeDraft(
  ctx: ShopContext,
  { id, revision, ...request }: DraftRequest & { id: string; revision: number },
): Promise<DraftResult | null> {
  return claimRevision(ctx, { id, revision, set: columnsOf(request) });
}

/** Deletes a draft that is not paid, with the unpaid order that was made of it. Null: there is none. */
export async function deleteDraft(
  ctx: ShopContext,
  { id, revision }: { id: string; revision: number },
): Promise<DraftResult | null> {
  const claimed = await claimRevision(ctx, { id, revision, set: {} });
  if (!claimed?.ok) return claimed;
  await ctx.db.delete(orderDrafts).where(eq(orderDrafts.id, id));
  return { ok: true };
}

/** Another draft with the same contents; null: there is none to copy. */
export async function duplicateDraft(ctx: ShopContext, id: string): Promise<string | null> {
  const found = await findDraft(ctx.db, id);
  if (!found) return null;
  const { draft } = found;
  const copy = randomUUID();
  const at = ctx.now();
  await ctx.db.insert(orderDrafts).values({
    ...draft,
    ...datesOf(at),
    ...{ id: copy, revision: 1, createdAt: at, sentAt: null, orderId: null },
  });
  return copy;
}

/** E-mails the payment link; pressed twice within a minute it goes once. Null: there is no such draft. */
export async function sendLink(ctx: ShopContext, id: string): Promise<DraftResult | null> {
  return ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select from ${orderDrafts} where id = ${id} for update`);
    const found = await findDraft(tx, id);
    if (!found) return null;
    const now = ctx.now();
    const problem = closedReason(statusOf(found, now));
    if (problem) return { ok: false, isStale: false, reason: problem };
    const { email, revision } = found.draft;
    await enqueuePaymentLink(tx, { draftId: id, email, occasion: `${revision}:${minuteOf(now)}` });
    const expiresAt = new Date(now.getTime() + draftDays * dayMs);
    await tx.update(orderDrafts).set({ sentAt: now, expiresAt }).where(eq(orderDrafts.id, id));
    return { ok: true };
  });
}

/**
 * Makes the next revision of an unpaid draft, for one caller alone, and cancels the unpaid order of the one before: from
 * now on nobody can pay that. Throws `ProviderUnavailable` while the payment cannot be ended; the revision then stands, and
 * the next call goes on.
 */
export async function claimRevision(
  ctx: ShopContext,
  { id, revision, set }: { id: string; revision: number; set: Partial<typeof orderDrafts.$inferInsert> },
): Promise<DraftResult | null> {
  const before = await findDraft(ctx.db, id);
  if (!before) return null;
  const closed = closedReason(statusOf(before, ctx.now()));
  if (closed) return { ok: false, isStale: false, reason: closed };
  if (before.order !== null) {
    const why = { actor: "owner", note: "The shop changed what was to be paid" } as const;
    await cancelUnpaidNow(ctx, before.order.id, why);
    const after = await findDraft(ctx.db, id);
    const paid = after && closedReason(statusOf(after, ctx.now()));
    if (paid) return { ok: false, isStale: false, reason: paid };
  }
  const changed = await ctx.db
    .update(orderDrafts)
    .set({ ...set, ...datesOf(ctx.now()), revision: revision + 1, orderId: null })
    .where(and(eq(orderDrafts.id, id), eq(orderDrafts.revision, revision)))
    .returning({ id: orderDrafts.id });
  if (changed.length > 0) return { ok: true };
  return { ok: false, isStale: true, reason: "Somebody has changed this draft meanwhile. Load it again." };
}

function closedReason(status: ReturnType<typeof statusOf>): string | null {
  if (status === "paid") return "This draft has been paid: it is an order now.";
  return status === "processing"
    ? "Its payment is being processed. Wait until it has gone through or failed."
    : null;
}

function columnsOf({ items, shipping, discountCode, discountCents, ...request }: DraftRequest) {
  return {
    ...request,
    items,
    shipping,
    discountCode,
    discountCents: discountCode === null ? discountCents : 0,
  };
}

function datesOf(at: Date) {
  return { changedAt: at, expiresAt: new Date(at.getTime() + draftDays * dayMs) };
}

function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / 60_000);
}
