import { and, asc, eq, gt, inArray, or, sql } from "drizzle-orm";
import { type Refundable, type RefundSplit, refundByAmount } from "../../../domain/orders/line-refund.ts";
import { pick } from "../../../domain/shared/pick.ts";
import { disputes } from "../../disputes/tables.ts";
import { orderEdits, orderExchanges } from "../../order-desk/tables.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { isOtherAccount, type Keys, otherAccountRefundText } from "../other-account.ts";
import { payments, refunds } from "../tables.ts";

type PaymentRow = typeof payments.$inferSelect;

type OrderMoney = {
  /** `isAwaited`: whether this is a payment by exchange whose units have not been returned; until then it cannot be refunded. */
  paid: readonly (PaymentRow & { isAwaited?: boolean })[];
  refunded: readonly Pick<typeof refunds.$inferSelect, "intentId" | "status" | "amountCents">[];
  disputed: readonly Pick<
    typeof disputes.$inferSelect,
    "intentId" | "status" | "withdrawnCents" | "closedAt"
  >[];
};

type RefundSource = { intentId: string; leftCents: number; payment: PaymentRow; isReachable: boolean };

export async function readOrderMoney(db: Db, orderId: string): Promise<OrderMoney> {
  const paymentRows = await db
    .select({ payment: payments, receivedAt: orderExchanges.receivedAt })
    .from(payments)
    .leftJoin(orderExchanges, eq(orderExchanges.id, payments.exchangeId))
    .where(eq(payments.orderId, orderId));
  return {
    paid: paymentRows.map(({ payment, receivedAt }) => ({
      ...payment,
      isAwaited: payment.exchangeId !== null && receivedAt === null,
    })),
    refunded: await db.select().from(refunds).where(eq(refunds.orderId, orderId)),
    disputed: await db.select().from(disputes).where(eq(disputes.orderId, orderId)),
  };
}

/**
 * Successful payments of an order, oldest first, each with the cents left after its refunds (including pending ones) and
 * disputes. `isReachable`: whether the current keys can refund it, or whether its refund needs no provider.
 */
export function refundSources(
  keys: Keys,
  { paid: paymentRows, refunded, disputed }: OrderMoney,
): RefundSource[] {
  return paymentRows
    .filter(({ status, isAwaited }) => status === "succeeded" && !isAwaited)
    .toSorted((a, b) => a.revision - b.revision)
    .flatMap((payment) => {
      const { intentId, amountCents, provider } = payment;
      if (intentId === null) return [];
      const refundedCents = sum(
        refunded.map((refund) =>
          refund.intentId === intentId && refund.status !== "failed" ? refund.amountCents : 0,
        ),
      );
      const disputedCents = sum(
        disputed.map((dispute) =>
          dispute.intentId === intentId && dispute.status !== "won" ? dispute.withdrawnCents : 0,
        ),
      );
      // A dispute may take more than the amount of its payment; that does not reduce the other payments.
      const leftCents = Math.max(0, amountCents - refundedCents - disputedCents);
      return [
        {
          intentId,
          leftCents,
          payment,
          isReachable: provider === "manual" || provider === "exchange" || !isOtherAccount(keys, payment),
        },
      ];
    });
}

/** Message on how to refund the money that the current keys cannot reach; null if there is no such money. */
export function unreachableRefundText(keys: Keys, sources: readonly RefundSource[]): string | null {
  const elsewhere = sources.find(({ leftCents, isReachable }) => leftCents > 0 && !isReachable);
  return elsewhere ? otherAccountRefundText(keys, elsewhere.payment) : null;
}

/** Cents that cannot be refunded while disputes are open, but can be if they are won. */
export function heldByDisputes(keys: Keys, money: OrderMoney): number {
  const leftCents = (sources: readonly RefundSource[]) => sum(sources.map((source) => source.leftCents));
  const closedDisputes = money.disputed.filter(({ closedAt }) => closedAt !== null);
  return (
    leftCents(refundSources(keys, { ...money, disputed: closedDisputes })) -
    leftCents(refundSources(keys, money))
  );
}

/** Cents that the current keys can refund. */
export function reachableCents(sources: readonly RefundSource[]): number {
  return sum(sources.map(({ leftCents, isReachable }) => (isReachable ? leftCents : 0)));
}

/** Cents of goods after discounts, of shipping and of tax. */
type Parts = { goods: number; shipping: number; tax: number };

/**
 * Remaining lines, shipping and tax of an order, paid or not, after its pending and successful refunds.
 * Refunds of payments that are not booked do not count. Null if there is no such order.
 */
export async function readRefundable(db: Db, orderId: string): Promise<Refundable | null> {
  const order = await readSoldParts(db, orderId);
  if (!order) return null;
  const refunded = await readCountedRefunds(db, orderId);
  const lines = await db
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.position));
  const remaining = (whole: number, refunds: readonly number[]) => Math.max(0, whole - sum(refunds));
  return {
    ...atLeastZero(remainingParts(order, refunded)),
    lines: lines.map(({ productId, quantity, ...line }) => {
      const refundedLines = refunded
        .flatMap(({ lines }) => lines)
        .filter((line) => line.productId === productId);
      return {
        productId,
        units: remaining(
          quantity,
          refundedLines.map((refundedLine) => refundedLine.quantity),
        ),
        goods: remaining(
          quantity * line.unitPriceCents -
            line.bundleSavingCents -
            line.discountCents -
            (order.withTax ? line.taxCents : 0),
          refundedLines.map(({ goodsCents }) => goodsCents),
        ),
        tax: remaining(
          line.taxCents,
          refundedLines.map(({ taxCents }) => taxCents),
        ),
      };
    }),
    ...(order.withTax && { taxIncluded: order.withTax.name }),
  };
}

