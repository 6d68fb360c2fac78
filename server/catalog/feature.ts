import type { Feature } from "../feature.ts";
import { setFree } from "../inventory/adjust.ts";
import { addToShelf } from "../inventory/commands.ts";
import { catalogApi } from "./api.ts";
import { catalogTasks, tidyPictures } from "./pictures/jobs.ts";
import { forgetViews } from "./views.ts";

export const catalogFeature = {
  api: ({ db, now, pictures, products }) =>
    catalogApi({
      db,
      now,
      products: products.list,
      findProduct: products.find,
      store: pictures,
      shelf: { addToShelf, setFree },
    }),
  tasks: ({ db, pictures }) => catalogTasks(db, pictures),
  purges: [
    function purgeViews({ db, now }) {
      return forgetViews(db, now());
    },
    function tidyPictureFiles({ db, now, pictures }) {
      return tidyPictures(db, now(), pictures);
    },
  ],
} satisfies Feature;
