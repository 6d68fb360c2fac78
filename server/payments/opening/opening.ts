import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, inArray, lt, lte, type Placeholder, type SQL, sql } from "drizzle-orm";
import { pick } from "../../../domain/shared/pick.ts";
import type { ShopContext } from "../../context.ts";
import { orderEdits } from "../../order-desk/tables.ts";
import { cancelUnpaidOrder, lockOrder, type OrderRow } from "../../orders/lifecycle.ts";
import { orders } from "../../orders/tables.ts";
import {
  type Intent,
  ProviderBusy,
  ProviderRefused,
  type Session,
} from "../../payment-providers/provider.ts";
import {
  compiledStatement,
  type Placeholders,
  queryBuilder,
} from "../../platform/database/compiled-statement.ts";
import type { Db } from "../../platform/database/database.ts";
import { addJob } from "../../platform/jobs/jobs.ts";
import { finishOpeningsJob } from "../job-kinds.ts";
import { settleSession } from "../settling/sessions.ts";
import { settlePayment } from "../settling/settle.ts";
import { payments } from "../tables.ts";
import { requestPayment } from "./request.ts";
import { nextRevision } from "./revision.ts";

export type OpenedPayment = { kind: "intent"; intent: Intent } | { kind: "session"; session: Session };

/** The lease to request an order's payment from the provider. Only its holder may cancel the order if the request fails. */
export type Opening = Pick<
  typeof payments.$inferSelect,
  "orderId" | "revision" | "hosted" | "openingAttempts"
> &
  // Set for the payment of an order edit.
  Partial<Pick<typeof payments.$inferSelect, "orderEditId" | "createdAt">>;

/** Properties of an order that are sent with its payment. */
export type OrderToPay = Pick<
  OrderRow,
  | "id"
  | "number"
  | "email"
  | "customerName"
  | "shippingAddress"
  | "shipping"
  | "byWallet"
  | "totalCents"
  | "currency"
  | "createdAt"
  | "expiresAt"
> &
  // Greater than 0 for the new order of an exchange.
  Partial<Pick<OrderRow, "creditCents">>;

/** End of a new lease, which must last longer than one call to the provider. After a crash, the next caller waits this long. */
const leaseEnd = sql`now() + interval '10 seconds'`;
/** Longest wait for one response (ms). The provider finishes slower calls, too; the next attempt gets their result. */
export const attemptMs = 8_000;

const openingColumns = {
  ...pick(payments, "orderId", "revision", "hosted", "openingAttempts", "orderEditId", "createdAt"),
};

/** Part of the statement that inserts an order: inserts its first payment. */
export function firstOpening(values: Placeholders<ReturnType<typeof openingValues>>, orderId: Placeholder) {
  return queryBuilder
    .insert(payments)
    .values({ orderId, ...values, ...newLease })
    .returning({ id: payments.id });
}

export function openingValues(
  order: Pick<OrderToPay, "totalCents" | "currency" | "creditCents">,
  { provider, hosted, revision }: { provider: ShopContext["provider"]; hosted: boolean; revision: number },
) {
  return {
    provider: provider.name,
    account: provider.account,
    mode: provider.mode,
    revision,
    hosted,
    amountCents: order.totalCents - (order.creditCents ?? 0),
    currency: order.currency,
  };
}

const newLease = { status: "opening" as const, openingUntil: leaseEnd, openingAttempts: 1 };

/** Takes over an opening whose lease has ended; null if another caller holds it. */
export async function takeOverOpening(
  db: Db,
  { orderId, revision }: Pick<Opening, "orderId" | "revision">,
): Promise<Opening | null> {
  const [opening] = await db
    .update(payments)
    .set({ openingUntil: leaseEnd, openingAttempts: sql`${payments.openingAttempts} + 1` })
    .where(and(isRevision({ orderId, revision }), isOpening, lt(payments.openingUntil, sql`now()`)))
    .returning(openingColumns);
  return opening ?? null;
}

/**
 * Begins a payment with the next revision, because the old revision's idempotency key would return the cancelled payment. Null if
 * the order is no longer pending, or if another caller was faster.
 */
