import type pg from "pg";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { apiKeyCallsPerMinute } from "../../../domain/people/api-key.ts";
import { networkPrefix, sitePrefix } from "./client-address.ts";

export type LimitName =
  | "address"
  | "checkout"
  | "contact"
  | "discount"
  | "lookup"
  | "photo"
  | "rates"
  | "reminder"
  | "review"
  | "signIn"
  | "signUp"
  | "text"
  | "vote"
  | "write"
  | "none";

/** Limit per visitor, from any address. */
type VisitorLimitName = "reviewer" | "photographer" | "voter" | "asker" | "addressCaller" | "ratesViewer";
type ShopLimitName = "ratesOfShop";
type KeyLimitName = "apiKey";
/** Limit per network, only for calls that record a view. */
type EventLimitName = "viewer";

type Limit = { points: number; seconds: number; scope: "across_servers" | "per_server" };
const perMinute = (points: number, scope: Limit["scope"]): Limit => ({ points, seconds: 60, scope });
const perHour = (points: number): Limit => ({ points, seconds: 60 * 60, scope: "across_servers" });

/**
 * Calls per address and time. Limits that protect payments, stock, mailboxes or the owner's time are counted in the database
 * for all servers together; the rest in each server's memory.
 */
const limitsByName: Record<
  Exclude<LimitName, "none"> | VisitorLimitName | ShopLimitName | KeyLimitName | EventLimitName,
  Limit
> = {
  /** Address suggestions: each may cost money, and an address takes about ten. */
  address: perHour(240),
  addressCaller: perHour(80),
  /** Requests to carriers for prices at checkout, with the keys that also buy labels. */
  rates: perHour(120),
  ratesViewer: perHour(40),
  ratesOfShop: perMinute(60, "across_servers"),
  checkout: perMinute(20, "across_servers"),
  contact: perMinute(10, "across_servers"),
  /** Unknown discount codes, against guessing. */
  discount: perMinute(20, "across_servers"),
  lookup: perMinute(5, "across_servers"),
  reminder: perMinute(20, "across_servers"),
  /** Requests for passkey options and invitations. Wrong answers are counted like wrong access codes. */
  signIn: perMinute(30, "across_servers"),
  /** Newsletter and stock alert forms, each of which sends an e-mail to any address entered. */
  signUp: perMinute(10, "across_servers"),
  /** Test texts: each costs money and goes to any number entered. */
  text: perMinute(20, "across_servers"),
  review: perMinute(10, "per_server"),
  reviewer: perHour(10),
  asker: perHour(5),
  /** Photos, which fill the disk, and votes, which need no purchase. */
  photo: perHour(60),
  photographer: perHour(20),
  vote: perHour(120),
  voter: perHour(60),
  /** Visitors whose views of products are counted. */
  viewer: perHour(300),
  apiKey: perMinute(apiKeyCallsPerMinute, "per_server"),
  /** Writes, and requests to the payment provider. */
  write: perMinute(1200, "per_server"),
};

/** Limits of calls that send e-mail to any address entered -> calls per network and day. */
const mailPerDay: Partial<Record<LimitName, number>> = {
  contact: 100,
  lookup: 100,
  reminder: 200,
  signUp: 100,
};
/** An IPv6 /48 may belong to one customer: its limit is this multiple of that of a /64 network. */
const siteFactor = 4;

export type RateLimits = {
  /**
   * `take` for a caller's network; for calls that send e-mail to strangers, also for the network's day and for its IPv6 /48.
   * Null within all limits, otherwise the seconds to wait.
   */
  takeFrom(limit: LimitName, address: string): Promise<number | null>;
  /** Null within the limit, otherwise the seconds to wait. */
  take(
    limit: LimitName | VisitorLimitName | ShopLimitName | KeyLimitName | EventLimitName,
    key: string,
  ): Promise<number | null>;
  /** The seconds to wait if the limit is used up, otherwise null; counts nothing. */
  wait(limit: LimitName, key: string): Promise<number | null>;
  /** Counts a call for the whole shop; returns the count of the day (`YYYY-MM-DD`, in the owner's time zone). */
  countForDay(name: string, day: string): Promise<number>;
};

