import { inArray, sql } from "drizzle-orm";
import { isDisputeOver } from "../../domain/disputes/dispute.ts";
import type { DiscrepancyKind } from "../../domain/money-check/money-check.ts";
import type { ShopContext } from "../context.ts";
import { syncDispute } from "../disputes/disputes.ts";
import { disputes } from "../disputes/tables.ts";
import { orders } from "../orders/tables.ts";
import { type Intent, type ProviderDispute, ProviderRefused } from "../payment-providers/provider.ts";
import { refundedAtProvider } from "../payments/refunds/refunds.ts";
import { claimedOrderId, settlePayment } from "../payments/settling/settle.ts";
import { payments } from "../payments/tables.ts";
import type { Db } from "../platform/database/database.ts";

export type Difference = {
  kind: DiscrepancyKind;
  intentId: string;
  orderId: string | null;
  providerCents: number;
  bookedCents: number;
};

/** Amounts of one payment at the provider and in the books, in cents. */
export type Comparison = {
  intentId: string;
  /** Whether the payment is left out of all sums: another program made it, or it was fully refunded and never booked. */
  isIgnored: boolean;
  providerIn: number;
  providerRefunded: number;
  bookedIn: number;
  bookedRefunded: number;
  /** Amounts lost to disputes, and the provider's fees for them. */
  providerChargedBack: number;
  providerFees: number;
  bookedChargedBack: number;
  bookedFees: number;
  /** Amount withheld by the provider while a dispute is undecided. It is no difference, and in no other sum. */
  held: number;
  differences: Difference[];
};

type DisputeAmounts = { chargedBack: number; fees: number; held: number };
const undisputed: DisputeAmounts = { chargedBack: 0, fees: 0, held: 0 };
export const noDisputes = {
  providerChargedBack: 0,
  providerFees: 0,
  bookedChargedBack: 0,
  bookedFees: 0,
  held: 0,
};

/** A payment more recent than this is booked before it is compared, because its event may not have arrived yet. */
const eventDelayMs = 15 * 60 * 1000;

/** Compares payments at the provider with the books. */
export async function compareIntents(ctx: ShopContext, intents: readonly Intent[]): Promise<Comparison[]> {
  const ids = intents.map(({ intentId }) => intentId);
  let booked = await readBookedPayments(ctx.db, ids);
  const recentUnbooked = intents.filter(
    ({ intentId, createdAt, status }) =>
      status === "succeeded" &&
      booked.get(intentId)?.bookedIn === 0 &&
      createdAt.getTime() > ctx.now().getTime() - eventDelayMs,
  );
  for (const intent of recentUnbooked) await settlePayment(ctx, intent);
  const disputed = await readDisputeAmounts(ctx, intents, booked);
  if (recentUnbooked.length > 0 || disputed.size > 0) booked = await readBookedPayments(ctx.db, ids);
  const existingOrders = await filterExistingOrders(
    ctx.db,
    intents.flatMap((intent) => (booked.has(intent.intentId) ? [] : (claimedOrderId(intent) ?? []))),
  );
  const comparisons: Comparison[] = [];
  for (const intent of intents) {
    const payment = booked.get(intent.intentId) ?? null;
    const claimedId = claimedOrderId(intent);
    const orderId =
      payment?.orderId ?? (claimedId !== null && existingOrders.has(claimedId) ? claimedId : null);
    const providerRefunded = await readRefunded(ctx, intent, payment);
    const providerDisputed = disputed.get(intent.intentId) ?? payment?.disputed ?? undisputed;
    comparisons.push(compare(intent, payment, orderId, { providerRefunded, providerDisputed }));
  }
  return comparisons;
}

/** Compares a booked payment with zero: the provider does not have it, or not as paid. */
export async function compareMissing(db: Db, intentId: string): Promise<Comparison | null> {
  const payment = (await readBookedPayments(db, [intentId])).get(intentId);
  const noProviderMoney = { providerIn: 0, providerRefunded: 0, providerDisputed: undisputed };
  return payment ? toComparison({ intentId, ...payment }, noProviderMoney) : null;
}

type BookedPayment = {
  orderId: string;
  bookedIn: number;
  bookedRefunded: number;
  disputed: DisputeAmounts;
  hasDisputes: boolean;
  amountDue: number;
  currency: string;
};
type ProviderAmounts = { providerIn: number; providerRefunded: number; providerDisputed: DisputeAmounts };

function compare(
  intent: Intent,
  payment: BookedPayment | null,
  orderId: string | null,
  { providerRefunded, providerDisputed }: Omit<ProviderAmounts, "providerIn">,
): Comparison {
  const { intentId } = intent;
  const providerIn = intent.status === "succeeded" ? intent.amountReceived : 0;
  const { bookedIn = 0, bookedRefunded = 0, disputed = undisputed } = payment ?? {};
  const isForeign = payment === null && claimedOrderId(intent) === null;
  const isFullyRefunded = bookedIn === 0 && providerIn === providerRefunded + providerDisputed.chargedBack;
  if (isForeign || isFullyRefunded) {
    const noBookings = { bookedIn: 0, bookedRefunded: 0, ...noDisputes, differences: [] };
    return { intentId, isIgnored: true, providerIn, providerRefunded, ...noBookings };
  }
  const isAmountDue =
    payment === null ||
    (providerIn === payment.amountDue && intent.currency.toUpperCase() === payment.currency);
  const booked = { intentId, orderId, bookedIn, bookedRefunded, disputed, isAmountDue };
  return toComparison(booked, { providerIn, providerRefunded, providerDisputed });
}

