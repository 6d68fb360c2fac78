import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { Order } from "../../../domain/orders/order.ts";
import {
  editDays,
  editText,
  type OrderEditPreview,
  type OrderEditRequest,
  type RequestedItems,
} from "../../../domain/orders/order-edit.ts";
import { formatCents, minOrderTotalCents } from "../../../domain/shared/money.ts";
import { pick } from "../../../domain/shared/pick.ts";
import { enforceConfirmationLimit } from "../../admin/confirmation-limit.ts";
import type { ShopContext } from "../../context.ts";
import { lockStock, reserveForEdit } from "../../inventory/commands.ts";
import type { LockedOrder } from "../../orders/lifecycle.ts";
import { updateShipHold } from "../../orders/ship-hold.ts";
import { recordOrderNote } from "../../orders/transition.ts";
import { bookPaidOutside } from "../../payments/manual.ts";
import { paymentLink } from "../../payments/payment-link.ts";
import { payments } from "../../payments/tables.ts";
import type { Db } from "../../platform/database/database.ts";
import { lockForAction, withLockedOrder } from "../actions.ts";
import { enqueueEditLink } from "../change-mail.ts";
import { type OrderContents, type OrderEditRecord, orderEdits } from "../tables.ts";
import { applyEdit, EditRefused, refundProblem } from "./apply.ts";
import { itemsVersion, type PricedEdit, priceEdit } from "./price.ts";
import { findEdit, includedTaxName, namedItems, namedLines } from "./queries.ts";
import { findWaitingEdit, itemsProblem } from "./waiting-edit.ts";

/** `conflict`: the order or the difference changed since it was read. `fields`: messages by field. */
export type EditRefusal =
  | { ok: false; code: "state" | "conflict"; reason: string }
  | { ok: false; code: "input"; fields: Record<string, string> };

type EditResult = { ok: true; edit: OrderEditRecord } | EditRefusal;

const dayMs = 24 * 60 * 60 * 1000;
const conflictMessage =
  "Somebody else has changed this order in the meantime. Check it again before you save.";
const earlierEditUnpaid = "An earlier edit of its items has not been paid yet. Withdraw it first.";
const notWaitingForPayment = "This change is no longer waiting for payment.";

/** Prices an edit without writing anything. Null if there is no such order. */
export async function previewEdit(
  ctx: ShopContext,
  orderId: string,
  requested: RequestedItems,
): Promise<{ ok: true; preview: OrderEditPreview } | EditRefusal | null> {
  return withLockedOrder(ctx, orderId, async (tx, { order, locked }) => {
    const waitingEdit = await findWaitingEdit(tx, orderId);
    const problem = waitingEdit ? earlierEditUnpaid : itemsProblem(order, locked.shipHold);
    if (problem !== null) return { ok: false, code: "state", reason: problem };
    const isPaidOutside = await wasPaidOutside(tx, orderId);
    const result = await priceAndCheck(ctx, tx, { order, locked, requested, isPaidOutside });
    if (!result.ok) return result;
    const names = new Map(order.items.map(({ productId, name }) => [productId, name]));
    const { priced } = result;
    const preview = {
      version: itemsVersion(order, null),
      ...namedItems(priced.added, priced.removed.lines, names),
      ...pick(priced, "goods", "shipping", "tax", "addedTotal", "difference"),
      removedTotal: priced.removed.amount,
      ...includedTaxName(order),
      settlement: settlementKind(priced.difference, isPaidOutside),
    };
    return { ok: true, preview };
  });
}

/**
 * Edits the items of a paid order that has not shipped. If the order then costs more, the edit waits until the buyer pays the
 * difference by a link; until then its units are reserved and the order stays as it was. Any other edit is applied immediately,
 * with a refund of the difference. Null if there is no such order.
 */
export async function editItems(
  ctx: ShopContext,
  { orderId, ...requested }: OrderEditRequest & { orderId: string },
): Promise<EditResult | null> {
  try {
    return await ctx.db.transaction((tx) => writeEdit(ctx, tx, orderId, requested));
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    return { ok: false, code: "state", reason: error.message };
  }
}

