import * as v from "valibot";
import { type AnyApiRow, route } from "../http/api-row.ts";
import type { Database } from "../platform/database.ts";
import { pageLimit } from "../platform/page-limit.ts";
import { listActivity } from "./activity.ts";

const listing = v.object({
  limit: pageLimit(50),
  cursor: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,15}$/, "Not a cursor of this list"), v.transform(Number)),
  ),
  subject: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z_]{1,40}(:[A-Za-z0-9:-]{1,80})?$/, "As product:1, or a kind alone: product"),
    ),
  ),
});

/** The record of what was changed for the owner. */
export function activityApi({ db }: { db: Database }): AnyApiRow[] {
  return [
    route("GET /api/admin/activity", {
      tag: "Admin",
      summary: "Who changed what, newest first; of one subject (`order:<id>`) or one kind (`order`)",
      access: "admin",
      limit: "none",
      query: listing,
      answers: {
        200: "`{data: [{id, at, who, action, subject, summary, before, after, outcome}], nextCursor}`",
      },
      handle: async (_ctx, { query, viewer }) => {
        const page = await listActivity(db, query, viewer.adminSessionId ?? null);
        return { status: 200, body: { success: true, ...page } };
      },
    }),
  ];
}
