import type { Feature } from "../feature.ts";
import { forgetStrangers } from "./forget.ts";

export const visitorsFeature = {
  purges: [
    function purgeVisitors({ db, now }) {
      return forgetStrangers(db, now());
    },
  ],
} satisfies Feature;
