import type { Feature } from "../feature.ts";
import { adminCatalogApi } from "./admin-api.ts";
import { catalogApi } from "./api.ts";
import { bundlesApi } from "./bundles/api.ts";
import { familiesApi } from "./families/api.ts";
import { productLifecycleApi } from "./lifecycle-api.ts";
import { picturesApi } from "./pictures/api.ts";
import { makePictureTasks, purgePictures } from "./pictures/jobs.ts";
import { purgeViews } from "./views.ts";

export const catalogFeature = {
  api: [
    ...catalogApi,
    ...adminCatalogApi,
    ...bundlesApi,
    ...picturesApi,
    ...productLifecycleApi,
    ...familiesApi,
  ],
  tasks: (ctx) => makePictureTasks(ctx),
  async atStart({ changes, pictures }) {
    changes.watch("picture_originals", () => pictures.deleteOrphanSizes());
  },
  purges: [purgeViews, purgePictures],
} satisfies Feature;
