import type { Feature } from "../feature.ts";
import { goLiveApi } from "./api.ts";

/** Whether the shop is ready to take money. */
export const goLiveFeature = {
  api: goLiveApi,
} satisfies Feature;
