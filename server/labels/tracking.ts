import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql } from "drizzle-orm";
import * as v from "valibot";
import { compactTracking, type TrackingState } from "../../domain/orders/tracking.ts";
import { uuidSchema } from "../../domain/shared/uuid.ts";
import { dataEnvelope, ok, route } from "../api-row.ts";
import { trackingWebhookKey } from "../connections/carrier-keys.ts";
import type { ShopContext } from "../context.ts";
import { closeIssuesAbout, raiseIssue, updateIssue } from "../issues/issues.ts";
import { deliverOrder } from "../order-desk/fulfilment/shipping.ts";
import { shipments } from "../order-desk/tables.ts";
import { forEachConcurrent } from "../platform/concurrency.ts";
import { notFoundProblem } from "../platform/http/problem.ts";
import { isSameSecret } from "../platform/http/signed-token.ts";
import { addJob, defineJob, type JobContext, type RecurringTask, recurring } from "../platform/jobs/jobs.ts";
import { shipLabel } from "./buy.ts";
import { labelCarrier } from "./carriers.ts";
import { raiseKeptDuplicates, readLabel } from "./label-rows.ts";
import { enqueueParcelDelayed } from "./mail.ts";
import { type LabelRow, labels } from "./tables.ts";

export const trackParcelJob = defineJob({
  name: "look_after_parcel",
  payload: v.object({ labelId: uuidSchema }),
  lane: "mail",
  priority: 30,
  maxAttempts: 5,
});

const hourMs = 60 * 60 * 1000;
/** Interval after which a parcel's tracking state is requested if the provider has sent no message. */
const pollAfterMs = { onTheWay: 6 * hourMs, delivered: 24 * hourMs };
/** Days for which a parcel is tracked. If it is not delivered by then, it is lost or its carrier does not report the delivery. */
const trackedDays = 60;
/** Days after its delivery in which a carrier may still report that a parcel was returned to its sender. */
const deliveredDays = 14;
const concurrency = 4;
const parcelsPerRun = 60;

/** SQL condition: the label's parcel may still be on its way, to its recipient or back to its sender. */
function isTracked({ now }: ShopContext) {
  const daysAgo = (days: number) => new Date(now().getTime() - days * 24 * hourMs);
  return and(
    eq(labels.state, "bought"),
    gt(labels.boughtAt, daysAgo(trackedDays)),
    or(
      ne(labels.tracking, "delivered"),
      and(isNull(labels.returnId), gt(labels.trackingSince, daysAgo(deliveredDays))),
    ),
    ne(labels.provider, "sandbox"),
    isNotNull(labels.trackingNumber),
  );
}

/** Job: requests the state of parcels about which the provider has sent no message for some time. */
export function watchParcels(ctx: ShopContext): RecurringTask {
  const job = { name: "watch_parcels", lane: "mail", priority: 40, everySeconds: 900 } as const;
  return recurring(job, () => trackParcels(ctx));
}

export async function trackParcels(ctx: ShopContext): Promise<void> {
  const now = ctx.now().getTime();
  const inAnHour = new Date(now + hourMs);
  const rows = await ctx.db
    .select()
    .from(labels)
    .where(
      and(
        isTracked(ctx),
        // A time more than an hour ahead was stored while the clock was ahead.
        or(
          isNull(labels.trackedAt),
          lt(labels.trackedAt, new Date(now - pollAfterMs.delivered)),
          and(ne(labels.tracking, "delivered"), lt(labels.trackedAt, new Date(now - pollAfterMs.onTheWay))),
          gt(labels.trackedAt, inAnHour),
        ),
      ),
    )
    // Parcels on their way come first, because there may be many delivered parcels.
    .orderBy(sql`${labels.tracking} = 'delivered'`, sql`${labels.trackedAt} nulls first`)
    .limit(parcelsPerRun);
  await forEachConcurrent(rows, concurrency, (row) =>
    trackParcel(ctx, row).catch((err: unknown) => warn(ctx, row.id, err)),
  );
}

const warn = ({ log }: ShopContext, labelId: string, err: unknown) =>
  log.warn({ err, labelId }, "a carrier did not say where a parcel is");

/** Requests a parcel's tracking state, and records a change. */
async function trackParcel(ctx: ShopContext, label: LabelRow): Promise<void> {
  const { id } = label;
  // Stored before the call, so that a failing parcel is not tried before the others in the next run.
  await ctx.db.update(labels).set({ trackedAt: ctx.now() }).where(eq(labels.id, id));
  const purchase = await labelCarrier(ctx, label)?.find(label);
  if (!purchase) return;
  await ctx.db.transaction((tx) => raiseKeptDuplicates(tx, label, purchase));
  if (purchase.tracking === label.tracking) return;
  await recordTracking(ctx, label, purchase.tracking);
}

