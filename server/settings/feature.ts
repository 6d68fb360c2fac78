import type { Feature } from "../feature.ts";
import { settingsApi } from "./api.ts";
import { settingsWatch } from "./watch.ts";

/** What the owner decides about the shop. */
export const settingsFeature = {
  api: settingsApi,
  cron: (ctx) => [settingsWatch(ctx)],
} satisfies Feature;
