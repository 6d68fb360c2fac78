import { bundleNote } from "../../../domain/catalog/bundles.ts";
import type { OrderItem } from "../../../domain/orders/order.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { OrderImage } from "./order-image.tsx";

/** The ordered items with their names and prices at the time of the order. */
export function OrderItems({ items }: { items: OrderItem[] }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {items.map(({ productId, name, quantity, price, total, bundles, bundleSaving, image }) => (
        <li key={productId} className="grid grid-cols-[60px_1fr_auto] items-center gap-4 py-5 text-ui">
          <OrderImage url={image} />
          <span>
            <span className="font-medium">{name}</span>
            <span className="block text-small text-ink-muted tabular-nums">
              {quantity} × {formatCents(price)}
            </span>
            {bundles.length > 0 && (
              <span className="block text-small text-success tabular-nums">
                {bundleNote(bundles, bundleSaving)}
              </span>
            )}
          </span>
          <span className="font-semibold tabular-nums">{formatCents(total)}</span>
        </li>
      ))}
    </ul>
  );
}
