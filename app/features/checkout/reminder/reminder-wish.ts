import { readStored, store } from "../../browser-storage.ts";

const key = "checkout-reminder";

/** Whether the shopper ticked the box in this browser tab; it is never ticked by default. */
export function readReminderWish(): boolean {
  return readStored("session", key) === "yes";
}

export function saveReminderWish(isWanted: boolean): void {
  store("session", key, isWanted ? "yes" : null);
}
