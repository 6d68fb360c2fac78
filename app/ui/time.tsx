import { useSyncExternalStore } from "react";
import { useRouteLoaderData } from "react-router";
import { formatDay, formatMinute } from "../../domain/orders/order-text.ts";
import type { loader } from "../root.tsx";

/**
 * A time (ISO 8601) to the day or the minute, "N/A" if it is invalid. In the user's time zone once the page is hydrated;
 * before that, and without JavaScript, in the shop's, with the name of the zone.
 */
export function Time({ iso, to = "day" }: { iso: string | null; to?: "day" | "minute" }) {
  const zone = useReadersZone();
  const text = to === "day" ? formatDay(iso, zone) : formatMinute(iso, zone);
  return iso === null ? text : <time dateTime={iso}>{text}</time>;
}

/** Time zone for `Intl`: undefined is the browser's own. */
export function useReadersZone(): string | undefined {
  const shopZone = useRouteLoaderData<typeof loader>("root")?.timeZone ?? "UTC";
  return useSyncExternalStore(
    neverChanges,
    () => undefined,
    () => shopZone,
  );
}

function neverChanges() {
  return () => {};
}
