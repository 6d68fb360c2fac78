import { Link } from "react-router";
import type { AdminProduct } from "../../../../domain/catalog/product-admin.ts";

/** How many there are, and the way to change that. */
export function StockLine({ product }: { product: AdminProduct }) {
  const units = (count: number) => count.toLocaleString("en-US");
  return (
    <section aria-labelledby="stock" className="grid gap-1">
      <h2 id="stock" className="text-h3">
        Stock
      </h2>
      <p className="text-small">
        {units(product.stock)} free to sell
        {product.reserved > 0 && `, ${units(product.reserved)} promised to orders that are being paid`}.
      </p>
      <p>
        <Link
          className="link inline-flex min-h-11 items-center text-small"
          to={`/admin/products/${product.id}/stock`}
        >
          Change stock, batches, history
        </Link>
      </p>
    </section>
  );
}
