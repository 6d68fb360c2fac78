import type { Feature } from "../feature.ts";
import { discountsApi } from "./api.ts";
import { purgePersonalCodes } from "./personal-codes.ts";

export const discountsFeature = {
  api: discountsApi,
  purges: [purgePersonalCodes],
} satisfies Feature;
