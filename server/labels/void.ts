import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, isNotNull } from "drizzle-orm";
import { connectionTitles } from "../../domain/connections/connections.ts";
import { countedModes } from "../../domain/payments/payment-mode.ts";
import { formatCents } from "../../domain/shared/money.ts";
import { dateIn } from "../../domain/shared/zoned-days.ts";
import type { ShopContext } from "../context.ts";
import { closeIssuesAbout, raiseIssue } from "../issues/issues.ts";
import { CarrierRefused, type RefundState } from "../label-providers/carrier.ts";
import { lockForAction } from "../order-desk/actions.ts";
import { shippedKey } from "../order-desk/change-mail.ts";
import { removeParcel } from "../order-desk/fulfilment/parcels.ts";
import { recordOrderNote } from "../orders/transition.ts";
import { withdrawMessage } from "../outbox/enqueue.ts";
import type { Db } from "../platform/database/database.ts";
import { notFoundProblem, type Problem, problem } from "../platform/http/problem.ts";
import { ownerTimeZone } from "../settings/today.ts";
import { labelCarrier } from "./carriers.ts";
import { claimLease, isDueAt, notRefunded, readLabel, refundEveryMs } from "./label-rows.ts";
import { type LabelRow, labelRates, labels } from "./tables.ts";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Time after which the owner must contact the carrier about a refund; carriers take two to four weeks. */
const refundPendingMs = 60 * dayMs;
/** Longest wait for a label that another caller is voiding. */
const waitMs = 20_000;
const pollMs = 150;

/** Voids a label and undoes its parcel. Null if the label is void, or was void before. */
export async function voidLabel(
  ctx: ShopContext,
  { orderId, labelId, mayVoidReturn }: { orderId: string; labelId: string; mayVoidReturn: boolean },
): Promise<Problem | null> {
  const refusal = await ctx.db.transaction(async (tx) => {
    const target = await lockForAction(ctx, tx, orderId);
    const [label] = await tx
      .select()
      .from(labels)
      .where(and(eq(labels.id, labelId), eq(labels.orderId, orderId)));
    if (!target || !label) return notFoundProblem("label");
    if (label.returnId !== null && !mayVoidReturn)
      return problem("forbidden", "Only the owner or staff can void a return’s label.");
    if (label.state === "buying")
      return problem(
        "invalid_state",
        "The carrier has not said yet whether it sold this label. Try again in a minute.",
      );
    if (label.state === "failed") return problem("invalid_state", "This label was never bought.");
    const parcel = target.order.shipments.find(({ id }) => id === labelId);
    const hasArrived = label.tracking === "delivered" || Boolean(parcel?.deliveredAt);
    if (label.state === "bought" && hasArrived)
      return problem("invalid_state", "This parcel has been delivered: its label is used up.");
    await tx
      .update(labels)
      .set({ state: "voiding", askingUntil: null, calledAt: ctx.now(), failure: null })
      .where(and(eq(labels.id, labelId), eq(labels.state, "bought")));
    return null;
  });
  if (refusal) return refusal;
  let label = await requestVoid(ctx, labelId);
  // Waits while another caller voids it.
  for (const until = Date.now() + waitMs; isBeingVoided(ctx, label) && Date.now() < until; ) {
    await sleep(pollMs);
    label = await readLabel(ctx.db, labelId);
  }
  if (label.state === "voided") return null;
  if (label.state === "bought")
    return problem("invalid_state", label.failure ?? "The carrier does not void this label.");
  return problem(
    "provider_unavailable",
    "The carrier has not answered yet. The shop keeps asking, and the order is as before once the label is void.",
  );
}

/**
 * Counts a label as void by the owner's decision while the carrier does not respond, so that another one can be bought. The shop
 * keeps requesting the void from the carrier. Null if it counts as void, or did before.
 */
export async function countAsVoid(
  ctx: ShopContext,
  { orderId, labelId }: { orderId: string; labelId: string },
): Promise<Problem | null> {
  const [label] = await ctx.db
    .select()
    .from(labels)
    .where(and(eq(labels.id, labelId), eq(labels.orderId, orderId)));
  if (!label) return notFoundProblem("label");
  if (label.state === "voiding") await recordVoided(ctx, label, { isConfirmed: false });
  if ((await readLabel(ctx.db, labelId)).state === "voided") return null;
  return problem("invalid_state", "The shop is not waiting for the carrier to void this label.");
}

function isBeingVoided({ now }: ShopContext, { state, askingUntil }: LabelRow): boolean {
  return state === "voiding" && askingUntil !== null && askingUntil > now();
}

