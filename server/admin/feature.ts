import type { Feature } from "../feature.ts";
import { purgeActivity } from "./activity.ts";
import { adminApi } from "./api.ts";
import { purgeAttempts } from "./code-attempts.ts";
import { purgeSessions } from "./sessions.ts";

/** Admin sessions, access code attempts and the activity log. */
export const adminFeature = {
  api: adminApi,
  purges: [purgeSessions, purgeActivity, purgeAttempts],
} satisfies Feature;
