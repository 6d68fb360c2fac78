import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { isPaymentPage } from "../domain/payments/payment-pages.ts";
import { storeLandingData } from "./features/checkout/landing-data.ts";

declare global {
  interface Window {
    /** The router's own table of routes; its version changes whenever a file that browsers load changes. */
    __reactRouterManifest: {
      version: string;
      routes: Record<string, { module: string; imports?: string[] } | undefined>;
    };
  }
}

/** Version that the service worker responds with if page data cannot be loaded (app/offline/service-worker.ts). */
const offlineVersion = "offline";

loadPaymentPagesAsDocuments();
storeLandingData();
const onError = loadOtherVersionsAsDocuments();

// A view transition that the next click skips is not an error, but the router leaves its promise's rejection unhandled.
const startViewTransition = document.startViewTransition;
if (startViewTransition) {
  document.startViewTransition = (update) => {
    const transition = startViewTransition.call(document, update);
    transition.ready.catch(() => {});
    return transition;
  };
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter onError={onError} />
    </StrictMode>,
  );
});

/**
 * A document's content security policy is fixed when it is loaded, and most pages do not allow the payment provider. From
 * such pages, payment pages are loaded as new documents. This is needed only in shops with real payments.
 */
function loadPaymentPagesAsDocuments(): void {
  if (!("hasProvider" in document.documentElement.dataset) || isPaymentPage(location.pathname)) return;
  const originalFetch = fetch;
  window.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const path = url.pathname.replace(/\.data$/, "");
    if (path === url.pathname || path === location.pathname || !isPaymentPage(path)) {
      return originalFetch(input, init);
    }
    location.assign(path + url.search.replace(/[?&]_routes=[^&]*/, ""));
    return new Promise(() => {});
  };
}

/**
 * During and after a deployment, open pages may receive the next page's data from servers of another version, which their
 * components might not understand; the browser then loads that page as a document. The current page is not reloaded, because
 * the user may be filling in a form. Returns the handler of component failures: it reloads the page if such data has
 * arrived, since the user's entries are lost already.
 */
function loadOtherVersionsAsDocuments(): () => void {
  const originalFetch = fetch;
  let hasOtherVersion = false;
  window.fetch = async (input, init) => {
    const response = await originalFetch(input, init);
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
