import type { Feature } from "../feature.ts";
import { purgeBuiltFiles } from "./built-files.ts";

/** Files other than pages: for browsers, search engines and link previews. */
export const siteFeature = {
  purges: [purgeBuiltFiles],
} satisfies Feature;
