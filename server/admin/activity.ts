import { and, desc, eq, gte, inArray, isNotNull, like, lt, or, type SQL, sql } from "drizzle-orm";
import type { ActivityEntry } from "../../domain/admin/admin.ts";
import { activityYears, wrongCodeDays } from "../../domain/privacy/retention.ts";
import type { OwnerSettings } from "../../domain/settings/settings.ts";
import { addDays, startOfDay } from "../../domain/shared/zoned-days.ts";
import { people } from "../people/tables.ts";
import type { BaseContext } from "../platform/base-context.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { deleteInBatches } from "../platform/database/in-batches.ts";
import type { LoggedChange } from "../platform/http/api-response.ts";
import { cutPage } from "../platform/http/params.ts";
import type { Admin } from "../platform/http/viewer.ts";
import { activity, adminSessions } from "./tables.ts";

/** The call that starts a session with the access code. */
export const unlockAction = "POST /api/admin/verify";

export type ActivityLog = {
  /** Logs that a call has begun; `end` records its outcome. Until then the entry is `begun`. */
  begin(call: {
    row: { method: string; path: string; summary: string };
    admin: Admin | null;
    params: unknown;
  }): Promise<{ end(outcome: "done" | "refused" | "failed", change: LoggedChange | null): Promise<void> }>;
};

/** Log of changes in the panel: person, action, before and after, time. The API's gate writes it. */
export function createActivityLog(db: Database, now: () => Date): ActivityLog {
  return {
    async begin({ row, admin, params }) {
      const [entry] = await db
        .insert(activity)
        .values({
          at: now(),
          sessionId: admin?.sessionId ?? null,
          personId: admin?.person?.id ?? null,
          action: `${row.method} ${row.path}`,
          subject: callSubject(row.path, params),
          summary: headline(row.summary),
        })
        .returning({ id: activity.id });
      if (!entry) throw new Error("the insert returned no entry of the activity log");
      return {
        async end(outcome, change) {
          const { subject, ...fields } = change ?? {};
          await db
            .update(activity)
            .set({ outcome, ...fields, ...(subject === undefined ? {} : { subject }) })
            .where(eq(activity.id, entry.id));
        },
      };
    },
  };
}

/** Default subject of a call: `order:<id>` for `/api/admin/orders/:id/refund`. */
function callSubject(path: string, params: unknown): string | null {
  const noun = /\/([a-z-]+?)s?\/:id\b/.exec(path)?.[1];
  const { id } = (params ?? {}) as { id?: string | number };
  return noun === undefined || id === undefined ? null : `${noun.replaceAll("-", "_")}:${id}`;
}

