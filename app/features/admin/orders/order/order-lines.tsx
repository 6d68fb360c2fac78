import Pencil from "lucide-react/icons/pencil";
import { bundleNote } from "../../../../../domain/catalog/bundles.ts";
import type { AdminOrder, AdminOrderItem } from "../../../../../domain/orders/admin-order.ts";
import { formatDay } from "../../../../../domain/orders/order-text.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Icon } from "../../../../ui/icon.tsx";
import { TextButton } from "../../../../ui/text-button.tsx";
import { OrderImage } from "../../../orders/order-items.tsx";
import { useRights } from "../../rights.ts";

/** The order's lines, with amounts for those who may see them. */
export function OrderItems({ order, onEdit }: { order: AdminOrder; onEdit: () => void }) {
  const seesMoney = useRights().role !== "packer";
  return (
    <section aria-label="Items" className="min-w-0 p-4 lg:p-5">
      <ul className="grid gap-3">
        {order.items.map((item) => (
          <li
            key={item.productId}
            className="grid grid-cols-[52px_minmax(0,1fr)_auto] items-center gap-3.5 text-ui leading-snug [&_img]:h-15 [&_img]:w-13"
          >
            <OrderImage url={item.image} />
            <span className="min-w-0 wrap-anywhere">
              <b className="text-[1.0625rem] font-semibold">{item.quantity} ×</b> {item.name}
              <LineNotes item={item} seesMoney={seesMoney} />
            </span>
            {seesMoney && <span className="font-medium tabular-nums">{formatCents(item.total)}</span>}
          </li>
        ))}
      </ul>
      {order.may.editItems && (
        <TextButton className="-mb-3 max-lg:hidden" onClick={onEdit}>
          <Icon glyph={Pencil} size="small" /> Edit items
        </TextButton>
      )}
    </section>
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
      {returned > 0 && <span className="block">{returned} back in stock</span>}
    </span>
  );
}
