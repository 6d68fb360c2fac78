import { inject } from "vitest";
import type { SharedShop } from "./global-shop.ts";

/** The shop of this test file. Files that run at the same time have one each, so that none changes another's prices. */
export function shopHere(): SharedShop {
  const shops = inject("shops");
  const shop = shops[Number(process.env.VITEST_POOL_ID) - 1];
  if (!shop) throw new Error(`There are ${shops.length} shops for more workers than that`);
  return shop;
}
