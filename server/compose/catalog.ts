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
import { announceStock } from "../notifications/stock-news.ts";
import type { Area, AreaParts } from "./area.ts";

/** Products with their pictures, stock and discounts. */
export function catalogArea({ config, db, now, settings, shop }: AreaParts): Area {
  const pictures = openPictureStore(config.dataDir);
  const lowStockAt = async () => (await settings.owner()).lowStockAt;
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
      ...inventoryApi({ db, now, lowStockAt }),
      ...recallApi({ db }),
      ...discountsApi({ db, now }),
    ],
    tasks: catalogTasks(db, pictures),
    cron: [
      {
        task: watchStockTask({ db, now, lowStockAt, announce: announceStock }),
        everySeconds: watchStockEverySeconds,
      },
    ],
    forgetters: [forgetViews, (tx, at) => tidyPictures(tx, at, pictures)],
  };
}