/** Requests a void from the provider and records the response. Without a response the label stays `voiding`. */
export async function requestVoid(ctx: ShopContext, labelId: string): Promise<LabelRow> {
  await ctx.db
    .update(labels)
    .set({ state: "voiding", askingUntil: null, calledAt: ctx.now() })
    .where(and(eq(labels.id, labelId), eq(labels.state, "bought")));
  if (!(await claimLease(ctx, labelId, "voiding"))) return readLabel(ctx.db, labelId);
  const label = await readLabel(ctx.db, labelId);
  const carrier = labelCarrier(ctx, label);
  try {
    if (!carrier) throw new Error("the carrier that sold it is not connected");
    await carrier.void(label);
    await recordVoided(ctx, label, { isConfirmed: true });
  } catch (error) {
    if (error instanceof CarrierRefused) await recordRefusal(ctx, label, error.message);
    else {
      ctx.log.warn({ err: error, labelId }, "whether a label was voided is not known yet");
      await ctx.db.update(labels).set({ askingUntil: ctx.now() }).where(eq(labels.id, labelId));
    }
  }
  return readLabel(ctx.db, labelId);
}

const voidedColumns = (now: Date) =>
  ({
    state: "voided",
    voidedAt: now,
    askingUntil: new Date(now.getTime() + refundEveryMs),
    failure: null,
  }) as const;

/** Records a label as void. `isConfirmed`: the carrier confirmed it; otherwise the owner decided to count it as void. */
async function recordVoided(
  ctx: ShopContext,
  { id, orderId, carrier, trackingNumber }: LabelRow,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const target = await lockForAction(ctx, tx, orderId);
    const now = ctx.now();
    const unconfirmed = { askingUntil: now, failure: `${carrier} has not confirmed that it is void.` };
    const { rowCount } = await tx
      .update(labels)
      .set({ ...voidedColumns(now), ...(!isConfirmed && unconfirmed), recipient: null, picture: null })
      .where(and(eq(labels.id, id), eq(labels.state, "voiding")));
    const resolution = isConfirmed
      ? "Automatically: the label is void"
      : "The owner counts the label as void";
    await closeIssuesAbout(tx, { subject: id, resolution, now });
    const parcel = target?.order.shipments.find((shipment) => shipment.id === id);
    await tx.delete(labelRates).where(eq(labelRates.orderId, orderId));
    if (rowCount !== 1 || !target || !parcel) return;
    const what = isConfirmed
      ? `Label voided: ${trackingNumber}.`
      : `Label counted as void, though ${carrier} has not confirmed it: ${trackingNumber}.`;
    if (parcel.deliveredAt !== null) {
      const note = `${what} Its parcel stays, as it has been marked as delivered since`;
      await recordOrderNote(tx, target.order, { actor: "owner", note, now });
      return;
    }
    await withdrawMessage(tx, shippedKey(id));
    const note = `${what} The parcel did not leave`;
    await removeParcel(ctx, tx, target, { shipmentId: id, note });
  });
}

/** Records that the carrier refused the void: the label stays bought, and an issue is raised if its parcel was not shipped. */
async function recordRefusal(ctx: ShopContext, label: LabelRow, failure: string): Promise<void> {
  const { id, shippedAt } = label;
  await ctx.db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(labels)
      .set({ state: "bought", askingUntil: null, failure })
      .where(and(eq(labels.id, id), eq(labels.state, "voiding")));
    // No row if the owner has counted the label as void in the meantime; `settleRefund` then requests the void again.
    if (rowCount === 1 && shippedAt === null) await raiseNotVoided(tx, label, failure);
  });
}

/** Raises an issue so that the owner gets the price of a label back. */
async function raiseNotVoided(
  tx: Db,
  { id, orderId, carrier, trackingNumber }: LabelRow,
  failure: string,
): Promise<void> {
  await raiseIssue(tx, {
    kind: "label_not_voided",
    subject: id,
    orderId,
    message: `The label ${trackingNumber ?? "of an erased order"} of ${carrier} was bought, and could not be voided: ${failure} Ask the carrier for its price, and close this when it is settled`,
  });
}

/**
 * Checks whether the carrier refunded a voided label, until it decides, which may take days. Raises an issue if the carrier
 * refuses or does not decide in time, unless the label is a test label and the shop accepts real payments.
 */
