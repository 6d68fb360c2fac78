import { bundleNote } from "../../../../../domain/catalog/bundles.ts";
import type { AdminOrder, AdminOrderItem } from "../../../../../domain/orders/admin-order.ts";
import { formatDay } from "../../../../../domain/orders/order-text.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { TotalsList } from "../../../checkout/totals-list.tsx";
import { OrderImage } from "../../../orders/order-image.tsx";
import { useRights } from "../../rights.ts";
import { DrawerSection } from "./drawer-section.tsx";

/** What was bought, and what it came to. */
export function OrderLines({ order }: { order: AdminOrder }) {
  const seesMoney = useRights().role !== "packer";
  return (
    <DrawerSection title="Items">
      <ul className="grid gap-3 border-b border-line pb-4">
        {order.items.map((item) => (
          <li key={item.productId} className="grid grid-cols-[60px_1fr_auto] items-center gap-4 text-ui">
            <OrderImage url={item.image} />
            <span className="min-w-0 wrap-anywhere">
              {item.quantity} × {item.name}
              <LineNotes item={item} seesMoney={seesMoney} />
            </span>
            {seesMoney && <span className="tabular-nums">{formatCents(item.total)}</span>}
          </li>
        ))}
      </ul>
      {seesMoney && (
        <div className="mt-4">
          <TotalsList
            totals={order.totals}
            discountCode={order.discountCode}
            refunded={order.totals.refunded}
            chargedBack={{ name: "Charged back", cents: order.totals.chargedBack }}
          />
        </div>
      )}
    </DrawerSection>
  );
}

function LineNotes({
  item: { sku, price, quantity, bundles, bundleSaving, returned, batches },
  seesMoney,
}: {
  item: AdminOrderItem;
  seesMoney: boolean;
}) {
  return (
    <span className="block text-small text-ink-muted">
      {sku && <span className="block">SKU {sku}</span>}
      {seesMoney && quantity > 1 && <span className="block">{formatCents(price)} each</span>}
      {seesMoney && bundles.length > 0 && <span className="block">{bundleNote(bundles, bundleSaving)}</span>}
      {batches.map((batch) => (
        <span key={batch.code} className="block">
          Batch {batch.code}
          {batches.length > 1 && ` (${batch.quantity})`}, best before {formatDay(batch.bestBefore, "UTC")}
        </span>
      ))}
      {returned > 0 && <span className="block">{returned} back on the shelf</span>}
    </span>
  );
}
