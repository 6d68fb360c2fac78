import { readStored, store } from "../browser-storage.ts";

const key = "admin-unlocked";

/**
 * Whether this tab has had the admin panel unlocked by somebody who moderates reviews. Public pages ask the server for an admin's rights only then;
 * the flag itself gives none.
 */
export function wasUnlocked(): boolean {
  return typeof readStored("session", key) === "string";
}

/** Where storage is forbidden, public pages show no admin's controls. */
export function rememberUnlocked(isUnlocked: boolean): void {
  store("session", key, isUnlocked ? "true" : null);
}
