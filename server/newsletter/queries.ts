import { and, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Subscriber, SubscriberState } from "../../domain/newsletter/newsletter.ts";
import { hashEmail } from "../outbox/optouts.ts";
import { emailOptouts } from "../outbox/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { cutPage } from "../platform/http/params.ts";
import { subscribers } from "./tables.ts";

type SubscriberFilter = { state: SubscriberState | null; q: string; limit: number; cursor: number | null };

const matchesOptOut = and(
  eq(emailOptouts.emailHash, subscribers.emailHash),
  eq(emailOptouts.kind, "newsletter"),
);

/** Conditions on subscribers left-joined with their opt-outs. */
const stateConditions: Record<SubscriberState, SQL | undefined> = {
  confirmed: and(isNotNull(subscribers.confirmedAt), isNull(emailOptouts.at)),
  unconfirmed: isNull(subscribers.confirmedAt),
  unsubscribed: and(isNotNull(subscribers.confirmedAt), isNotNull(emailOptouts.at)),
};

/** One page of subscribers, newest first. `q`: a part of the address. */
export async function listSubscribers(
  db: Db,
  { state, q, limit, cursor }: SubscriberFilter,
): Promise<{ subscribers: Subscriber[]; nextCursor: string | null }> {
  const where = and(
    state === null ? undefined : stateConditions[state],
    q === "" ? undefined : sql`position(${q.toLowerCase()} in lower(${subscribers.email})) > 0`,
    cursor === null ? undefined : lt(subscribers.id, cursor),
  );
  const rows = await selectNewest(db, where).limit(limit + 1);
  const { page, nextCursor } = cutPage(rows, limit, ({ subscriber }) => String(subscriber.id));
  return { subscribers: page.map(toSubscriber), nextCursor };
}

/** Sign-ups of these addresses (in lower case), newest first. */
export async function findSubscribers(db: Db, emails: string[]): Promise<Subscriber[]> {
  const hashes = emails.map((email) => hashEmail(email));
  const rows = await selectNewest(db, inArray(subscribers.emailHash, hashes));
  return rows.map(toSubscriber);
}

function selectNewest(db: Db, where: SQL | undefined) {
  return db
    .select({ subscriber: subscribers, unsubscribedAt: emailOptouts.at, endReason: emailOptouts.reason })
    .from(subscribers)
    .leftJoin(emailOptouts, matchesOptOut)
    .where(where)
    .orderBy(desc(subscribers.id));
}

type Row = Awaited<ReturnType<typeof selectNewest>>[number];

function toSubscriber({ subscriber, unsubscribedAt, endReason }: Row): Subscriber {
  const { id, email, place, consentText, confirmedNetwork, welcomeCode, confirmedAt } = subscriber;
  return {
    id,
    email,
    state: confirmedAt === null ? "unconfirmed" : unsubscribedAt === null ? "confirmed" : "unsubscribed",
    askedAt: subscriber.askedAt.toISOString(),
    place,
    consentText,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    confirmedNetwork,
    unsubscribedAt: confirmedAt === null ? null : (unsubscribedAt?.toISOString() ?? null),
    endReason: confirmedAt === null ? null : endReason,
    welcomeCode,
  };
}

export async function countSubscribers(db: Db): Promise<Record<SubscriberState, number>> {
  const stateCount = (state: SubscriberState) =>
    sql<number>`count(*) filter (where ${stateConditions[state]})::int`;
  const [counts] = await db
    .select({
      confirmed: stateCount("confirmed"),
      unconfirmed: stateCount("unconfirmed"),
      unsubscribed: stateCount("unsubscribed"),
    })
    .from(subscribers)
    .leftJoin(emailOptouts, matchesOptOut);
  if (!counts) throw new Error("an aggregate returned no row");
  return counts;
}
