import { and, desc, eq, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Subscriber, SubscriberState } from "../../domain/newsletter/newsletter.ts";
import { emailOptouts } from "../outbox/tables.ts";
import type { Db } from "../platform/database/database.ts";
import { subscribers } from "./tables.ts";

type Wanted = { state: SubscriberState | null; q: string; limit: number; cursor: number | null };

const isLeft = and(eq(emailOptouts.emailHash, subscribers.emailHash), eq(emailOptouts.kind, "newsletter"));

/** Which rows of subscribers, each with its row of opt-outs beside it, are in a state. */
const inState: Record<SubscriberState, SQL | undefined> = {
  confirmed: and(isNotNull(subscribers.confirmedAt), isNull(emailOptouts.at)),
  unconfirmed: isNull(subscribers.confirmedAt),
  unsubscribed: and(isNotNull(subscribers.confirmedAt), isNotNull(emailOptouts.at)),
};

/** One page, who signed up last first; `q` is part of an address. */
export async function listSubscribers(
  db: Db,
  { state, q, limit, cursor }: Wanted,
): Promise<{ subscribers: Subscriber[]; nextCursor: string | null }> {
  const rows = await db
    .select({ subscriber: subscribers, unsubscribedAt: emailOptouts.at })
    .from(subscribers)
    .leftJoin(emailOptouts, isLeft)
    .where(
      and(
        state === null ? undefined : inState[state],
        q === "" ? undefined : sql`position(${q.toLowerCase()} in lower(${subscribers.email})) > 0`,
        cursor === null ? undefined : lt(subscribers.id, cursor),
      ),
    )
    .orderBy(desc(subscribers.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit).map(({ subscriber, unsubscribedAt }): Subscriber => {
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
      welcomeCode,
    };
  });
  return { subscribers: page, nextCursor: rows.length > limit ? String(page.at(-1)?.id) : null };
}

/** How many there are in each state. */
export async function countSubscribers(db: Db): Promise<Record<SubscriberState, number>> {
  const counted = (state: SubscriberState) => sql<number>`count(*) filter (where ${inState[state]})::int`;
  const [counts] = await db
    .select({
      confirmed: counted("confirmed"),
      unconfirmed: counted("unconfirmed"),
      unsubscribed: counted("unsubscribed"),
    })
    .from(subscribers)
    .leftJoin(emailOptouts, isLeft);
  if (!counts) throw new Error("an aggregate returned no row");
  return counts;
}