export async function openNext(
  { db, provider }: ShopContext,
  order: OrderToPay,
  { after, hosted }: { after: number; hosted: boolean },
): Promise<Opening | null> {
  return db.transaction(async (tx) => {
    if ((await lockOrder(tx, order.id))?.status !== "pending") return null;
    await tx
      .update(payments)
      .set({ status: "canceled" })
      .where(
        and(
          eq(payments.orderId, order.id),
          lte(payments.revision, after),
          inArray(payments.status, ["requires_payment", "processing"]),
        ),
      );
    const [opening] = await tx
      .insert(payments)
      .values({
        orderId: order.id,
        ...openingValues(order, { provider, hosted, revision: after + 1 }),
        ...newLease,
      })
      .onConflictDoNothing()
      .returning(openingColumns);
    return opening ?? null;
  });
}

/**
 * Begins the payment of an order edit on a page of the provider. Null if the edit is no longer waiting, or if another caller was
 * faster.
 */
export async function openForEdit(
  { db, provider, now }: ShopContext,
  { id, orderId }: { id: string; orderId: string },
): Promise<Opening | null> {
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const [edit] = await tx.select().from(orderEdits).where(eq(orderEdits.id, id));
    if (!order || edit?.status !== "waiting" || !edit.expiresAt || edit.expiresAt <= now()) return null;
    // Another caller may have opened a page since this caller's check.
    const isOpen = inArray(payments.status, ["opening", "requires_payment", "processing"]);
    if ((await tx.$count(payments, and(eq(payments.orderId, orderId), isOpen))) > 0) return null;
    const [opening] = await tx
      .insert(payments)
      .values({
        orderId,
        ...openingValues(
          { totalCents: edit.differenceCents, currency: order.currency },
          { provider, hosted: true, revision: await nextRevision(tx, orderId) },
        ),
        ...newLease,
        orderEditId: id,
      })
      .onConflictDoNothing()
      .returning(openingColumns);
    return opening ?? null;
  });
}

/**
 * Requests the payment from the provider and stores its ids. While the provider is busy with the same call, repeats it for up to
 * `timeoutMs`. Null if another caller has taken over, or if the payment was closed because the order has ended. If it throws
 * ProviderUnavailable or ProviderRefused, the caller must call `failOpening`.
 */
export async function finishOpening(
  ctx: ShopContext,
  order: OrderToPay,
  opening: Opening,
  timeoutMs: number,
): Promise<OpenedPayment | null> {
  const payment = await requestWhileBusy(ctx, order, opening, timeoutMs);
  if (payment === null) return null;
  try {
    if (await storeIds(ctx.db, opening, payment)) return payment;
  } catch (error) {
    // Ends the lease, so that the next caller need not wait; the idempotency key gets it the same payment.
    await postpone(ctx.db, opening, sql`now()`).catch(() => undefined);
    throw error;
  }
  await closeUnwanted(ctx, opening, payment);
  return null;
}

async function requestWhileBusy(
  ctx: ShopContext,
  order: OrderToPay,
  opening: Opening,
  timeoutMs: number,
): Promise<OpenedPayment | null> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 1.5, 1_000)) {
    const leftMs = Math.max(deadline - performance.now(), 1_000);
    try {
      return await requestPayment(ctx, order, opening, Math.min(leftMs, attemptMs));
    } catch (error) {
      if (!(error instanceof ProviderBusy) || performance.now() + pauseMs > deadline) throw error;
    }
    await sleep(pauseMs);
    if ((await postpone(ctx.db, opening, leaseEnd)) === 0) return null;
  }
}

/** Stores the payment's ids. False if its order, its edit or the opening itself has ended. */
async function storeIds(db: Db, opening: Opening, payment: OpenedPayment): Promise<boolean> {
  const { orderId, revision, orderEditId = null } = opening;
  const values = { opening: { orderId, revision, orderEditId }, ids: paymentIds(payment) };
  if (orderEditId === null) return (await storeOpenedIds(db, values)).length === 1;
  // Locks the order first: after waiting for that lock, the statement would not reread the edit, and would miss its end.
  return db.transaction(async (tx) => {
    await lockOrder(tx, orderId);
    return (await storeOpenedIds(tx, values)).length === 1;
  });
}

