import type { Cart } from "../../../domain/cart/cart.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Panel } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CheckoutHead } from "./checkout-head.tsx";
import { TotalsList } from "./totals-list.tsx";
import { TwoColumns } from "./two-columns.tsx";

/** Checkout's boxes while the browser reads its storage. `kept`: the cart that the shop keeps for one without scripts. */
export function CheckoutSkeleton({ kept }: { kept: Cart | null }) {
  return (
    <>
      <CheckoutHead step={1} />
      <TwoColumns className="pb-16" aria-busy="true">
        <div className="grid max-w-(--container-form) gap-4.5 sm:grid-cols-2">
          <span role="status" className="sr-only">
            Loading checkout
          </span>
          <noscript>
            <p className="text-ink-muted">
              Payment needs JavaScript. Please switch it on to go on: your cart is kept.
            </p>
          </noscript>
          <Skeleton className="h-7 w-48 sm:col-span-2" />
          <Skeleton className="h-18" />
          <Skeleton className="h-18" />
          <Skeleton className="h-18 sm:col-span-2" />
          <Skeleton className="h-18 sm:col-span-2" />
          <Skeleton className="h-18 sm:col-span-2" />
        </div>
        {kept && kept.items.length > 0 ? (
          <KeptSummary cart={kept} />
        ) : (
          <Skeleton className="hidden h-96 lg:block" />
        )}
      </TwoColumns>
    </>
  );
}

function KeptSummary({ cart: { items, totals } }: { cart: Cart }) {
  return (
    <Panel>
      <h2 className="mb-5 text-h3">Order Summary</h2>
      <ul className="mb-5 grid gap-2 border-b border-sand pb-5 text-ui">
        {items.map(({ productId, name, quantity, total }) => (
          <li key={productId} className="flex justify-between gap-4 tabular-nums">
            <span>
              {quantity} × {name}
            </span>
            <span>{formatCents(total)}</span>
          </li>
        ))}
      </ul>
      <TotalsList totals={totals} />
    </Panel>
  );
}
