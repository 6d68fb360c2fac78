import { callApi } from "../api.ts";
import { readStored, store } from "../browser-storage.ts";
import { useApiResult } from "../use-api-result.ts";

const key = "admin-unlocked";

/**
 * Whether the panel was unlocked in this tab by a user who moderates reviews. Only then do public pages ask the server
 * for admin rights; the flag itself grants none.
 */
function wasUnlocked(): boolean {
  return typeof readStored("session", key) === "string";
}

/** Stores the flag. Without storage, public pages show no admin controls. */
export function rememberUnlocked(isUnlocked: boolean): void {
  store("session", key, isUnlocked ? "true" : null);
}

/** Whether to show an admin's controls on a public page, which the server renders the same for everybody. */
export function useIsAdmin(): boolean {
  const { body } = useApiResult(wasUnlocked() || null, (_, signal) =>
    callApi("GET /api/admin/session", { signal }),
  );
  return body?.data.authenticated ?? false;
}
