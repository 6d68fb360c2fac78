import { AsyncLocalStorage } from "node:async_hooks";

/** Whoever works in the panel through the call that runs. */
export type Acting = {
  sessionId: string;
  /** Null: whoever entered the access code. */
  personId: string | null;
  /** What the call may give away; null: it is no call that gives anything away. */
  giving: {
    /** Cents that are given away without asking again who it is; null: any sum. */
    limitCents: number | null;
    /** Passkey or code were asked for within the last minutes. */
    isConfirmed: boolean;
  } | null;
};

const acting = new AsyncLocalStorage<Acting>();

/** Runs an admin's call; what it writes down as the owner's doing has this person's name. */
export function actingAs<T>(who: Acting, run: () => T): T {
  return acting.run(who, run);
}

/** Null: nobody in the panel, as in a job or in a buyer's call. */
export function whoActs(): Acting | null {
  return acting.getStore() ?? null;
}

/** Who works in the panel through the call that runs now; null: nobody with a name, or no call. */
export function actingPerson(): string | null {
  return whoActs()?.personId ?? null;
}
