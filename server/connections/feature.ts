import type { Feature } from "../feature.ts";
import { connectionsApi } from "./api.ts";

export const connectionsFeature = {
  api: connectionsApi,
} satisfies Feature;
