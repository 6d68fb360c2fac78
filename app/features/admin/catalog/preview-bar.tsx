import { Link } from "react-router";
import type { AdminProduct } from "../../../../domain/catalog/product-admin.ts";

/** Says that this is not the shop, and what would be different. */
export function PreviewBar({ product, isDraft }: { product: AdminProduct; isDraft: boolean }) {
  return (
    <header className="on-dark sticky top-0 z-(--z-sticky) flex flex-wrap items-center justify-between gap-x-6 gap-y-1 bg-forest-800 px-(--gutter) py-2 text-small text-ink-on-dark">
      <p>
        <strong className="font-semibold">Preview</strong>:{" "}
        {isDraft ? "with your unsaved changes" : product.published ? "as shoppers see it" : "not on show yet"}
        . Nothing can be bought here.
      </p>
      <Link
        className="inline-flex min-h-11 items-center underline underline-offset-[.25em]"
        to={`/admin/products/${product.id}`}
      >
        Back to editing
      </Link>
    </header>
  );
}
