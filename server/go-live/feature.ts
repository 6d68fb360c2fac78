import type { Feature } from "../feature.ts";
import { goLiveApi } from "./api.ts";
import { recordBackupMarker } from "./machine-checks.ts";
import { archiveWatch, mailWatch } from "./watch.ts";

/** Whether the shop is ready to take money. */
export const goLiveFeature = {
  api: goLiveApi,
  cron: (ctx) => [archiveWatch(ctx), mailWatch(ctx)],
  atStart: (ctx) => recordBackupMarker(ctx),
} satisfies Feature;
