import { readStoredJson, storeJson } from "../browser-storage.ts";

const storageKey = "shared-code";
const keptMs = 30 * 24 * 60 * 60_000;

/**
 * Stores the discount code of a share link ("/?code=SAVE10") for checkout, and takes it out of the page's address, so that
 * a reload does not bring back a code that the shopper has removed.
 */
export function storeSharedCode(): void {
  const address = new URL(location.href);
  const code = address.searchParams.get("code");
  if (code === null || address.pathname.startsWith("/admin")) return;
  if (/^[\w-]{3,40}$/.test(code)) storeJson("local", storageKey, { code, until: Date.now() + keptMs });
  address.searchParams.delete("code");
  history.replaceState(history.state, "", address);
}

/** The code of the last share link; null once it was used, removed or is 30 days old. */
export function readSharedCode(): string | null {
  const { code, until } = (readStoredJson("local", storageKey) ?? {}) as Record<string, unknown>;
  return typeof code === "string" && typeof until === "number" && Date.now() < until ? code : null;
}

export function discardSharedCode(): void {
  storeJson("local", storageKey, null);
}
