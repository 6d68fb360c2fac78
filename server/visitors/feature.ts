import type { Feature } from "../feature.ts";
import { deleteUnreferencedVisitors } from "./personal-data.ts";
import { purgeVisitors } from "./purge.ts";

export const visitorsFeature = {
  purges: [purgeVisitors],
  personalData: { erase: deleteUnreferencedVisitors },
} satisfies Feature;