/**
 * Splits the amount of a refund into goods, shipping and tax. If `intentId`, the refunded payment, is set, its refunds count even
 * if it is not booked. The caller holds the order's lock.
 */
export async function splitAmount(
  tx: Db,
  { orderId, intentId, amountCents }: { orderId: string; intentId?: string; amountCents: number },
): Promise<RefundSplit> {
  const order = await readSoldParts(tx, orderId);
  if (!order) throw new Error(`order ${orderId} is missing`);
  const refunded = await readCountedRefunds(tx, orderId, intentId);
  const remaining = atLeastZero(remainingParts(order, refunded));
  if (amountCents <= cents(remaining)) return refundByAmount(remaining, amountCents);
  // This refund was made at the provider while the shop was about to request another, which the provider will refuse.
  const existing = refunded.filter(
    ({ status, providerRefundId }) => status !== "pending" || providerRefundId !== null,
  );
  return refundByAmount(atLeastZero(remainingParts(order, existing)), amountCents);
}

/**
 * Splits the refunds made at the provider once more if all refunds together exceed the order's goods, shipping or tax, for
 * example because a refund by the shop that had been deducted before them has failed. The caller holds the order's lock.
 */
export async function splitProviderRefunds(tx: Db, orderId: string): Promise<void> {
  const order = await readSoldParts(tx, orderId);
  if (!order) return;
  const refunded = await readCountedRefunds(tx, orderId);
  let remaining = remainingParts(order, refunded);
  if (cents(remaining) < 0) return;
  for (const refund of refunded.filter(({ origin }) => origin === "provider").toReversed()) {
    if (Math.min(remaining.goods, remaining.shipping, remaining.tax) >= 0) return;
    const remainingWithoutRefund = remainingParts(remaining, [
      { goods: -refund.goods, shipping: -refund.shipping, tax: -refund.tax },
    ]);
    const { goods, shipping, tax } = refundByAmount(atLeastZero(remainingWithoutRefund), refund.amountCents);
    await tx
      .update(refunds)
      .set({ goodsCents: goods, shippingCents: shipping, taxCents: tax })
      .where(eq(refunds.id, refund.id));
    remaining = remainingParts(remainingWithoutRefund, [{ goods, shipping, tax }]);
  }
}

async function readSoldParts(db: Db, orderId: string) {
  const [order] = await db
    .select({
      goods: sql<number>`${orders.subtotalCents} - ${orders.discountCents}`,
      shipping: orders.shippingCents,
      tax: orders.taxCents,
      withTax: orders.withTax,
    })
    .from(orders)
    .where(eq(orders.id, orderId));
  return order;
}

/**
 * Pending and successful refunds of an order, oldest first, and the offsets of its edits. Excludes refunds of payments that are
 * not booked, except those of `intentId`.
 */
async function readCountedRefunds(db: Db, orderId: string, intentId?: string) {
  const refunded = await db
    .select({
      ...pick(refunds, "id", "origin", "status", "providerRefundId", "amountCents", "lines"),
      goods: refunds.goodsCents,
      shipping: refunds.shippingCents,
      tax: refunds.taxCents,
    })
    .from(refunds)
    .where(
      and(
        eq(refunds.orderId, orderId),
        inArray(refunds.status, ["pending", "succeeded"]),
        or(
          intentId === undefined ? undefined : eq(refunds.intentId, intentId),
          sql`not exists (select from ${payments} p where p.intent_id = ${refunds.intentId} and p.status <> 'succeeded')`,
        ),
      ),
    )
    .orderBy(asc(refunds.createdAt), asc(refunds.id));
  return [...refunded, ...(await readOffsets(db, orderId))];
}

/** The offsets of an order's edits, in the form of refunds. */
async function readOffsets(db: Db, orderId: string) {
  const rows = await db
    .select({
      id: orderEdits.id,
      amountCents: orderEdits.exchangedCents,
      goods: orderEdits.exchangedGoodsCents,
      shipping: orderEdits.exchangedShippingCents,
      tax: orderEdits.exchangedTaxCents,
      lines: orderEdits.removed,
    })
    .from(orderEdits)
    .where(and(eq(orderEdits.orderId, orderId), gt(orderEdits.exchangedCents, 0)));
  return rows.map(
    (row) => ({ ...row, origin: "shop", status: "succeeded", providerRefundId: null }) as const,
  );
}

/** The amounts left after the refunds; negative if more was refunded than sold. */
function remainingParts(whole: Parts, refunded: readonly Parts[]): Parts {
  return {
    goods: whole.goods - sum(refunded.map(({ goods }) => goods)),
    shipping: whole.shipping - sum(refunded.map(({ shipping }) => shipping)),
    tax: whole.tax - sum(refunded.map(({ tax }) => tax)),
  };
}

function atLeastZero({ goods, shipping, tax }: Parts): Parts {
  return { goods: Math.max(0, goods), shipping: Math.max(0, shipping), tax: Math.max(0, tax) };
}

function cents({ goods, shipping, tax }: Parts): number {
  return goods + shipping + tax;
}

function sum(cents: readonly number[]): number {
  return cents.reduce((total, amount) => total + amount, 0);
}
