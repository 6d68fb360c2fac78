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

/** One payment on both sides, in cents. `isApart`: it belongs to another program and is excluded from the sums. */
export type Comparison = {
  intentId: string;
  isApart: boolean;
  providerIn: number;
  providerRefunded: number;
  bookedIn: number;
  bookedRefunded: number;
  /** Lost in disputes, and the provider's fees for them. */
  providerChargedBack: number;
  providerFees: number;
  bookedChargedBack: number;
  bookedFees: number;
  /** Withheld by the provider while a dispute is undecided: it counts as no difference, and is in no other sum. */
  held: number;
  differences: Difference[];
};

type Disputed = { chargedBack: number; fees: number; held: number };
const undisputed: Disputed = { chargedBack: 0, fees: 0, held: 0 };
export const noDisputes = {
  providerChargedBack: 0,
  providerFees: 0,
  bookedChargedBack: 0,
  bookedFees: 0,
  held: 0,
};

/** A payment younger than this is booked instead of compared, because its event may not have arrived yet. */
const eventDelayMs = 15 * 60 * 1000;

/** Compares payments of the provider with the booked ones. */
export async function compareIntents(ctx: ShopContext, intents: readonly Intent[]): Promise<Comparison[]> {
  const ids = intents.map(({ intentId }) => intentId);
  let booked = await readBooked(ctx.db, ids);
  const young = intents.filter(
    ({ intentId, createdAt, status }) =>
      status === "succeeded" &&
      booked.get(intentId)?.bookedIn === 0 &&
      createdAt.getTime() > ctx.now().getTime() - eventDelayMs,
  );
  for (const intent of young) await settlePayment(ctx, intent);
  const disputed = await disputedAt(ctx, intents, booked);
  if (young.length > 0 || disputed.size > 0) booked = await readBooked(ctx.db, ids);
  const claimed = await knownOrders(
    ctx.db,
    intents.flatMap((intent) => (booked.has(intent.intentId) ? [] : (claimedOrderId(intent) ?? []))),
  );
  const comparisons: Comparison[] = [];
  for (const intent of intents) {
    const payment = booked.get(intent.intentId) ?? null;
    const claim = claimedOrderId(intent);
    const orderId = payment?.orderId ?? (claim !== null && claimed.has(claim) ? claim : null);
    const providerRefunded = await refundedAt(ctx, intent, payment);
    const providerDisputed = disputed.get(intent.intentId) ?? payment?.disputed ?? undisputed;
    comparisons.push(compare(intent, payment, orderId, { providerRefunded, providerDisputed }));
  }
  return comparisons;
}

/** Compares a booked payment that the provider does not have, or not as paid, with zero. */
export async function compareMissing(db: Db, intentId: string): Promise<Comparison | null> {
  const payment = (await readBooked(db, [intentId])).get(intentId);
  const nothing = { providerIn: 0, providerRefunded: 0, providerDisputed: undisputed };
  return payment ? differ({ intentId, ...payment }, nothing) : null;
}

type Booked = {
  orderId: string;
  bookedIn: number;
  bookedRefunded: number;
  disputed: Disputed;
  hasDisputes: boolean;
  asked: number;
  currency: string;
};
type Provided = { providerIn: number; providerRefunded: number; providerDisputed: Disputed };

function compare(
  intent: Intent,
  known: Booked | null,
  orderId: string | null,
  { providerRefunded, providerDisputed }: Omit<Provided, "providerIn">,
): Comparison {
  const { intentId } = intent;
  const providerIn = intent.status === "succeeded" ? intent.amountReceived : 0;
  const { bookedIn = 0, bookedRefunded = 0, disputed = undisputed } = known ?? {};
  const isForeign = known === null && claimedOrderId(intent) === null;
  const isGivenBack = bookedIn === 0 && providerIn === providerRefunded + providerDisputed.chargedBack;
  if (isForeign || isGivenBack) {
    const none = { bookedIn: 0, bookedRefunded: 0, ...noDisputes, differences: [] };
    return { intentId, isApart: true, providerIn, providerRefunded, ...none };
  }
  const isAsAsked =
    known === null || (providerIn === known.asked && intent.currency.toUpperCase() === known.currency);
  const pair = { intentId, orderId, bookedIn, bookedRefunded, disputed, isAsAsked };
  return differ(pair, { providerIn, providerRefunded, providerDisputed });
}

