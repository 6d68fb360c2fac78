import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { and, desc, eq, inArray, isNotNull, or } from "drizzle-orm";
import { addressLines } from "../../domain/address/address-format.ts";
import { activeShipHold, type ShipHold, shipHoldText } from "../../domain/disputes/dispute.ts";
import type { BoughtLabel } from "../../domain/labels/labels.ts";
import type { Order } from "../../domain/orders/order.ts";
import type { ShopContext } from "../context.ts";
import { closeIssuesAbout, raiseIssue } from "../issues/issues.ts";
import { CarrierRefused, type LabelCarrier, type Purchase } from "../label-providers/carrier.ts";
import { shipInTransaction } from "../order-desk/fulfilment/shipping.ts";
import { lockOrder } from "../orders/lifecycle.ts";
import { findOrder } from "../orders/queries.ts";
import type { Db } from "../platform/database/database.ts";
import { notFoundProblem, type Problem, problem } from "../platform/http/problem.ts";
import { labelCarrier } from "./carriers.ts";
import { claimLease, raiseKeptDuplicates, readLabel } from "./label-rows.ts";
import { enqueueReturnLabel } from "./mail.ts";
import { parcelHash, readOrderParcel, returnProblem } from "./parcel.ts";
import { findRate, type RateRow } from "./rates.ts";
import { type LabelRow, labelRates, labels } from "./tables.ts";
import { doubtfulMs, requestVoid } from "./void.ts";

/** Longest wait for a label that another caller is buying. */
const waitMs = 20_000;
const pollMs = 150;

type Outcome = { label: LabelRow; isNew: boolean; shipHold: ShipHold | null };

type PurchaseRequest = { orderId: string; rateId: string; force?: boolean; reason?: string | null };

/**
 * Buys a label for the unshipped units of an order, or for its return, at a rate that was offered for it. A repeated call with
 * the same rate returns the same label; one with another rate is refused. `onlyProposed`: the caller may buy only the proposed
 * service.
 */
export async function buyLabel(
  ctx: ShopContext,
  request: PurchaseRequest,
  { onlyProposed }: { onlyProposed: boolean },
): Promise<Outcome | Problem> {
  const record = await recordPurchase(ctx, request, onlyProposed);
  if ("problem" in record) return record;
  const label = await settlePurchase(ctx, record.label);
  if (label.state === "failed")
    return problem("invalid_state", label.failure ?? "The carrier did not sell this label.");
  if (label.state === "buying") {
    const message =
      "The carrier has not answered yet. The shop keeps asking for this label, and buys no second one: look again in a minute.";
    return problem("provider_unavailable", message);
  }
  if (label.state !== "bought") {
    const what =
      label.returnId === null
        ? "This order was changed, cancelled or refunded"
        : "This return was settled, or its data deleted,";
    return problem("invalid_state", `${what} while its label was bought. The label is being voided.`);
  }
  return { ...record, label };
}

