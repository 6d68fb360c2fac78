import type { Feature } from "../feature.ts";
import { forgetActivity } from "./activity.ts";
import { adminApi } from "./api.ts";
import { forgetTries } from "./code-attempts.ts";
import { forgetSessions } from "./sessions.ts";

/** Who is in the panel, what was done there, and what waits for the owner. */
export const adminFeature = {
  api: ({ announce, config, db, now, provider, secret, sessions }) =>
    adminApi({
      db,
      sessions,
      secret,
      isSecure: config.publicUrl.startsWith("https:"),
      announce,
      dashboard: provider,
      mode: provider.mode,
      now,
    }),
  purges: [
    function purgeSessions({ db, now }) {
      return forgetSessions(db, now());
    },
    function purgeActivity({ db, now }) {
      return forgetActivity(db, now());
    },
    function purgeUnlockAttempts({ db, now }) {
      return forgetTries(db, now());
    },
  ],
} satisfies Feature;
