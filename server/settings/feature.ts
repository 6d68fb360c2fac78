import type { Feature } from "../feature.ts";
import { settingsApi } from "./api.ts";
import { settingsWatch, watchSettings } from "./watch.ts";

export const settingsFeature = {
  api: (ctx) => settingsApi({ ...ctx, onWrite: (tx) => watchSettings(tx, ctx) }),
  cron: (ctx) => [settingsWatch(ctx)],
} satisfies Feature;
