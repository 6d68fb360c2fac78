import type { AdminProduct } from "../../../../domain/catalog/product-admin.ts";
import { formatCents } from "../../../../domain/shared/money.ts";
import { Badge } from "../../../ui/badge.tsx";

export function ProductBadges({ product }: { product: AdminProduct }) {
  return (
    <span className="flex flex-wrap gap-2">
      {product.archivedAt !== null ? (
        <Badge tone="cream">Archived</Badge>
      ) : (
        !product.published && <Badge tone="yellow">Hidden</Badge>
      )}
      {product.isBestseller && <Badge tone="dark">Bestseller</Badge>}
      {product.isNew && <Badge tone="cream">New</Badge>}
      {product.published && !product.inStock && <Badge tone="red">Sold out</Badge>}
      {product.waiting > 0 && (
        <Badge tone="blue">{product.waiting.toLocaleString("en-US")} waiting for it</Badge>
      )}
    </span>
  );
}

export function CurrentPrice({ product }: { product: Pick<AdminProduct, "price"> }) {
  return (
    <p className="text-small">
      Current price <span className="font-semibold tabular-nums">{formatCents(product.price)}</span>
    </p>
  );
}
