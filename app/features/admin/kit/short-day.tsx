import { createContext, useContext } from "react";

/** A time (ISO 8601) as "Nov 20, 2026", `withTime` as "Nov 20, 2026, 9:14 AM", in the shop's zone. */
export function ShortDay({ iso, withTime = false }: { iso: string; withTime?: boolean }) {
  const timeZone = useShopZone();
  const text = new Date(iso).toLocaleString("en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    ...(withTime ? { hour: "numeric", minute: "2-digit" } : {}),
    timeZone,
  });
  return (
    <time dateTime={iso} className={withTime ? undefined : "whitespace-nowrap"}>
      {text}
    </time>
  );
}

/** A time of today (ISO 8601) as "9:14 AM", in the shop's zone. */
export function TimeOfDay({ iso }: { iso: string }) {
  const timeZone = useShopZone();
  const text = new Date(iso).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit", timeZone });
  return <time dateTime={iso}>{text}</time>;
}

/** IANA name of the shop's time zone, provided by the panel's frame (routes/admin.tsx). */
export const ShopZone = createContext("UTC");

/** The shop's time zone. The panel shows all times and days in it, wherever the viewer is. */
export function useShopZone(): string {
  return useContext(ShopZone);
}