/**
 * Tolerated difference (s) between the servers' clocks. A count that ends even later was started by a clock that was ahead; it
 * counts as ended.
 */
const clockToleranceS = 60;

/** Rejects while the database is unavailable, as the call would fail anyway. */
export function createRateLimits(pool: Pick<pg.Pool, "query">): RateLimits {
  const limiters = new Map<string, RateLimiterMemory | RateLimiterPostgres>(
    Object.entries({ ...limitsByName, ...mailLimits() }).map(([name, limit]) => [
      name,
      createLimiter(name, limit, pool),
    ]),
  );
  const take = async (limit: string, key: string): Promise<number | null> => {
    const limiter = limiters.get(limit);
    if (!limiter) return null;
    try {
      await limiter.consume(key);
      return null;
    } catch (rejection) {
      if (!(rejection instanceof RateLimiterRes)) throw rejection;
      const waitS = secondsLeft(rejection);
      if (waitS <= limiter.duration + clockToleranceS || limiter instanceof RateLimiterMemory)
        return Math.min(waitS, limiter.duration);
      limiter.deleteInMemoryBlockedAll();
      return take(limit, key);
    }
  };
  // Counts are kept longer than a day, since time zones differ and a day may have 25 hours.
  const dailyCounts = storedLimiter("day", { points: 2 ** 31 - 1, seconds: 2 * 24 * 60 * 60 }, pool);
  return {
    take,
    async takeFrom(limit, address) {
      const network = networkPrefix(address);
      const waitS = await take(limit, network);
      if (waitS !== null || mailPerDay[limit] === undefined) return waitS;
      const site = sitePrefix(address);
      const dayWaitS = await take(`${limit}:day`, network);
      if (dayWaitS !== null || site === null) return dayWaitS;
      return (await take(`${limit}:site`, site)) ?? (await take(`${limit}:site:day`, site));
    },
    async wait(limit, key) {
      const state = await limiters.get(limit)?.get(key);
      return state && state.remainingPoints <= 0 ? secondsLeft(state) : null;
    },
    async countForDay(name, day) {
      return (await dailyCounts.consume(`${name}:${day}`)).consumedPoints;
    },
  };
}

function mailLimits(): Record<string, Limit> {
  return Object.fromEntries(
    (Object.entries(mailPerDay) as [keyof typeof mailPerDay & keyof typeof limitsByName, number][]).flatMap(
      ([name, perDay]): [string, Limit][] => {
        const limit = limitsByName[name];
        const day = { points: perDay, seconds: 24 * 60 * 60, scope: "across_servers" } as const;
        return [
          [`${name}:day`, day],
          [`${name}:site`, { ...limit, points: siteFactor * limit.points }],
          [`${name}:site:day`, { ...day, points: siteFactor * perDay }],
        ];
      },
    ),
  );
}

function createLimiter(name: string, limit: Limit, pool: Pick<pg.Pool, "query">) {
  const { points, seconds, scope } = limit;
  return scope === "per_server"
    ? new RateLimiterMemory({ points, duration: seconds })
    : storedLimiter(name, limit, pool);
}

function storedLimiter(
  name: string,
  { points, seconds }: Pick<Limit, "points" | "seconds">,
  pool: Pick<pg.Pool, "query">,
) {
  // Counts that end later than any new one were started while the clock was ahead.
  const lifeMs = 1000 * (seconds + clockToleranceS);
  const withLimitedLife = (statement: string) =>
    statement.replaceAll(
      /expire (<=|>) (\$\d)/g,
      (_, sign, now) => `expire - ${now} ${sign === ">" ? "" : "not "}between 1 and ${lifeMs}`,
    );
  return new RateLimiterPostgres({
    // Drops the library's statement names; the connections choose names themselves if possible.
    storeClient: { query: ({ text, values }: pg.QueryConfig) => pool.query(withLimitedLife(text), values) },
    storeType: "client",
    tableName: "rate_limits",
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: seconds,
    // Calls above the limit are refused from memory, without further statements.
    inMemoryBlockOnConsumed: points,
  });
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
