import type { Product } from "../../../domain/catalog/product.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import type { CountryNote } from "../../../domain/shipping/served-countries.ts";
import { PageLink } from "../../ui/page-link.tsx";
import { Picture } from "../../ui/picture.tsx";
import { Assurances } from "../catalog/assurances.tsx";
import { AddToCartButton, BuyForm, BuyNowButton } from "../catalog/buy-form.tsx";
import { CompareAt, HeroRating, Price } from "../catalog/price-and-rating.tsx";
import { shopPicture } from "../content/shop-picture.ts";
import { heroGrid, heroMedia } from "./hero-grid.ts";

const picture = shopPicture(
  "hero-bottle-on-stone.jpg",
  "Amber glass dropper bottle of Palmira Pure Batana Oil on a stone slab, with the shadow of a palm leaf on a sand-colored wall",
);

/** Name, price and Buy Now, which fit on a phone's first screen. */
export function Hero({
  product,
  ...notes
}: {
  product: Product;
  shippingNotes: readonly CountryNote[];
  returnsNote: string | null;
}) {
  const { family } = product;
  const href = `/product/${product.slug}`;
  return (
    <section className={heroGrid.section} aria-labelledby="product-name">
      {/* Keyboards and screen readers use the link of the name below. */}
      <PageLink to={href} tabIndex={-1} className={heroMedia}>
        <Picture
          image={picture}
          sizes="(min-width: 64rem) 59vw, 100vw"
          priority
          className="size-full object-cover object-[40%_45%] lg:absolute lg:inset-0"
        />
      </PageLink>
      <div className={heroGrid.copy}>
        <h1 id="product-name" className="text-display">
          <PageLink to={href} className="no-underline">
            {(family ?? product).name}
          </PageLink>
        </h1>
        <p className="mt-2.5 max-w-124 text-lead text-ink-muted lg:mt-5">{product.shortDescription}</p>
        <div className="mt-3 lg:mt-5">
          <HeroRating product={product} />
        </div>
        <p className="mt-3 flex flex-wrap items-baseline gap-x-3 lg:mt-7">
          <Price cents={product.price} size="large" />
          <CompareAt cents={product.compareAtPrice} />
          <span className="text-ink-muted">{product.size}</span>
          <PageLink
            to={href}
            className="link -my-2.5 inline-flex min-h-11 min-w-11 items-center text-small text-ink"
          >
            {family
              ? `${family.sizes.length} sizes from ${formatCents(lowestPrice(family.sizes))}`
              : "Details"}
          </PageLink>
        </p>
        <BuyForm product={product} quantity={1} className={heroGrid.actions}>
          <BuyNowButton inStock={product.inStock} />
          {product.inStock && <AddToCartButton inStock />}
        </BuyForm>
        <div className="mt-4 lg:mt-6">
          <Assurances {...notes} />
        </div>
      </div>
    </section>
  );
}

/** The lowest price of the sizes in stock, or of all sizes if all are sold out. */
function lowestPrice(sizes: readonly { price: number; inStock: boolean }[]): number {
  const buyable = sizes.filter(({ inStock }) => inStock);
  return Math.min(...(buyable.length > 0 ? buyable : sizes).map(({ price }) => price));
}
