import * as v from "valibot";
import type { PaymentMode } from "../../domain/payments/payment-mode.ts";
import { type AnyApiRow, ok, okWhole, route } from "../http/api-row.ts";
import { raiseIssue } from "../payments/issues.ts";
import type { Announce } from "../payments/parts.ts";
import { networkOf } from "../platform/client-address.ts";
import type { Database } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import { isAccessCode } from "./access.ts";
import { recordActivity, unlockAction } from "./activity.ts";
import { activityApi } from "./activity-api.ts";
import { browserName } from "./browser-name.ts";
import { beginTry, takeTryBack } from "./code-attempts.ts";
import { readAdminCounts } from "./counts.ts";
import type { Dashboard } from "./issues.ts";
import { issuesApi } from "./issues-api.ts";
import { knownBrowsers } from "./known-browser.ts";
import type { SessionGate } from "./sessions.ts";
import { sessionsApi } from "./sessions-api.ts";

export type AdminApiParts = {
  db: Database;
  sessions: SessionGate;
  /** Signs the cookie by which a browser is known. */
  secret: string;
  isSecure: boolean;
  announce: Announce;
  dashboard: Dashboard;
  /** The shop's: what is only a test does not count where money is real. */
  mode: PaymentMode;
  now(): Date;
};

const tag = "Admin";

export function adminApi(parts: AdminApiParts): AnyApiRow[] {
  const browsers = knownBrowsers(parts);
  return [
    route("POST /api/admin/verify", {
      tag,
      summary: "Unlock the admin panel",
      access: "anyone",
      limit: "write",
      body: v.object({
        accessCode: v.pipe(
          v.string("Enter the access code"),
          v.minLength(1, "Enter the access code"),
          v.maxLength(200),
        ),
      }),
      answers: {
        200: "Unlocked; the session is in the cookie",
        401: "Not the access code",
        429: "5 wrong tries in a minute, or 30 by everybody together",
      },
      async handle(_ctx, { body, address, header, setCookie }) {
        const begun = await beginTry(parts.db, {
          caller: networkOf(address),
          isKnownBrowser: browsers.isKnown(header("cookie"), parts.now()),
          now: parts.now(),
        });
        if (!begun.ok) {
          if (begun.isFlood) await raiseFlood(parts);
          return problem("rate_limited", `Too many wrong codes. Please wait ${begun.waitS} seconds.`, {
            headers: { "Retry-After": String(begun.waitS) },
          });
        }
        const entry = { at: parts.now(), action: unlockAction };
        if (!(await isAccessCode(parts.db, body.accessCode))) {
          const refused = { sessionId: null, summary: "Wrong access code", outcome: "refused" as const };
          await recordActivity(parts.db, { ...entry, ...refused });
          return problem("unauthorized", "Invalid access code. Please try again.");
        }
        await takeTryBack(parts.db, begun.tryId);
        const browser = browserName(header("user-agent"));
        const { sessionId, cookie } = await parts.sessions.openAdmin(parts.now(), browser);
        await recordActivity(parts.db, {
          ...entry,
          sessionId,
          subject: `session:${sessionId}`,
          summary: "Unlocked the panel",
          after: { browser },
          outcome: "done",
        });
        setCookie(cookie);
        setCookie(browsers.cookie(parts.now()));
        return okWhole({ authenticated: true });
      },
    }),
    route("POST /api/admin/logout", {
      tag,
      summary: "Lock the admin panel",
      access: "anyone",
      limit: "write",
      answers: { 200: "Locked; the session is over" },
      async handle(_ctx, { header, setCookie }) {
        const { sessionId, cookie } = await parts.sessions.closeAdmin(header("cookie"));
        if (sessionId !== null) {
          await recordActivity(parts.db, {
            at: parts.now(),
            action: "POST /api/admin/logout",
            sessionId,
            subject: `session:${sessionId}`,
            summary: "Logged out",
            outcome: "done",
          });
        }
        setCookie(cookie);
        return okWhole({ authenticated: false });
      },
    }),
    route("GET /api/admin/session", {
      tag,
      summary: "Whether this browser has the admin panel unlocked",
      access: "anyone",
      limit: "none",
      answers: { 200: "`{authenticated}`" },
      handle: async (_ctx, { viewer }) => okWhole({ authenticated: viewer.isAdmin }),
    }),
    route("GET /api/admin/counts", {
      tag,
      summary: "What waits behind the panel's tabs",
      access: "admin",
      limit: "none",
      answers: { 200: "`{ordersToShip, unreadMessages, heldReviews, attention}`, each counted up to 100" },
      handle: async () => ok(await readAdminCounts(parts.db, parts.mode)),
    }),
    ...sessionsApi(parts),
    ...activityApi(parts),
    ...issuesApi(parts),
  ];
}

/** Tells the owner, once a day, that somebody tries codes from many addresses. */
async function raiseFlood({ db, announce, now }: AdminApiParts): Promise<void> {
  await db.transaction((tx) =>
    raiseIssue(tx, announce, {
      kind: "wrong_access_codes",
      subject: now().toISOString().slice(0, 10),
      orderId: null,
      message:
        "Many wrong access codes were tried within a minute, from several addresses. Browsers that had the panel unlocked before can still unlock it; if somebody may know the code, set another one",
    }),
  );
}
