import Check from "lucide-react/icons/check";
import { type ComponentType, Fragment, lazy, Suspense, useRef, useState } from "react";
import { useNavigation } from "react-router";
import type { Product } from "../../../domain/catalog/product.ts";
import { formatCents } from "../../../domain/shared/money.ts";
import { Badge } from "../../ui/badge.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { WalletSlot } from "../checkout/wallets/wallet-slot.tsx";
import { Assurances } from "./assurances.tsx";
import { BuyBar, BuyBox } from "./buy-box.tsx";
import { Gallery } from "./gallery.tsx";
import { CompareAt, Price, ProductRating } from "./price-and-rating.tsx";
import { productGrid } from "./product-grid.ts";
import type { ProductTerms } from "./product-terms.ts";

// Rendered by the server. Its script may load after the scripts of the buttons.
const Arrival = lazy<ComponentType<ProductTerms>>(() =>
  import("./arrival.tsx").then(
    ({ Arrival: component }) => ({ default: component }),
    () => ({ default: () => "" }),
  ),
);

/** Pictures, buttons to buy and texts of a product; a preview disables buying. */
export function ProductView({
  product,
  terms,
  isPreview = false,
}: {
  product: Product;
  terms: ProductTerms;
  isPreview?: boolean;
}) {
  const buttons = useRef<HTMLDivElement>(null);
  const [quantity, setQuantity] = useState(1);
  const { location } = useNavigation();
  const pressedSize = product.family?.sizes.find(({ slug }) => location?.pathname === `/product/${slug}`);
  // Until the page of the pressed size is loaded, the heading shows that size, but the buttons would still buy the
  // previous one.
  const cannotBuy = isPreview || pressedSize !== undefined;
  return (
    <>
      <article className={`${productGrid} ${product.images.length > 1 ? "gallery-room" : ""}`}>
        {/* Before the pictures, so that the keyboard reaches the buttons soon. */}
        <div className="product-column px-(--gutter) pt-5 md:order-2 md:p-0 lg:sticky lg:top-[calc(var(--header-h-scrolled)+2rem)]">
          <ProductHead
            product={product}
            pressedSize={pressedSize}
            terms={terms}
            quantity={quantity}
            isPreview={isPreview}
          />
          <div className="mt-5" inert={cannotBuy}>
            <BuyBox
              product={product}
              choices={terms.choices}
              quantity={quantity}
              onQuantity={setQuantity}
              buttons={buttons}
            />
          </div>
          <div className="rating mt-2" inert={isPreview}>
            <ProductRating product={product} />
          </div>
          {terms.hasWallets && product.inStock && !isPreview && (
            <div className="mt-2.5" inert={cannotBuy}>
              <WalletSlot place="product" items={[{ productId: product.id, quantity }]} />
            </div>
          )}
          <div className="mt-4">
            <Assurances
              {...terms}
              arrival={
                product.inStock &&
                terms.arrivals[0] && (
                  <Suspense>
                    <Arrival {...terms} />
                  </Suspense>
                )
              }
            />
          </div>
          <ProductDescription product={product} />
          <div className="mt-7 border-t border-line">
            {terms.details.map(({ title, parts }) => (
              <Disclosure key={title} title={title}>
                {parts.map((part) =>
                  typeof part === "string" ? (
                    <p key={part}>{part}</p>
                  ) : (
                    <ul key={title} className="grid gap-1">
                      {part.map((line) => (
                        <li key={line}>{line}</li>
                      ))}
                    </ul>
                  ),
                )}
              </Disclosure>
            ))}
          </div>
        </div>
        <div className="contents max-md:*:order-first">
          <Gallery images={product.images} videoUrl={product.videoUrl} fallback={terms.pictures.front} />
        </div>
      </article>
      {!isPreview && product.inStock && (
        <BuyBar
          product={product}
          choices={terms.choices}
          quantity={quantity}
          buttons={buttons}
          isInert={cannotBuy}
        />
      )}
    </>
  );
}

/**
 * The large price is that of the chosen bundle, or of the size that was just pressed, even before the page of the size
 * is loaded.
 */
function ProductHead({
  product,
  pressedSize,
  terms: { unitPrices, choices },
  quantity,
  isPreview,
}: {
  product: Product;
  pressedSize: NonNullable<Product["family"]>["sizes"][number] | undefined;
  terms: ProductTerms;
  quantity: number;
  isPreview: boolean;
}) {
  const bundle = pressedSize
    ? undefined
    : choices.find((choice) => choice.quantity === quantity && quantity > 1);
  return (
    <>
      {(product.isBestseller || product.isNew) && (
        <div className="title mb-3 flex gap-2">
          {product.isBestseller && <Badge tone="dark">Bestseller</Badge>}
          {product.isNew && <Badge tone="cream">New</Badge>}
        </div>
      )}
      <h1 className="title text-[clamp(2.125rem,1.6rem+2vw,3.25rem)]">{(product.family ?? product).name}</h1>
      <p className="mt-3 flex flex-wrap items-baseline gap-x-3">
        <Price cents={bundle?.cents ?? pressedSize?.price ?? product.price} size="large" />
        {bundle ? (
          <span className="text-ink-muted">
            {bundle.name} · <span className="font-medium text-success tabular-nums">{bundle.saving}</span>
          </span>
        ) : (
          <>
            <CompareAt cents={pressedSize ? null : product.compareAtPrice} />
            <span className="text-ink-muted">{(pressedSize ?? product).size}</span>
            {!pressedSize && (
              <span className="text-small text-ink-muted tabular-nums">{unitPrices.join(" · ")}</span>
            )}
          </>
        )}
      </p>
      {product.family && (
        <nav aria-label="Sizes" className="mt-4" inert={isPreview}>
          <ul className="sizes">
            {product.family.sizes.map(({ id, slug, size, price, inStock }) => (
              <li key={id}>
                <PageLink
                  to={`/product/${slug}`}
                  preventScrollReset
                  aria-current={id === (pressedSize ?? product).id ? "page" : undefined}
                  className="size-link"
                >
                  {size}
                  <span>{inStock ? formatCents(price) : <i>Sold out</i>}</span>
                </PageLink>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
  );
}

function ProductDescription({ product: { description, benefits, scent, lasts } }: { product: Product }) {
  const facts = Object.entries({ Scent: scent, Lasts: lasts });
  return (
    <>
      <p className="mt-6 whitespace-pre-line text-ink-muted">{description}</p>
      {(scent || lasts) && (
        <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5 text-ui">
          {facts.map(
            ([name, text]) =>
              text && (
                <Fragment key={name}>
                  <dt className="font-medium">{name}</dt>
                  <dd className="text-ink-muted">{text}</dd>
                </Fragment>
              ),
          )}
        </dl>
      )}
      {benefits.length > 0 && (
        <>
          <h2 className="mt-6 mb-3 font-sans text-ui font-semibold tracking-normal">Key Benefits</h2>
          <ul className="grid gap-2.5">
            {benefits.map((benefit) => (
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