async function writeEdit(
  ctx: ShopContext,
  tx: Db,
  orderId: string,
  { version, difference, note, email, ...requested }: OrderEditRequest,
): Promise<EditResult | null> {
  const target = await lockForAction(ctx, tx, orderId);
  if (!target) return null;
  const { order, locked } = target;
  const waitingEdit = await findWaitingEdit(tx, orderId);
  if (itemsVersion(order, waitingEdit?.id ?? null) !== version) {
    return { ok: false, code: "conflict", reason: conflictMessage };
  }
  const problem = waitingEdit ? earlierEditUnpaid : itemsProblem(order, locked.shipHold);
  if (problem !== null) return { ok: false, code: "state", reason: problem };
  const isPaidOutside = await wasPaidOutside(tx, orderId);
  const result = await priceAndCheck(ctx, tx, { order, locked, requested, isPaidOutside });
  if (!result.ok) return result;
  const { priced } = result;
  if (priced.difference !== difference) {
    const reason = `The difference is ${formatCents(priced.difference)} now. Check it again before you save.`;
    return { ok: false, code: "conflict", reason };
  }
  // Units added to a line have the line's price. If that price, set in a draft or on an earlier day, is lower than today's, the
  // saving counts towards the panel user's limit.
  await enforceConfirmationLimit(tx, { cents: priced.addedSavingCents, verb: "is taken off" });
  const now = ctx.now();
  const isWaiting = settlementKind(difference, isPaidOutside) === "link";
  const [edit] = await tx
    .insert(orderEdits)
    .values({
      id: randomUUID(),
      orderId,
      status: "waiting",
      note,
      createdAt: now,
      sentAt: isWaiting && email ? now : null,
      expiresAt: isWaiting ? new Date(now.getTime() + editDays * dayMs) : null,
      before: orderContents(order),
      after: contentsAfter(order, priced),
      added: priced.added,
      removed: priced.removed.lines,
      removedCents: priced.removed.amount,
      goodsCents: priced.goods,
      shippingCents: priced.shipping,
      taxCents: priced.tax,
      differenceCents: difference,
    })
    .returning();
  if (!edit) throw new Error("No order edit was written");
  if (!isWaiting) {
    if (difference > 0) await bookPaidOutside(tx, locked, { orderEditId: edit.id, cents: difference });
    const removal = priced.removed;
    await applyEdit(ctx, tx, { order: locked, edit, removal, actor: "owner", sendsMail: email });
    return { ok: true, edit: { ...edit, status: "applied" } };
  }
  const names = new Map(order.items.map(({ productId, name }) => [productId, name]));
  const removed = namedLines(priced.removed.lines, names);
  const changes = editText({ added: priced.added, removed });
  const entry = `${formatCents(difference)} to be paid for a change of items. ${changes}`;
  await recordOrderNote(tx, order, { actor: "owner", note: entry, now });
  if (email) await enqueueEditLink(tx, { orderId, editId: edit.id, occasion: "first" });
  await updateShipHold(tx, orderId);
  // Last, because every other order waits for the locks on stock.
  await lockStock(tx, priced.added);
  const reservedLines = await reserveForEdit(tx, edit, priced.added);
  if (reservedLines < priced.added.length) throw new EditRefused("There isn’t enough in stock anymore.");
  return { ok: true, edit };
}

