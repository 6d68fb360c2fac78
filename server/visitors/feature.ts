import type { Feature } from "../feature.ts";
import { forgetStrangers } from "./purge.ts";

export const visitorsFeature = {
  purges: [
    function purgeVisitors({ db, now }) {
      return forgetStrangers(db, now());
    },
  ],
} satisfies Feature;
