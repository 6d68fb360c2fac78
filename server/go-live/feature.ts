import type { Feature } from "../feature.ts";
import { goLiveApi } from "./api.ts";
import { archiveWatch } from "./archive-watch.ts";
import { noteBackupMark } from "./machine-checks.ts";
import { mailWatch } from "./mail-watch.ts";

/** Whether the shop is ready to take money. */
export const goLiveFeature = {
  api: goLiveApi,
  cron: (ctx) => [archiveWatch(ctx), mailWatch(ctx)],
  atStart: (ctx) => noteBackupMark(ctx),
} satisfies Feature;
