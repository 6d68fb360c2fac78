import { randomUUID } from "node:crypto";
import { and, desc, eq } from "drizzle-orm";
import type { AdminRefund } from "../../../domain/orders/admin-order.ts";
import {
  changeDays,
  changeText,
  type ItemsChange,
  type ItemsPreview,
  type ItemsWish,
  type OrderItemsChange,
} from "../../../domain/orders/change-items.ts";
import type { Order } from "../../../domain/orders/order.ts";
import { formatCents, orderTotalMinCents } from "../../../domain/shared/money.ts";
import { thumbnailOf } from "../../catalog/pictures/sizes.ts";
import type { ShopContext } from "../../context.ts";
import { lockStock, reserveForChange } from "../../inventory/commands.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import { findOrder } from "../../orders/queries.ts";
import { updateShipHold } from "../../orders/ship-hold.ts";
import { recordOrderEvent } from "../../orders/transition.ts";
import type { PaymentProvider } from "../../payment-providers/provider.ts";
import { bookPaidOutside, refundProblem } from "../../payments/changes/book.ts";
import { paymentLink } from "../../payments/payment-link.ts";
import { payments } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { lockForAction } from "../actions.ts";
import { enqueueChangeLink } from "../change-mail.ts";
import { type AddedLine, type OrderContents, orderEdits } from "../tables.ts";
import { applyChange, type ChangeRecord, ChangeRefused, itemsProblem, waitingChangeOf } from "./apply.ts";
import { itemsVersion, type PricedChange, priceChange } from "./price.ts";

/** `conflict`: the order, or what the change comes to, is not what was read. `input`: sentences by field. */
export type ChangeRefusal =
  | { ok: false; because: "state" | "conflict"; reason: string }
  | { ok: false; because: "input"; fields: Record<string, string> };

export type ChangeResult = { ok: true; change: ChangeRecord } | ChangeRefusal;

const dayMs = 24 * 60 * 60 * 1000;
const conflict = "Somebody else has changed this order meanwhile. Look at it again before you save.";
const waits = "A change of its items waits to be paid. Take that back first.";
const noLongerWaits = "This change no longer waits to be paid.";

/** What a wish would come to; nothing is written. Null: there is no such order. */
export async function previewChange(
  ctx: ShopContext,
  orderId: string,
  wish: ItemsWish,
): Promise<{ ok: true; preview: ItemsPreview } | ChangeRefusal | null> {
  return ctx.db.transaction(async (tx) => {
    const found = await lockForAction(ctx, tx, orderId);
    if (!found) return null;
    const { order, locked } = found;
    const waiting = await waitingChangeOf(tx, orderId);
    const problem = waiting ? waits : itemsProblem(order, locked.shipHold);
    if (problem !== null) return { ok: false, because: "state", reason: problem };
    const isOutside = await wasPaidOutside(tx, orderId);
    const result = await priced(ctx, tx, { order, locked, wish, isOutside });
    if (!result.ok) return result;
    const names = new Map(order.items.map(({ productId, name }) => [productId, name]));
    const { priced: sums } = result;
    const preview = {
      version: itemsVersion(order, null),
      ...sumsOf(sums.added, sums.removed.lines, names),
      ...{ goods: sums.goods, shipping: sums.shipping, tax: sums.tax, addedTotal: sums.addedTotal },
      ...{ removedTotal: sums.removed.amount, difference: sums.difference },
      ...includedIn(order),
      settlement: settlementOf(sums.difference, isOutside),
    };
    return { ok: true, preview };
  });
}

/**
 * Changes the items of a paid order that has not shipped. What costs more waits for its buyer to pay the difference by a link, its
 * units kept for it, and changes nothing until then; all else is done at once, with a refund of the difference. Null: there is no
 * such order.
 */
export async function changeItems(
  ctx: ShopContext,
  { orderId, ...wish }: ItemsChange & { orderId: string },
): Promise<ChangeResult | null> {
  try {
    return await ctx.db.transaction((tx) => writeChange(ctx, tx, orderId, wish));
  } catch (error) {
    if (!(error instanceof ChangeRefused)) throw error;
    return { ok: false, because: "state", reason: error.message };
  }
}

