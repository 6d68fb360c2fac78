import type { Feature } from "../feature.ts";
import { adminCatalogApi } from "./admin-api.ts";
import { catalogApi } from "./api.ts";
import { picturesApi } from "./pictures/api.ts";
import { makePictureTask, tidyPictureFiles } from "./pictures/jobs.ts";
import { purgeViews } from "./views.ts";

export const catalogFeature = {
  api: [...catalogApi, ...adminCatalogApi, ...picturesApi],
  tasks: (ctx) => [makePictureTask(ctx)],
  purges: [purgeViews, tidyPictureFiles],
} satisfies Feature;
