import { sharedCodeKey, sourceKey, store, storeJson } from "../browser-storage.ts";

declare global {
  interface Navigator {
    /** Whether the user has asked not to be tracked; missing in browsers that do not support it. */
    globalPrivacyControl?: boolean;
  }
}

const sharedCodeLifetimeMs = 30 * 24 * 60 * 60_000;

/**
 * Stores what the address and the referring page tell, before the page is used: the discount code of a share link
 * ("/?code=SAVE10"), for checkout, and where the visit came from, for the order. Takes the code out of the page's address,
 * so that a reload does not bring back a code that the shopper has removed.
 */
export function noteArrival(): void {
  const address = new URL(location.href);
  const { pathname, searchParams } = address;
  if (pathname.startsWith("/admin")) return;
  const code = searchParams.get("code");
  if (code !== null) {
    if (/^[\w-]{3,40}$/.test(code))
      storeJson("local", sharedCodeKey, { code, until: Date.now() + sharedCodeLifetimeMs });
    searchParams.delete("code");
    history.replaceState(history.state, "", address);
  }
  const from = new URL(document.referrer || address).origin;
  // A bank's page leads back to checkout: the visit did not begin there.
  const isOutside = from !== address.origin && !pathname.startsWith("/checkout");
  if ((isOutside || searchParams.has("utm_source")) && !navigator.globalPrivacyControl) {
    store("session", sourceKey, from + address.search);
  }
}
