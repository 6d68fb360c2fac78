import ImageOff from "lucide-react/icons/image-off";
import { Link } from "react-router";
import type { AdminProduct } from "../../../../domain/catalog/product-admin.ts";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Picture } from "../../../ui/picture.tsx";
import { PriceForm } from "./price-form.tsx";
import { CurrentPrice, ProductBadges } from "./product-facts.tsx";

/** A product in the list, with its price and links to its pages. */
export function ProductCard({
  product,
  level: Heading = "h2",
}: {
  product: AdminProduct;
  level?: "h2" | "h3";
}) {
  const { id, name, slug, size, sku, stock } = product;
  return (
    <Card className="stack gap-5 p-[min(1.25rem,5.2vw)]">
      <div className="flex items-start gap-[min(1.25rem,5.2vw)]">
        <ProductThumbnail product={product} />
        <div className="grid min-w-0 gap-1.5">
          <Heading className="text-h3 wrap-anywhere">{name}</Heading>
          <p className="text-small wrap-anywhere text-ink-muted">
            {slug}
            {size && ` · ${size}`}
            {sku && ` · SKU ${sku}`}
          </p>
          <CurrentPrice product={product} />
          <ProductBadges product={product} />
        </div>
      </div>
      <PriceForm product={product} />
      <p className="-mb-2 flex flex-wrap items-center gap-x-5 border-t border-line pt-2 text-small">
        {/* The link's padding widens its target, so it takes the place of the gap to the next link. */}
        <Link className="link -mr-5 inline-flex min-h-11 min-w-11 items-center" to={`/admin/products/${id}`}>
          Edit<span className="sr-only"> {name}</span>
        </Link>
        <Link className="link inline-flex min-h-11 items-center" to={`/admin/products/${id}/stock`}>
          Stock: {stock.toLocaleString("en-US")} available
          <span className="sr-only"> of {name}</span>
        </Link>
        {product.published && (
          <Link className="link inline-flex min-h-11 items-center" to={`/product/${slug}`}>
            View in shop<span className="sr-only">: {name}</span>
          </Link>
        )}
      </p>
    </Card>
  );
}

/** The product's first picture whose sizes are ready, or a placeholder. */
export function ProductThumbnail({ product }: { product: Pick<AdminProduct, "images"> }) {
  const image = product.images.find(({ status }) => status === "ready");
  if (image)
    return (
      <Picture
        image={image}
        alt=""
        sizes="88px"
        className="aspect-4/5 w-[min(5.5rem,23vw)] shrink-0 rounded-xs object-cover"
      />
    );
  return (
    <span className="grid aspect-4/5 w-[min(5.5rem,23vw)] shrink-0 place-items-center rounded-xs bg-cream text-copper-700">
      <Icon glyph={ImageOff} />
    </span>
  );
}