/** `isAmountDue`: whether the provider's payment has the amount and currency that the shop requested. */
function toComparison(
  booked: {
    intentId: string;
    orderId: string | null;
    bookedIn: number;
    bookedRefunded: number;
    disputed: DisputeAmounts;
    isAmountDue?: boolean;
  },
  provider: ProviderAmounts,
): Comparison {
  const { intentId, orderId, bookedIn, bookedRefunded, disputed, isAmountDue = true } = booked;
  const { providerIn, providerRefunded, providerDisputed } = provider;
  const differences: Difference[] = [];
  if (providerIn !== bookedIn) {
    const kind =
      providerIn === 0
        ? "missing_payment"
        : bookedIn === 0 && isAmountDue
          ? "missing_order"
          : "amount_differs";
    differences.push({ kind, intentId, orderId, providerCents: providerIn, bookedCents: bookedIn });
  }
  if (providerRefunded !== bookedRefunded) {
    const cents = { providerCents: providerRefunded, bookedCents: bookedRefunded };
    differences.push({ kind: "refund_differs", intentId, orderId, ...cents });
  }
  const cost = ({ chargedBack, fees }: DisputeAmounts) => chargedBack + fees;
  if (providerDisputed.chargedBack !== disputed.chargedBack || providerDisputed.fees !== disputed.fees) {
    const cents = { providerCents: cost(providerDisputed), bookedCents: cost(disputed) };
    differences.push({ kind: "dispute_differs", intentId, orderId, ...cents });
  }
  return {
    intentId,
    isIgnored: false,
    providerIn,
    providerRefunded,
    bookedIn,
    bookedRefunded,
    providerChargedBack: providerDisputed.chargedBack,
    providerFees: providerDisputed.fees,
    bookedChargedBack: disputed.chargedBack,
    bookedFees: disputed.fees,
    held: providerDisputed.held,
    differences,
  };
}

/**
 * Reads the amounts of disputed payments from the provider. Also books undecided and recent disputes, whose events may be lost or
 * late; an undecided dispute changes no amount of its order.
 */
async function readDisputeAmounts(
  ctx: ShopContext,
  intents: readonly Intent[],
  booked: ReadonlyMap<string, BookedPayment>,
): Promise<Map<string, DisputeAmounts>> {
  const disputed = new Map<string, DisputeAmounts>();
  for (const { intentId, isDisputed } of intents) {
    const payment = booked.get(intentId);
    if (!payment || !(isDisputed || payment.hasDisputes)) continue;
    try {
      const disputes = await ctx.provider.listIntentDisputes(intentId);
      disputed.set(intentId, addUp(disputes));
      for (const dispute of disputes) {
        const isRecent = dispute.createdAt.getTime() > ctx.now().getTime() - eventDelayMs;
        if (isRecent || !isDisputeOver(dispute)) await syncDispute(ctx, dispute.id);
      }
    } catch (error) {
      // The key is not allowed to read disputes, so their booked amounts are assumed to match the provider's.
      if (!(error instanceof ProviderRefused)) throw error;
      ctx.log.warn({ err: error, intentId }, "the disputes of a payment could not be looked up");
    }
  }
  return disputed;
}

function addUp(disputes: readonly ProviderDispute[]): DisputeAmounts {
  const sum = (getCents: (dispute: ProviderDispute) => number) =>
    disputes.reduce((cents, dispute) => cents + getCents(dispute), 0);
  const isLost = (dispute: ProviderDispute) => isDisputeOver(dispute) && dispute.status !== "won";
  return {
    chargedBack: sum((dispute) => (isLost(dispute) ? dispute.withdrawn : 0)),
    fees: sum(({ fee }) => fee),
    held: sum((dispute) => (isLost(dispute) ? 0 : dispute.withdrawn)),
  };
}

/**
 * Reads the amount refunded at the provider. `amountRefunded` includes pending refunds, so if it differs from the books, the
 * succeeded refunds are added up instead.
 */
async function readRefunded(
  ctx: ShopContext,
  intent: Intent,
  payment: BookedPayment | null,
): Promise<number> {
  if (intent.amountRefunded === (payment?.bookedRefunded ?? 0)) return intent.amountRefunded;
  const refunds = await ctx.provider.listRefunds(intent.intentId);
  return refunds.reduce((sum, { status, amount }) => sum + (status === "succeeded" ? amount : 0), 0);
}

async function readBookedPayments(db: Db, intentIds: readonly string[]): Promise<Map<string, BookedPayment>> {
  if (intentIds.length === 0) return new Map();
  const rows = await db
    .select({
      intentId: payments.intentId,
      orderId: payments.orderId,
      bookedIn: sql<number>`case ${payments.status} when 'succeeded' then ${payments.amountCents} else 0 end`,
      bookedRefunded: sql<number>`${refundedAtProvider(sql`${payments.intentId}`)}`,
      disputed: sql<DisputeAmounts>`(select json_build_object('chargedBack', coalesce(sum(charged_back_cents), 0),
          'fees', coalesce(sum(fee_cents), 0), 'held', coalesce(sum(held_cents), 0))
        from ${disputes} where disputes.intent_id = payments.intent_id)`,
      hasDisputes: sql<boolean>`exists (select from ${disputes} where disputes.intent_id = payments.intent_id)`,
      amountDue: payments.amountCents,
      currency: payments.currency,
    })
    .from(payments)
    .where(inArray(payments.intentId, [...intentIds]));
  return new Map(rows.flatMap(({ intentId, ...row }) => (intentId === null ? [] : [[intentId, row]])));
}

async function filterExistingOrders(db: Db, orderIds: readonly string[]): Promise<Set<string>> {
  if (orderIds.length === 0) return new Set();
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(inArray(orders.id, [...orderIds]));
  return new Set(rows.map(({ id }) => id));
}
