import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export type LimitName =
  | "checkout"
  | "contact"
  | "discount"
  | "lookup"
  | "reminder"
  | "review"
  | "write"
  | "none";

/** Calls per address and minute; `write`: whatever changes something or asks the payment provider. */
const pointsPerMinute: Record<Exclude<LimitName, "none">, number> = {
  checkout: 20,
  contact: 10,
  /** Unknown discount codes: guessing must be slow. */
  discount: 20,
  lookup: 5,
  reminder: 20,
  review: 10,
  write: 1200,
};
/** Calls per visitor and hour, from any address. */
const pointsPerVisitorHour = { reviewer: 10 };

export type RateLimits = {
  /** Null within the limit, else the seconds to wait. */
  take(limit: LimitName | keyof typeof pointsPerVisitorHour, key: string): Promise<number | null>;
  /** The seconds to wait if the limit is used up, else null; counts nothing. */
  wait(limit: LimitName, key: string): Promise<number | null>;
};

/** In this process's memory: a second server doubles the limits, which still stops what they are meant to stop. */
export function createRateLimits(): RateLimits {
  const limitersOf = (pointsByName: Record<string, number>, duration: number) =>
    Object.entries(pointsByName).map(
      ([name, points]) => [name, new RateLimiterMemory({ points, duration })] as const,
    );
  const limiters = new Map([
    ...limitersOf(pointsPerMinute, 60),
    ...limitersOf(pointsPerVisitorHour, 60 * 60),
  ]);
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
  };
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
