import Check from "lucide-react/icons/check";
import { type RefObject, useRef } from "react";
import type { Product } from "../../../domain/catalog/product.ts";
import { Badge } from "../../ui/badge.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Price } from "../../ui/price.tsx";
import { Assurances } from "./assurances.tsx";
import { BatanaIngredients, BatanaStorage } from "./batana-details.tsx";
import { BuyBar } from "./buy-bar.tsx";
import { BuyBox } from "./buy-box.tsx";
import { Gallery } from "./gallery.tsx";
import { productGrid } from "./product-grid.ts";
import type { ProductTerms } from "./product-terms.ts";
import { ProductRating } from "./rating-line.tsx";
import { ShippingDetails } from "./shipping-details.tsx";

type Shown = {
  product: Product;
  terms: ProductTerms;
  /** Whether it is the oil that the shop's own words on ingredients and storage are about. */
  isBatana: boolean;
};

/** Pictures, words and the way to buy; in a preview nothing can be bought. */
export function ProductView({ isPreview = false, ...shown }: Shown & { isPreview?: boolean }) {
  const { product } = shown;
  const buyNow = useRef<HTMLDivElement>(null);
  return (
    <>
      <article className={productGrid}>
        <Gallery images={product.images} />
        <div className="px-(--gutter) pt-5 md:p-0 lg:sticky lg:top-[calc(var(--header-h-scrolled)+2rem)]">
          <ProductHead product={product} isPreview={isPreview} />
          <ProductPurchase {...shown} isPreview={isPreview} buyNowRef={buyNow} />
        </div>
      </article>
      {!isPreview && <BuyBar product={product} buyNowRef={buyNow} />}
    </>
  );
}

function ProductHead({ product, isPreview }: { product: Product; isPreview: boolean }) {
  return (
    <>
      {(product.isBestseller || product.isNew) && (
        <div className="mb-3 flex gap-2">
          {product.isBestseller && <Badge tone="dark">Bestseller</Badge>}
          {product.isNew && <Badge tone="cream">New</Badge>}
        </div>
      )}
      <h1 className="text-[clamp(2.125rem,1.6rem+2vw,3.25rem)]">{product.name}</h1>
      <div className="mt-2" inert={isPreview}>
        <ProductRating product={product} />
      </div>
      <p className="mt-3 flex items-baseline gap-3 lg:mt-5">
        <Price cents={product.price} size="large" />
        <span className="text-ink-muted">{product.size}</span>
      </p>
      <p className="mt-4 whitespace-pre-line text-ink-muted lg:mt-5">{product.description}</p>
      {product.benefits.length > 0 && (
        <>
          <h2 className="mt-6 mb-3 font-sans text-ui font-semibold tracking-normal">Key Benefits</h2>
          <ul className="grid gap-2.5">
            {product.benefits.map((benefit) => (
              <li key={benefit} className="grid grid-cols-[20px_1fr] items-start gap-3">
                <Icon glyph={Check} className="mt-1 size-4.5 text-copper-600" />
                <span>{benefit}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function ProductPurchase({
  product,
  terms,
  isBatana,
  isPreview,
  buyNowRef,
}: Shown & { isPreview: boolean; buyNowRef: RefObject<HTMLDivElement | null> }) {
  return (
    <>
      <div className="mt-7" inert={isPreview}>
        <BuyBox product={product} buyNowRef={buyNowRef} />
      </div>
      <div className="mt-5">
        <Assurances shippingNote={terms.shippingNote} />
      </div>
      <div className="mt-7 border-t border-line">
        {isBatana && <BatanaIngredients />}
        <ShippingDetails {...terms} />
        {isBatana && <BatanaStorage />}
      </div>
    </>
  );
}
