import { setTimeout as sleep } from "node:timers/promises";
import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { type ChangeRecord, endWaitingChange, waitingChangeOf } from "../../order-desk/items/apply.ts";
import { orderEdits } from "../../order-desk/tables.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import { orders } from "../../orders/tables.ts";
import { ProviderRefused, ProviderUnavailable } from "../../payment-providers/provider.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { abandonIfUnknown } from "../cancellation/abandon.ts";
import { closeChangePaymentJob } from "../job-kinds.ts";
import {
  failOpening,
  finishOpening,
  type Opening,
  openForChange,
  takeOverOpening,
} from "../opening/opening.ts";
import { isThisAccount } from "../other-account.ts";
import { settleSession } from "../settling/sessions.ts";
import { settlePayment } from "../settling/settle.ts";
import { payments } from "../tables.ts";
import { removalNow, takeBack } from "./unpayable.ts";

type PaymentRow = typeof payments.$inferSelect;

/** Longest wait for a page that somebody else opens, and for a provider that is still at work on one. */
const openWaitMs = 16_000;

export type OpenedChange =
  | { ok: true; url: string }
  | { ok: false; reason: "closed" | "provider_unavailable" | "provider_refused" };

/**
 * Where a change that waits is paid: on the provider's page that is open for it, else on a new one. However many ask at once, one
 * of them asks the provider. `closed`: it does not wait any more, its payment is being processed, or its order cannot be changed so.
 */
export async function openChangePayment(ctx: ShopContext, changeId: string): Promise<OpenedChange> {
  const deadline = performance.now() + openWaitMs;
  if (!(await canBePaid(ctx, changeId))) return { ok: false, reason: "closed" };
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, 500)) {
    const found = await currentPage(ctx, changeId);
    if (found && "ok" in found) return found;
    const opened = found && (await askForPage(ctx, found, deadline - performance.now()));
    if (opened) return opened;
    if (performance.now() > deadline) return { ok: false, reason: "provider_unavailable" };
    await sleep(pauseMs);
  }
}

/** Whether its order can still be changed so; where it never will be, the change ends. */
async function canBePaid(ctx: ShopContext, changeId: string): Promise<boolean> {
  const [change] = await ctx.db.select().from(orderEdits).where(eq(orderEdits.id, changeId));
  if (change?.status !== "waiting") return false;
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, change.orderId);
    if (!order) return false;
    const now = await removalNow(ctx, tx, change);
    if (!now.ok) await takeBack(ctx, tx, changeId, now.why);
    return now.ok && now.hold === null;
  });
}

/** The page that is open, or the right to open one; null while somebody else does. */
async function currentPage(ctx: ShopContext, changeId: string): Promise<OpenedChange | Opening | null> {
  const [change] = await ctx.db.select().from(orderEdits).where(eq(orderEdits.id, changeId));
  if (change?.status !== "waiting" || (change.expiresAt !== null && change.expiresAt <= ctx.now())) {
    return { ok: false, reason: "closed" };
  }
  const [latest] = await ctx.db
    .select()
    .from(payments)
    .where(eq(payments.orderEditId, changeId))
    .orderBy(desc(payments.revision))
    .limit(1);
  if (latest?.status === "opening") return takeOverOpening(ctx.db, latest);
  if (latest?.status === "processing" || latest?.status === "succeeded")
    return { ok: false, reason: "closed" };
  if (latest?.status === "requires_payment" && latest.sessionId !== null) {
    const { sessionId } = latest;
    try {
      const asked = await abandonIfUnknown(ctx, latest, null, () => ctx.provider.retrieveSession(sessionId));
      if ("answer" in asked) {
        const { status, url } = asked.answer;
        if (status === "open" && url !== null) return { ok: true, url };
        await settleSession(ctx, sessionId);
        if (status === "complete") return { ok: false, reason: "closed" };
      }
    } catch (error) {
      if (error instanceof ProviderUnavailable) return { ok: false, reason: "provider_unavailable" };
      throw error;
    }
  }
  return openForChange(ctx, { id: changeId, orderId: change.orderId });
}

async function askForPage(
  ctx: ShopContext,
  opening: Opening,
  timeLeftMs: number,
): Promise<OpenedChange | null> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, opening.orderId));
  if (!order) return { ok: false, reason: "closed" };
  try {
    const opened = await finishOpening(ctx, order, opening, timeLeftMs);
    if (opened?.kind !== "session" || opened.session.url === null) return null;
    return { ok: true, url: opened.session.url };
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof ProviderUnavailable)) throw error;
    ctx.log.warn({ err: error, orderId: order.id }, "the payment of a change could not be started");
    await failOpening(ctx, opening, error);
    return {
      ok: false,
      reason: error instanceof ProviderRefused ? "provider_refused" : "provider_unavailable",
    };
  }
}

/** Asks the provider about the page that is open for a change: its news may be late, or lost. */
export async function refreshChangePayment(ctx: ShopContext, changeId: string): Promise<void> {
  for (const payment of await openPaymentsOf(ctx, changeId)) await askAbout(ctx, payment);
}

async function askAbout(ctx: ShopContext, payment: PaymentRow): Promise<void> {
  const { sessionId, intentId } = payment;
  await abandonIfUnknown(ctx, payment, null, async () => {
    if (sessionId !== null) return settleSession(ctx, sessionId);
    return intentId === null ? "none" : settlePayment(ctx, await ctx.provider.retrieveIntent(intentId));
  });
}

