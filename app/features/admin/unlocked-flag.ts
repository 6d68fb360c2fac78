const key = "admin-unlocked";

/**
 * Whether this tab has had the admin panel unlocked. Public pages ask the server for an admin's rights only then;
 * the flag itself gives none.
 */
export function wasUnlocked(): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

export function rememberUnlocked(isUnlocked: boolean): void {
  try {
    if (isUnlocked) sessionStorage.setItem(key, "true");
    else sessionStorage.removeItem(key);
  } catch {
    // Forbidden storage: public pages then show no admin's controls.
  }
}
