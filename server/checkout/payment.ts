import { setTimeout as sleep } from "node:timers/promises";
import { desc, eq } from "drizzle-orm";
import type { PlacedOrder } from "../orders/commands.ts";
import { orders } from "../orders/tables.ts";
import {
  finishOpening,
  giveUpOpening,
  type OpenedPayment,
  type Opening,
  openNext,
  takeOver,
} from "../payments/opening/opening.ts";
import { isElsewhere } from "../payments/other-account.ts";
import { ProviderRefused, ProviderUnavailable, UnknownPayment } from "../payments/provider.ts";
import { noteDecline } from "../payments/settling/declines.ts";
import { payments } from "../payments/tables.ts";
import type { CheckoutParts } from "./parts.ts";

type Opened =
  | { ok: true; payment: OpenedPayment }
  | { ok: false; reason: "order_closed" | "provider_unavailable" | "provider_refused" };

/** Longest wait for a payment that somebody else opens, and for a provider that is still at work on one. */
const patienceMs = 16_000;
/** Longest wait for what the provider knows of a payment that is there. */
const lookMs = 8_000;

/**
 * The order's payable payment at the provider, made where there is none. However many ask for it at once, one of them
 * asks the provider; the others wait for what comes of it and answer the same. Should the one be lost, another goes on
 * under the same key.
 *
 * Throws UnknownPayment where the present keys cannot see the payment that is there.
 * When the provider is away, an order that never had a payment is cancelled at once: nothing half-made stays behind.
 */
export async function openPayment(
  parts: CheckoutParts,
  order: PlacedOrder,
  kind: "intent" | "session",
  /** Written with the order, by this very call. */
  first: Opening | null,
): Promise<Opened> {
  const deadline = performance.now() + patienceMs;
  let opening = first;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 1.5, 500)) {
    const asked = opening && (await ask(parts, order, opening, deadline - performance.now()));
    if (asked) return asked;
    const found = await look(parts, order, kind);
    if (found && "ok" in found) return found;
    opening = found;
    if (opening) continue;
    if (performance.now() > deadline) return { ok: false, reason: "provider_unavailable" };
    await sleep(pauseMs);
  }
}

/** Null: it is for somebody else by now to decide what becomes of the order. */
async function ask(
  parts: CheckoutParts,
  order: PlacedOrder,
  opening: Opening,
  timeLeftMs: number,
): Promise<Opened | null> {
  try {
    const payment = await finishOpening(parts, order, opening, timeLeftMs);
    return payment && { ok: true, payment };
  } catch (error) {
    if (!isProviders(error)) throw error;
    parts.log.warn({ err: error, orderId: order.id }, "the payment could not be started");
    return (await giveUpOpening(parts, opening, error)) ? failed(error) : null;
  }
}

/** What has become of the order's payment, or the right to open one; null while somebody else is opening it. */
async function look(
  parts: CheckoutParts,
  order: PlacedOrder,
  kind: "intent" | "session",
): Promise<Opened | Opening | null> {
  const [seen] = await parts.db
    .select({ status: orders.status, latest: payments })
    .from(orders)
    .leftJoin(payments, eq(payments.orderId, orders.id))
    .where(eq(orders.id, order.id))
    .orderBy(desc(payments.revision))
    .limit(1);
  const latest = seen?.latest ?? null;
  const isPending = seen?.status === "pending";
  if (!isPending && latest?.failure) return { ok: false, reason: `provider_${latest.failure}` };
  if (latest && isElsewhere(parts.provider, latest)) throw new UnknownPayment("It belongs to other keys");
  if (isPending && latest?.status === "opening") return takeOver(parts.db, latest);
  try {
    const existing = latest && (await retrieve(parts, latest));
    if (existing?.kind === "intent") await noteDecline(parts, existing.intent);
    if (existing && !isDead(existing)) return { ok: true, payment: existing };
  } catch (error) {
    if (error instanceof UnknownPayment || !isProviders(error)) throw error;
    parts.log.warn({ err: error, orderId: order.id }, "the payment could not be looked up");
    return failed(error);
  }
  if (!isPending) return { ok: false, reason: "order_closed" };
  return openNext(parts, order, { after: latest?.revision ?? 0, hosted: kind === "session" });
}

/** A payment that is there may take as long as making one: the shopper waits for either. */
async function retrieve(
  parts: CheckoutParts,
  payment: typeof payments.$inferSelect,
): Promise<OpenedPayment | null> {
  if (payment.sessionId !== null) {
    return { kind: "session", session: await parts.provider.retrieveSession(payment.sessionId, lookMs) };
  }
  if (payment.intentId === null) return null;
  return { kind: "intent", intent: await parts.provider.retrieveIntent(payment.intentId, lookMs) };
}

function isDead(payment: OpenedPayment): boolean {
  return payment.kind === "intent"
    ? payment.intent.status === "canceled"
    : payment.session.status === "expired";
}

function isProviders(error: unknown): error is ProviderRefused | ProviderUnavailable {
  return error instanceof ProviderRefused || error instanceof ProviderUnavailable;
}

function failed(error: ProviderRefused | ProviderUnavailable): Opened {
  return {
    ok: false,
    reason: error instanceof ProviderRefused ? "provider_refused" : "provider_unavailable",
  };
}