async function writeChange(
  ctx: ShopContext,
  tx: Db,
  orderId: string,
  { version, difference, note, email, ...wish }: ItemsChange,
): Promise<ChangeResult | null> {
  const found = await lockForAction(ctx, tx, orderId);
  if (!found) return null;
  const { order, locked } = found;
  const waiting = await waitingChangeOf(tx, orderId);
  if (itemsVersion(order, waiting?.id ?? null) !== version) {
    return { ok: false, because: "conflict", reason: conflict };
  }
  const problem = waiting ? waits : itemsProblem(order, locked.shipHold);
  if (problem !== null) return { ok: false, because: "state", reason: problem };
  const isOutside = await wasPaidOutside(tx, orderId);
  const result = await priced(ctx, tx, { order, locked, wish, isOutside });
  if (!result.ok) return result;
  const { priced: sums } = result;
  if (sums.difference !== difference) {
    const reason = `It comes to ${formatCents(sums.difference)} now. Look at it again before you save.`;
    return { ok: false, because: "conflict", reason };
  }
  const now = ctx.now();
  const isWaiting = settlementOf(difference, isOutside) === "link";
  const [change] = await tx
    .insert(orderEdits)
    .values({
      id: randomUUID(),
      orderId,
      status: "waiting",
      note,
      createdAt: now,
      sentAt: isWaiting && email ? now : null,
      expiresAt: isWaiting ? new Date(now.getTime() + changeDays * dayMs) : null,
      before: contentsOf(order),
      after: contentsAfter(order, sums),
      added: sums.added,
      removed: sums.removed.lines,
      removedCents: sums.removed.amount,
      goodsCents: sums.goods,
      shippingCents: sums.shipping,
      taxCents: sums.tax,
      differenceCents: difference,
    })
    .returning();
  if (!change) throw new Error("No order edit was written");
  if (!isWaiting) {
    if (difference > 0) await bookPaidOutside(tx, { order: locked, change });
    const removal = sums.removed;
    await applyChange(ctx, tx, { order: locked, change, removal, actor: "owner", tell: email });
    return { ok: true, change: { ...change, status: "applied" } };
  }
  const names = new Map(order.items.map(({ productId, name }) => [productId, name]));
  const removed = namedLines(sums.removed.lines, names);
  await recordOrderEvent(tx, {
    ...{ orderId, from: order.status, to: order.status, actor: "owner", now },
    note: `${formatCents(difference)} to be paid for a change of items. ${changeText({ added: sums.added, removed })}`,
  });
  if (email) await enqueueChangeLink(tx, { orderId, changeId: change.id, occasion: "first" });
  await updateShipHold(tx, orderId);
  // Last: it locks the stock, which every other order waits for.
  await lockStock(
    tx,
    sums.added.map(({ productId }) => productId),
  );
  const reserved = await reserveForChange(tx, change, sums.added);
  if (reserved < sums.added.length) throw new ChangeRefused("There isn’t enough in stock any more.");
  return { ok: true, change };
}

async function priced(
  ctx: ShopContext,
  tx: Db,
  {
    order,
    locked,
    wish,
    isOutside,
  }: { order: Order; locked: LockedOrder; wish: ItemsWish; isOutside: boolean },
): Promise<{ ok: true; priced: PricedChange } | ChangeRefusal> {
  const result = await priceChange(ctx, tx, order, wish);
  if (!result.ok) return { ok: false, because: "input", fields: result.fields };
  const { difference } = result.priced;
  const settlement = settlementOf(difference, isOutside);
  if (settlement === "refund") {
    const problem = await refundProblem(ctx, tx, { orderId: order.id, cents: -difference });
    if (problem !== null) return { ok: false, because: "state", reason: problem };
  }
  if (settlement !== "link") return result;
  if (difference < orderTotalMinCents) {
    const add = "The difference is too small to be paid by card: take something out, or add more.";
    return { ok: false, because: "input", fields: { add } };
  }
  if (locked.mode !== null && locked.mode !== ctx.provider.mode) {
    return { ok: false, because: "state", reason: "It was paid in another mode of the payment provider." };
  }
  return result;
}