export async function settleRefund(ctx: ShopContext, label: LabelRow): Promise<void> {
  const { id, orderId, carrier, mode, voidedAt: voidedSince } = label;
  const now = ctx.now();
  const isVoid = and(eq(labels.id, id), eq(labels.state, "voided"), isNotNull(labels.askingUntil));
  // Stored before the call, so that a failing label is not tried before the others in the next run.
  await ctx.db
    .update(labels)
    .set({ askingUntil: new Date(now.getTime() + refundEveryMs) })
    .where(isVoid);
  const isOverdue = now.getTime() - (voidedSince ?? now).getTime() > refundPendingMs;
  let refund: RefundState = "pending";
  try {
    const seller = labelCarrier(ctx, label);
    // The owner has counted the label as void, and the carrier has not confirmed it.
    if (label.failure !== null) await seller?.void(label);
    refund = (await seller?.readRefund(label)) ?? "pending";
  } catch (err) {
    if (err instanceof CarrierRefused) refund = "rejected";
    else ctx.log.warn({ err, labelId: id }, "whether a label was refunded is not known yet");
  }
  if (refund === "pending" && !isOverdue) return;
  await ctx.db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(labels)
      .set({ askingUntil: null, ...(refund === "rejected" && { refundRejectedAt: now }) })
      .where(isVoid);
    const isCounted = countedModes[ctx.provider.mode].includes(mode);
    if (rowCount !== 1 || refund === "refunded" || !isCounted) return;
    const name = `The label ${label.trackingNumber ?? "of an erased order"} of ${carrier}`;
    const message =
      refund === "rejected"
        ? `${name} was voided, but the carrier has refused to give its price back since: ${formatCents(label.amountCents)} count as shipping cost again. Ask the carrier, and close this when it is settled`
        : `${name} was voided, and after ${refundPendingMs / dayMs} days the carrier has still not said whether it gives its price back. The shop no longer asks, and the books count it as given back: look at your account there, and close this when it is settled`;
    await raiseIssue(tx, { kind: notRefunded.kind, subject: notRefunded.subject(id), orderId, message });
  });
}

/** Time in which a failed purchase may still be completed by the carrier. */
export const doubtfulMs = 24 * hourMs;

/**
 * Checks whether a failed purchase was completed after all, and voids its label then. Raises an issue if that is still unknown
 * after a day.
 */
export async function refundLatePurchase(ctx: ShopContext, label: LabelRow): Promise<void> {
  const { id, orderId, provider, carrier, parcelRef, calledAt, createdAt } = label;
  const now = ctx.now();
  const isOverdue = now.getTime() - (calledAt ?? now).getTime() > doubtfulMs;
  const claim = await ctx.db
    .update(labels)
    .set({ askingUntil: new Date(now.getTime() + hourMs) })
    .where(and(eq(labels.id, id), eq(labels.state, "failed"), isDueAt(now)));
  if (claim.rowCount !== 1) return;
  let isKnown = true;
  try {
    await voidIfFound(ctx, label);
  } catch (err) {
    if (!isOverdue) throw err;
    ctx.log.warn({ err, labelId: id, orderId }, "whether a label was bought was not found out");
    isKnown = false;
  }
  if (!isOverdue) return;
  const createdOn = dateIn(await ownerTimeZone(ctx), createdAt);
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(labels)
      .set({ askingUntil: null })
      .where(and(eq(labels.id, id), eq(labels.state, "failed")));
    if (isKnown) return;
    const message = `Whether ${carrier} sold a label of this order on ${createdOn} could not be found out, and the shop no longer asks. Look for the shipment ${parcelRef} at your account with ${provider === "sandbox" ? carrier : connectionTitles[provider]}: if it has a label, void it there, and close this then`;
    await raiseIssue(tx, { kind: "label_doubtful", subject: id, orderId, message });
  });
}

async function voidIfFound(ctx: ShopContext, label: LabelRow): Promise<void> {
  const { id, orderId } = label;
  const now = ctx.now();
  const carrier = labelCarrier(ctx, label);
  if (!carrier) throw new Error("the carrier that sells it is not connected");
  const purchase = await carrier.find(label);
  if (!purchase) return;
  const { trackingNumber } = purchase;
  let refusal: string | null = null;
  try {
    await carrier.void(label);
  } catch (error) {
    if (!(error instanceof CarrierRefused)) throw error;
    refusal = error.message;
  }
  await ctx.db.transaction(async (tx) => {
    // Without a refund the price counts as a cost in the books.
    const rejection = refusal !== null && { askingUntil: null, refundRejectedAt: now };
    await tx
      .update(labels)
      .set({ ...voidedColumns(now), boughtAt: now, trackingNumber, ...rejection })
      .where(and(eq(labels.id, id), eq(labels.state, "failed")));
    if (refusal !== null) await raiseNotVoided(tx, { ...label, trackingNumber }, refusal);
  });
  ctx.log.warn({ labelId: id, orderId }, "a label turned up that counted as not bought");
}
