import Pencil from "lucide-react/icons/pencil";
import { lazy, Suspense, useState } from "react";
import { bundleNote } from "../../../../../domain/catalog/bundles.ts";
import type { AdminOrder, AdminOrderItem } from "../../../../../domain/orders/admin-order.ts";
import { paidBackCents } from "../../../../../domain/orders/order.ts";
import { formatDay } from "../../../../../domain/orders/order-text.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Button } from "../../../../ui/button.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { TotalsList } from "../../../checkout/totals-list.tsx";
import { OrderImage } from "../../../orders/order-items.tsx";
import { DrawerSection } from "../../kit/drawer.tsx";
import { useRights } from "../../rights.ts";

const EditItemsDialog = lazy(() => import("./edit-items-dialog.tsx"));

/** The order's items and totals. */
export function OrderLines({ order }: { order: AdminOrder }) {
  const seesMoney = useRights().role !== "packer";
  const [isEditing, setEditing] = useState(false);
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
            refunded={paidBackCents(order.totals)}
            exchanged={order.totals.exchanged ?? 0}
            chargedBack={{ name: "Charged back", cents: order.totals.chargedBack }}
          />
        </div>
      )}
      {order.may.editItems && (
        <Button variant="quiet" size="small" className="mt-2 -mx-[1.1rem]" onClick={() => setEditing(true)}>
          <Icon glyph={Pencil} size="small" /> Edit items
        </Button>
      )}
      {isEditing && (
        <Suspense>
          <EditItemsDialog order={order} onClose={() => setEditing(false)} />
        </Suspense>
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
