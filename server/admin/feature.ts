import * as v from "valibot";
import { activityEntrySchema, adminSessionSchema } from "../../domain/admin/admin.ts";
import { rightsSchema } from "../../domain/people/person.ts";
import { nonOwnerRoles } from "../../domain/people/roles.ts";
import { isDate } from "../../domain/shared/zoned-days.ts";
import { dataEnvelope, flatDataEnvelope, ok, okFlat, route } from "../api-row.ts";
import type { ShopContext } from "../context.ts";
import type { Feature } from "../feature.ts";
import { raiseIssue } from "../issues/issues.ts";
import { browserName } from "../platform/http/browser-name.ts";
import { networkPrefix } from "../platform/http/client-address.ts";
import { pageLimit, uuidParams } from "../platform/http/params.ts";
import { problem, rateLimited } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { deleteDevices } from "../push/devices.ts";
import { isAccessCode } from "./access.ts";
import { eraseActivity, listActivity, purgeActivity, recordActivity, unlockAction } from "./activity.ts";
import { isKnownBrowser, knownBrowserCookie } from "./browsers.ts";
import { beginAttempt, purgeAttempts, withdrawAttempt } from "./code-attempts.ts";
import { endSession, endSessions, listSessions, purgeSessions, type SessionScope } from "./sessions.ts";

const tag = "Admin";
const authenticated = { authenticated: v.boolean() };
const activityDay = v.optional(v.pipe(v.string(), v.check(isDate, "A date: 2026-11-20")));
const activityQuery = v.object({
  person: v.optional(v.pipe(v.string(), v.uuid("A person’s id"))),
  from: activityDay,
  to: activityDay,
  limit: pageLimit(50),
  cursor: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,15}$/, "Not a cursor of this list"), v.transform(Number)),
  ),
  subject: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z_]{1,40}(:[A-Za-z0-9:-]{1,80})?$/, "Write product:1, or only the kind: product"),
    ),
  ),
});