async function openPaymentsOf({ db }: ShopContext, changeId: string): Promise<PaymentRow[]> {
  return db
    .select()
    .from(payments)
    .where(
      and(eq(payments.orderEditId, changeId), inArray(payments.status, ["requires_payment", "processing"])),
    );
}

/**
 * Closes the page that is open for a change. What was paid meanwhile is booked, so that afterwards the change may be applied.
 * Throws ProviderUnavailable, and then the page may still be open.
 */
export async function closeChangePayment(ctx: ShopContext, changeId: string): Promise<void> {
  for (const payment of await openPaymentsOf(ctx, changeId)) {
    const { sessionId, status } = payment;
    await abandonIfUnknown(ctx, payment, null, async () => {
      if (sessionId !== null && status !== "processing") await ctx.provider.expireSession(sessionId);
      return sessionId === null ? "none" : settleSession(ctx, sessionId);
    });
  }
}

export type Ended = "ended" | "paid" | "processing" | "gone";

/**
 * Ends a change that waits: first its page at the provider, so that nobody can pay it any more, then here. `paid`: it was paid
 * meanwhile, and is part of its order. Throws ProviderUnavailable: nothing has changed then.
 */
export async function endChange(
  ctx: ShopContext,
  { orderId, changeId }: { orderId: string; changeId: string },
  end: Pick<Parameters<typeof endWaitingChange>[3], "status" | "actor" | "note">,
): Promise<Ended> {
  await closeChangePayment(ctx, changeId);
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const [change] = await tx.select().from(orderEdits).where(eq(orderEdits.id, changeId));
    if (!order || change?.orderId !== orderId) return "gone";
    if (change.status === "applied") return "paid";
    if (change.status !== "waiting") return "ended";
    const isProcessing = and(eq(payments.orderEditId, changeId), eq(payments.status, "processing"));
    if ((await tx.$count(payments, isProcessing)) > 0) return "processing";
    await endWaitingChange(tx, order, change, { ...end, now: ctx.now() });
    return "ended";
  });
}

const perRun = 50;

/**
 * Job: ends changes whose time to be paid is over, and closes pages that are still open for changes that have ended. What the
 * provider cannot be asked about now is left for the next run.
 */
export async function endDueChanges(ctx: ShopContext): Promise<{ looked: number; failed: number }> {
  const due = await ctx.db
    .select({ id: orderEdits.id, orderId: orderEdits.orderId })
    .from(orderEdits)
    .where(and(eq(orderEdits.status, "waiting"), lt(orderEdits.expiresAt, ctx.now())))
    // Whichever a run has no time for, another one has: those that cannot be ended do not keep others waiting.
    .orderBy(sql`random()`)
    .limit(perRun);
  const left = await ctx.db
    .select({ id: orderEdits.id })
    .from(payments)
    .innerJoin(orderEdits, eq(orderEdits.id, payments.orderEditId))
    .where(
      and(
        inArray(payments.status, ["requires_payment", "processing"]),
        isThisAccount(ctx.provider),
        sql`${orderEdits.status} <> 'waiting'`,
      ),
    )
    .groupBy(orderEdits.id)
    .orderBy(sql`random()`)
    .limit(perRun);
  const end = {
    status: "expired",
    actor: "system",
    note: "The change of items was not paid in time",
  } as const;
  const works = [
    ...due.map(
      ({ id, orderId }) =>
        () =>
          endChange(ctx, { orderId, changeId: id }, end),
    ),
    ...left.map(
      ({ id }) =>
        () =>
          closeChangePayment(ctx, id),
    ),
  ];
  let looked = 0;
  let failed = 0;
  for (const work of works) {
    looked += 1;
    try {
      await work();
    } catch (error) {
      failed += 1;
      ctx.log.warn({ err: error }, "a change of a paid order could not be ended yet");
      if (error instanceof ProviderUnavailable) break;
    }
  }
  return { looked, failed };
}

/** Asks about pages that are open for changes, as their news may be lost. One that fails does not stand before the others. */
export async function askAboutChanges(
  ctx: ShopContext,
  signal?: AbortSignal,
): Promise<{ looked: number; failed: number }> {
  const open = await ctx.db
    .select()
    .from(payments)
    .where(
      and(
        sql`${payments.orderEditId} is not null`,
        inArray(payments.status, ["requires_payment", "processing"]),
        isThisAccount(ctx.provider),
      ),
    )
    // Whichever a run has no time for, another one has.
    .orderBy(sql`random()`)
    .limit(perRun);
  const run = { looked: 0, failed: 0 };
  for (const payment of open) {
    if (signal?.aborted) break;
    run.looked += 1;
    try {
      await askAbout(ctx, payment);
    } catch (error) {
      run.failed += 1;
      ctx.log.warn(
        { err: error, orderId: payment.orderId },
        "the payment of a change could not be looked up",
      );
      // Where the provider is away, each of the others would wait for it as long.
      if (error instanceof ProviderUnavailable) break;
    }
  }
  return run;
}

/** What waits is taken back because its order is shipped or cancelled; a page that is open is closed by a job. */
export async function dropWaitingChange(
  ctx: ShopContext,
  tx: Parameters<typeof endWaitingChange>[0],
  order: Parameters<typeof endWaitingChange>[1],
  end: Pick<Parameters<typeof endWaitingChange>[3], "actor" | "note">,
): Promise<ChangeRecord | null> {
  const change = await waitingChangeOf(tx, order.id);
  if (!change) return null;
  await endWaitingChange(tx, order, change, { ...end, status: "withdrawn", now: ctx.now() });
  await addJob(tx, closeChangePaymentJob, { changeId: change.id });
  return change;
}
