import { eq } from "drizzle-orm";
import type { AnyApiRoute, Change } from "../platform/api-route.ts";
import type { Database } from "../platform/database.ts";
import { activity } from "./tables.ts";

export type ActivityLog = {
  /** Writes down that a call has begun; `end` says how it went. Until then the entry stands as `begun`. */
  begin(call: {
    row: Pick<AnyApiRoute, "method" | "path" | "summary">;
    sessionId: string | null;
    params: Record<string, string>;
  }): Promise<{ end(outcome: "done" | "refused" | "failed", change: Change | null): Promise<void> }>;
};

/** The record of what was changed for the owner: who, what, before and after, when. The gate of the API keeps it. */
export function createActivityLog(db: Database, now: () => Date): ActivityLog {
  return {
    async begin({ row, sessionId, params }) {
      const [entry] = await db
        .insert(activity)
        .values({
          at: now(),
          sessionId,
          action: `${row.method} ${row.path}`,
          subject: Object.keys(params).length === 0 ? null : Object.values(params).join(":"),
          summary: row.summary,
        })
        .returning({ id: activity.id });
      if (!entry) throw new Error("an entry of the activity log was not written");
      return {
        async end(outcome, change) {
          const { subject, ...told } = change ?? {};
          await db
            .update(activity)
            .set({ outcome, ...told, ...(subject === undefined ? {} : { subject }) })
            .where(eq(activity.id, entry.id));
        },
      };
    },
  };
}
