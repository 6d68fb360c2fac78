import { desc, eq, sql } from "drizzle-orm";
import { formatCents } from "../../domain/money.ts";
import type { PlacedOrder } from "../orders/commands.ts";
import { orderLines } from "../orders/tables.ts";
import { cancelWithoutPayment } from "../payments/close.ts";
import {
  type Intent,
  ProviderRefused,
  ProviderUnavailable,
  type Session,
  UnknownPayment,
} from "../payments/provider.ts";
import { recordPayment } from "../payments/record.ts";
import { payments } from "../payments/tables.ts";
import type { CheckoutParts } from "./parts.ts";

export type OpenedPayment = { kind: "intent"; intent: Intent } | { kind: "session"; session: Session };
type Opened =
  | { ok: true; payment: OpenedPayment }
  | { ok: false; reason: "order_closed" | "provider_unavailable" | "provider_refused" };

/**
 * The order's payable payment at the provider, made where there is none. A payment that was cancelled there is replaced
 * by a new one under a new revision, because its idempotency key would only bring the dead one back.
 *
 * Throws UnknownPayment where the present keys cannot see the payment that is there.
 * When the provider is away, an order that never had a payment is cancelled at once: nothing half-made stays behind.
 */
export async function openPayment(
  parts: CheckoutParts,
  order: PlacedOrder,
  kind: "intent" | "session",
  /** Written a moment ago by this very call: there is no payment to look for. */
  isNew: boolean,
): Promise<Opened> {
  try {
    const latest = isNew ? undefined : await latestPayment(parts, order.id);
    const existing = latest ? await retrieve(parts, latest) : null;
    if (existing && !isDead(existing)) return { ok: true, payment: existing };
    if (order.status !== "pending") return { ok: false, reason: "order_closed" };
    const revision = (latest?.revision ?? 0) + 1;
    const payment = await create(parts, order, kind, revision);
    const isRecorded = await recordPayment(parts.db, {
      orderId: order.id,
      provider: parts.provider.name,
      account: parts.provider.account,
      mode: parts.provider.mode,
      revision,
      intentId: payment.kind === "intent" ? payment.intent.intentId : payment.session.intentId,
      sessionId: payment.kind === "session" ? payment.session.id : null,
      amountCents: order.totalCents,
      currency: order.currency,
    });
    return isRecorded ? { ok: true, payment } : { ok: false, reason: "order_closed" };
  } catch (error) {
    if (error instanceof UnknownPayment) throw error;
    const isRefused = error instanceof ProviderRefused;
    if (!isRefused && !(error instanceof ProviderUnavailable)) throw error;
    parts.log.warn({ err: error, orderId: order.id }, "the payment could not be started");
    const note = "The payment could not be started";
    await cancelWithoutPayment(parts, order.id, { actor: "system", note });
    return { ok: false, reason: isRefused ? "provider_refused" : "provider_unavailable" };
  }
}

async function latestPayment(parts: CheckoutParts, orderId: string) {
  const [latest] = await parts.db
    .select()
    .from(payments)
    .where(eq(payments.orderId, orderId))
    .orderBy(desc(payments.revision))
    .limit(1);
  return latest;
}

async function retrieve(
  parts: CheckoutParts,
  payment: typeof payments.$inferSelect,
): Promise<OpenedPayment | null> {
  if (payment.sessionId !== null) {
    return { kind: "session", session: await parts.provider.retrieveSession(payment.sessionId) };
  }
  if (payment.intentId === null) return null;
  return { kind: "intent", intent: await parts.provider.retrieveIntent(payment.intentId) };
}

function isDead(payment: OpenedPayment): boolean {
  return payment.kind === "intent"
    ? payment.intent.status === "canceled"
    : payment.session.status === "expired";
}

async function create(
  parts: CheckoutParts,
  order: PlacedOrder,
  kind: "intent" | "session",
  revision: number,
): Promise<OpenedPayment> {
  const intent = {
    orderId: order.id,
    orderNumber: order.number,
    amount: order.totalCents,
    currency: order.currency,
    idempotencyKey: `order-${order.id}-${revision}`,
  };
  if (kind === "intent") return { kind, intent: await parts.provider.createIntent(intent) };
  const lines = await parts.db
    .select({
      name: orderLines.name,
      quantity: orderLines.quantity,
      unitAmount: orderLines.unitPriceCents,
      discount: orderLines.discountCents,
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id))
    .orderBy(sql`position`);
  const session = await parts.provider.createSession({
    ...intent,
    email: order.email,
    lines: lines.map(pageLine),
    successUrl: `${parts.publicUrl}/checkout/success?session_id={CHECKOUT_SESSION_ID}`,
    cancelUrl: `${parts.publicUrl}/checkout`,
    expiresAt: order.expiresAt,
  });
  return { kind, session };
}

/** A page has no lines below nothing: a discount comes off the line it fell on, which says so. */
function pageLine(line: { name: string; quantity: number; unitAmount: number; discount: number }) {
  const { discount, ...plain } = line;
  if (discount === 0) return plain;
  const { name, quantity, unitAmount } = line;
  return {
    name: `${quantity} × ${name}, less ${formatCents(discount)} discount`,
    quantity: 1,
    unitAmount: quantity * unitAmount - discount,
  };
}
