import type { Feature } from "../feature.ts";
import { cartApi } from "./api.ts";
import { purgeCarts } from "./commands.ts";
import { eraseCarts, exportCarts } from "./personal-data.ts";

export const cartFeature = {
  api: cartApi,
  purges: [purgeCarts],
  personalData: { lists: { carts: exportCarts }, erase: eraseCarts },
} satisfies Feature;
