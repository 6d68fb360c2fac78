import { readStoredJson, sharedCodeKey, storeJson } from "../browser-storage.ts";

/** The code of the last share link; null once it has been used or removed, or is 30 days old. */
export function readSharedCode(): string | null {
  const { code, until } = (readStoredJson("local", sharedCodeKey) ?? {}) as Record<string, unknown>;
  return typeof code === "string" && typeof until === "number" && Date.now() < until ? code : null;
}

export function discardSharedCode(): void {
  storeJson("local", sharedCodeKey, null);
}
