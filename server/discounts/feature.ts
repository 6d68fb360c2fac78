import type { Feature } from "../feature.ts";
import { discountsApi } from "./api.ts";

export const discountsFeature = {
  api: discountsApi,
} satisfies Feature;
