import { thumbnailOf } from "../catalog/pictures/sizes.ts";
import type { ShopContext, ShopInput } from "../context.ts";
import { askForDiscount } from "../discounts/queries.ts";
import type { OpenParts } from "./parts.ts";

export function openParts(
  { config, db, now }: ShopInput,
  { ownerSettings }: Pick<ShopContext, "ownerSettings">,
): OpenParts {
  return {
    thumbnail: thumbnailOf,
    askForDiscount: async (ask) =>
      askForDiscount(db, { ...ask, now: now(), timeZone: (await ownerSettings()).timeZone }),
    reservationSeconds: config.reservationSeconds,
  };
}
