import { AsyncLocalStorage } from "node:async_hooks";

/** The person in the panel behind the current call, which may be a buyer's call made on the buyer's behalf. */
export type Acting = {
  /** Null: the call comes from a browser without a session. */
  sessionId: string | null;
  /** Null: whoever entered the access code. */
  personId: string | null;
  /** Refunds and other payouts that the call may make; null: it makes none. */
  giving: {
    /** Cents that are given away without asking again who it is; null: any sum. */
    limitCents: number | null;
    /** Whether passkey or code were entered within the last minutes. */
    isConfirmed: boolean;
  } | null;
  /** Of a buyer's call: why it is theirs, for an order's history: "in a browser with the panel open". */
  asBuyer?: string;
};

/** For buyers' calls made by a person of the panel: payouts count as theirs, without a confirmation, since buyers have no code. */
export function actingAsBuyer(who: Pick<Acting, "sessionId" | "personId">, asBuyer: string): Acting {
  return { ...who, giving: { limitCents: null, isConfirmed: false }, asBuyer };
}

const acting = new AsyncLocalStorage<Acting>();

/** Runs an admin's call; what it writes down as the owner's doing has this person's name. */
export function actingAs<T>(who: Acting, run: () => T): T {
  return acting.run(who, run);
}

/** Null: no person of the panel, as in a job or in a buyer's call. */
export function whoActs(): Acting | null {
  return acting.getStore() ?? null;
}

/** The person in the panel behind the current call; null: the access code was used, or there is no call. */
export function actingPerson(): string | null {
  return whoActs()?.personId ?? null;
}
