import { setTimeout as sleep } from "node:timers/promises";
import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { ShopContext } from "../../context.ts";
import { lockOrder } from "../../orders/lifecycle.ts";
import { orders } from "../../orders/tables.ts";
import { ProviderRefused, ProviderUnavailable } from "../../payment-providers/provider.ts";
import { abandonIfUnknown } from "../../payments/cancellation/abandon.ts";
import { closeChangePaymentJob } from "../../payments/job-kinds.ts";
import {
  failOpening,
  finishOpening,
  type Opening,
  openForEdit,
  takeOverOpening,
} from "../../payments/opening/opening.ts";
import { isThisAccount } from "../../payments/other-account.ts";
import { settleSession } from "../../payments/settling/sessions.ts";
import { settlePayment } from "../../payments/settling/settle.ts";
import { payments } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { orderEdits, orderExchanges } from "../tables.ts";
import { currentRemoval, endWaitingEdit, withdrawEdit } from "./waiting-edit.ts";

type PaymentRow = typeof payments.$inferSelect;

/** Longest wait for a payment page that another caller or the provider is opening. */
const openWaitMs = 16_000;

type OpenedEdit =
  | { ok: true; url: string }
  | { ok: false; reason: "closed" | "provider_unavailable" | "provider_refused" };

/**
 * URL of the provider's page on which a waiting edit is paid: the open page, or else a new one, which only one of several
 * concurrent callers requests. `closed` means that the edit no longer waits, its payment is being processed, or its order can no
 * longer be edited.
 */
export async function openEditPayment(ctx: ShopContext, editId: string): Promise<OpenedEdit> {
  const deadline = performance.now() + openWaitMs;
  if (!(await canBePaid(ctx, editId))) return { ok: false, reason: "closed" };
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, 500)) {
    const page = await currentPage(ctx, editId);
    if (page && "ok" in page) return page;
    const result = page && (await requestPage(ctx, page, deadline - performance.now()));
    if (result) return result;
    if (performance.now() > deadline) return { ok: false, reason: "provider_unavailable" };
    await sleep(pauseMs);
  }
}

/** Whether the edit can still be applied to its order; ends the edit if it never can be. */
async function canBePaid(ctx: ShopContext, editId: string): Promise<boolean> {
  const [edit] = await ctx.db.select().from(orderEdits).where(eq(orderEdits.id, editId));
  if (edit?.status !== "waiting") return false;
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, edit.orderId);
    if (!order) return false;
    const removal = await currentRemoval(ctx, tx, edit);
    if (!removal.ok) await withdrawEdit(ctx, tx, editId, removal.reason);
    return removal.ok && removal.hold === null;
  });
}

/** The open page or, if there is none, the lease to open one; null while another caller opens it. */
async function currentPage(ctx: ShopContext, editId: string): Promise<OpenedEdit | Opening | null> {
  const [edit] = await ctx.db.select().from(orderEdits).where(eq(orderEdits.id, editId));
  if (edit?.status !== "waiting" || (edit.expiresAt !== null && edit.expiresAt <= ctx.now())) {
    return { ok: false, reason: "closed" };
  }
  const [latest] = await ctx.db
    .select()
    .from(payments)
    .where(eq(payments.orderEditId, editId))
    .orderBy(desc(payments.revision))
    .limit(1);
  if (latest?.status === "opening") return takeOverOpening(ctx.db, latest);
  if (latest?.status === "processing" || latest?.status === "succeeded")
    return { ok: false, reason: "closed" };
  if (latest?.status === "requires_payment" && latest.sessionId !== null) {
    const { sessionId } = latest;
    try {
      const result = await abandonIfUnknown(ctx, latest, null, () => ctx.provider.retrieveSession(sessionId));
      if ("result" in result) {
        const { status, url } = result.result;
        if (status === "open" && url !== null) return { ok: true, url };
        await settleSession(ctx, sessionId);
        if (status === "complete") return { ok: false, reason: "closed" };
      }
    } catch (error) {
      if (error instanceof ProviderUnavailable) return { ok: false, reason: "provider_unavailable" };
      throw error;
    }
  }
  return openForEdit(ctx, { id: editId, orderId: edit.orderId });
}

async function requestPage(
  ctx: ShopContext,
  opening: Opening,
  timeLeftMs: number,
): Promise<OpenedEdit | null> {
  const [order] = await ctx.db.select().from(orders).where(eq(orders.id, opening.orderId));
  if (!order) return { ok: false, reason: "closed" };
  try {
    const result = await finishOpening(ctx, order, opening, timeLeftMs);
    if (result?.kind !== "session" || result.session.url === null) return null;
    return { ok: true, url: result.session.url };
  } catch (error) {
    if (!(error instanceof ProviderRefused || error instanceof ProviderUnavailable)) throw error;
    ctx.log.warn({ err: error, orderId: order.id }, "the payment of an order edit could not be started");
    if (!(await failOpening(ctx, opening, error))) return null;
    return {
      ok: false,
      reason: error instanceof ProviderRefused ? "provider_refused" : "provider_unavailable",
    };
  }
}

/** Reads an edit's open payments from the provider, because events may be late or lost. */
export async function refreshEditPayment(ctx: ShopContext, editId: string): Promise<void> {
  for (const payment of await listOpenPayments(ctx.db, editId)) await refreshPayment(ctx, payment);
}

