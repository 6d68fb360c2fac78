/** A placeholder sized by its classes: use the same boxes as the final content. */
export function Skeleton({ className = "" }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`block animate-shimmer rounded-sm bg-[linear-gradient(100deg,#ece2cf_30%,#f5eedf_50%,#ece2cf_70%)] bg-size-[220%_100%] ${className}`}
    />
  );
}
