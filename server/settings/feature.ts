import type { Feature } from "../feature.ts";
import { settingsApi } from "./api.ts";
import { rotateSecretsKey } from "./secrets.ts";
import { smsApi } from "./sms-api.ts";
import { settingsWatch } from "./watch.ts";

/** The shop's settings, and the stored keys of other services. */
export const settingsFeature = {
  api: [...settingsApi, ...smsApi],
  atStart: rotateSecretsKey,
  cron: (ctx) => [settingsWatch(ctx)],
} satisfies Feature;
