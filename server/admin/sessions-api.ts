import * as v from "valibot";
import { adminSessionSchema } from "../../domain/admin/admin.ts";
import { helperRoles } from "../../domain/people/roles.ts";
import { dataOf, ok, route } from "../api-row.ts";
import { uuidParams } from "../platform/http/id-params.ts";
import { problem } from "../platform/http/problem.ts";
import type { Viewer } from "../platform/http/viewer.ts";
import { endDevices } from "../push/devices.ts";
import { endSession, endSessions, listSessions, type SessionsOf } from "./sessions.ts";

const tag = "Admin";

/** Lists open admin sessions and ends them. */
export const sessionsApi = [
  route("GET /api/admin/sessions", {
    tag,
    summary: "Browsers in which the panel is unlocked; to all but the owner, one’s own",
    access: "admin",
    roles: helperRoles,
    limit: "none",
    response: dataOf(v.array(adminSessionSchema)),
    answers: { 200: "`[{id, person, browser, address, startedAt, lastSeenAt, expiresAt, isCurrent}]`" },
    handle: async (ctx, { viewer }) =>
      ok(
        await listSessions(ctx.db, {
          currentId: viewer.admin?.sessionId ?? null,
          of: reachOf(viewer),
          now: ctx.now(),
        }),
      ),
  }),
  route("DELETE /api/admin/sessions/:id", {
    tag,
    summary: "End one session",
    access: "admin",
    roles: helperRoles,
    limit: "write",
    params: uuidParams,
    response: dataOf(v.object({ id: v.string() })),
    answers: { 200: "Ended", 404: "There is no such session" },
    handle: async (ctx, { params, viewer, log }) => {
      log({ subject: `session:${params.id}`, summary: "Ended a session" });
      const isEnded = await ctx.db.transaction(async (tx) => {
        const ended = await endSession(tx, params.id, reachOf(viewer));
        if (ended) await endDevices(tx, { session: params.id });
        return ended;
      });
      return isEnded ? ok({ id: params.id }) : problem("not_found", "That session has already ended.");
    },
  }),
  route("DELETE /api/admin/sessions", {
    tag,
    summary: "End every session but the one that asks; to all but the owner, of one’s own",
    access: "admin",
    roles: helperRoles,
    limit: "write",
    response: dataOf(v.object({ ended: v.number() })),
    answers: { 200: "`{ended}`, how many" },
    handle: async (ctx, { viewer, log }) => {
      const exceptSession = viewer.admin?.sessionId ?? null;
      const of = reachOf(viewer);
      const ended = await ctx.db.transaction(async (tx) => {
        await endDevices(tx, { exceptSession, of });
        return endSessions(tx, exceptSession, of);
      });
      log({ summary: `Ended every other session: ${ended}` });
      return ok({ ended });
    },
  }),
];

/** The owner may end all sessions, other people only their own. */
function reachOf({ admin }: Viewer): SessionsOf {
  return admin?.role === "owner" || !admin?.person ? "everybody" : { personId: admin.person.id };
}
