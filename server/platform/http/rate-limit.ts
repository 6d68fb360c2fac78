import type pg from "pg";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";

export type LimitName =
  | "address"
  | "checkout"
  | "contact"
  | "discount"
  | "lookup"
  | "photo"
  | "reminder"
  | "review"
  | "signIn"
  | "signUp"
  | "text"
  | "vote"
  | "write"
  | "none";

/** Counted per visitor, from any address. */
type VisitorLimitName = "reviewer" | "photographer" | "voter" | "asker" | "addressSeeker";
/** Counted per network, but not for every call of a row. */
type EventLimitName = "viewer";

type Counted = { points: number; seconds: number; counts: "everywhere" | "here" };
const perMinute = (points: number, counts: Counted["counts"]): Counted => ({ points, seconds: 60, counts });
const perHour = (points: number, counts: Counted["counts"]): Counted => ({
  points,
  seconds: 60 * 60,
  counts,
});

/**
 * Calls per address and time. What protects money, stock, somebody's mailbox or the owner's time counts for all
 * servers together, at the price of a statement; the rest in each server's memory.
 */
const limitsByName: Record<Exclude<LimitName, "none"> | VisitorLimitName | EventLimitName, Counted> = {
  /** Suggestions while an address is typed: each may cost money; an address takes about ten. */
  address: perHour(240, "everywhere"),
  addressSeeker: perHour(80, "everywhere"),
  checkout: perMinute(20, "everywhere"),
  contact: perMinute(10, "everywhere"),
  /** Unknown discount codes: guessing must be slow. */
  discount: perMinute(20, "everywhere"),
  lookup: perMinute(5, "everywhere"),
  reminder: perMinute(20, "everywhere"),
  /** Questions for a passkey, and looks at an invitation: the answers are counted as tries of the access code are. */
  signIn: perMinute(30, "everywhere"),
  /** The newsletter's form and that of a sold-out product: each may bring an e-mail to whatever address is typed. */
  signUp: perMinute(10, "everywhere"),
  /** Test texts: each costs money, and goes to whatever number is typed. */
  text: perMinute(20, "everywhere"),
  review: perMinute(10, "here"),
  reviewer: perHour(10, "everywhere"),
  asker: perHour(5, "everywhere"),
  /** Photos fill the disk, and votes without a purchase are worth what they cost. */
  photo: perHour(60, "everywhere"),
  photographer: perHour(20, "everywhere"),
  vote: perHour(120, "everywhere"),
  voter: perHour(60, "everywhere"),
  /** Visitors whose views of products are counted. */
  viewer: perHour(300, "everywhere"),
  /** Whatever changes something or asks the payment provider. */
  write: perMinute(1200, "here"),
};

export type RateLimits = {
  /** Null within the limit, else the seconds to wait. */
  take(limit: LimitName | VisitorLimitName | EventLimitName, key: string): Promise<number | null>;
  /** The seconds to wait if the limit is used up, else null; counts nothing. */
  wait(limit: LimitName, key: string): Promise<number | null>;
  /** Counts one more for the whole shop, and answers how many there were on this day of the owner's (`YYYY-MM-DD`). */
  countOfDay(name: string, day: string): Promise<number>;
};

/** Rejects, as every other statement does, while the database cannot be used: the call would fail anyway. */
export function createRateLimits(pool: Pick<pg.Pool, "query">): RateLimits {
  const limiters = new Map<string, RateLimiterMemory | RateLimiterPostgres>(
    Object.entries(limitsByName).map(([name, limit]) => [name, limiterOf(name, limit, pool)]),
  );
  // A day begins elsewhere at another time, and may have 25 hours.
  const ofDay = storedLimiter("day", { points: 2 ** 31 - 1, seconds: 2 * 24 * 60 * 60 }, pool);
  return {
    async take(limit, key) {
      const limiter = limiters.get(limit);
      if (!limiter) return null;
      try {
        await limiter.consume(key);
        return null;
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return secondsLeft(refused);
      }
    },
    async wait(limit, key) {
      const state = await limiters.get(limit)?.get(key);
      return state && state.remainingPoints <= 0 ? secondsLeft(state) : null;
    },
    async countOfDay(name, day) {
      return (await ofDay.consume(`${name}:${day}`)).consumedPoints;
    },
  };
}

function limiterOf(name: string, limit: Counted, pool: Pick<pg.Pool, "query">) {
  const { points, seconds, counts } = limit;
  return counts === "here"
    ? new RateLimiterMemory({ points, duration: seconds })
    : storedLimiter(name, limit, pool);
}

function storedLimiter(
  name: string,
  { points, seconds }: Pick<Counted, "points" | "seconds">,
  pool: Pick<pg.Pool, "query">,
) {
  return new RateLimiterPostgres({
    // Its own names for its statements are left out: connections name theirs where that may be done.
    storeClient: { query: ({ text, values }: pg.QueryConfig) => pool.query(text, values) },
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: seconds,
    // A flood from one address costs no more statements than it may make calls.
    inMemoryBlockOnConsumed: points,
  });
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
