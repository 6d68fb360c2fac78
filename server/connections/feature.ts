import type { Feature } from "../feature.ts";
import { connectionsApi } from "./api.ts";

/** The keys of the services that the shop speaks to, entered in the panel. */
export const connectionsFeature = {
  api: connectionsApi,
} satisfies Feature;
