import { readStored, store } from "../browser-storage.ts";

const key = "admin-unlocked";

/**
 * Whether the panel was unlocked in this tab by a user who moderates reviews. Only then do public pages ask the server
 * for admin rights; the flag itself grants none.
 */
export function wasUnlocked(): boolean {
  return typeof readStored("session", key) === "string";
}

/** Where storage is forbidden, public pages show no admin's controls. */
export function rememberUnlocked(isUnlocked: boolean): void {
  store("session", key, isUnlocked ? "true" : null);
}
