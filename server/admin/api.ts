import { and, eq, gt, lt, sql } from "drizzle-orm";
import * as v from "valibot";
import { type AnyApiRoute, ok, route } from "../platform/api-route.ts";
import { limitKey } from "../platform/client-address.ts";
import type { Database } from "../platform/database.ts";
import { problem } from "../platform/problem.ts";
import { isAccessCode } from "./access.ts";
import type { SessionGate } from "./sessions.ts";
import { adminWrongTries } from "./tables.ts";

export type AdminApiParts = { db: Database; sessions: SessionGate; now(): Date };

const wrongTriesMax = 5;
const wrongTriesWindowMs = 60_000;
const tag = "Admin";

export function adminApi(parts: AdminApiParts): AnyApiRoute[] {
  return [
    route({
      method: "POST",
      path: "/api/admin/verify",
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
        429: "5 wrong tries in a minute",
      },
      async handle({ body, address, setCookie }) {
        const caller = limitKey(address);
        const waitS = await waitAfterWrongTries(parts, caller);
        if (waitS > 0) {
          return problem("rate_limited", `Too many wrong codes. Please wait ${waitS} seconds.`, {
            headers: { "Retry-After": String(waitS) },
          });
        }
        if (!(await isAccessCode(parts.db, body.accessCode))) {
          await parts.db.insert(adminWrongTries).values({ caller, at: parts.now() });
          return problem("unauthorized", "Invalid access code. Please try again.");
        }
        setCookie(await parts.sessions.openAdmin(parts.now()));
        return ok({ authenticated: true });
      },
    }),
    route({
      method: "POST",
      path: "/api/admin/logout",
      tag,
      summary: "Lock the admin panel",
      access: "anyone",
      limit: "write",
      answers: { 200: "Locked; the session is over" },
      async handle({ header, setCookie }) {
        setCookie(await parts.sessions.closeAdmin(header("cookie")));
        return ok({ authenticated: false });
      },
    }),
    route({
      method: "GET",
      path: "/api/admin/session",
      tag,
      summary: "Whether this browser has the admin panel unlocked",
      access: "anyone",
      limit: "none",
      answers: { 200: "`{authenticated}`" },
      handle: async ({ viewer }) => ok({ authenticated: viewer.isAdmin }),
    }),
  ];
}

/** Seconds until this caller may try again; 0 when it may now. Old tries are swept along the way. */
async function waitAfterWrongTries({ db, now }: AdminApiParts, caller: string): Promise<number> {
  const windowStart = new Date(now().getTime() - wrongTriesWindowMs);
  await db.delete(adminWrongTries).where(lt(adminWrongTries.at, windowStart));
  const [tries] = await db
    .select({ count: sql<number>`count(*)::int`, oldest: sql<string | null>`min(${adminWrongTries.at})` })
    .from(adminWrongTries)
    .where(and(eq(adminWrongTries.caller, caller), gt(adminWrongTries.at, windowStart)));
  if (!tries?.oldest || tries.count < wrongTriesMax) return 0;
  return Math.max(
    1,
    Math.ceil((new Date(tries.oldest).getTime() + wrongTriesWindowMs - now().getTime()) / 1000),
  );
}