function settlementOf(difference: number, isOutside: boolean): ItemsPreview["settlement"] {
  if (difference === 0) return "none";
  if (difference < 0) return "refund";
  return isOutside ? "outside" : "link";
}

async function wasPaidOutside(tx: Db, orderId: string): Promise<boolean> {
  const isManual = and(
    eq(payments.orderId, orderId),
    eq(payments.provider, "manual"),
    eq(payments.status, "succeeded"),
  );
  return (await tx.$count(payments, isManual)) > 0;
}

/** E-mails the link of a change that waits; pressed twice within a minute it goes once. Null: there is no such change. */
export async function sendChangeLink(
  ctx: ShopContext,
  { orderId, changeId }: { orderId: string; changeId: string },
): Promise<{ ok: true } | { ok: false; reason: string } | null> {
  return ctx.db.transaction(async (tx) => {
    await lockForAction(ctx, tx, orderId);
    const [change] = await tx.select().from(orderEdits).where(eq(orderEdits.id, changeId));
    if (change?.orderId !== orderId) return null;
    if (change.status !== "waiting") return { ok: false, reason: noLongerWaits };
    const now = ctx.now();
    const occasion = String(Math.floor(now.getTime() / 60_000));
    await enqueueChangeLink(tx, { orderId, changeId, occasion });
    await tx.update(orderEdits).set({ sentAt: now }).where(eq(orderEdits.id, changeId));
    return { ok: true };
  });
}

/** The link by which a change that waits is paid, for whoever is to pay it. Null: there is no such change of the order. */
export async function changeLink(
  ctx: ShopContext,
  { orderId, changeId }: { orderId: string; changeId: string },
): Promise<{ ok: true; url: string } | { ok: false; reason: string } | null> {
  const [change] = await ctx.db.select().from(orderEdits).where(eq(orderEdits.id, changeId));
  if (change?.orderId !== orderId) return null;
  const isOver = change.status !== "waiting" || change.expiresAt === null || change.expiresAt <= ctx.now();
  if (isOver) return { ok: false, reason: noLongerWaits };
  return { ok: true, url: paymentLink(ctx, change) };
}

/** The edits of an order for the panel, newest first, what they exchanged, and the version of the order that an edit must name. */
export async function changesOf(
  ctx: Pick<ShopContext, "db"> & { provider: PaymentProvider },
  order: Order,
): Promise<{ changes: OrderItemsChange[]; exchanges: AdminRefund[]; version: string }> {
  const rows = await ctx.db
    .select()
    .from(orderEdits)
    .where(eq(orderEdits.orderId, order.id))
    .orderBy(desc(orderEdits.createdAt), desc(orderEdits.id));
  const waiting = rows.find(({ status }) => status === "waiting");
  const paid =
    rows.length === 0
      ? []
      : await ctx.db
          .select()
          .from(payments)
          .where(and(eq(payments.orderId, order.id), eq(payments.status, "succeeded")));
  const names = new Map(order.items.map(({ productId, name }) => [productId, name]));
  const changes = rows.map((change): OrderItemsChange => {
    const payment = paid.find(
      ({ orderEditId, provider }) => orderEditId === change.id && provider === ctx.provider.name,
    );
    return {
      ...{ id: change.id, status: change.status, note: change.note },
      ...sumsOf(change.added, change.removed, names),
      ...{ goods: change.goodsCents, shipping: change.shippingCents, tax: change.taxCents },
      addedTotal: change.addedCents,
      ...{ removedTotal: change.removedCents, difference: change.differenceCents },
      ...includedIn(order),
      createdAt: change.createdAt.toISOString(),
      sentAt: change.sentAt?.toISOString() ?? null,
      expiresAt: change.expiresAt?.toISOString() ?? null,
      endedAt: change.endedAt?.toISOString() ?? null,
      intentId: payment?.intentId ?? null,
      dashboardUrl: payment?.intentId ? ctx.provider.dashboardUrl(payment.intentId) : null,
    };
  });
  return { changes, exchanges: rows.flatMap(toExchange), version: itemsVersion(order, waiting?.id ?? null) };
}

