import type { Feature } from "../feature.ts";
import { purgeActivity } from "./activity.ts";
import { adminApi } from "./api.ts";
import { purgeAttempts } from "./code-attempts.ts";
import { purgeSessions } from "./sessions.ts";

/** Who is in the panel, and what was done there. */
export const adminFeature = {
  api: adminApi,
  purges: [purgeSessions, purgeActivity, purgeAttempts],
} satisfies Feature;
