import type { AdminProduct } from "../../../../domain/catalog/product-admin.ts";
import { productPage } from "../../catalog/product-meta.ts";

/** How search engines and messengers are told of the page. */
export function SearchPreview({ product }: { product: AdminProduct }) {
  const { title, description, path } = productPage({ ...product, stock: null });
  return (
    <div className="rounded-sm bg-cream-soft p-4">
      <p className="mb-1.5 text-caption font-semibold text-ink-muted">In search results</p>
      <p className="text-ui font-medium wrap-anywhere text-link">{title}</p>
      <p className="text-caption wrap-anywhere text-ink-muted">{path}</p>
      <p className="mt-1 text-small wrap-anywhere">{description}</p>
    </div>
  );
}