/** Stores the label to buy, before the provider is called, or finds the label that the order already has at this rate. */
async function recordPurchase(
  ctx: ShopContext,
  { orderId, rateId, force = false, reason = null }: PurchaseRequest,
  onlyProposed: boolean,
): Promise<Outcome | Problem> {
  const rate = await findRate(ctx, orderId, rateId);
  const returnId = rate?.returnId ?? null;
  return ctx.db.transaction(async (tx) => {
    const lockedOrder = await lockOrder(tx, orderId);
    if (!lockedOrder) return notFoundProblem("order");
    const shipHold = returnId === null ? activeShipHold(lockedOrder, ctx.provider.mode) : null;
    const openLabels = await tx
      .select()
      .from(labels)
      .where(and(eq(labels.orderId, orderId), inArray(labels.state, ["buying", "bought", "voiding"])))
      .orderBy(desc(labels.createdAt));
    const sameLabel = openLabels.find((label) => label.rateId === rateId && label.state !== "voiding");
    if (sameLabel) return { label: sameLabel, isNew: false, shipHold };
    const lastLabel = openLabels.find((label) => label.returnId === returnId);
    if (lastLabel && (lastLabel.state !== "bought" || lastLabel.shippedAt === null)) {
      const what = returnId === null ? "order" : "return";
      const text =
        lastLabel.state === "voiding"
          ? `The carrier has not confirmed yet that the label of this ${what} is void. The owner can count it as void, in the order, and buy another one.`
          : `This ${what} has a label. Void it to buy another one.`;
      return problem("invalid_state", text);
    }
    if (await isRateUsed(tx, { orderId, rateId, rate }))
      return problem("invalid_state", "This rate was used. Ask for the services again to buy another label.");
    const parcel = await readOrderParcel(ctx, tx, orderId, returnId);
    if ("problem" in parcel) {
      const isLabeled = lastLabel !== undefined && parcel.problem === "invalid_state";
      return isLabeled
        ? problem("invalid_state", "This order has a label. Void it to buy another one.")
        : parcel;
    }
    if (
      !rate ||
      !parcel.carriers.some(({ name, mode }) => rate.provider === name && rate.mode === mode) ||
      rate.parcelHash !== parcelHash(parcel)
    ) {
      return problem("invalid_state", "This rate is no longer offered. Ask for the rates again.");
    }
    if (onlyProposed && !rate.isProposed) {
      return problem(
        "forbidden",
        "Packers buy the proposed service; another one is the owner’s or the staff’s choice.",
      );
    }
    if (shipHold && !(force && reason)) {
      return problem("invalid_state", `${shipHoldText[shipHold]} To buy its label anyway, give a reason.`);
    }
    const { provider, mode, parcelRef, rateRef, carrier, service, amountCents, arrivesOn } = rate;
    const row = {
      id: randomUUID(),
      orderId,
      rateId,
      returnId,
      state: "buying" as const,
      provider,
      mode,
      parcelRef,
      rateRef,
      carrier,
      service,
      amountCents,
      arrivesOn,
      lines: parcel.lines.map(({ productId, quantity }) => ({ productId, quantity })),
      recipient: addressLines(parcel.order),
      forcedReason: shipHold ? reason : null,
      createdAt: ctx.now(),
    };
    const [label] = await tx.insert(labels).values(row).returning();
    if (!label) throw new Error("the insert returned no label");
    return { label, isNew: true, shipHold };
  });
}

/** Whether the rate cannot be bought again: its label was voided, or failed but may still be sold, and would then be voided. */
async function isRateUsed(
  tx: Db,
  { orderId, rateId, rate }: { orderId: string; rateId: string; rate: RateRow | null },
): Promise<boolean> {
  const isVoided = and(eq(labels.state, "voided"), eq(labels.rateId, rateId));
  const isDoubtful =
    rate &&
    and(
      eq(labels.state, "failed"),
      isNotNull(labels.askingUntil),
      or(eq(labels.rateRef, rate.rateRef), eq(labels.parcelRef, rate.parcelRef)),
    );
  return (
    (await tx.$count(labels, and(eq(labels.orderId, orderId), or(isVoided, isDoubtful ?? undefined)))) > 0
  );
}

/**
 * Calls the provider to complete a purchase, and records its response. Of concurrent callers on all servers, one calls the provider
 * and the others wait for the result. Returns the label's new state, which is still `buying` if the provider did not answer.
 */
export async function settlePurchase(ctx: ShopContext, label: LabelRow): Promise<LabelRow> {
  const until = Date.now() + waitMs;
  let current = label;
  while (current.state === "buying") {
    if (await claimLease(ctx, current.id, "buying")) {
      // Read again, because another caller may have changed it.
      await requestPurchase(ctx, await readLabel(ctx.db, current.id));
      return readLabel(ctx.db, current.id);
    }
    if (Date.now() > until) break;
    await delay(pollMs);
    current = await readLabel(ctx.db, current.id);
  }
  return current;
}

