import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { usePolling } from "../ui/browser/use-polling.ts";
import { askShop } from "./ask-shop.ts";

const pollMs = 5_000;

/** Says that the shop is unreachable and the page out of date, until it is reachable again. */
export function OfflineNotice({ onOnline }: { onOnline: () => void }) {
  const { revalidate } = useRevalidator();
  const [isBack, setBack] = useState(false);
  const checkShop = async () => setBack(await askShop());
  usePolling(!isBack, checkShop, pollMs);
  useEffect(() => {
    const onBack = () => void askShop().then(setBack);
    window.addEventListener("online", onBack);
    return () => window.removeEventListener("online", onBack);
  }, []);
  useEffect(() => {
    if (!isBack) return;
    delete document.documentElement.dataset.lastSeen;
    void revalidate().then(onOnline);
  }, [isBack, revalidate, onOnline]);
  return (
    <p
      role="status"
      className="pointer-events-none fixed bottom-24 left-1/2 z-(--z-toast) w-max max-w-[calc(100vw-2rem)] -translate-x-1/2 rounded-md border border-line bg-surface px-4 py-2.5 text-center text-small shadow-lg print:hidden"
    >
      You are offline. Prices and stock are as last seen.
    </p>
  );
}