async function recordTracking(ctx: ShopContext, label: LabelRow, tracking: TrackingState): Promise<void> {
  const { id, orderId, returnId, carrier, trackingNumber } = label;
  if (tracking !== "announced") {
    // The owner may have chosen that an order counts as shipped from the carrier's first scan.
    await ctx.db.transaction((tx) => shipLabel(ctx, tx, id, { isPurchase: false }));
  }
  if (tracking === "delivered" && returnId === null) {
    // Does nothing if the delivery was recorded by hand or the order was cancelled.
    await deliverOrder(ctx, { orderId, shipmentId: id });
  }
  await ctx.db.transaction(async (tx) => {
    const now = ctx.now();
    // Of several simultaneous reports, only one finds the former state.
    const isChange = and(
      eq(labels.id, id),
      ne(labels.tracking, tracking),
      tracking === "exception" ? undefined : ne(labels.tracking, "delivered"),
    );
    const { rowCount } = await tx.update(labels).set({ tracking, trackingSince: now }).where(isChange);
    if (rowCount !== 1) return;
    const hasArrived =
      (await tx.$count(shipments, and(eq(shipments.id, id), isNotNull(shipments.deliveredAt)))) > 0;
    // The subject differs from that of issues about the label itself. A return after the delivery has a subject of its own, so
    // that the owner is notified even if the parcel had a problem before. Its issue stays open, because a delivery back to the
    // sender looks the same.
    const subject = `${hasArrived ? "returned" : "parcel"}:${id}`;
    if (tracking !== "exception") {
      await closeIssuesAbout(tx, {
        subject: `parcel:${id}`,
        resolution: "Automatically: the parcel goes on",
        now,
      });
      return;
    }
    const parcel = `${returnId === null ? "parcel" : "the returned parcel"} ${trackingNumber}`;
    const guess = hasArrived
      ? ", which counts as delivered: it may be on its way back"
      : ": it may be lost, damaged or on its way back";
    const message = `${carrier} reports a problem with ${parcel}${guess}. Look at its tracking page and write to the buyer`;
    const issue = { kind: "parcel_exception", subject, orderId, message };
    if (!(await raiseIssue(tx, issue))) await updateIssue(tx, { ...issue, isReopened: true });
    if (returnId === null && !hasArrived) await enqueueParcelDelayed(tx, { orderId, labelId: id, now });
  });
}

/** Job: throws to be retried, except at its last attempt, so that no failed job is reported: `watchParcels` tries again anyway. */
export async function runTrackParcelJob(
  ctx: ShopContext,
  labelId: string,
  { isLastAttempt }: Pick<JobContext, "isLastAttempt">,
): Promise<void> {
  await trackParcel(ctx, await readLabel(ctx.db, labelId)).catch((err: unknown) => {
    if (!isLastAttempt) throw err;
    warn(ctx, labelId, err);
  });
}

/** A text without NUL characters, which the database cannot compare. */
const numberSchema = v.pipe(v.string(), v.excludes("\0"));
const messageSchema = v.union([
  v.object({ result: v.object({ tracking_code: numberSchema }) }),
  v.object({ data: v.object({ tracking_number: numberSchema }) }),
]);

/**
 * Webhooks of EasyPost and Shippo. Only the tracking number is read from a message; the state is then requested with the shop's
 * key, so that a forged message changes nothing.
 */
export const trackingApi = [
  route("POST /api/parcels", {
    tag: "Labels",
    access: "provider",
    summary: "Receive a message of EasyPost or Shippo about a parcel",
    limit: "none",
    query: v.object({ key: v.optional(v.string(), "") }),
    response: dataEnvelope(v.object({ received: v.boolean() })),
    responses: {
      200: "Received; the shop then requests the parcel's state from the provider",
      404: "The key in the address is wrong",
    },
    handle: async (ctx, { query: { key }, rawBody }) => {
      const expectedKey = await trackingWebhookKey(ctx);
      if (expectedKey === null || !isSameSecret(key, expectedKey)) return notFoundProblem("address");
      const number = numberIn(rawBody);
      const rows =
        number === null
          ? []
          : await ctx.db
              .select({ id: labels.id })
              .from(labels)
              .where(and(isTracked(ctx), inArray(labels.trackingNumber, [number, compactTracking(number)])));
      await ctx.db.transaction(async (tx) => {
        for (const { id } of rows)
          await addJob(tx, trackParcelJob, { labelId: id }, { key: `look_after_parcel:${id}` });
      });
      return ok({ received: true });
    },
  }),
];

/** The tracking number in a message; null if it is about another subject. */
function numberIn(rawBody: string): string | null {
  try {
    const message = v.parse(messageSchema, JSON.parse(rawBody));
    return "result" in message ? message.result.tracking_code : message.data.tracking_number;
  } catch {
    return null;
  }
}
