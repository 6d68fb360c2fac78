import { Link } from "react-router";
import type { AdminProduct } from "../../../../../domain/catalog/product-admin.ts";
import { formatCents } from "../../../../../domain/shared/money.ts";
import { Card } from "../../../../ui/card.tsx";
import { ProductCard, ProductThumbnail } from "../product-card.tsx";
import { ProductBadges } from "../product-facts.tsx";

/** The sizes of one product in the list, each with its price, stock and links. */
export function FamilyCard({
  name,
  products,
  isOpen,
}: {
  name: string;
  /** Its sizes, in their order. */
  products: readonly AdminProduct[];
  isOpen: boolean;
}) {
  const stock = products.reduce((sum, one) => sum + one.stock, 0);
  const [first] = products;
  return (
    <Card className="grid gap-4 p-5">
      <div className="flex items-start gap-5">
        {first && <ProductThumbnail product={first} />}
        <div className="grid min-w-0 gap-1.5">
          <h2 className="text-h3 wrap-anywhere">{name}</h2>
          <p className="text-small text-ink-muted">
            {products.length} sizes · {stock.toLocaleString("en-US")} free to sell
          </p>
        </div>
      </div>
      <ul>
        {products.map((product) => (
          <li
            key={product.id}
            className="grid grid-cols-[1fr_auto] items-center gap-x-4 border-t border-line py-1.5 text-small sm:flex"
          >
            <Link
              className="link mr-auto inline-flex min-h-11 items-center font-medium wrap-anywhere"
              to={`/admin/products/${product.id}`}
            >
              <span className="sr-only">{name}, </span>
              {product.size}
            </Link>
            <span className="justify-self-end tabular-nums sm:order-2">{formatCents(product.price)}</span>
            <Link
              className="link inline-flex min-h-11 items-center justify-self-start tabular-nums sm:order-3"
              to={`/admin/products/${product.id}/stock`}
            >
              {product.stock.toLocaleString("en-US")} free to sell
              <span className="sr-only"> of {product.name}</span>
            </Link>
            <span className="max-sm:col-span-2 sm:order-1">
              <ProductBadges product={product} />
            </span>
          </li>
        ))}
      </ul>
      <details open={isOpen}>
        <summary className="inline-flex min-h-11 link cursor-pointer items-center text-small">
          Change prices
        </summary>
        <ul className="mt-2 grid gap-4">
          {products.map((product) => (
            <li key={product.id}>
              <ProductCard product={product} level="h3" />
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
