import type { Feature } from "../feature.ts";
import { cartApi } from "./api.ts";
import { purgeCarts } from "./commands.ts";

export const cartFeature = {
  api: cartApi,
  purges: [purgeCarts],
} satisfies Feature;
