import { useReadersZone } from "../../../ui/time.tsx";

/**
 * A time (ISO 8601) as "Nov 20, 2026", `withTime` as "Nov 20, 2026, 9:14 AM": in the shop's zone from the server, in the
 * reader's own once the page has come alive.
 */
export function ShortDay({ iso, withTime = false }: { iso: string; withTime?: boolean }) {
  const timeZone = useReadersZone();
  const text = new Date(iso).toLocaleString("en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    ...(withTime ? { hour: "numeric", minute: "2-digit" } : {}),
    timeZone,
  });
  return <time dateTime={iso}>{text}</time>;
}
