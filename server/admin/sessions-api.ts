import { type AnyApiRow, ok, route } from "../http/api-row.ts";
import type { Database } from "../platform/database.ts";
import { uuidParams } from "../platform/id-params.ts";
import { problem } from "../platform/problem.ts";
import { endSession, endSessions, listSessions } from "./sessions.ts";

const tag = "Admin";

/** Where the panel is unlocked, and locking it there. */
export function sessionsApi({ db, now }: { db: Database; now(): Date }): AnyApiRow[] {
  return [
    route("GET /api/admin/sessions", {
      tag,
      summary: "Browsers in which the panel is unlocked",
      access: "admin",
      limit: "none",
      answers: { 200: "`[{id, browser, startedAt, lastSeenAt, expiresAt, isCurrent}]`" },
      handle: async (_ctx, { viewer }) =>
        ok(await listSessions(db, { currentId: viewer.adminSessionId ?? null, now: now() })),
    }),
    route("DELETE /api/admin/sessions/:id", {
      tag,
      summary: "End one session",
      access: "admin",
      limit: "write",
      params: uuidParams,
      answers: { 200: "Ended", 404: "There is no such session" },
      handle: async (_ctx, { params, log }) => {
        log({ subject: `session:${params.id}`, summary: "Ended a session" });
        return (await endSession(db, params.id))
          ? ok({ id: params.id })
          : problem("not_found", "That session has already ended.");
      },
    }),
    route("DELETE /api/admin/sessions", {
      tag,
      summary: "End every session but the one that asks",
      access: "admin",
      limit: "write",
      answers: { 200: "`{ended}`, how many" },
      handle: async (_ctx, { viewer, log }) => {
        const ended = await endSessions(db, viewer.adminSessionId ?? null);
        log({ summary: `Ended every other session: ${ended}` });
        return ok({ ended });
      },
    }),
  ];
}
