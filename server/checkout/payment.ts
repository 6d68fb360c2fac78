import { setTimeout as sleep } from "node:timers/promises";
import { and, desc, eq, isNull } from "drizzle-orm";
import type { ShopContext } from "../context.ts";
import type { PlacedOrder } from "../orders/commands.ts";
import { orders } from "../orders/tables.ts";
import { ProviderRefused, ProviderUnavailable, UnknownPayment } from "../payment-providers/provider.ts";
import {
  failOpening,
  finishOpening,
  type OpenedPayment,
  type Opening,
  openNext,
  takeOverOpening,
} from "../payments/opening/opening.ts";
import { isOtherAccount } from "../payments/other-account.ts";
import { recordDecline } from "../payments/settling/declines.ts";
import { payments } from "../payments/tables.ts";

type OpenResult =
  | { ok: true; payment: OpenedPayment }
  | { ok: false; reason: "order_closed" | "provider_unavailable" | "provider_refused" };

/** Timeout for opening a payment, whether by this call or by another one. */
const openWaitMs = 16_000;
/** Timeout for reading an existing payment from the provider. */
const retrieveMs = 8_000;

/**
 * The order's payable payment at the provider, created if there is none. Of several concurrent callers, one calls the provider and
 * the rest wait for its result. If it crashes, another caller continues with the same idempotency key.
 *
 * Throws UnknownPayment if the current keys cannot read the existing payment. If the provider is unavailable, an order that never
 * had a payment is cancelled immediately.
 */
export async function openPayment(
  ctx: ShopContext,
  order: PlacedOrder,
  kind: "intent" | "session",
  /** The opening that this call inserted with the order; null if the order existed before. */
  first: Opening | null,
): Promise<OpenResult> {
  const deadline = performance.now() + openWaitMs;
  let opening = first;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, 500)) {
    const result = opening && (await requestFromProvider(ctx, order, opening, deadline - performance.now()));
    if (result) return result;
    const current = await currentPayment(ctx, order, kind);
    if (current && "ok" in current) return current;
    opening = current;
    if (opening) continue;
    if (performance.now() > deadline) return { ok: false, reason: "provider_unavailable" };
    await sleep(pauseMs);
  }
}

/** Null if another call has taken over the opening. */
async function requestFromProvider(
  ctx: ShopContext,
  order: PlacedOrder,
  opening: Opening,
  timeLeftMs: number,
): Promise<OpenResult | null> {
  try {
    const payment = await finishOpening(ctx, order, opening, timeLeftMs);
    return payment && { ok: true, payment };
  } catch (error) {
    if (!isProviderError(error)) throw error;
    ctx.log.warn({ err: error, orderId: order.id }, "the payment could not be started");
    return (await failOpening(ctx, opening, error)) ? providerRefusal(error) : null;
  }
}

/** The order's payment, or a lease with which this call may open one; null while another call holds the lease. */
async function currentPayment(
  ctx: ShopContext,
  order: PlacedOrder,
  kind: "intent" | "session",
): Promise<OpenResult | Opening | null> {
  const [row] = await ctx.db
    .select({ status: orders.status, latest: payments })
    .from(orders)
    .leftJoin(payments, and(eq(payments.orderId, orders.id), isNull(payments.orderEditId)))
    .where(eq(orders.id, order.id))
    .orderBy(desc(payments.revision))
    .limit(1);
  const latest = row?.latest ?? null;
  const isPending = row?.status === "pending";
  if (!isPending && latest?.failure) return { ok: false, reason: `provider_${latest.failure}` };
  if (latest && isOtherAccount(ctx.provider, latest))
    throw new UnknownPayment("It was created with the keys of another account");
  if (isPending && latest?.status === "opening") return takeOverOpening(ctx.db, latest);
  try {
    const existing = latest && (await retrieve(ctx, latest));
    if (existing?.kind === "intent") await recordDecline(ctx, existing.intent);
    if (existing && !isEnded(existing)) return { ok: true, payment: existing };
  } catch (error) {
    if (error instanceof UnknownPayment || !isProviderError(error)) throw error;
    ctx.log.warn({ err: error, orderId: order.id }, "the payment could not be read");
    return providerRefusal(error);
  }
  if (!isPending) return { ok: false, reason: "order_closed" };
  return openNext(ctx, order, { after: latest?.revision ?? 0, hosted: kind === "session" });
}

async function retrieve(
  ctx: ShopContext,
  payment: typeof payments.$inferSelect,
): Promise<OpenedPayment | null> {
  if (payment.sessionId !== null) {
    return { kind: "session", session: await ctx.provider.retrieveSession(payment.sessionId, retrieveMs) };
  }
  if (payment.intentId === null) return null;
  return { kind: "intent", intent: await ctx.provider.retrieveIntent(payment.intentId, retrieveMs) };
}

function isEnded(payment: OpenedPayment): boolean {
  return payment.kind === "intent"
    ? payment.intent.status === "canceled"
    : payment.session.status === "expired";
}

function isProviderError(error: unknown): error is ProviderRefused | ProviderUnavailable {
  return error instanceof ProviderRefused || error instanceof ProviderUnavailable;
}

function providerRefusal(error: ProviderRefused | ProviderUnavailable): OpenResult {
  return {
    ok: false,
    reason: error instanceof ProviderRefused ? "provider_refused" : "provider_unavailable",
  };
}
