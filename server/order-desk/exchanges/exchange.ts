import { and, eq, inArray } from "drizzle-orm";
import { orderAmounts } from "../../../domain/checkout/included-tax.ts";
import { taxRateFor } from "../../../domain/checkout/tax.ts";
import { computeTotals } from "../../../domain/checkout/totals.ts";
import { returnAddress } from "../../../domain/labels/label-settings.ts";
import { refundByLines } from "../../../domain/orders/line-refund.ts";
import { countUnits, type Order } from "../../../domain/orders/order.ts";
import { exchangeReason } from "../../../domain/orders/order-return.ts";
import type { Exchange, ExchangeRequest } from "../../../domain/orders/replacement.ts";
import { formatCents, maxOrderTotalCents, minOrderTotalCents } from "../../../domain/shared/money.ts";
import { enforceConfirmationLimit } from "../../admin/confirmation-limit.ts";
import { findSellableForLines } from "../../catalog/queries.ts";
import type { ShopContext } from "../../context.ts";
import { reserveFully } from "../../inventory/commands.ts";
import { writeFollowUp } from "../../orders/follow-up.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import { readTaxPlace } from "../../orders/tax-place.ts";
import { recordOrderNote } from "../../orders/transition.ts";
import {
  reachableCents,
  readOrderMoney,
  readRefundable,
  refundSources,
  unreachableRefundText,
} from "../../payments/refunds/refundable.ts";
import type { Db } from "../../platform/database/database.ts";
import { lockForAction } from "../actions.ts";
import { writeReturn } from "../fulfilment/returns.ts";
import { orderExchanges, orderReturns } from "../tables.ts";
import {
  type FollowUpRefusal,
  followUpProblem,
  hashRequest,
  idForKey,
  inTransactionOrRefusal,
  keyReusedMessage,
  readAllowance,
  type Units,
  unitsProblems,
} from "./allowance.ts";
import { enqueueExchange } from "./mail.ts";
import { soldOutRefusal } from "./replacement.ts";

/** Days for which the new units of an exchange stay reserved while it waits for its payment or its return. */
const exchangeDays = { toPay: 14, toReturn: 60 };
const dayMs = 24 * 60 * 60 * 1000;

type Request = ExchangeRequest & { orderId: string; idempotencyKey: string | null };
type Result = { ok: true; exchange: Exchange; number: number; isNew: boolean } | FollowUpRefusal;

/**
 * Begins an exchange: writes an expected return, and a new order with reserved units. The credit for the returned units pays the
 * new order; the buyer pays a difference. Null if there is no such order.
 */
export async function beginExchange(ctx: ShopContext, request: Request): Promise<Result | null> {
  return inTransactionOrRefusal(ctx.db, (tx) => writeExchange(ctx, tx, request));
}