async function priceAndCheck(
  ctx: ShopContext,
  tx: Db,
  {
    order,
    locked,
    requested,
    isPaidOutside,
  }: { order: Order; locked: LockedOrder; requested: RequestedItems; isPaidOutside: boolean },
): Promise<{ ok: true; priced: PricedEdit } | EditRefusal> {
  const result = await priceEdit(ctx, tx, order, requested);
  if (!result.ok) return { ok: false, code: "input", fields: result.fields };
  const { difference } = result.priced;
  const settlement = settlementKind(difference, isPaidOutside);
  if (settlement === "refund") {
    const problem = await refundProblem(ctx, tx, { orderId: order.id, cents: -difference });
    if (problem !== null) return { ok: false, code: "state", reason: problem };
  }
  if (settlement !== "link") return result;
  if (difference < minOrderTotalCents) {
    const add = "The difference is too small to be paid by card: take something out, or add more.";
    return { ok: false, code: "input", fields: { add } };
  }
  if (locked.mode !== null && locked.mode !== ctx.provider.mode) {
    return { ok: false, code: "state", reason: "This order was paid in another mode (live or test)." };
  }
  return result;
}

function settlementKind(difference: number, isPaidOutside: boolean): OrderEditPreview["settlement"] {
  if (difference === 0) return "none";
  if (difference < 0) return "refund";
  return isPaidOutside ? "outside" : "link";
}

async function wasPaidOutside(tx: Db, orderId: string): Promise<boolean> {
  const isManual = and(
    eq(payments.orderId, orderId),
    eq(payments.provider, "manual"),
    eq(payments.status, "succeeded"),
  );
  return (await tx.$count(payments, isManual)) > 0;
}

/** E-mails the payment link of a waiting edit, at most once a minute. Null if there is no such edit. */
export async function sendEditLink(
  ctx: ShopContext,
  { orderId, editId }: { orderId: string; editId: string },
): Promise<{ ok: true } | { ok: false; reason: string } | null> {
  return ctx.db.transaction(async (tx) => {
    await lockForAction(ctx, tx, orderId);
    const [edit] = await tx.select().from(orderEdits).where(eq(orderEdits.id, editId));
    if (edit?.orderId !== orderId) return null;
    if (edit.status !== "waiting") return { ok: false, reason: notWaitingForPayment };
    const now = ctx.now();
    const occasion = String(Math.floor(now.getTime() / 60_000));
    await enqueueEditLink(tx, { orderId, editId, occasion });
    await tx.update(orderEdits).set({ sentAt: now }).where(eq(orderEdits.id, editId));
    return { ok: true };
  });
}

/** The payment link of a waiting edit. Null if the order has no such edit. */
export async function editLink(
  ctx: ShopContext,
  { orderId, editId }: { orderId: string; editId: string },
): Promise<{ ok: true; url: string } | { ok: false; reason: string } | null> {
  const { edit, order } = (await findEdit(ctx.db, editId)) ?? {};
  if (edit?.orderId !== orderId || !order) return null;
  const isOver = edit.status !== "waiting" || edit.expiresAt === null || edit.expiresAt <= ctx.now();
  if (isOver) return { ok: false, reason: notWaitingForPayment };
  return { ok: true, url: paymentLink(ctx, { ...edit, email: order.email }) };
}

function orderContents({ items, totals }: Order): OrderContents {
  const { subtotal, discount, shipping, tax, total, currency, taxIncluded } = totals;
  return {
    lines: items.map(({ productId, name, quantity, price, total: cents }) => ({
      productId,
      name,
      quantity,
      unitPrice: price,
      total: cents,
    })),
    totals: { subtotal, discount, shipping, tax, total, currency, ...(taxIncluded && { taxIncluded }) },
  };
}

function contentsAfter(order: Order, { added, shipping, tax, addedTotal }: PricedEdit): OrderContents {
  const { lines, totals } = orderContents(order);
  for (const { productId, name, quantity, unitPrice, bundleSaving } of added) {
    const existing = lines.find((line) => line.productId === productId);
    const total = quantity * unitPrice - bundleSaving;
    if (existing) {
      existing.quantity += quantity;
      existing.total += total;
    } else lines.push({ productId, name, quantity, unitPrice, total });
  }
  const shippingTax = added.reduce((remaining, line) => remaining - line.tax, tax);
  const shownShipping = shipping + (totals.taxIncluded ? shippingTax : 0);
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
