import type { Feature } from "../feature.ts";
import { purgeRefillReminders } from "./commands.ts";

/** An e-mail when a bottle should be nearly empty, for buyers who want it. */
export const refillRemindersFeature = {
  purges: [purgeRefillReminders],
} satisfies Feature;