type OpenedIds = {
  opening: Pick<typeof payments.$inferSelect, "orderId" | "revision" | "orderEditId">;
  ids: Pick<typeof payments.$inferSelect, "intentId" | "sessionId">;
};

const storeOpenedIds = compiledStatement<OpenedIds, Record<string, unknown>>(
  ({ opening: { orderId, revision, orderEditId }, ids }) => sql`
    with awaited as (
      select id from ${orders} where id = ${orderId} and case when ${orderEditId}::uuid is null then status = 'pending'
        else exists (select from ${orderEdits} where order_edits.id = ${orderEditId}::uuid and order_edits.status = 'waiting') end
      for update
    )
    update ${payments} set status = 'requires_payment', opening_until = null,
      intent_id = ${ids.intentId}, session_id = ${ids.sessionId}
    from awaited
    where order_id = awaited.id and revision = ${revision} and ${payments.status} = 'opening' returning 1`,
);

/**
 * Closes a payment that was created for an order which has ended in the meantime. Until it is closed, its status stays `opening`,
 * so that the background job finds it after a crash.
 */
export async function closeUnwanted(
  ctx: ShopContext,
  opening: Opening,
  payment: OpenedPayment,
): Promise<void> {
  const ids = paymentIds(payment);
  const isOurs = and(isRevision(opening), isOpening);
  const result = await ctx.db.update(payments).set(ids).where(isOurs);
  if (result.rowCount === 0) return;
  if (ids.sessionId !== null) {
    const { status } = await ctx.provider.expireSession(ids.sessionId);
    if (status !== "expired") await settleSession(ctx, ids.sessionId);
  } else if (ids.intentId !== null) {
    const intent = await ctx.provider.cancelIntent(ids.intentId);
    if (intent.status !== "canceled") await settlePayment(ctx, intent);
  }
  await ctx.db.update(payments).set({ status: "canceled" }).where(isOurs);
}

/**
 * Cancels the order of a payment that could not be opened. False if another caller has taken over. A job looks for a payment that
 * the provider may have created despite the failure.
 */
export async function failOpening(ctx: ShopContext, opening: Opening, error: Error): Promise<boolean> {
  const isRefused = error instanceof ProviderRefused;
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrder(tx, opening.orderId);
    const { rowCount } = await tx
      .update(payments)
      .set(
        isRefused
          ? { failure: "refused", status: "canceled" }
          : { failure: "unavailable", openingUntil: sql`now()` },
      )
      .where(and(isHolder(opening), isOpening));
    if (rowCount === 0) return false;
    // The key was used with other parameters before, for example by an older version. The next revision gets a new key.
    if (isRefused && error.code === "idempotency_error") return false;
    // The order of an exchange stays open, because its link can open another page.
    if (order?.status === "pending" && order.creditCents === 0) {
      const reason = { actor: "system" as const, note: "The payment could not be started" };
      await cancelUnpaidOrder(tx, order, { ...reason, now: ctx.now(), releaseRequestKey: true });
    }
    if (!isRefused) await addJob(tx, finishOpeningsJob, {}, { key: finishOpeningsJob.name });
    return true;
  });
}

/** Moves the end of the lease. Returns 1, or 0 if another caller has taken over. */
export async function postpone(db: Db, opening: Opening, until: SQL): Promise<number> {
  const { rowCount } = await db
    .update(payments)
    .set({ openingUntil: until })
    .where(and(isHolder(opening), isOpening));
  return rowCount ?? 0;
}

export const isOpening = eq(payments.status, "opening");

function isRevision({ orderId, revision }: Pick<Opening, "orderId" | "revision">): SQL | undefined {
  return and(eq(payments.orderId, orderId), eq(payments.revision, revision));
}

export function isHolder(opening: Opening): SQL | undefined {
  return and(isRevision(opening), eq(payments.openingAttempts, opening.openingAttempts));
}

function paymentIds(payment: OpenedPayment): { intentId: string | null; sessionId: string | null } {
  return payment.kind === "intent"
    ? { intentId: payment.intent.intentId, sessionId: null }
    : { intentId: payment.session.intentId, sessionId: payment.session.id };
}
