import { catalogApi } from "../catalog/api.ts";
import { forgetViews } from "../catalog/commands.ts";
import { catalogTasks, tidyPictures } from "../catalog/jobs.ts";
import { openPictureStore } from "../catalog/pictures.ts";
import { discountsApi } from "../discounts/api.ts";
import { setFree } from "../inventory/adjust.ts";
import { inventoryApi } from "../inventory/api.ts";
import { addToShelf } from "../inventory/commands.ts";
import { watchStockEverySeconds, watchStockTask } from "../inventory/jobs.ts";
import { recallApi } from "../inventory/recall-api.ts";
import { announceStock } from "../outbox/stock-news.ts";
import type { Area, AreaParts } from "./area.ts";

/** Products with their pictures, stock and discounts. */
export function catalogArea({ checkout, config, db, now, settings, shop }: AreaParts): Area {
  const pictures = openPictureStore(config.dataDir);
  const { today } = checkout;
  const lowStockAt = async () => (await settings.owner()).lowStockAt;
  const timeZone = async () => (await settings.owner()).timeZone;
  return {
    api: [
      ...catalogApi({
        db,
        now,
        products: shop.products,
        findProduct: shop.findProduct,
        store: pictures,
        shelf: { addToShelf, setFree },
      }),
      ...inventoryApi({ db, now, today, lowStockAt }),
      ...recallApi({ db, timeZone }),
      ...discountsApi({ db, now }),
    ],
    tasks: catalogTasks(db, pictures),
    cron: [
      {
        task: watchStockTask({ db, now, today, lowStockAt, announce: announceStock }),
        everySeconds: watchStockEverySeconds,
      },
    ],
    forgetters: [forgetViews, (tx, at) => tidyPictures(tx, at, pictures)],
  };
}
