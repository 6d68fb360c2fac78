import type { Feature } from "../feature.ts";
import { task } from "../platform/jobs/jobs.ts";
import { webhooksApi } from "./api.ts";
import { purgeDeliveries } from "./commands.ts";
import { deliverWebhooks, deliverWebhooksJob } from "./deliver.ts";

/** Sends events to other programs, signed. */
export const webhooksFeature = {
  api: webhooksApi,
  tasks: (ctx) => [task(deliverWebhooksJob, (chain, { signal }) => deliverWebhooks(ctx, chain, signal))],
  purges: [purgeDeliveries],
} satisfies Feature;
