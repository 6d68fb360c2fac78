import { and, desc, eq, gte, inArray, lt, min, sql } from "drizzle-orm";
import type { Books } from "../../domain/books/books.ts";
import { countedModes } from "../../domain/payments/payment-mode.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { type BalanceEntry, ProviderRefused } from "../payment-providers/provider.ts";
import { payments } from "../payments/tables.ts";
import type { TimeRange } from "./period.ts";
import { balanceCursors, balanceEntries } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** Length of the period that one request reads; the cursor moves after each request. */
const windowMs = 7 * dayMs;
/** Overlap with the previous pass, to find entries that the provider listed late. */
const overlapMs = 2 * dayMs;
const batchSize = 500;

/**
 * Reads the provider's balance entries since the last pass: charges, refunds, disputes, fees and payouts. Existing entries
 * are kept, so passes may run concurrently. Stops if the keys are not allowed to read the balance.
 */
export async function readBalance(ctx: ShopContext): Promise<void> {
  const key = balanceCursorKey(ctx);
  const readUntil = await balanceReadUntil(ctx);
  const end = ctx.now();
  const resumeAt = readUntil === null ? null : new Date(Date.parse(readUntil) - overlapMs);
  // If the clock was far ahead once, the cursor is past entries that were not read.
  const isAhead = resumeAt !== null && resumeAt >= end;
  let from = resumeAt === null || isAhead ? await firstPaymentTime(ctx) : resumeAt;
  if (from === null) return;
  while (from < end) {
    const to: Date = new Date(Math.min(from.getTime() + windowMs, end.getTime()));
    try {
      await readWindow(ctx, from, to);
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error;
      ctx.log.warn({ err: error }, "these keys are not allowed to read the payment provider's balance");
      return;
    }
    const progress = { readUntil: to, readAt: end };
    await ctx.db
      .insert(balanceCursors)
      .values({ ...key, ...progress })
      .onConflictDoUpdate({
        target: [balanceCursors.provider, balanceCursors.mode, balanceCursors.account],
        set: isAhead
          ? progress
          : { ...progress, readUntil: sql`greatest(${balanceCursors.readUntil}, excluded.read_until)` },
      });
    from = to;
  }
}

async function readWindow({ db, provider }: ShopContext, from: Date, to: Date): Promise<void> {
  let batch: BalanceEntry[] = [];
  const write = async () => {
    if (batch.length === 0) return;
    const rows = batch.map(({ amount, fee, ...entry }) => ({
      ...entry,
      provider: provider.name,
      mode: provider.mode,
      amountCents: amount,
      feeCents: fee,
    }));
    await db.insert(balanceEntries).values(rows).onConflictDoNothing();
    batch = [];
  };
  for await (const entry of provider.listBalance({ from, to })) {
    batch.push(entry);
    if (batch.length === batchSize) await write();
  }
  await write();
}

/** Start of the first pass; null if nothing was paid yet. */
async function firstPaymentTime({ db, provider }: ShopContext): Promise<Date | null> {
  const [first] = await db
    .select({ at: min(payments.createdAt) })
    .from(payments)
    .where(
      and(
        eq(payments.status, "succeeded"),
        eq(payments.provider, provider.name),
        inArray(payments.mode, countedModes[provider.mode]),
      ),
    );
  return first?.at ?? null;
}

function balanceCursorKey({ provider: { name, mode, account } }: ShopContext) {
  return { provider: name, mode, account: account ?? "" };
}

/** The time up to which the balance of the current account was read; null if it was never read. */
export async function balanceReadUntil(ctx: ShopContext): Promise<string | null> {
  const { provider, mode, account } = balanceCursorKey(ctx);
  const [cursor] = await ctx.db
    .select()
    .from(balanceCursors)
    .where(
      and(
        eq(balanceCursors.provider, provider),
        eq(balanceCursors.mode, mode),
        eq(balanceCursors.account, account),
      ),
    );
  return cursor?.readUntil.toISOString() ?? null;
}

const payoutsShown = 31;

/** The latest payouts that left the balance in a period, with the day on which they arrive at the bank. */
export async function latestPayouts(
  ctx: ShopContext,
  { from, before, timeZone }: TimeRange,
): Promise<Books["payouts"]["latest"]> {
  const rows = await ctx.db
    .select()
    .from(balanceEntries)
    .where(
      and(
        eq(balanceEntries.kind, "payout"),
        inArray(balanceEntries.mode, countedModes[ctx.provider.mode]),
        gte(balanceEntries.createdAt, from),
        lt(balanceEntries.createdAt, before),
      ),
    )
    .orderBy(desc(balanceEntries.createdAt), desc(balanceEntries.id))
    .limit(payoutsShown);
  return rows.map(({ id, arrivesOn, createdAt, amountCents }) => ({
    id,
    on: arrivesOn ?? dateIn(timeZone, createdAt),
    cents: -amountCents,
  }));
}
