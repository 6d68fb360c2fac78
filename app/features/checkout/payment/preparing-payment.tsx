import { Spinner } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";

/** Placeholder of the payment form. */
export function PreparingPayment() {
  return (
    <div className={paymentBox}>
      <p role="status" className="flex items-center gap-3">
        <span className="flex text-copper-600">
          <Spinner />
        </span>
        Preparing secure payment
      </p>
      <div className="mt-5 grid gap-4.5 sm:grid-cols-2">
        <Skeleton className="h-12.5 sm:col-span-2" />
        <Skeleton className="h-12.5" />
        <Skeleton className="h-12.5" />
        <Skeleton className="h-13 sm:col-span-2" />
      </div>
    </div>
  );
}

export const paymentBox = "rounded-md border border-line bg-surface p-[clamp(1.125rem,.8rem+1.5vw,1.75rem)]";
