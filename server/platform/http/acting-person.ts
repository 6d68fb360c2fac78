import { AsyncLocalStorage } from "node:async_hooks";

/** Whoever works in the panel through the call that runs, or makes a buyer's call that is theirs all the same. */
export type Acting = {
  /** Null: the call comes from a browser without a session. */
  sessionId: string | null;
  /** Null: whoever entered the access code. */
  personId: string | null;
  /** What the call may give away; null: it is no call that gives anything away. */
  giving: {
    /** Cents that are given away without asking again who it is; null: any sum. */
    limitCents: number | null;
    /** Passkey or code were asked for within the last minutes. */
    isConfirmed: boolean;
  } | null;
  /** Of a buyer's call: why it is theirs, for an order's history: "in a browser with the panel open". */
  asBuyer?: string;
};

/** Somebody of the panel who makes a buyer's call: it is counted as given away by them, and not asked about, for buyers have no code. */
export function actingAsBuyer(who: Pick<Acting, "sessionId" | "personId">, asBuyer: string): Acting {
  return { ...who, giving: { limitCents: null, isConfirmed: false }, asBuyer };
}

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
