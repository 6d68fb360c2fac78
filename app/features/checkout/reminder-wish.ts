const key = "checkout-reminder";

/** Whether the shopper ticked the box in this browser tab; nobody else ever ticks it. */
export function readReminderWish(): boolean {
  try {
    return sessionStorage.getItem(key) === "yes";
  } catch {
    return false;
  }
}

export function keepReminderWish(isWanted: boolean): void {
  try {
    if (isWanted) sessionStorage.setItem(key, "yes");
    else sessionStorage.removeItem(key);
  } catch {
    // Full or forbidden storage: the wish lasts as long as the page.
  }
}
