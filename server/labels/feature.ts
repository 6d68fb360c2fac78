import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { pick } from "../../domain/shared/pick.ts";
import { businessDaysLater } from "../../domain/shared/zoned-days.ts";
import { expeditedOptionIds, type LiveRates } from "../../domain/shipping/shipping-policy.ts";
import type { LiveRatesRequest } from "../cart/live-rates.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { task } from "../platform/jobs/jobs.ts";
import { labelsApi } from "./api.ts";
import { carriersFor } from "./carriers.ts";
import {
  buyLabelsJob,
  purgeLabelAddresses,
  purgeLabelJobs,
  purgeLabelRates,
  runLabelJob,
  watchLabels,
} from "./jobs.ts";
import { labelMail } from "./mail.ts";
import { outsideLabelsApi } from "./outside-labels.ts";
import { fetchOffers, parcelTo, sortOffers } from "./rates.ts";
import { labelJobOrders, labelRates, labels } from "./tables.ts";
import { runTrackParcelJob, trackingApi, trackParcelJob, watchParcels } from "./tracking.ts";

const deletedText = "The reason was deleted with the buyer’s data.";

/** Offers rates for carriers' labels, and buys, prints and voids labels. */
export const labelsFeature = {
  api: [...labelsApi, ...outsideLabelsApi, ...trackingApi],
  tasks: (ctx) => [
    task(buyLabelsJob, ({ jobId }, { signal }) => runLabelJob(ctx, jobId, signal)),
    task(trackParcelJob, ({ labelId }, job) => runTrackParcelJob(ctx, labelId, job)),
  ],
  mail: labelMail,
  liveRates,
  cron: (ctx) => [watchLabels(ctx), watchParcels(ctx)],
  purges: [purgeLabelAddresses, purgeLabelRates, purgeLabelJobs],
  personalData: {
    ofOrder: async (db, orderId) => ({
      labels: await db
        .select({
          ...pick(
            labels,
            "carrier",
            "service",
            "trackingNumber",
            "boughtAt",
            "voidedAt",
            "recipient",
            "forcedReason",
          ),
        })
        .from(labels)
        .where(eq(labels.orderId, orderId))
        .orderBy(asc(labels.createdAt)),
    }),
    async eraseOrders(tx, orderIds) {
      await tx
        .update(labels)
        .set({
          recipient: null,
          picture: null,
          trackingNumber: null,
          forcedReason: null,
          // The carrier's message may contain the address, but it must still be visible that the label was refused.
          failure: sql`case when ${labels.failure} is not null then ${deletedText} end`,
        })
        .where(inArray(labels.orderId, orderIds));
      await tx
        .update(labelJobOrders)
        .set({ problem: deletedText })
        .where(and(inArray(labelJobOrders.orderId, orderIds), isNotNull(labelJobOrders.problem)));
      await tx.delete(labelRates).where(inArray(labelRates.orderId, orderIds));
    },
  },
} satisfies Feature;

/**
 * The current price of each shipping option: the price of the service that the shop would propose for a parcel that is shipped
 * today and must arrive within the option's delivery days. For standard options, a service without a delivery day counts as on
 * time. Options without a service are omitted.
 */
async function liveRates(ctx: ShopContext, request: LiveRatesRequest): Promise<LiveRates> {
  const { items: lines, address, options, signal } = request;
  const carriers = carriersFor(ctx, null);
  if ("problem" in carriers) return {};
  const { labels: settings } = await ctx.ownerSettings();
  // The parcel lacks the buyer's name, which does not affect the price; carriers get it only when a label is bought.
  const parcel = await parcelTo(
    ctx,
    { name: "Customer", phone: null, address },
    { lines, carriers },
    settings,
  );
  if ("problem" in parcel) return {};
  const offers = await fetchOffers(ctx, carriers, parcel, signal);
  if ("problem" in offers) return {};
  // Cheap services abroad often have no delivery day. Buyers who did not choose a fast option must not pay for express instead.
  const standardOffers = offers.map((rate) => ({ ...rate, arrivesOn: rate.arrivesOn ?? parcel.today }));
  const expedited = expeditedOptionIds((await ctx.settings()).shipping);
  return Object.fromEntries(
    options.flatMap((option) => {
      const isExpedited = expedited.includes(option.id);
      const promisedUntil = businessDaysLater(parcel.today, option.days[1]);
      const speed = { isExpedited, promisedUntil };
      const [proposedOffer] = sortOffers(isExpedited ? offers : standardOffers, settings, speed);
      return proposedOffer && proposedOffer.amountCents > 0 ? [[option.id, proposedOffer.amountCents]] : [];
    }),
  );
}
