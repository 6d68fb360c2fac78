import { useEffect } from "react";
import { useRevalidator } from "react-router";
import type { AdminOrder } from "../../../../domain/orders/admin-order.ts";

const everyMs = 4_000;
const triesMax = 15;

/** Looks again for a minute while the payment provider has not confirmed a refund. */
export function useSettling({ refunds }: Pick<AdminOrder, "refunds">): void {
  const { revalidate } = useRevalidator();
  const pending = refunds.filter(({ status }) => status === "pending").length;
  useEffect(() => {
    if (pending === 0) return;
    let tries = 0;
    const timer = window.setInterval(() => {
      tries += 1;
      if (tries >= triesMax) window.clearInterval(timer);
      if (document.visibilityState === "visible") void revalidate();
    }, everyMs);
    return () => window.clearInterval(timer);
  }, [pending, revalidate]);
}