async function writeExchange(
  ctx: ShopContext,
  tx: Db,
  { orderId, idempotencyKey, ...request }: Request,
): Promise<Result | null> {
  const target = await lockForAction(ctx, tx, orderId);
  if (!target) return null;
  const id = idForKey(["exchange", orderId], idempotencyKey);
  const requestHash = hashRequest(request);
  const { order, locked } = target;
  const [existingRow] = await tx.select().from(orderExchanges).where(eq(orderExchanges.id, id));
  if (existingRow) {
    const existing = order.exchanges.find((exchange) => exchange.id === id);
    if (!existing || !existingRow.requestHash.equals(requestHash)) return stateRefusal(keyReusedMessage);
    return { ok: true, exchange: toExchange(existing), number: existing.number, isNew: false };
  }
  const priced = await priceExchange(ctx, tx, { order, locked, ...request });
  if (!priced.ok) return priced;
  const { returned, difference, amounts, lines } = priced;
  await enforceConfirmationLimit(tx, { cents: returned.amount, verb: "is given up" });
  const now = ctx.now();
  const days = difference > 0 ? exchangeDays.toPay : exchangeDays.toReturn;
  const newOrderId = idForKey(["order of exchange", id], "");
  const { givingPercent } = await ctx.settings(tx);
  const number = await writeFollowUp(tx, orderId, {
    id: newOrderId,
    status: "pending",
    now,
    expiresAt: new Date(now.getTime() + days * dayMs),
    requestHash,
    givingPercent,
    amounts,
    lines,
    note: `Exchange for units of order #${order.number}`,
    columns: { creditCents: Math.min(returned.amount, amounts.totalCents) },
  });
  const answer = request.sendTo === null ? priced.sendTo : sendToText([request.sendTo]);
  const returnId = await expectReturn(tx, { order, now, number, answer });
  await tx.insert(orderExchanges).values({
    id,
    orderId,
    newOrderId,
    returnId,
    returned: returned.lines,
    goodsCents: returned.goods,
    taxCents: returned.tax,
    differenceCents: difference,
    requestHash,
    createdAt: now,
  });
  const money =
    difference > 0
      ? `, ${formatCents(difference)} to be paid`
      : difference < 0
        ? `, ${formatCents(-difference)} goes back once the return has come`
        : "";
  const note = `Exchange for order #${number} begun${money}`;
  await recordOrderNote(tx, order, { actor: "owner", note, now });
  await enqueueExchange(tx, { newOrderId, exchangeId: id, note: request.note, occasion: "begun" });
  // Last, because every other order waits for the locks on stock.
  const reservedLineCount = await reserveFully(tx, newOrderId, request.items);
  if (reservedLineCount < request.items.length) throw await soldOutRefusal(tx, request.items);
  const status = difference > 0 ? "waits_for_payment" : "waits_for_return";
  return { ok: true, exchange: { id, orderId: newOrderId, difference, status }, number, isNew: true };
}

type UnitsToPrice = {
  order: Order;
  locked: LockedOrder;
  returned: readonly Units[];
  items: readonly Units[];
};

/**
 * Prices an exchange without writing anything: the returned units as a refund by line, the new units at today's prices, with the
 * tax of their destination and without shipping. The caller holds the order's lock.
 */
