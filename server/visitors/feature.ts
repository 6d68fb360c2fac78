import type { Feature } from "../feature.ts";
import { deleteUnreferencedVisitors, purgeVisitors } from "./personal-data.ts";

export const visitorsFeature = {
  purges: [purgeVisitors],
  personalData: { erase: deleteUnreferencedVisitors },
} satisfies Feature;
