import type { Feature } from "../feature.ts";
import { purgeActivity } from "./activity.ts";
import { adminApi } from "./api.ts";
import { purgeAttempts } from "./code-attempts.ts";
import { findApi } from "./find-api.ts";
import { purgeSessions } from "./sessions.ts";

/** Who is in the panel, what was done there, and what waits for the owner. */
export const adminFeature = {
  api: [...adminApi, ...findApi],
  purges: [purgeSessions, purgeActivity, purgeAttempts],
} satisfies Feature;
