import { readGiving } from "../orders/giving.ts";
import type { Shop } from "../pages/shop.ts";
import { keptFor } from "../platform/kept.ts";
import { type GoodsParts, goodsOnShow } from "./shop-goods.ts";
import { linkChecks } from "./shop-links.ts";
import { type ViewerOrdersParts, viewerOrders } from "./shop-orders.ts";

const givingKeptMs = 60_000;

export type ShopParts = GoodsParts & ViewerOrdersParts & { development: boolean };

/** Puts the features together for pages. Decides nothing itself. */
export function createShop(parts: ShopParts): Shop {
  const { checkout, development } = parts;
  const { db, log, now, provider, publicUrl, settings } = checkout;
  return {
    frame: {
      provider: provider.name,
      publishableKey: provider.publishableKey,
      publicUrl,
      development,
    },
    report: (error) => log.error({ err: error }, "a page could not be made whole"),
    settings,
    giving: keptFor(givingKeptMs, now, () => readGiving(db, provider.mode)),
    ...goodsOnShow(parts),
    ...viewerOrders(parts),
    ...linkChecks({ db, now, secret: parts.linkSecret, mode: provider.mode }),
  };
}
