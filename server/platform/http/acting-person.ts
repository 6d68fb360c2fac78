import { AsyncLocalStorage } from "node:async_hooks";

const acting = new AsyncLocalStorage<string | null>();

/** Runs an admin's call; what it writes down as the owner's doing has this person's name. Null: the access code's. */
export function asPerson<T>(personId: string | null, run: () => T): T {
  return acting.run(personId, run);
}

/** Who works in the panel through the call that runs now; null: nobody with a name, or no call. */
export function actingPerson(): string | null {
  return acting.getStore() ?? null;
}
