import { Skeleton } from "../../../ui/skeleton.tsx";

/** A skeleton that screen readers announce. */
export function Loading({ className }: { className: string }) {
  return (
    <>
      <span role="status" className="sr-only">
        Loading…
      </span>
      <Skeleton className={className} />
    </>
  );
}
