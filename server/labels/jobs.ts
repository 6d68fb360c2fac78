import { randomUUID } from "node:crypto";
import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, not, or, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import * as v from "valibot";
import type { LabelJob } from "../../domain/labels/labels.ts";
import type { Order } from "../../domain/orders/order.ts";
import { labelAddressDays, labelRateDays } from "../../domain/privacy/retention.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import type { ShopContext } from "../context.ts";
import { closeIssues, raiseIssue } from "../issues/issues.ts";
import { readUnitsToShip } from "../order-desk/actions.ts";
import { shippingProblem } from "../order-desk/fulfilment/shipping.ts";
import { findOrder } from "../orders/queries.ts";
import { orders } from "../orders/tables.ts";
import { forEachConcurrent } from "../platform/concurrency.ts";
import type { Db } from "../platform/database/database.ts";
import { addJob, defineJob, type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { buyLabel, isForAddress, settlePurchase, shipLabel } from "./buy.ts";
import { labelCarrier } from "./carriers.ts";
import { isDueAt, leaseMs } from "./label-rows.ts";
import { readOrderParcel } from "./parcel.ts";
import { checkAddress, requestRates } from "./rates.ts";
import { type LabelRow, labelJobOrders, labelJobs, labels } from "./tables.ts";
import { refundLatePurchase, requestVoid, settleRefund } from "./void.ts";

/** Low priority, so that payments go first. */
export const buyLabelsJob = defineJob({
  name: "buy_labels",
  payload: v.object({ jobId: uuidSchema }),
  lane: "money",
  priority: 30,
  maxAttempts: 5,
});

/** Carriers respond in a second or two, and limit the number of calls. */
const concurrency = 4;

/** Queues the purchase of a label for each order, at its proposed rate. Returns the job's id. */
export async function startLabelJob(ctx: ShopContext, orderIds: readonly string[]): Promise<string> {
  const id = randomUUID();
  await ctx.db.transaction(async (tx) => {
    await tx.insert(labelJobs).values({ id, createdAt: ctx.now() });
    const ids = new Set(orderIds.map((orderId) => orderId.toLowerCase()));
    const rows = [...ids].map((orderId, position) => ({ jobId: id, position, orderId }));
    await tx.insert(labelJobOrders).values(rows);
    await addJob(tx, buyLabelsJob, { jobId: id });
  });
  return id;
}

const isOpenRow = and(isNull(labelJobOrders.labelId), isNull(labelJobOrders.problem));

/** Buys the labels of a job that are still missing, so that it continues after a crash. */
export async function runLabelJob(ctx: ShopContext, jobId: string, signal: AbortSignal): Promise<void> {
  const openRows = await ctx.db
    .select()
    .from(labelJobOrders)
    .where(and(eq(labelJobOrders.jobId, jobId), isOpenRow))
    .orderBy(asc(labelJobOrders.position));
  await forEachConcurrent(openRows, concurrency, async ({ position, orderId }) => {
    if (signal.aborted) throw new Error("the server stops; the other labels are bought afterwards");
    const result = await buyProposed(ctx, orderId).catch((error: unknown) => {
      ctx.log.error({ err: error, orderId }, "A label of several could not be bought");
      return "Something went wrong in the shop. Try this order again.";
    });
    await ctx.db
      .update(labelJobOrders)
      .set(typeof result === "string" ? { problem: result } : { labelId: result.id })
      .where(and(eq(labelJobOrders.jobId, jobId), eq(labelJobOrders.position, position)));
  });
}

/** Ends jobs that have used up their attempts, for example on servers that were killed. */
async function endLostJobs({ db }: ShopContext): Promise<void> {
  const problem =
    "The shop was stopped or failed too often while it bought these labels. Try this order again.";
  const isAlive = sql`exists (select from jobs where name = ${buyLabelsJob.name} and payload ->> 'jobId' = ${labelJobOrders.jobId}::text
    and (attempts < max_attempts or leased_until > now()))`;
  await db
    .update(labelJobOrders)
    .set({ problem })
    .where(and(isOpenRow, not(isAlive)));
}

/** The order's label, bought at the proposed rate if it has none; or why it gets none. */
async function buyProposed(ctx: ShopContext, orderId: string): Promise<LabelRow | string> {
  if (!v.is(uuidSchema, orderId)) return "There is no such order.";
  const existingLabel = await findOrderLabel(ctx.db, orderId);
  if (existingLabel) {
    const settledLabel = await settlePurchase(ctx, existingLabel);
    if (settledLabel.state === "bought") return settledLabel;
    if (settledLabel.state === "buying")
      return "The carrier has not answered yet. Look at the order in a minute.";
  }
  const parcel = await readOrderParcel(ctx, ctx.db, orderId);
  if ("problem" in parcel) return parcel.message;
  const { problem, correction } = await checkAddress(ctx, parcel);
  if (problem !== null) return `${problem} Look at its address, then buy its label in the order.`;
  if (correction)
    return "Carriers write its address in another way. Compare both, then buy its label in the order.";
  const rates = await requestRates(ctx, orderId);
  if ("problem" in rates) return rates.message;
  const [proposedRate] = rates;
  if (!proposedRate) return "The carrier offers no service for this parcel and address.";
  const result = await buyLabel(ctx, { orderId, rateId: proposedRate.rateId }, { onlyProposed: true });
  if ("label" in result) return result.label;
  // Another caller may have bought a label at another rate.
  const otherLabel = await findOrderLabel(ctx.db, orderId);
  return otherLabel?.state === "bought" ? otherLabel : result.message;
}

/** The label of an order's last parcel; null if unshipped units have no label. */
async function findOrderLabel(db: Db, orderId: string): Promise<LabelRow | null> {
  const order = await findOrder(db, orderId);
  if (!order) return null;
  const rows = await db
    .select()
    .from(labels)
    .where(
      and(eq(labels.orderId, orderId), isNull(labels.returnId), inArray(labels.state, ["buying", "bought"])),
    )
    .orderBy(asc(labels.createdAt));
  const unshippedLabel = rows.find(({ shippedAt }) => shippedAt === null);
  return unshippedLabel ?? (order.fulfilment === null ? null : (rows.at(-1) ?? null));
}

export async function readLabelJob(db: Db, jobId: string): Promise<LabelJob | null> {
  if ((await db.$count(labelJobs, eq(labelJobs.id, jobId))) === 0) return null;
  const rows = await db
    .select({
      orderId: labelJobOrders.orderId,
      number: orders.number,
      labelId: labelJobOrders.labelId,
      problem: labelJobOrders.problem,
    })
    .from(labelJobOrders)
    .leftJoin(orders, eq(sql`${orders.id}::text`, labelJobOrders.orderId))
    .where(eq(labelJobOrders.jobId, jobId))
    .orderBy(asc(labelJobOrders.position));
  const isDone = rows.every(({ labelId, problem }) => labelId !== null || problem !== null);
  return {
    status: isDone ? "done" : "running",
    rows: rows.map(({ orderId, number, labelId, problem }) => ({
      orderId,
      number,
      ok: labelId !== null,
      ...(labelId !== null && { labelId }),
      ...(problem !== null && { problem }),
    })),
    ...(rows.some(({ labelId }) => labelId !== null) && { pdfUrl: `/api/admin/labels/jobs/${jobId}/pdf` }),
  };
}

/** Job: settles labels left open by an unavailable carrier, a crash, a refund, or an order cancelled after the purchase. */
export function watchLabels(ctx: ShopContext): RecurringTask {
  const job = { name: "watch_labels", lane: "money", priority: 20, everySeconds: 60 } as const;
  return recurring(job, ({ signal }) => settleOpenLabels(ctx, signal));
}

const labelsPerRun = 200;
/** Few, because each needs a call to the carrier, and none is urgent. */
const refundsPerRun = 20;

/** Settles all open labels, and throws the first error at the end. */
export async function settleOpenLabels(ctx: ShopContext, signal?: AbortSignal): Promise<void> {
  const now = ctx.now();
  await resetFutureTimes(ctx);
  const isDue = isDueAt(now);
  const isUnclaimed = or(isNull(labels.askingUntil), isDueAt(now, leaseMs));
  const unshipped = and(eq(labels.state, "bought"), isNull(labels.shippedAt), isNull(labels.returnId));
  const errors: unknown[] = [];
  // Purchases and voids first, because a panel user waits for them; refunds last.
  for (const { condition, max } of [
    { condition: and(inArray(labels.state, ["buying", "voiding"]), isUnclaimed), max: labelsPerRun },
    { condition: or(and(eq(labels.state, "failed"), isDue), unshipped), max: labelsPerRun },
    { condition: and(eq(labels.state, "voided"), isDue), max: refundsPerRun },
  ]) {
    // The order is random, so that every label is settled by some run.
    const openLabels = await ctx.db.select().from(labels).where(condition).orderBy(sql`random()`).limit(max);
    for (const label of openLabels) {
      if (signal?.aborted) return;
      await settleOpenLabel(ctx, label).catch((error: unknown) => errors.push(error));
    }
  }
  await closeDecidedIssues(ctx);
  await endLostJobs(ctx);
  if (errors.length > 0) throw errors[0];
}

/**
 * Sets times in the future, which were stored while the clock was ahead, to now, so that an open label's waiting time starts
 * again.
 */
async function resetFutureTimes({ db, now }: ShopContext): Promise<void> {
  const at = now();
  // `least` ignores nulls, and would set a missing time.
  const orNow = (time: AnyPgColumn) =>
    sql`case when ${gt(time, at)} then ${at.toISOString()}::timestamptz else ${time} end`;
  const isOpen = or(
    inArray(labels.state, ["buying", "voiding"]),
    and(eq(labels.state, "failed"), isNotNull(labels.askingUntil)),
  );
  await db
    .update(labels)
    .set({ createdAt: orNow(labels.createdAt), calledAt: orNow(labels.calledAt) })
    .where(and(isOpen, or(gt(labels.createdAt, at), gt(labels.calledAt, at))));
}

async function settleOpenLabel(ctx: ShopContext, label: LabelRow): Promise<void> {
  if (label.state === "buying") await raiseIfUndecided(ctx, await settlePurchase(ctx, label));
  else if (label.state === "voiding") await raiseIfUndecided(ctx, await requestVoid(ctx, label.id));
  else if (label.state === "failed") await refundLatePurchase(ctx, label);
  else if (label.state === "voided") await settleRefund(ctx, label);
  else await settleUnshipped(ctx, label);
}

const undecidedMs = 2 * 60 * 60 * 1000;
const undecidedKind = "label_undecided";

/** Raises an issue if the carrier does not respond or is no longer connected: the order cannot get another label. */
async function raiseIfUndecided(ctx: ShopContext, label: LabelRow): Promise<void> {
  const { id, orderId, carrier, state, createdAt, calledAt } = label;
  if (state !== "buying" && state !== "voiding") return;
  const since = state === "voiding" && calledAt !== null ? calledAt : createdAt;
  const isOverdue = ctx.now().getTime() - since.getTime() > undecidedMs;
  if (labelCarrier(ctx, label) !== null && !isOverdue) return;
  const what = state === "buying" ? "whether it sold" : "whether it voids";
  const advice =
    state === "voiding" ? ". To buy another label all the same, count this one as void, in the order" : "";
  const message = `${carrier} does not say ${what} a label of this order. The shop keeps asking, and buys it no other label until then: look whether the key under Keys and connections still works, and at your account there${advice}`;
  await ctx.db.transaction((tx) => raiseIssue(tx, { kind: undecidedKind, subject: id, orderId, message }));
}

async function closeDecidedIssues({ db, now }: ShopContext): Promise<void> {
  const undecided = await db
    .select({ id: labels.id })
    .from(labels)
    .where(inArray(labels.state, ["buying", "voiding"]));
  await closeIssues(db, {
    kind: undecidedKind,
    except: undecided.map(({ id }) => id),
    resolution: "Automatically: the carrier has answered",
    now: now(),
  });
}

/** Voids a bought label if its order no longer ships, or marks its parcel as shipped if the owner's settings say so. */
async function settleUnshipped(ctx: ShopContext, label: LabelRow): Promise<void> {
  const order = await findOrder(ctx.db, label.orderId);
  if (!order) return;
  const canShip = shippingProblem(order) === null;
  if (canShip && (await matchesParcel(ctx, label, order))) {
    if (await countsAsShipped(ctx, label))
      await ctx.db.transaction((tx) => shipLabel(ctx, tx, label.id, { isPurchase: false }));
    return;
  }
  // The provider has refused to void it, and an issue was raised.
  if (label.failure !== null) return;
  // A printed label of an order that still ships may be on a parcel.
  if (order.fulfilment === null && !(canShip && label.printedAt !== null)) {
    await requestVoid(ctx, label.id);
    return;
  }
  const since = canShip ? "its address or contents have changed since" : "the order left with another number";
  await raiseIssue(ctx.db, {
    kind: "label_unused",
    subject: label.id,
    orderId: label.orderId,
    message: `A label was bought (${label.carrier}, ${label.trackingNumber}), but ${since}. Void the label if it was not used`,
  });
}

/** Whether the units and address that the label was bought for are still to ship, and the label can be printed. */
async function matchesParcel({ db }: ShopContext, label: LabelRow, order: Order): Promise<boolean> {
  const unitsToShip = await readUnitsToShip(db, order.id);
  const isLeft = ({ productId, quantity }: LabelRow["lines"][number]) =>
    unitsToShip.some((line) => line.productId === productId && line.quantity >= quantity);
  const isLost = label.provider !== "sandbox" && label.picture === null && label.recipient !== null;
  return !isLost && isForAddress(label, order) && label.lines.every(isLeft);
}

/** Whether the parcel of an unshipped label counts as shipped by the owner's current setting. */
async function countsAsShipped(ctx: ShopContext, label: LabelRow): Promise<boolean> {
  const { shippedWhen } = (await ctx.ownerSettings()).labels;
  if (shippedWhen === "bought") return true;
  if (shippedWhen === "printed") return label.printedAt !== null;
  return label.tracking !== "announced";
}

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000);

export async function purgeLabelAddresses({ db, now }: ShopContext): Promise<void> {
  await db
    .update(labels)
    .set({ recipient: null, picture: null })
    .where(and(isNotNull(labels.recipient), lt(labels.createdAt, daysBefore(now(), labelAddressDays))));
}

export async function purgeLabelRates({ db, now }: ShopContext): Promise<void> {
  const before = daysBefore(now(), labelRateDays).toISOString();
  await db.execute(sql`delete from label_rates where asked_at < ${before}::timestamptz`);
}

export async function purgeLabelJobs({ db, now }: ShopContext): Promise<void> {
  await db.delete(labelJobs).where(lt(labelJobs.createdAt, daysBefore(now(), labelAddressDays)));
}
