import { and, desc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { Db } from "../../platform/database/database.ts";
import { type EventPage, type EventsWanted, type ProviderRefund, ProviderRefused } from "../provider.ts";
import { toEvent } from "../stripe/event.ts";
import { neededEventTypes } from "../stripe/event-kinds.ts";
import { sandboxEvents, sandboxRefunds } from "../tables.ts";
import { toRefund } from "./answers.ts";
import { eventJson } from "./delivery.ts";

const pageMax = 100;

/** Events that the webhook has not accepted yet; the sandbox keeps no others. */
export async function sandboxEventPage(db: Db, { from, to, after }: EventsWanted): Promise<EventPage> {
  const place = sql`(${sandboxEvents.createdAt}, ${sandboxEvents.id})`;
  if (after !== null && (await db.$count(sandboxEvents, eq(sandboxEvents.id, after))) === 0) {
    throw new ProviderRefused("resource_missing", `No such event: '${after}'`);
  }
  const rows = await db
    .select()
    .from(sandboxEvents)
    .where(
      and(
        gte(sandboxEvents.createdAt, from),
        lt(sandboxEvents.createdAt, to),
        inArray(sandboxEvents.type, neededEventTypes),
        after === null
          ? undefined
          : sql`${place} < (select created_at, id from ${sandboxEvents} where id = ${after})`,
      ),
    )
    .orderBy(desc(sandboxEvents.createdAt), desc(sandboxEvents.id))
    .limit(pageMax);
  return {
    events: rows.flatMap((row) => toEvent(eventJson(row), null) ?? []),
    next: rows.length < pageMax ? null : (rows.at(-1)?.id ?? null),
  };
}

export async function* sandboxRefundsMade(db: Db, from: Date): AsyncIterable<ProviderRefund> {
  const rows = await db.select().from(sandboxRefunds).where(gte(sandboxRefunds.createdAt, from));
  yield* rows.map(toRefund);
}