function differ(
  booked: {
    intentId: string;
    orderId: string | null;
    bookedIn: number;
    bookedRefunded: number;
    disputed: Disputed;
    isAsAsked?: boolean;
  },
  provider: Provided,
): Comparison {
  const { intentId, orderId, bookedIn, bookedRefunded, disputed, isAsAsked = true } = booked;
  const { providerIn, providerRefunded, providerDisputed } = provider;
  const differences: Difference[] = [];
  if (providerIn !== bookedIn) {
    const kind =
      providerIn === 0 ? "missing_payment" : bookedIn === 0 && isAsAsked ? "missing_order" : "amount_differs";
    differences.push({ kind, intentId, orderId, providerCents: providerIn, bookedCents: bookedIn });
  }
  if (providerRefunded !== bookedRefunded) {
    const cents = { providerCents: providerRefunded, bookedCents: bookedRefunded };
    differences.push({ kind: "refund_differs", intentId, orderId, ...cents });
  }
  const cost = ({ chargedBack, fees }: Disputed) => chargedBack + fees;
  if (providerDisputed.chargedBack !== disputed.chargedBack || providerDisputed.fees !== disputed.fees) {
    const cents = { providerCents: cost(providerDisputed), bookedCents: cost(disputed) };
    differences.push({ kind: "dispute_differs", intentId, orderId, ...cents });
  }
  return {
    intentId,
    isApart: false,
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
 * Amounts taken from payments by disputes at the provider. Undecided disputes do not change an order's sums. Books disputes
 * whose events were lost or have not arrived yet.
 */
async function disputedAt(
  ctx: ShopContext,
  intents: readonly Intent[],
  booked: ReadonlyMap<string, Booked>,
): Promise<Map<string, Disputed>> {
  const disputed = new Map<string, Disputed>();
  for (const { intentId, isDisputed } of intents) {
    const payment = booked.get(intentId);
    if (!payment || !(isDisputed || payment.hasDisputes)) continue;
    try {
      const disputes = await ctx.provider.listDisputesOfIntent(intentId);
      disputed.set(intentId, addUp(disputes));
      for (const dispute of disputes) {
        const isYoung = dispute.createdAt.getTime() > ctx.now().getTime() - eventDelayMs;
        if (isYoung || !isDisputeOver(dispute)) await syncDispute(ctx, dispute.id);
      }
    } catch (error) {
      // The key may not read disputes, so only the booked amounts are compared.
      if (!(error instanceof ProviderRefused)) throw error;
      ctx.log.warn({ err: error, intentId }, "the disputes of a payment could not be looked up");
    }
  }
  return disputed;
}

function addUp(disputes: readonly ProviderDispute[]): Disputed {
  const sum = (of: (dispute: ProviderDispute) => number) =>
    disputes.reduce((cents, dispute) => cents + of(dispute), 0);
  const isLost = (dispute: ProviderDispute) => isDisputeOver(dispute) && dispute.status !== "won";
  return {
    chargedBack: sum((dispute) => (isLost(dispute) ? dispute.withdrawn : 0)),
    fees: sum(({ fee }) => fee),
    held: sum((dispute) => (isLost(dispute) ? 0 : dispute.withdrawn)),
  };
}

/** The refunded amount at the provider. Its own sum includes pending refunds, so a differing one is checked. */
async function refundedAt(ctx: ShopContext, intent: Intent, known: Booked | null): Promise<number> {
  if (intent.amountRefunded === (known?.bookedRefunded ?? 0)) return intent.amountRefunded;
  const refunds = await ctx.provider.listRefunds(intent.intentId);
  return refunds.reduce((sum, { status, amount }) => sum + (status === "succeeded" ? amount : 0), 0);
}

/** Booked amounts of the shop's payments. */
async function readBooked(db: Db, intentIds: readonly string[]): Promise<Map<string, Booked>> {
  if (intentIds.length === 0) return new Map();
  const rows = await db
    .select({
      intentId: payments.intentId,
      orderId: payments.orderId,
      bookedIn: sql<number>`case ${payments.status} when 'succeeded' then ${payments.amountCents} else 0 end`,
      bookedRefunded: sql<number>`${refundedAtProvider(sql`${payments.intentId}`)}`,
      disputed: sql<Disputed>`(select json_build_object('chargedBack', coalesce(sum(charged_back_cents), 0),
          'fees', coalesce(sum(fee_cents), 0), 'held', coalesce(sum(held_cents), 0))
        from ${disputes} where disputes.intent_id = payments.intent_id)`,
      hasDisputes: sql<boolean>`exists (select from ${disputes} where disputes.intent_id = payments.intent_id)`,
      asked: payments.amountCents,
      currency: payments.currency,
    })
    .from(payments)
    .where(inArray(payments.intentId, [...intentIds]));
  return new Map(rows.flatMap(({ intentId, ...row }) => (intentId === null ? [] : [[intentId, row]])));
}

async function knownOrders(db: Db, orderIds: readonly string[]): Promise<Set<string>> {
  if (orderIds.length === 0) return new Set();
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(inArray(orders.id, [...orderIds]));
  return new Set(rows.map(({ id }) => id));
}
