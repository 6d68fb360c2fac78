import { useSyncExternalStore } from "react";

/** A time (ISO 8601) as "Nov 20, 2026": UTC from the server, the owner's own zone once the page has come alive. */
export function ShortDay({ iso }: { iso: string }) {
  const timeZone = useSyncExternalStore(
    neverChanges,
    () => undefined,
    () => "UTC",
  );
  const text = new Date(iso).toLocaleDateString("en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone,
  });
  return <time dateTime={iso}>{text}</time>;
}

function neverChanges() {
  return () => {};
}
