import { useSyncExternalStore } from "react";
import { formatDay, formatMinute } from "../../domain/orders/order-text.ts";

/**
 * A time (ISO 8601) to the day or the minute. The server does not know the shopper's zone and writes UTC; the browser
 * puts its own zone's time there once the page has come alive. "N/A" for what is no time.
 */
export function Time({ iso, to = "day" }: { iso: string | null; to?: "day" | "minute" }) {
  const zone = useSyncExternalStore(
    neverChanges,
    () => undefined,
    () => "UTC",
  );
  const text = to === "day" ? formatDay(iso, zone) : formatMinute(iso, zone);
  return iso === null ? text : <time dateTime={iso}>{text}</time>;
}

function neverChanges() {
  return () => {};
}
