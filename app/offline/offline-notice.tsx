import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { usePolling } from "../ui/browser/use-polling.ts";
import { isShopReachable } from "./shop-reachable.ts";

const pollMs = 5_000;

/** Shown while the shop is unreachable, so that the page may be out of date. */
export function OfflineNotice({ onOnline }: { onOnline: () => void }) {
  const { revalidate } = useRevalidator();
  const [isReachable, setReachable] = useState(false);
  const checkShop = async () => setReachable(await isShopReachable());
  usePolling(!isReachable, checkShop, pollMs);
  useEffect(() => {
    const onConnected = () => void isShopReachable().then(setReachable);
    window.addEventListener("online", onConnected);
    return () => window.removeEventListener("online", onConnected);
  }, []);
  useEffect(() => {
    if (!isReachable) return;
    delete document.documentElement.dataset.lastSeen;
    void revalidate().then(onOnline);
  }, [isReachable, revalidate, onOnline]);
  return (
    <p
      role="status"
      className="pointer-events-none fixed left-1/2 max-md:top-24 md:bottom-24 z-(--z-toast) w-max max-w-[calc(100vw-2rem)] -translate-x-1/2 rounded-md border border-line bg-surface px-4 py-2.5 text-center text-small shadow-lg print:hidden"
    >
      You are offline. Prices and stock are as last seen.
    </p>
  );
}
