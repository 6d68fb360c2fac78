import { AsyncLocalStorage } from "node:async_hooks";
import type { Db } from "../database/database.ts";

/** The panel user who makes the current call, possibly a buyer's call on the buyer's behalf. */
export type Actor = {
  /** Null if the call comes from a browser without a session. */
  sessionId: string | null;
  /** Null if signed in with the access code. */
  personId: string | null;
  /** Rules for refunds and other payouts of the call; null if it makes none. */
  confirmationLimit: {
    /** Cents that may be paid out without confirming the identity; null means any sum. */
    limitCents: number | null;
    /** Whether the identity was confirmed by passkey or code within the last minutes. */
    isConfirmed: boolean;
    /** For an API key, which cannot confirm: adds cents to its daily sum, and returns the sum. */
    countForKey: ((tx: Db, cents: number) => Promise<number>) | null;
  } | null;
  /**
   * For a buyer's call: a note for the order's history on why it is attributed to this person: "in a browser with the panel
   * open".
   */
  buyerCallNote?: string;
};

/**
 * For buyers' calls made by a panel user: payouts count towards that person's sum (`countForKey`: an API key's), but need
 * no confirmation, since buyers have no code.
 */
export function actingAsBuyer(
  actor: Pick<Actor, "sessionId" | "personId">,
  buyerCallNote: string,
  countForKey: NonNullable<Actor["confirmationLimit"]>["countForKey"] = null,
): Actor {
  return {
    ...actor,
    confirmationLimit: { limitCents: null, isConfirmed: false, countForKey },
    buyerCallNote,
  };
}

const actorStorage = new AsyncLocalStorage<Actor>();

/** Runs an admin's call; records of the owner's actions get this person's name. */
export function actingAs<T>(actor: Actor, run: () => T): T {
  return actorStorage.run(actor, run);
}

/** The panel user who makes the current call; null in jobs and in calls of buyers. */
export function currentActor(): Actor | null {
  return actorStorage.getStore() ?? null;
}

/** Id of the person who makes the current call in the panel; null with the access code and without a call. */
export function actingPerson(): string | null {
  return currentActor()?.personId ?? null;
}
