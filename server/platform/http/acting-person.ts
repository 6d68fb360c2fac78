import { AsyncLocalStorage } from "node:async_hooks";
import type { Db } from "../database/database.ts";

/** The person in the panel behind the current call, which may be a buyer's call made on the buyer's behalf. */
export type Acting = {
  /** Null: the call comes from a browser without a session. */
  sessionId: string | null;
  /** Null: signed in with the access code. */
  personId: string | null;
  /** Rules for refunds and other payouts of the call; null: the call makes none. */
  confirmationLimit: {
    /** Cents that may be given away without confirming the identity; null: any sum. */
    limitCents: number | null;
    /** Whether the identity was confirmed by passkey or code within the last minutes. */
    isConfirmed: boolean;
    /** For an API key, which cannot confirm: adds cents to its daily sum, and returns the sum. */
    countForKey: ((tx: Db, cents: number) => Promise<number>) | null;
  } | null;
  /**
   * For a buyer's call: why it is attributed to this person, for the order's history: "in a browser with the panel open".
   */
  asBuyer?: string;
};

/**
 * For buyers' calls made by a panel user: payouts count towards that person's sum (`countForKey`: an API key's), but need
 * no confirmation, since buyers have no code.
 */
export function actingAsBuyer(
  who: Pick<Acting, "sessionId" | "personId">,
  asBuyer: string,
  countForKey: NonNullable<Acting["confirmationLimit"]>["countForKey"] = null,
): Acting {
  return { ...who, confirmationLimit: { limitCents: null, isConfirmed: false, countForKey }, asBuyer };
}

const acting = new AsyncLocalStorage<Acting>();

/** Runs an admin's call; records of the owner's actions get this person's name. */
export function actingAs<T>(who: Acting, run: () => T): T {
  return acting.run(who, run);
}

/** The person acting in the current call; null in jobs and in calls of buyers. */
export function currentActor(): Acting | null {
  return acting.getStore() ?? null;
}

/** The person in the panel behind the current call; null: the access code was used, or there is no call. */
export function actingPerson(): string | null {
  return currentActor()?.personId ?? null;
}
