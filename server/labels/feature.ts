import { asc, eq, inArray } from "drizzle-orm";
import type { Feature } from "../feature.ts";
import { task } from "../platform/jobs/jobs.ts";
import { labelsApi } from "./api.ts";
import {
  buyLabelsJob,
  purgeLabelAddresses,
  purgeLabelJobs,
  purgeLabelRates,
  runLabelJob,
  watchLabels,
} from "./jobs.ts";
import { liveRates } from "./live-rates.ts";
import { labelMail } from "./mail.ts";
import { outsideLabelsApi } from "./outside-labels.ts";
import { labelRates, labels } from "./tables.ts";
import { lookAfterParcelJob, lookAfterParcelOf, trackingApi, watchParcels } from "./tracking.ts";

/** Labels that carriers sell for parcels: rates, purchase, printing and voiding. */
export const labelsFeature = {
  api: [...labelsApi, ...outsideLabelsApi, ...trackingApi],
  tasks: (ctx) => [
    task(buyLabelsJob, ({ jobId }, { signal }) => runLabelJob(ctx, jobId, signal)),
    task(lookAfterParcelJob, ({ labelId }) => lookAfterParcelOf(ctx, labelId)),
  ],
  mail: labelMail,
  liveRates,
  cron: (ctx) => [watchLabels(ctx), watchParcels(ctx)],
  purges: [purgeLabelAddresses, purgeLabelRates, purgeLabelJobs],
  personalData: {
    ofOrder: async (db, orderId) => ({
      labels: await db
        .select({
          carrier: labels.carrier,
          service: labels.service,
          trackingNumber: labels.trackingNumber,
          boughtAt: labels.boughtAt,
          voidedAt: labels.voidedAt,
          recipient: labels.recipient,
          forcedReason: labels.forcedReason,
        })
        .from(labels)
        .where(eq(labels.orderId, orderId))
        .orderBy(asc(labels.createdAt)),
    }),
    async eraseOrders(tx, orderIds) {
      await tx
        .update(labels)
        .set({ recipient: null, picture: null, trackingNumber: null, forcedReason: null })
        .where(inArray(labels.orderId, orderIds));
      await tx.delete(labelRates).where(inArray(labelRates.orderId, orderIds));
    },
  },
} satisfies Feature;
