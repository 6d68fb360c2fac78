import { sharedCodeKey, sourceKey, store, storeJson } from "../browser-storage.ts";

declare global {
  interface Navigator {
    /** Whether the user has asked not to be tracked; undefined in browsers without this setting. */
    globalPrivacyControl?: boolean;
  }
}

const sharedCodeLifetimeMs = 30 * 24 * 60 * 60_000;

/**
 * Stores data from the first page's URL and referrer: the discount code of a share link ("/?code=SAVE10"), for checkout,
 * and where the visit came from, for the order. Removes the code from the page's URL, so that a reload does not bring
 * back a code that the shopper has removed.
 */
export function storeLandingData(): void {
  const url = new URL(location.href);
  const { pathname, searchParams } = url;
  if (pathname.startsWith("/admin")) return;
  const code = searchParams.get("code");
  if (code !== null) {
    if (/^[\w-]{3,40}$/.test(code))
      storeJson("local", sharedCodeKey, { code, until: Date.now() + sharedCodeLifetimeMs });
    searchParams.delete("code");
    history.replaceState(history.state, "", url);
  }
  const referrerOrigin = new URL(document.referrer || url).origin;
  // A bank's page leads back to checkout: the visit did not begin there.
  const isFromOtherSite = referrerOrigin !== url.origin && !pathname.startsWith("/checkout");
  if ((isFromOtherSite || searchParams.has("utm_source")) && !navigator.globalPrivacyControl) {
    store("session", sourceKey, referrerOrigin + url.search);
  }
}
