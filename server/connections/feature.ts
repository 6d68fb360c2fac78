import type { Feature } from "../feature.ts";
import { connectionsApi } from "./api.ts";
import { sealAnew } from "./seal-anew.ts";

/** The keys of the services that the shop speaks to, entered in the panel. */
export const connectionsFeature = {
  api: connectionsApi,
  atStart: sealAnew,
} satisfies Feature;
