declare global {
  interface Window {
    /** The router's own table of routes; its version changes with every file that browsers load. */
    __reactRouterManifest: {
      version: string;
      routes: Record<string, { module: string; imports?: string[] } | undefined>;
    };
  }
}

/** What the service worker says instead of data that cannot be loaded (app/offline/service-worker.ts). */
const offlineVersion = "offline";

/**
 * While a deploy rolls, and after it, open pages get their next page's data from servers of another version, which
 * the components that they have might not understand: the browser then loads that page whole. A page itself is never
 * reloaded for it, because somebody may be filling in a form. Answers what to do when a component has failed: if such data
 * came before, the page is loaded again, since what was typed is gone already.
 */
export function loadOtherVersionsWhole(): () => void {
  const fetchAsIs = fetch;
  let hasOtherVersion = false;
  window.fetch = async (input, init) => {
    const response = await fetchAsIs(input, init);
    const version = response.headers.get("X-Pages-Version");
    if (!version || version === window.__reactRouterManifest.version) return response;
    const isOffline = version === offlineVersion;
    hasOtherVersion ||= !isOffline;
    const next = new URL(response.url.replace(/_?\.data\b/, ""));
    const isSamePage = next.pathname === location.pathname;
    if (isOffline && (isSamePage || init?.method)) throw new TypeError("The shop cannot be reached.");
    if (isSamePage || init?.method) return response;
    next.searchParams.delete("_routes");
    location.assign(next);
    return new Promise(() => {});
  };
  return () => {
    if (hasOtherVersion) location.reload();
  };
}