/** The first part of a call's description, written for panel users; the rest is for programmers. */
export function headline(summary: string): string {
  return summary
    .replace(/[,;:(].*$/s, "")
    .replaceAll("`", "")
    .trim();
}

/** Logs an action without a session: an access code attempt, a shell command. */
export async function recordActivity(
  db: Db,
  entry: LoggedChange & {
    at: Date;
    /** The call, or the command: `npm run admin:code`. */
    action: string;
    sessionId: string | null;
    personId?: string | null;
    outcome: "done" | "refused";
  },
): Promise<void> {
  await db.insert(activity).values(entry);
}

type ActivityListing = {
  /** One subject (`order:<id>`), or all subjects of a kind (`order`). */
  subject?: string | undefined;
  /** The person's id. */
  person?: string | undefined;
  /** Dates `YYYY-MM-DD` in the shop's time zone, both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
  /** The id of the previous page's last entry. */
  cursor?: number | undefined;
};

/** Entries, newest first. `currentId`: the calling session. */
export async function listActivity(
  { db, ownerSettings }: { db: Db; ownerSettings(): Promise<OwnerSettings> },
  { subject, person, from, to, limit, cursor }: ActivityListing,
  currentId: string | null,
): Promise<{ data: ActivityEntry[]; nextCursor: string | null }> {
  const { timeZone } = await ownerSettings();
  const rows = await db
    .select({
      entry: activity,
      browser: sessionBrowser,
      person: { id: people.id, name: people.name },
      isKey: sql<boolean>`${people.id} is not null and ${people.email} is null`,
    })
    .from(activity)
    .leftJoin(adminSessions, eq(adminSessions.id, activity.sessionId))
    .leftJoin(people, eq(people.id, activity.personId))
    .where(
      and(
        matchesSubject(subject),
        person === undefined ? undefined : eq(activity.personId, person),
        from === undefined ? undefined : gte(activity.at, startOfDay(timeZone, from)),
        to === undefined ? undefined : lt(activity.at, startOfDay(timeZone, addDays(to, 1))),
        cursor === undefined ? undefined : lt(activity.id, cursor),
      ),
    )
    .orderBy(desc(activity.id))
    .limit(limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ entry }) => String(entry.id));
  return {
    data: page.map(({ entry: { sessionId, personId: _, at, ...entry }, browser, person, isKey }) => ({
      ...entry,
      at: at.toISOString(),
      who:
        person && isKey
          ? { kind: "key", person }
          : entryAuthor({ sessionId, action: entry.action, browser, person, currentId }),
    })),
    nextCursor,
  };
}

/**
 * Erases the contents of entries about these subjects (`order:<id>`): texts about orders and drafts, because reasons and notes are
 * often about the buyer, and former and new tags of customers. Author, action and time stay.
 */
export async function eraseActivity(tx: Db, subjects: readonly string[]): Promise<void> {
  const hasDetails = or(isNotNull(activity.before), sql`${activity.subject} not like 'customer:%'`);
  await tx
    .update(activity)
    .set({ summary: "Details deleted with the buyer’s data", before: null, after: null })
    .where(and(inArray(activity.subject, [...subjects]), hasDetails));
}

/** Deletes entries older than their retention period. */
export async function purgeActivity({ db, now: clock }: Pick<BaseContext, "db" | "now">): Promise<void> {
  const now = clock();
  const keptSince = new Date(now);
  keptSince.setUTCFullYear(keptSince.getUTCFullYear() - activityYears);
  await deleteInBatches(db, activity, lt(activity.at, keptSince));
  // Wrong access codes, which have no session, are purged sooner, because there may be as many as the rate limit permits.
  const wrongCode = sql`${activity.sessionId} is null and ${activity.outcome} = 'refused'`;
  const wrongCodesKeptSince = new Date(now.getTime() - wrongCodeDays * 24 * 60 * 60 * 1000);
  await deleteInBatches(db, activity, and(wrongCode, lt(activity.at, wrongCodesKeptSince)));
}

/** Ended sessions are deleted; their browser is read from the entry that started them. */
const sessionBrowser = sql<string | null>`coalesce(${adminSessions.userAgent}, (
  select begun.after->>'browser' from ${activity} as begun
  where begun.subject = 'session:' || ${activity.sessionId} and begun.after ? 'browser' limit 1))`;

function matchesSubject(subject: string | undefined): SQL | undefined {
  if (subject === undefined) return undefined;
  return subject.includes(":")
    ? eq(activity.subject, subject)
    : or(eq(activity.subject, subject), like(activity.subject, `${subject.replaceAll("_", "\\_")}:%`));
}

function entryAuthor({
  sessionId,
  action,
  browser,
  person,
  currentId,
}: {
  sessionId: string | null;
  action: string;
  browser: string | null;
  person: { id: string; name: string } | null;
  currentId: string | null;
}): ActivityEntry["who"] {
  if (sessionId !== null) {
    return { kind: "session", sessionId, person, browser, isCurrent: sessionId === currentId };
  }
  if (/^POST \/api\/(orders|account)\//.test(action)) return { kind: "link", person };
  return { kind: action.startsWith("npm ") ? "machine" : "nobody" };
}
