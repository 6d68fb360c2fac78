import { useRouteLoaderData } from "react-router";
import { formatDay, formatMinute, formatShort } from "../../domain/orders/order-text.ts";
import type { loader } from "../root.tsx";
import { useHydrated } from "./browser/browser-state.ts";

/**
 * A time (ISO 8601), shown to `precision`; "N/A" if it is invalid. It is in the user's time zone once the page is
 * hydrated; before that, and without JavaScript, it is in the shop's zone, with the zone's name. `short`: "Nov 19, 9:14
 * AM".
 */
export function Time({
  iso,
  precision = "day",
  short = false,
}: {
  iso: string | null;
  precision?: "day" | "minute";
  short?: boolean;
}) {
  const zone = useViewerTimeZone();
  const format = precision === "day" ? formatDay : formatMinute;
  const text = short ? formatShort(iso, zone, precision) : format(iso, zone);
  return iso === null ? text : <time dateTime={iso}>{text}</time>;
}

/** The viewer's time zone for `Intl`; undefined stands for the browser's own. */
function useViewerTimeZone(): string | undefined {
  const shopZone = useRouteLoaderData<typeof loader>("root")?.timeZone ?? "UTC";
  return useHydrated() ? undefined : shopZone;
}
