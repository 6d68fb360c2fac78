import type { Feature } from "../feature.ts";
import { purgeBuiltFiles } from "./built-files.ts";

/** The files beside the pages: for browsers, search engines and whoever shares an address. */
export const siteFeature = {
  purges: [purgeBuiltFiles],
} satisfies Feature;
