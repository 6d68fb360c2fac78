import type { Feature } from "../feature.ts";
import { purgeBuiltFiles } from "./built-files.ts";

/** Files beside the pages: for browsers, search engines and link previews. */
export const siteFeature = {
  purges: [purgeBuiltFiles],
} satisfies Feature;
