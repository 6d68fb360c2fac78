import Package from "lucide-react/icons/package";
import { type ReactNode, useState } from "react";
import { bundleNote } from "../../../domain/catalog/bundles.ts";
import type { OrderItem } from "../../../domain/orders/order.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Icon } from "../../ui/icon.tsx";

/** The ordered items with their names and prices at the time of the order. `renderLinks` renders the links below an item. */
export function OrderItems({
  items,
  isFree = false,
  renderLinks,
}: {
  items: OrderItem[];
  /** Hides the prices, for a replacement. */
  isFree?: boolean;
  renderLinks?: (productId: number) => ReactNode;
}) {
  return (
    <ul className="order-lines">
      {items.map(({ productId, name, quantity, price, total, bundles, bundleSaving, image }) => (
        <li key={productId}>
          <OrderImage url={image} className="line-image" />
          <div>
            <span className="block font-medium text-balance wrap-anywhere">{`${quantity} × ${name}`}</span>
            {quantity > 1 && !isFree && (
              <span className="block text-small text-ink-muted tabular-nums">{formatCents(price)} each</span>
            )}
            {bundles.length > 0 && (
              <span className="block text-small text-success tabular-nums">
                {bundleNote(bundles, bundleSaving)}
              </span>
            )}
            <div className="flex flex-wrap gap-x-5 text-small empty:hidden print:hidden">
              {renderLinks?.(productId)}
            </div>
          </div>
          {!isFree && <span className="tabular-nums">{formatCents(total)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The picture of an ordered item beside its name; an icon if the file no longer exists. */
export function OrderImage({ url, className = "h-18 w-15" }: { url: string | null; className?: string }) {
  const [hasFailed, setFailed] = useState(false);
  return url && !hasFailed ? (
    <img
      src={url}
      alt=""
      width={60}
      height={72}
      loading="lazy"
      decoding="async"
      className={`${className} rounded-xs bg-cream object-cover`}
      onError={() => setFailed(true)}
    />
  ) : (
    <span className={`${className} grid place-items-center rounded-xs bg-cream text-copper-700`}>
      <Icon glyph={Package} />
    </span>
  );
}