export async function priceExchange(
  ctx: ShopContext,
  tx: Db,
  { order, locked, returned, items }: UnitsToPrice,
) {
  const problem =
    order.replaces === null
      ? followUpProblem(order, locked.shipHold)
      : "A replacement was not paid for: exchange units of the order that it replaces.";
  if (problem !== null) return stateRefusal(problem);
  if (
    order.returns.some(
      ({ kind, status }) => kind === "withdrawal" && status !== "declined" && status !== "closed",
    )
  )
    return stateRefusal("The buyer has withdrawn from this order: the returned units must be refunded.");
  const allowance = await readAllowance(tx, order.id);
  const fields = unitsProblems(returned, "returned", allowance.byProduct);
  if (countUnits(items) > allowance.total) {
    fields.items = `At most ${Math.max(0, allowance.total)} more can be sent in place of units of this order`;
  }
  const products = await findSellableForLines(tx, items);
  for (const [index, { productId }] of items.entries()) {
    if (!products.get(productId)?.isPublished)
      fields[`items.${index}.productId`] = "This product is not for sale";
  }
  if (Object.keys(fields).length > 0) return inputRefusal(fields);
  const refundable = await readRefundable(tx, order.id);
  if (!refundable) throw new Error(`order ${order.id} is missing`);
  const credit = refundByLines(refundable, { items: returned, shipping: 0 });
  if (credit.amount === 0)
    return inputRefusal({ returned: "Nothing was paid for these units, or all was refunded" });
  const { tax: policy } = await ctx.settings(tx);
  const place = order.shipping ?? (await readTaxPlace(tx, order.id));
  const rate = taxRateFor(policy, place.country ?? "", place.state || null);
  const newItems = items.flatMap(({ productId, quantity }) => {
    const product = products.get(productId);
    return product ? [{ ...product, quantity }] : [];
  });
  const priced = computeTotals({
    lines: newItems.map(({ priceCents: price, quantity, bundles }) => ({ price, quantity, bundles })),
    shippingOption: null,
    taxRate: rate,
  });
  const amounts = orderAmounts(priced, rate);
  const difference = amounts.totalCents - credit.amount;
  if (amounts.totalCents === 0)
    return inputRefusal({ items: "These units cost nothing: send a replacement" });
  if (amounts.totalCents > maxOrderTotalCents)
    return inputRefusal({ items: "This is too large for one order" });
  if (difference > 0 && difference < minOrderTotalCents) {
    return inputRefusal({ items: "The difference is too small to be paid by card: choose something else" });
  }
  if (locked.mode !== null && locked.mode !== ctx.provider.mode)
    return stateRefusal("This order was paid in another mode (live or test).");
  const sources = refundSources(ctx.provider, await readOrderMoney(tx, order.id));
  if (reachableCents(sources) < credit.amount) {
    return stateRefusal(
      unreachableRefundText(ctx.provider, sources) ??
        "The payment of these units cannot be credited: a dispute holds the money.",
    );
  }
  const lines = newItems.map((product, index) => ({
    productId: product.id,
    name: product.name,
    image: product.imageFile,
    quantity: product.quantity,
    unitPriceCents: product.priceCents,
    bundleSavingCents: priced.lines[index]?.saving ?? 0,
    bundles: priced.lines[index]?.bundles ?? [],
    discountCents: 0,
    taxCents: priced.lines[index]?.tax ?? 0,
  }));
  const sendTo = await defaultSendTo(ctx, tx, order);
  return { ok: true as const, returned: credit, difference, amounts, lines, sendTo };
}

/**
 * Where the buyer sends the parcel if the owner enters no address: the instructions of an approved return, if it has any, or
 * else the shop's return address.
 */
async function defaultSendTo(ctx: ShopContext, tx: Db, { returns }: Order): Promise<string> {
  const approved = returns.find(({ status }) => status === "approved");
  if (approved?.answer?.startsWith(sendToTitle)) return approved.answer;
  const lines = returnAddress(await ctx.settings(tx), (await ctx.ownerSettings(tx)).labels);
  return lines.length === 0 ? addressFollowsText : sendToText(lines);
}

/** Instructions of a shop without an address, which the owner sends later as the answer to the return. */
const addressFollowsText = "We’ll email you where to send it.";

/** Begins every answer that says where to send the parcel; an owner's own answer may be about something else. */
const sendToTitle = "Please send it to";

function sendToText(lines: readonly string[]): string {
  return [sendToTitle, ...lines].join("\n");
}

/**
 * Approves the order's open return, because one parcel may contain units of several exchanges, or writes a new return. `answer`
 * says where to send it. Returns its id.
 */
async function expectReturn(
  tx: Db,
  { order, now, number, answer }: { order: Order; now: Date; number: number; answer: string },
): Promise<string> {
  const open = and(
    eq(orderReturns.orderId, order.id),
    inArray(orderReturns.status, ["requested", "approved"]),
  );
  const [existing] = await tx
    .update(orderReturns)
    .set({ status: "approved", decidedAt: now, answer })
    .where(open)
    .returning({ id: orderReturns.id });
  if (existing) return existing.id;
  return writeReturn(tx, {
    orderId: order.id,
    kind: "return",
    status: "approved",
    reason: exchangeReason(number),
    answer,
    requestedAt: now,
    decidedAt: now,
  });
}

function toExchange({ id, orderId, difference, status }: Exchange): Exchange {
  return { id, orderId, difference, status };
}

function stateRefusal(reason: string) {
  return { ok: false, code: "state", reason } as const;
}

function inputRefusal(fields: Record<string, string>) {
  return { ok: false, code: "input", fields } as const;
}
