import type { Feature } from "../feature.ts";
import { purgeSubscribers } from "./purge.ts";

/** Who signed up for the newsletter, and what proves it. */
export const newsletterFeature = {
  purges: [purgeSubscribers],
} satisfies Feature;
