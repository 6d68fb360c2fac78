import { lazy, Suspense, useCallback, useEffect, useState } from "react";

const loadNotice = () => import("./offline-notice.tsx");
const OfflineNotice = lazy(async () => ({ default: (await loadNotice()).OfflineNotice }));

/** Has pages kept for when there is no connection, and says so when there is none. */
export function OfflineWatch() {
  const [isOffline, setOffline] = useState(false);
  const online = useCallback(() => setOffline(false), []);
  useEffect(() => {
    // Lost before the notice was kept: the page does without it.
    const onOffline = () =>
      void loadNotice().then(
        () => setOffline(!navigator.onLine || "lastSeen" in document.documentElement.dataset),
        () => {},
      );
    if ("lastSeen" in document.documentElement.dataset) onOffline();
    window.addEventListener("offline", onOffline);
    if (document.readyState === "complete") keepPages();
    else window.addEventListener("load", keepPages, { once: true });
    return () => window.removeEventListener("offline", onOffline);
  }, []);
  if (!isOffline) return null;
  return (
    <Suspense>
      <OfflineNotice onOnline={online} />
    </Suspense>
  );
}

function keepPages(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker
    .register("/sw.js")
    .then(() => navigator.serviceWorker.ready)
    // Without a connection it would be too late.
    .then(loadNotice)
    // Some browsers keep nothing, in private windows for instance: the shop works without.
    .catch(() => {});
}
