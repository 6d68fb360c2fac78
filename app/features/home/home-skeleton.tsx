import { Skeleton } from "../../ui/skeleton.tsx";
import { heroGrid, heroMedia } from "./hero-grid.ts";

export function HomeSkeleton() {
  return (
    <section role="status" className={heroGrid.section}>
      <h1 className="sr-only">Loading product</h1>
      <div className={heroMedia}>
        <Skeleton className="h-full rounded-none" />
      </div>
      <div className={heroGrid.copy}>
        <Skeleton className="h-[clamp(2.8rem,6vw,5rem)] w-[88%]" />
        <Skeleton className="mt-5 h-4.5 w-[95%]" />
        <Skeleton className="mt-2.5 h-4.5 w-[62%]" />
        <Skeleton className="mt-5 h-4 w-[44%]" />
        <Skeleton className="mt-5 h-7 w-[38%]" />
        <div className={heroGrid.actions}>
          <Skeleton className="h-13" />
          <Skeleton className="h-13" />
        </div>
      </div>
    </section>
  );
}