/** Calls to unlock the panel, and to read sessions and the activity log. */
const adminApi = [
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
    response: flatDataEnvelope(authenticated),
    responses: {
      200: "Unlocked; the session is in the cookie",
      401: "Not the access code",
      429: "5 wrong attempts in a minute, or 30 from all addresses together",
    },
    async handle(ctx, { body, address, header, setCookie }) {
      const attempt = await beginAttempt(ctx.db, {
        caller: networkPrefix(address),
        isKnownBrowser: isKnownBrowser(ctx, header("cookie")),
        now: ctx.now(),
      });
      if (!attempt.ok) {
        if (attempt.isTotalLimit) await raiseGuessingIssue(ctx);
        return rateLimited(`Too many wrong codes. Please wait ${attempt.waitS} seconds.`, attempt.waitS);
      }
      const entry = { at: ctx.now(), action: unlockAction };
      if (!(await isAccessCode(ctx.db, body.accessCode))) {
        await recordActivity(ctx.db, {
          ...entry,
          sessionId: null,
          summary: "Wrong access code",
          outcome: "refused",
        });
        return problem("unauthorized", "Invalid access code. Please try again.");
      }
      await withdrawAttempt(ctx.db, attempt.attemptId);
      const browser = browserName(header("user-agent"));
      const { sessionId, cookie } = await ctx.sessions.openAdmin({
        now: ctx.now(),
        browser,
        address,
        personId: null,
      });
      await recordActivity(ctx.db, {
        ...entry,
        sessionId,
        subject: `session:${sessionId}`,
        summary: "Unlocked the panel",
        after: { browser },
        outcome: "done",
      });
      setCookie(cookie);
      setCookie(knownBrowserCookie(ctx));
      return okFlat({ authenticated: true });
    },
  }),
  route("POST /api/admin/logout", {
    tag,
    summary: "Lock the admin panel",
    access: "anyone",
    limit: "write",
    response: flatDataEnvelope(authenticated),
    responses: { 200: "Locked; the session has ended" },
    async handle(ctx, { header, setCookie, viewer }) {
      const { sessionId, cookie } = await ctx.sessions.closeAdmin(header("cookie"));
      if (sessionId !== null) {
        await deleteDevices(ctx.db, { session: sessionId });
        await recordActivity(ctx.db, {
          at: ctx.now(),
          action: "POST /api/admin/logout",
          sessionId,
          personId: viewer.admin?.person?.id ?? null,
          subject: `session:${sessionId}`,
          summary: "Logged out",
          outcome: "done",
        });
      }
      setCookie(cookie);
      return okFlat({ authenticated: false });
    },
  }),
  route("GET /api/admin/session", {
    tag,
    summary: "Whether this browser has the admin panel unlocked",
    access: "anyone",
    limit: "none",
    response: flatDataEnvelope(authenticated),
    responses: { 200: "`{authenticated}`" },
    handle: async (_ctx, { viewer }) => okFlat({ authenticated: viewer.admin !== null }),
  }),
  route("GET /api/admin/rights", {
    tag,
    summary: "Who is signed in here, and which calls the role allows",
    access: "admin",
    roles: nonOwnerRoles,
    response: dataEnvelope(rightsSchema),
    responses: {
      200: "`{role, name, calls}`; `name` null: signed in with the access code; `calls` null: all, for the owner",
    },
    handle: async (ctx, { viewer: { admin } }) =>
      ok({
        role: admin?.role ?? "packer",
        name: admin?.person?.name ?? null,
        calls: admin?.role === "owner" ? null : ctx.allowedCalls(admin?.role ?? "packer"),
      }),
  }),
  route("GET /api/admin/activity", {
    tag,
    summary:
      "Activity log, newest first; filtered by subject (`order:<id>`) or its kind (`order`), by person, or by days in the shop's time zone",
    access: "admin",
    query: activityQuery,
    response: v.object({ data: v.array(activityEntrySchema), nextCursor: v.nullable(v.string()) }),
    responses: {
      200: "`{data: [{id, at, who, action, subject, summary, before, after, outcome}], nextCursor}`",
    },
    handle: async (ctx, { query, viewer }) => ({
      status: 200,
      body: await listActivity(ctx, query, viewer.admin?.sessionId ?? null),
    }),
  }),
  route("GET /api/admin/sessions", {
    tag,
    notForKeys: true,
    summary: "Sessions of the panel; all of them for the owner, their own for others",
    access: "admin",
    roles: nonOwnerRoles,
    response: dataEnvelope(v.array(adminSessionSchema)),
    responses: { 200: "`[{id, person, browser, address, startedAt, lastSeenAt, expiresAt, isCurrent}]`" },
    handle: async (ctx, { viewer }) =>
      ok(
        await listSessions(ctx.db, {
          currentId: viewer.admin?.sessionId ?? null,
          of: manageableSessions(viewer),
          now: ctx.now(),
        }),
      ),
  }),
  route("DELETE /api/admin/sessions/:id", {
    tag,
    notForKeys: true,
    summary: "End one session",
    access: "admin",
    roles: nonOwnerRoles,
    limit: "write",
    params: uuidParams,
    response: dataEnvelope(v.object({ id: v.string() })),
    responses: { 200: "Ended", 404: "There is no such session" },
    handle: async (ctx, { params, viewer, log }) => {
      log("Ended a session");
      const isEnded = await ctx.db.transaction(async (tx) => {
        const hasEnded = await endSession(tx, params.id, manageableSessions(viewer));
        if (hasEnded) await deleteDevices(tx, { session: params.id });
        return hasEnded;
      });
      return isEnded ? ok({ id: params.id }) : problem("not_found", "That session has already ended.");
    },
  }),
  route("DELETE /api/admin/sessions", {
    tag,
    notForKeys: true,
    summary: "End all sessions except the caller's; all of them for the owner, their own for others",
    access: "admin",
    roles: nonOwnerRoles,
    limit: "write",
    query: v.object({ of: v.optional(v.picklist(["own"], "Only own")) }),
    response: dataEnvelope(v.object({ ended: v.number() })),
    responses: { 200: "`{ended}`: number of ended sessions" },
    handle: async (ctx, { query, viewer, log }) => {
      const exceptSession = viewer.admin?.sessionId ?? null;
      const sessionsToEnd = query.of === "own" ? ownSessions(viewer) : manageableSessions(viewer);
      const endedCount = await ctx.db.transaction(async (tx) => {
        await deleteDevices(tx, { exceptSession, of: sessionsToEnd });
        return endSessions(tx, exceptSession, sessionsToEnd);
      });
      log(`Ended every other session${query.of === "own" ? " of their own" : ""}: ${endedCount}`);
      return ok({ ended: endedCount });
    },
  }),
];

/** Raises one issue a day when access codes are being guessed from many addresses. */
async function raiseGuessingIssue({ db, now }: ShopContext): Promise<void> {
  await db.transaction((tx) =>
    raiseIssue(tx, {
      kind: "wrong_access_codes",
      subject: now().toISOString().slice(0, 10),
      message:
        "Many wrong access codes were tried within a minute, from several addresses. Browsers that had the panel unlocked before can still unlock it; if somebody else may know the code, set a new one",
    }),
  );
}

/** The caller's own sessions; for a caller without an account, the sessions of the access code. */
function ownSessions({ admin }: Viewer): SessionScope {
  return admin?.person ? { personId: admin.person.id } : "code";
}

/** The owner may end all sessions, other people only their own. */
function manageableSessions({ admin }: Viewer): SessionScope {
  return admin?.role === "owner" || !admin?.person ? "everybody" : { personId: admin.person.id };
}

/** Admin sessions, access code attempts and the activity log. */
export const adminFeature = {
  api: adminApi,
  purges: [purgeSessions, purgeActivity, purgeAttempts],
  personalData: {
    eraseOrders: (tx, orderIds) =>
      eraseActivity(
        tx,
        orderIds.map((id) => `order:${id}`),
      ),
  },
} satisfies Feature;
