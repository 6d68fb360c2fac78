import { inArray, sql } from "drizzle-orm";
import type { MoneyFindingKind } from "../../domain/money-check.ts";
import { orders } from "../orders/tables.ts";
import type { Db } from "../platform/database.ts";
import type { PaymentParts } from "./parts.ts";
import type { Intent } from "./provider.ts";
import { claimedOrderId, settlePayment } from "./settle.ts";
import { payments, refunds } from "./tables.ts";

export type Difference = {
  kind: MoneyFindingKind;
  intentId: string;
  orderId: string | null;
  providerCents: number;
  bookedCents: number;
};

/** One payment on both sides, in cents. `isApart`: none of the shop's business, in no sum. */
export type Comparison = {
  intentId: string;
  isApart: boolean;
  providerIn: number;
  providerRefunded: number;
  bookedIn: number;
  bookedRefunded: number;
  differences: Difference[];
};

/** A payment this young may not be booked yet because its news is on the way: it is fetched instead. */
const newsMs = 15 * 60 * 1000;

/** Holds payments that the provider has against what is booked of them. */
export async function compareIntents(parts: PaymentParts, intents: readonly Intent[]): Promise<Comparison[]> {
  const ids = intents.map(({ intentId }) => intentId);
  let booked = await readBooked(parts.db, ids);
  const young = intents.filter(
    ({ intentId, createdAt, status }) =>
      status === "succeeded" &&
      booked.get(intentId)?.bookedIn === 0 &&
      createdAt.getTime() > parts.now().getTime() - newsMs,
  );
  for (const intent of young) await settlePayment(parts, intent);
  if (young.length > 0) booked = await readBooked(parts.db, ids);
  const claimed = await knownOrders(
    parts.db,
    intents.flatMap((intent) => (booked.has(intent.intentId) ? [] : (claimedOrderId(intent) ?? []))),
  );
  const comparisons: Comparison[] = [];
  for (const intent of intents) {
    const known = booked.get(intent.intentId) ?? null;
    const claim = claimedOrderId(intent);
    const orderId = known?.orderId ?? (claim !== null && claimed.has(claim) ? claim : null);
    comparisons.push(compare(intent, known, orderId, await refundedAt(parts, intent, known)));
  }
  return comparisons;
}

/** Holds a booked payment that the provider does not have, or not as paid, against nothing. */
export async function compareMissing(db: Db, intentId: string): Promise<Comparison | null> {
  const known = (await readBooked(db, [intentId])).get(intentId);
  return known ? differ({ intentId, ...known }, { providerIn: 0, providerRefunded: 0 }) : null;
}

type Booked = { orderId: string; bookedIn: number; bookedRefunded: number; asked: number; currency: string };

function compare(
  intent: Intent,
  known: Booked | null,
  orderId: string | null,
  providerRefunded: number,
): Comparison {
  const { intentId } = intent;
  const providerIn = intent.status === "succeeded" ? intent.amountReceived : 0;
  const { bookedIn = 0, bookedRefunded = 0 } = known ?? {};
  const isForeign = known === null && claimedOrderId(intent) === null;
  const isGivenBack = bookedIn === 0 && providerIn === providerRefunded;
  if (isForeign || isGivenBack) {
    const none = { bookedIn: 0, bookedRefunded: 0, differences: [] };
    return { intentId, isApart: true, providerIn, providerRefunded, ...none };
  }
  const isAsAsked =
    known === null || (providerIn === known.asked && intent.currency.toUpperCase() === known.currency);
  const pair = { intentId, orderId, bookedIn, bookedRefunded, isAsAsked };
  return differ(pair, { providerIn, providerRefunded });
}

function differ(
  booked: {
    intentId: string;
    orderId: string | null;
    bookedIn: number;
    bookedRefunded: number;
    isAsAsked?: boolean;
  },
  provider: { providerIn: number; providerRefunded: number },
): Comparison {
  const { intentId, orderId, bookedIn, bookedRefunded, isAsAsked = true } = booked;
  const { providerIn, providerRefunded } = provider;
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
  return { intentId, isApart: false, providerIn, providerRefunded, bookedIn, bookedRefunded, differences };
}

/** What the provider has really given back. Its own sum counts refunds that are on the way, so a doubt is looked into. */
async function refundedAt(parts: PaymentParts, intent: Intent, known: Booked | null): Promise<number> {
  if (intent.amountRefunded === (known?.bookedRefunded ?? 0)) return intent.amountRefunded;
  const given = await parts.provider.listRefunds(intent.intentId);
  return given.reduce((sum, { status, amount }) => sum + (status === "succeeded" ? amount : 0), 0);
}

/** What is booked of each payment that the shop asked for. */
async function readBooked(db: Db, intentIds: readonly string[]): Promise<Map<string, Booked>> {
  if (intentIds.length === 0) return new Map();
  const rows = await db
    .select({
      intentId: payments.intentId,
      orderId: payments.orderId,
      bookedIn: sql<number>`case ${payments.status} when 'succeeded' then ${payments.amountCents} else 0 end`,
      bookedRefunded: sql<number>`coalesce((select sum(${refunds.amountCents})::int from ${refunds}
        where refunds.order_id = payments.order_id and refunds.intent_id = payments.intent_id
          and refunds.status = 'succeeded'), 0)`,
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