async function requestPurchase(ctx: ShopContext, label: LabelRow): Promise<void> {
  const { id, orderId, returnId, createdAt, calledAt } = label;
  const carrier = labelCarrier(ctx, label);
  const settledMessage = `The ${returnId === null ? "order was cancelled" : "return was settled"} before its label was bought.`;
  try {
    if (!carrier) throw new Error("the carrier that sells it is not connected");
    const purchase = calledAt === null ? null : await carrier.find(label);
    if (purchase) return await recordBoughtLabel(ctx, label, purchase);
    const canShip = !("problem" in (await readOrderParcel(ctx, ctx.db, orderId, returnId)));
    if (canShip && (calledAt === null || carrier.sellsOnce))
      return await recordBoughtLabel(ctx, label, await buyOrFind(ctx, carrier, label));
    if (calledAt === null) return await setFailed(ctx, id, settledMessage, null);
    // The provider may still complete the earlier call for some time.
    const graceMs = carrier.sellsOnce ? hourMs : hourMs / 6;
    if (ctx.now().getTime() - calledAt.getTime() < graceMs) return await releaseLease(ctx, id);
    const failure = canShip ? neverConfirmedMessage : settledMessage;
    await setFailed(ctx, id, failure, new Date(ctx.now().getTime() + hourMs));
  } catch (error) {
    if (error instanceof CarrierRefused) {
      // The provider may still complete an earlier call whose response was lost.
      const checkAt = calledAt === null ? null : new Date(ctx.now().getTime() + hourMs);
      return setFailed(ctx, id, error.message, checkAt);
    }
    ctx.log.warn({ err: error, labelId: id, orderId }, "whether a label was bought is not known yet");
    // After a day the label counts as failed, so that the order can get another one; `refundLatePurchase` raises an issue.
    const isOverdue = calledAt !== null && ctx.now().getTime() - createdAt.getTime() > doubtfulMs;
    await (isOverdue ? setFailed(ctx, id, neverConfirmedMessage, ctx.now()) : releaseLease(ctx, id));
  }
}

const hourMs = 60 * 60 * 1000;
const neverConfirmedMessage = "The carrier never confirmed this label. Buy another one.";

/** Buys a label. If the response is lost, looks the label up immediately, so that the caller need not repeat the call. */
async function buyOrFind(ctx: ShopContext, carrier: LabelCarrier, label: LabelRow): Promise<Purchase> {
  await ctx.db.update(labels).set({ calledAt: ctx.now() }).where(eq(labels.id, label.id));
  try {
    return await carrier.buy(label);
  } catch (error) {
    if (error instanceof CarrierRefused) throw error;
    const purchase = await carrier.find(label).catch(() => null);
    if (purchase) return purchase;
    throw error;
  }
}

/** Ends the lease early, so that another caller can call the provider. */
async function releaseLease({ db, now }: ShopContext, id: string): Promise<void> {
  await db.update(labels).set({ askingUntil: now() }).where(eq(labels.id, id));
}

/**
 * `checkAt`: when to check whether the label was sold after all; null if no check is needed, because the provider refused the
 * only call.
 */
async function setFailed(
  { db }: ShopContext,
  id: string,
  failure: string,
  checkAt: Date | null,
): Promise<void> {
  await db
    .update(labels)
    .set({ state: "failed", failure, recipient: null, askingUntil: checkAt })
    .where(and(eq(labels.id, id), eq(labels.state, "buying")));
}

/**
 * Records a bought label and, if the owner's settings say so, that its parcel was shipped. The label of a return is e-mailed to
 * the buyer.
 */
