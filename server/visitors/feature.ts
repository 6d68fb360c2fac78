import type { Feature } from "../feature.ts";
import { purgeVisitors } from "./purge.ts";

export const visitorsFeature = {
  purges: [purgeVisitors],
} satisfies Feature;
