import Package from "lucide-react/icons/package";
import { useState } from "react";
import { bundleNote } from "../../../domain/catalog/bundles.ts";
import type { OrderItem } from "../../../domain/orders/order.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Icon } from "../../ui/icon.tsx";

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

/** The picture of an ordered item beside its name; an icon if the file no longer exists. */
export function OrderImage({ url }: { url: string | null }) {
  const [hasFailed, setFailed] = useState(false);
  return url && !hasFailed ? (
    <img
      src={url}
      alt=""
      width={60}
      height={72}
      loading="lazy"
      decoding="async"
      className="h-18 w-15 rounded-xs bg-cream object-cover"
      onError={() => setFailed(true)}
    />
  ) : (
    <span className="grid h-18 w-15 place-items-center rounded-xs bg-cream text-copper-700">
      <Icon glyph={Package} />
    </span>
  );
}