/** The exchange of an edit as the panel lists it among refunds; none where nothing was exchanged. */
function toExchange(edit: ChangeRecord): AdminRefund[] {
  if (edit.exchangeId === null || edit.endedAt === null) return [];
  const at = edit.endedAt.toISOString();
  return [
    {
      id: edit.exchangeId,
      amount: edit.exchangedCents,
      goods: edit.exchangedGoodsCents,
      shipping: edit.exchangedShippingCents,
      tax: edit.exchangedTaxCents,
      items: edit.removed,
      status: "succeeded",
      reason: "Exchanged for other items",
      failure: null,
      origin: "shop",
      createdAt: at,
      settledAt: at,
      isExchange: true,
    },
  ];
}

/** A change by its id with its order, and whether a bank works on its payment, as its payment page needs them. */
export async function findChange(
  db: Db,
  changeId: string,
): Promise<{ change: ChangeRecord; order: Order; isProcessing: boolean } | null> {
  const [change] = await db.select().from(orderEdits).where(eq(orderEdits.id, changeId));
  const order = change && (await findOrder(db, change.orderId));
  if (!order) return null;
  const isProcessing = and(eq(payments.orderEditId, changeId), eq(payments.status, "processing"));
  return { change, order, isProcessing: (await db.$count(payments, isProcessing)) > 0 };
}

export function sumsOf(
  added: readonly AddedLine[],
  removed: ChangeRecord["removed"],
  names: ReadonlyMap<number, string>,
): Pick<OrderItemsChange, "added" | "removed"> {
  return {
    added: added.map(({ productId, name, image, quantity, unitPrice, bundleSaving, tax }) => ({
      ...{ productId, name, quantity, unitPrice, tax, image: image && thumbnailOf(image) },
      total: quantity * unitPrice - bundleSaving,
    })),
    removed: namedLines(removed, names),
  };
}

/** What the tax is called that the order's prices include. */
export function includedIn({ totals }: Order): Pick<OrderItemsChange, "taxIncluded"> {
  return totals.taxIncluded ? { taxIncluded: totals.taxIncluded.name } : {};
}

function namedLines(lines: ChangeRecord["removed"], names: ReadonlyMap<number, string>) {
  return lines.map((line) => ({ ...line, name: names.get(line.productId) ?? "A product" }));
}

function contentsOf({ items, totals }: Order): OrderContents {
  const { subtotal, discount, shipping, tax, total, currency, taxIncluded } = totals;
  return {
    lines: items.map(({ productId, name, quantity, price, total: cents }) => ({
      ...{ productId, name, quantity, unitPrice: price, total: cents },
    })),
    totals: { subtotal, discount, shipping, tax, total, currency, ...(taxIncluded && { taxIncluded }) },
  };
}

function contentsAfter(order: Order, { added, shipping, tax, addedTotal }: PricedChange): OrderContents {
  const { lines, totals } = contentsOf(order);
  for (const { productId, name, quantity, unitPrice, bundleSaving } of added) {
    const own = lines.find((line) => line.productId === productId);
    const total = quantity * unitPrice - bundleSaving;
    if (own) {
      own.quantity += quantity;
      own.total += total;
    } else lines.push({ productId, name, quantity, unitPrice, total });
  }
  const inShipping = added.reduce((left, line) => left - line.tax, tax);
  const shownShipping = shipping + (totals.taxIncluded ? inShipping : 0);
  return {
    lines,
    totals: {
      ...totals,
      subtotal: totals.subtotal + addedTotal - shownShipping - (totals.taxIncluded ? 0 : tax),
      shipping: totals.shipping + shownShipping,
      tax: totals.tax + tax,
      total: totals.total + addedTotal,
    },
  };
}
