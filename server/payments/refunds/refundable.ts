import { and, asc, eq, gt, inArray, or, sql } from "drizzle-orm";
import { type Refundable, type RefundSplit, refundByAmount } from "../../../domain/orders/line-refund.ts";
import { disputes } from "../../disputes/tables.ts";
import { orderEdits } from "../../order-desk/tables.ts";
import { orderLines, orders } from "../../orders/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { isOtherAccount, type Keys, otherAccountRefundText } from "../other-account.ts";
import { payments, refunds } from "../tables.ts";

type PaymentRow = typeof payments.$inferSelect;

/** What is known of an order's money: rows of its payments, refunds and disputes. */
export type OrderMoney = {
  paid: readonly PaymentRow[];
  given: readonly Pick<typeof refunds.$inferSelect, "intentId" | "status" | "amountCents">[];
  disputed: readonly Pick<
    typeof disputes.$inferSelect,
    "intentId" | "status" | "withdrawnCents" | "closedAt"
  >[];
};

export type RefundSource = { intentId: string; left: number; payment: PaymentRow; isReachable: boolean };

export async function readOrderMoney(db: Db, orderId: string): Promise<OrderMoney> {
  return {
    paid: await db.select().from(payments).where(eq(payments.orderId, orderId)),
    given: await db.select().from(refunds).where(eq(refunds.orderId, orderId)),
    disputed: await db.select().from(disputes).where(eq(disputes.orderId, orderId)),
  };
}

/**
 * The payments of an order that brought money, oldest first, with the cents that are left of each: neither given back, nor on the way,
 * nor taken or held by a dispute, since what a bank has taken for the buyer must not be given once more. `isReachable`: the present keys
 * see it, or it was paid outside the shop and goes back there.
 */
export function refundSources(keys: Keys, { paid, given, disputed }: OrderMoney): RefundSource[] {
  return paid
    .filter(({ status }) => status === "succeeded")
    .toSorted((one, other) => one.revision - other.revision)
    .flatMap((payment) => {
      const { intentId, amountCents, provider } = payment;
      if (intentId === null) return [];
      const gone = sum(
        given.map((each) => (each.intentId === intentId && each.status !== "failed" ? each.amountCents : 0)),
      );
      const taken = sum(
        disputed.map((each) =>
          each.intentId === intentId && each.status !== "won" ? each.withdrawnCents : 0,
        ),
      );
      // A dispute may have taken more of one payment than it brought; the others are not to make up for that.
      const left = Math.max(0, amountCents - gone - taken);
      return [
        { intentId, left, payment, isReachable: provider === "manual" || !isOtherAccount(keys, payment) },
      ];
    });
}

/** Where there is money that the present keys cannot give back, and what to do about it; null: nowhere. */
export function elsewhereText(keys: Keys, sources: readonly RefundSource[]): string | null {
  const elsewhere = sources.find(({ left, isReachable }) => left > 0 && !isReachable);
  return elsewhere ? otherAccountRefundText(keys, elsewhere.payment) : null;
}

/** Cents that cannot be given back while disputes are open, and can be once those are won. */
export function heldByDisputes(keys: Keys, money: OrderMoney): number {
  const left = (sources: readonly RefundSource[]) => sum(sources.map((source) => source.left));
  const lost = money.disputed.filter(({ closedAt }) => closedAt !== null);
  return left(refundSources(keys, { ...money, disputed: lost })) - left(refundSources(keys, money));
}

/** Cents that can be given back with the present keys. */
export function reachableCents(sources: readonly RefundSource[]): number {
  return sum(sources.map(({ left, isReachable }) => (isReachable ? left : 0)));
}

/** Cents of goods after discounts, of shipping and of tax. */
type Parts = { goods: number; shipping: number; tax: number };

/**
 * What of an order is not refunded, nor on its way, whether it was paid or not. What was given back of a payment that is not booked is
 * none of the order's money and takes nothing off it. Null: there is no such order.
 */