async function recordBoughtLabel(ctx: ShopContext, label: LabelRow, purchase: Purchase): Promise<void> {
  const { id, orderId, returnId } = label;
  const { shippedWhen } = (await ctx.ownerSettings()).labels;
  const picture = await loadPicture(ctx, label, purchase);
  const isUnwanted = await ctx.db.transaction(async (tx) => {
    await lockOrder(tx, orderId);
    await raiseKeptDuplicates(tx, label, purchase);
    const order = await findOrder(tx, orderId);
    const isErased = order?.erasedAt !== null;
    const { trackingNumber, tracking } = purchase;
    const isUnwanted =
      isErased || picture === "lost" || (returnId !== null && returnProblem(order, returnId) !== null);
    const now = ctx.now();
    const { rowCount } = await tx
      .update(labels)
      .set({
        // Voided below or, after a crash, by a background job.
        ...(isUnwanted ? { state: "voiding", calledAt: now } : { state: "bought" }),
        boughtAt: now,
        askingUntil: null,
        tracking,
        ...(!isErased && { trackingNumber, picture: picture === "lost" ? null : picture }),
      })
      .where(and(eq(labels.id, id), eq(labels.state, "buying")));
    if (rowCount !== 1) return false;
    await tx.delete(labelRates).where(eq(labelRates.orderId, orderId));
    if (isUnwanted) return true;
    if (returnId !== null) {
      await enqueueReturnLabel(tx, { orderId, labelId: id });
      return false;
    }
    return shippedWhen === "bought" ? !(await shipLabel(ctx, tx, id, { isPurchase: true })) : false;
  });
  if (isUnwanted) await requestVoid(ctx, id);
}

/**
 * The label's picture; null if the shop draws it. For an hour, a label whose picture cannot be loaded stays `buying` and is tried
 * again; after that it is `lost`, and another one must be bought.
 */
async function loadPicture(
  ctx: ShopContext,
  { id, createdAt }: LabelRow,
  { picture }: Purchase,
): Promise<Buffer | null | "lost"> {
  try {
    return (await picture?.()) ?? null;
  } catch (err) {
    if (ctx.now().getTime() - createdAt.getTime() < hourMs) throw err;
    ctx.log.warn({ err, labelId: id }, "a label was bought that cannot be printed, and is voided");
    return "lost";
  }
}

/** Whether a label was bought for its order's current address. */
export function isForAddress({ recipient }: LabelRow, order: Order): boolean {
  return recipient === null || isDeepStrictEqual(recipient, addressLines(order));
}

/**
 * Marks a label's parcel as shipped, in the caller's transaction. False if the order no longer ships, or not with this label, and
 * the caller must void it. An order on hold keeps its label, and an issue is raised. A reason for shipping despite a hold counts
 * only at the purchase: the order may be put on hold again before the label is printed or scanned.
 */
export async function shipLabel(
  ctx: ShopContext,
  tx: Db,
  labelId: string,
  { isPurchase }: { isPurchase: boolean },
): Promise<boolean> {
  const { orderId } = await readLabel(tx, labelId);
  await lockOrder(tx, orderId);
  // Read again under the lock, because it may have been voided.
  const label = await readLabel(tx, labelId);
  if (label.state !== "bought" || label.shippedAt !== null || label.returnId !== null) return true;
  const { carrier, trackingNumber, lines } = label;
  const order = await findOrder(tx, orderId);
  if (order && !isForAddress(label, order)) return false;
  const forcedReason = isPurchase ? label.forcedReason : null;
  const shipping = await shipInTransaction(ctx, tx, {
    orderId,
    carrier,
    trackingNumber,
    lines,
    shipmentId: labelId,
    email: true,
    canUndo: false,
    force: forcedReason !== null,
    reason: forcedReason,
  });
  if (shipping?.ok) {
    await tx.update(labels).set({ shippedAt: ctx.now() }).where(eq(labels.id, labelId));
    await closeIssuesAbout(tx, {
      subject: labelId,
      resolution: "Automatically: the order was shipped",
      now: ctx.now(),
    });
    return true;
  }
  const mustWait = shipping?.shipHold !== undefined && shipping.shipHold !== "refund";
  if (!mustWait) return false;
  await raiseIssue(tx, {
    kind: "label_on_hold",
    subject: labelId,
    orderId,
    message: `${shipping.reason} Its label was bought (${carrier}, ${trackingNumber}): ship the order with this label, or void it`,
  });
  return true;
}

export function toBoughtLabel(label: LabelRow, canSeeAmounts: boolean): BoughtLabel {
  return {
    labelId: label.id,
    trackingNumber: label.trackingNumber ?? "",
    labelUrl: labelUrl(label.id),
    ...(canSeeAmounts && { amount: label.amountCents }),
  };
}

export const labelUrl = (labelId: string) => `/api/admin/labels/${labelId}/pdf`;
