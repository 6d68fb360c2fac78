import type { Feature } from "../feature.ts";
import { settingsApi } from "./api.ts";
import { sealAnew } from "./seal-anew.ts";
import { smsApi } from "./sms-api.ts";
import { settingsWatch } from "./watch.ts";

/** What the owner decides about the shop, and the keys of other services that the panel keeps. */
export const settingsFeature = {
  api: [...settingsApi, ...smsApi],
  atStart: sealAnew,
  cron: (ctx) => [settingsWatch(ctx)],
} satisfies Feature;