export async function readRefundable(db: Db, orderId: string): Promise<Refundable | null> {
  const order = await readSold(db, orderId);
  if (!order) return null;
  const given = await readGiven(db, orderId);
  const lines = await db
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.position));
  const left = (whole: number, gone: readonly number[]) => Math.max(0, whole - sum(gone));
  return {
    ...atLeastNothing(leftOf(order, given)),
    lines: lines.map(({ productId, quantity, ...line }) => {
      const gone = given.flatMap(({ lines }) => lines).filter((each) => each.productId === productId);
      return {
        productId,
        units: left(
          quantity,
          gone.map((each) => each.quantity),
        ),
        goods: left(
          quantity * line.unitPriceCents -
            line.bundleSavingCents -
            line.discountCents -
            (order.withTax ? line.taxCents : 0),
          gone.map(({ goodsCents }) => goodsCents),
        ),
        tax: left(
          line.taxCents,
          gone.map(({ taxCents }) => taxCents),
        ),
      };
    }),
    ...(order.withTax && { taxIncluded: order.withTax.name }),
  };
}

/**
 * What a refund of an amount gives back. `intentId`: of which payment, where that may not be booked yet. The caller holds the order's
 * lock.
 */
export async function splitOfAmount(
  tx: Db,
  { orderId, intentId, amountCents }: { orderId: string; intentId?: string; amountCents: number },
): Promise<RefundSplit> {
  const order = await readSold(tx, orderId);
  if (!order) throw new Error(`order ${orderId} is not there`);
  const given = await readGiven(tx, orderId, intentId);
  const left = atLeastNothing(leftOf(order, given));
  if (amountCents <= cents(left)) return refundByAmount(left, amountCents);
  // Made at the provider while the shop was about to ask for as much: the shop's own will be refused.
  const made = given.filter(
    ({ status, providerRefundId }) => status !== "pending" || providerRefundId !== null,
  );
  return refundByAmount(atLeastNothing(leftOf(order, made)), amountCents);
}

/**
 * Splits refunds that were made at the provider anew, where all together give back more of one part than there was: one of the shop's
 * own that was counted for them has failed since, say. The caller holds the order's lock.
 */
export async function splitAnew(tx: Db, orderId: string): Promise<void> {
  const order = await readSold(tx, orderId);
  if (!order) return;
  const given = await readGiven(tx, orderId);
  let left = leftOf(order, given);
  if (cents(left) < 0) return;
  for (const refund of given.filter(({ origin }) => origin === "provider").toReversed()) {
    if (Math.min(left.goods, left.shipping, left.tax) >= 0) return;
    const without = leftOf(left, [{ goods: -refund.goods, shipping: -refund.shipping, tax: -refund.tax }]);
    const { goods, shipping, tax } = refundByAmount(atLeastNothing(without), refund.amountCents);
    await tx
      .update(refunds)
      .set({ goodsCents: goods, shippingCents: shipping, taxCents: tax })
      .where(eq(refunds.id, refund.id));
    left = leftOf(without, [{ goods, shipping, tax }]);
  }
}

/** What an order was sold for, by part. */
async function readSold(db: Db, orderId: string) {
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
 * Refunds of an order that succeeded or are pending, oldest first, and what its edits exchanged. Of payments that are not booked, only
 * refunds of `intentId`.
 */
async function readGiven(db: Db, orderId: string, intentId?: string) {
  const refunded = await db
    .select({
      id: refunds.id,
      origin: refunds.origin,
      status: refunds.status,
      providerRefundId: refunds.providerRefundId,
      amountCents: refunds.amountCents,
      goods: refunds.goodsCents,
      shipping: refunds.shippingCents,
      tax: refunds.taxCents,
      lines: refunds.lines,
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
  return [...refunded, ...(await readExchanged(db, orderId))];
}

/** The parts of an order that its edits exchanged for added items, as refunds give parts back. */
async function readExchanged(db: Db, orderId: string) {
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

/** Below zero where more of a part was given back than there was. */
function leftOf(whole: Parts, gone: readonly Parts[]): Parts {
  return {
    goods: whole.goods - sum(gone.map(({ goods }) => goods)),
    shipping: whole.shipping - sum(gone.map(({ shipping }) => shipping)),
    tax: whole.tax - sum(gone.map(({ tax }) => tax)),
  };
}

function atLeastNothing({ goods, shipping, tax }: Parts): Parts {
  return { goods: Math.max(0, goods), shipping: Math.max(0, shipping), tax: Math.max(0, tax) };
}

function cents({ goods, shipping, tax }: Parts): number {
  return goods + shipping + tax;
}

function sum(cents: readonly number[]): number {
  return cents.reduce((total, each) => total + each, 0);
}
