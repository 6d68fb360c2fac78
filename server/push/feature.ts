import type { Feature } from "../feature.ts";
import { task } from "../platform/jobs/jobs.ts";
import { pushApi } from "./api.ts";
import { notifyDevice } from "./deliver.ts";
import { purgeDevices } from "./devices.ts";
import { notifyDeviceJob } from "./notify.ts";

/** Notifications on the phones of those who work in the panel. */
export const pushFeature = {
  api: pushApi,
  tasks: (ctx) => [task(notifyDeviceJob, (payload, job) => notifyDevice(ctx, payload, job))],
  purges: [purgeDevices],
} satisfies Feature;
