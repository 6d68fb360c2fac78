import { thumbnailOf } from "../catalog/pictures/sizes.ts";
import type { ShopContext, ShopInput } from "../context.ts";
import { askForDiscount } from "../discounts/queries.ts";
import { orderNews } from "../orders/open-news.ts";
import type { OpenParts } from "./parts.ts";

export function openParts(
  { config, db, now }: ShopInput,
  { settings, ownerSettings }: Pick<ShopContext, "settings" | "ownerSettings">,
): OpenParts {
  return {
    news: orderNews(settings),
    thumbnail: thumbnailOf,
    askForDiscount: async (ask) =>
      askForDiscount(db, { ...ask, now: now(), timeZone: (await ownerSettings()).timeZone }),
    reservationSeconds: config.reservationSeconds,
  };
}