async function refreshPayment(ctx: ShopContext, payment: PaymentRow): Promise<void> {
  const { sessionId, intentId } = payment;
  await abandonIfUnknown(ctx, payment, null, async () => {
    if (sessionId !== null) return settleSession(ctx, sessionId);
    return intentId === null ? "none" : settlePayment(ctx, await ctx.provider.retrieveIntent(intentId));
  });
}

/** `changeId` is the id of an order edit, or of an exchange, whose new order has the payments. */
async function listOpenPayments(db: Db, changeId: string): Promise<PaymentRow[]> {
  const newOrderIds = db
    .select({ id: orderExchanges.newOrderId })
    .from(orderExchanges)
    .where(eq(orderExchanges.id, changeId));
  const matchesEdit = or(eq(payments.orderEditId, changeId), inArray(payments.orderId, newOrderIds));
  return db
    .select()
    .from(payments)
    .where(and(matchesEdit, inArray(payments.status, ["requires_payment", "processing"])));
}

/**
 * Closes the open page of an edit or exchange and books a payment made in the meantime, which may apply the edit. If it throws
 * ProviderUnavailable, the page may still be open.
 */
export async function closeChangePayment(ctx: ShopContext, changeId: string): Promise<void> {
  for (const payment of await listOpenPayments(ctx.db, changeId)) {
    const { sessionId, status } = payment;
    await abandonIfUnknown(ctx, payment, null, async () => {
      if (sessionId !== null && status !== "processing") await ctx.provider.expireSession(sessionId);
      return sessionId === null ? "none" : settleSession(ctx, sessionId);
    });
  }
}

type EndResult = "ended" | "paid" | "processing" | "gone";

/**
 * Ends a waiting edit after closing its page at the provider, so that it can no longer be paid. The result is `paid` if it was
 * paid before that and has been applied. Throws ProviderUnavailable without a change.
 */
export async function endEdit(
  ctx: ShopContext,
  { orderId, editId }: { orderId: string; editId: string },
  end: Pick<Parameters<typeof endWaitingEdit>[3], "status" | "actor" | "note">,
): Promise<EndResult> {
  await closeChangePayment(ctx, editId);
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const [edit] = await tx.select().from(orderEdits).where(eq(orderEdits.id, editId));
    if (!order || edit?.orderId !== orderId) return "gone";
    if (edit.status === "applied") return "paid";
    if (edit.status !== "waiting") return "ended";
    const open = await listOpenPayments(tx, editId);
    if (open.some(({ status }) => status === "processing")) return "processing";
    // These pages were opened after `closeChangePayment` had read its list.
    if (open.length > 0) await addJob(tx, closeChangePaymentJob, { changeId: editId });
    await endWaitingEdit(tx, order, edit, { ...end, now: ctx.now() });
    return "ended";
  });
}

const maxBatchSize = 50;

/** Job: ends expired edits, and closes open payment pages of ended edits. Failures are retried by the next run. */
export async function endExpiredEdits(ctx: ShopContext): Promise<{ checked: number; failed: number }> {
  const expired = await ctx.db
    .select({ id: orderEdits.id, orderId: orderEdits.orderId })
    .from(orderEdits)
    .where(and(eq(orderEdits.status, "waiting"), lt(orderEdits.expiresAt, ctx.now())))
    // In random order, so that edits that cannot be ended do not hold up the others in every run.
    .orderBy(sql`random()`)
    .limit(maxBatchSize);
  const openPages = await ctx.db
    .select({ id: orderEdits.id, orderId: orderEdits.orderId })
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
    .limit(maxBatchSize);
  const end = {
    status: "expired",
    actor: "system",
    note: "The change of items was not paid in time",
  } as const;
  return runSequentially(ctx, "an order edit could not be ended yet", [
    ...expired.map(({ id, orderId }) => ({
      orderId,
      run: () => endEdit(ctx, { orderId, editId: id }, end),
    })),
    ...openPages.map(({ id, orderId }) => ({ orderId, run: () => closeChangePayment(ctx, id) })),
  ]);
}

/** Reads open payments of all edits from the provider, because events may be lost. */
export async function refreshEditPayments(
  ctx: ShopContext,
  signal?: AbortSignal,
): Promise<{ checked: number; failed: number; fault?: unknown }> {
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
    // In random order, so that every payment is read by some run.
    .orderBy(sql`random()`)
    .limit(maxBatchSize);
  const steps = open.map((payment) => ({
    orderId: payment.orderId,
    run: () => refreshPayment(ctx, payment),
  }));
  return runSequentially(ctx, "the payment of an order edit could not be looked up", steps, signal);
}

/**
 * Runs steps one after the other. A failed step is logged and the next one runs; if the provider is unavailable, the run ends,
 * because every further step would only wait for its timeout.
 */
async function runSequentially(
  { log }: ShopContext,
  failure: string,
  steps: readonly { orderId: string; run(): Promise<unknown> }[],
  signal?: AbortSignal,
): Promise<{ checked: number; failed: number; fault?: unknown }> {
  const counts: { checked: number; failed: number; fault?: unknown } = { checked: 0, failed: 0 };
  for (const { orderId, run } of steps) {
    if (signal?.aborted) break;
    counts.checked += 1;
    try {
      await run();
    } catch (error) {
      counts.failed += 1;
      counts.fault ??= error;
      log.warn({ err: error, orderId }, failure);
      if (error instanceof ProviderUnavailable) break;
    }
  }
  return counts;
}
