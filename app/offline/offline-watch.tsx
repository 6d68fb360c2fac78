import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { whenLoaded } from "../ui/browser/when-loaded.ts";

const loadNotice = () => import("./offline-notice.tsx");
const OfflineNotice = lazy(async () => ({ default: (await loadNotice()).OfflineNotice }));

/** Registers the service worker, which stores pages for reading offline, and shows a notice while offline. */
export function OfflineWatch() {
  const [isOffline, setOffline] = useState(false);
  const hideNotice = useCallback(() => setOffline(false), []);
  useEffect(() => {
    // No notice appears if the connection is lost before the notice's code has loaded.
    const onOffline = () =>
      void loadNotice().then(
        () => setOffline(!navigator.onLine || "lastSeen" in document.documentElement.dataset),
        () => {},
      );
    if ("lastSeen" in document.documentElement.dataset) onOffline();
    window.addEventListener("offline", onOffline);
    whenLoaded(startServiceWorker);
    return () => window.removeEventListener("offline", onOffline);
  }, []);
  if (!isOffline) return null;
  return (
    <Suspense>
      <OfflineNotice onOnline={hideNotice} />
    </Suspense>
  );
}

function startServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker
    .register("/sw.js")
    .then(() => navigator.serviceWorker.ready)
    // Loaded in advance: it could not be loaded once the browser is offline.
    .then(loadNotice)
    // Private windows of some browsers allow no service worker; the shop works without it.
    .catch(() => {});
}
