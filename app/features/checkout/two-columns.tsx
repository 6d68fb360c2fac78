import type { ComponentProps } from "react";

/** Main column and side column, stacked below 1024 px. */
export function TwoColumns({ className = "", ...rest }: ComponentProps<"div">) {
  return (
    <div
      className={`grid gap-10 *:min-w-0 lg:grid-cols-[minmax(0,7fr)_minmax(20rem,4.4fr)] lg:items-start lg:gap-[clamp(2.5rem,5vw,5rem)] ${className}`}
      {...rest}
    />
  );
}
