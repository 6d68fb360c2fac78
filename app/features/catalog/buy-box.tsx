import { lazy, type Ref, type RefObject, Suspense, useEffect, useState } from "react";
import { clampQuantity } from "../../../domain/cart/cart-limits.ts";
import type { Product } from "../../../domain/catalog/product.ts";
import { Button } from "../../ui/button.tsx";
import { Picture } from "../../ui/picture.tsx";
import { Quantity } from "../cart/quantity.tsx";
import { AddToCartButton, BuyForm, BuyNowButton } from "./buy-form.tsx";
import { Price } from "./price-and-rating.tsx";
import type { Choice } from "./product-terms.ts";

// Only pages of sold-out products need it; the server renders it there.
const AlertForm = lazy(() => import("./alert-form.tsx").then((module) => ({ default: module.AlertForm })));

/** The quantity and the two buttons, whose element is `buttons`: the buy bar is hidden while it is in view. */
export function BuyBox({
  product,
  choices,
  quantity,
  onQuantity,
  buttons,
}: {
  product: Product;
  choices: Choice[];
  quantity: number;
  onQuantity: (quantity: number) => void;
  buttons: Ref<HTMLDivElement>;
}) {
  const maxQuantity = clampQuantity(product.stock ?? Number.MAX_SAFE_INTEGER);
  if (!product.inStock) {
    return (
      <div ref={buttons} className="buy-buttons grid gap-2.5">
        <Button block disabled>
          Sold out
        </Button>
        <Suspense>
          <AlertForm slug={product.slug} />
        </Suspense>
      </div>
    );
  }
  const isWholeStock = quantity === product.stock;
  const addButton = <AddToCartButton inStock className="px-3!" />;
  const buyNowButton = <BuyNowButton inStock block className="px-3!" />;
  const stockNote = isWholeStock && (
    <p className="text-caption text-ink-muted">That’s all we have in stock.</p>
  );
  // Other quantities can be chosen in the cart.
  if (choices.length > 0) {
    return (
      <BuyForm product={product} className="grid gap-3">
        <BundlePicker
          choices={choices}
          quantity={quantity}
          maxQuantity={maxQuantity}
          onQuantity={onQuantity}
        />
        {stockNote}
        <div ref={buttons} className="buy-buttons grid grid-cols-2 gap-2.5">
          {addButton}
          {buyNowButton}
        </div>
      </BuyForm>
    );
  }
  return (
    <BuyForm product={product} className="grid gap-2.5">
      <div className="grid grid-cols-[auto_1fr] gap-2.5">
        <Quantity name="quantity" value={quantity} max={maxQuantity} onChange={onQuantity} />
        {addButton}
      </div>
      {stockNote}
      <div ref={buttons} className="buy-buttons">
        {buyNowButton}
      </div>
    </BuyForm>
  );
}

/** One unit or a bundle, as radio buttons of the field `quantity`. At most `maxQuantity` units can be bought now. */
function BundlePicker({
  choices,
  quantity,
  maxQuantity,
  onQuantity,
}: {
  choices: Choice[];
  quantity: number;
  maxQuantity: number;
  onQuantity: (quantity: number) => void;
}) {
  const columns = choices.length === 4 ? 2 : Math.min(3, choices.length);
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Quantity</legend>
      <div className="grid gap-2" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {choices.map((choice) => (
          <label key={choice.quantity} className="bundle">
            <input
              type="radio"
              name="quantity"
              value={choice.quantity}
              checked={choice.quantity === quantity}
              disabled={choice.quantity > maxQuantity}
              onChange={() => onQuantity(choice.quantity)}
              className="absolute inset-0 size-full cursor-[inherit] appearance-none outline-none"
            />
            {choice.isBest && choice.quantity <= maxQuantity && (
              <span className="absolute -top-2.5 rounded-full bg-forest-800 px-2 text-caption font-medium whitespace-nowrap text-paper">
                Best value
              </span>
            )}
            <span className="font-medium">{choice.name}</span>
            <span className="lining-nums tabular-nums">{choice.total}</span>
            <Note choice={choice} maxQuantity={maxQuantity} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Note({
  choice: { quantity, unitPriceText, saving },
  maxQuantity,
}: {
  choice: Choice;
  maxQuantity: number;
}) {
  if (quantity > maxQuantity) return <span className="text-caption">Only {maxQuantity} left</span>;
  if (quantity === 1) return null;
  return (
    <>
      <span className="text-caption text-ink-muted tabular-nums">{unitPriceText}</span>
      <span className="text-caption font-medium text-success tabular-nums">{saving}</span>
    </>
  );
}

/**
 * Both buy buttons at the bottom of the screen while the page's own buttons are out of view. Browsers with view
 * timelines show and hide the bar by CSS alone, from the first paint on (see app.css).
 */
export function BuyBar({
  product,
  choices,
  quantity,
  buttons,
  isInert,
}: {
  product: Product;
  choices: Choice[];
  quantity: number;
  buttons: RefObject<HTMLElement | null>;
  isInert: boolean;
}) {
  const isHidden = useInView(buttons);
  const [image] = product.images;
  const bundle = quantity > 1 ? choices.find((choice) => choice.quantity === quantity) : undefined;
  return (
    <section
      data-buy-bar
      inert={isInert}
      aria-label={`Buy ${product.name}`}
      className={`buy-bar ${
        isHidden
          ? "invisible translate-y-[110%] focus-within:visible focus-within:translate-none noscript:visible noscript:translate-none"
          : ""
      }`}
    >
      <BuyForm product={product} quantity={quantity} className="wrap flex items-center gap-2.5 md:gap-4">
        {image && (
          <Picture
            image={image}
            alt=""
            sizes="48px"
            className="size-12 rounded-xs object-cover max-md:hidden"
          />
        )}
        <p className="mr-auto min-w-0 leading-[1.3] max-[22rem]:hidden">
          <b className="block truncate text-ui font-medium max-md:hidden">{product.name}</b>
          <span className="max-md:font-medium md:text-small md:text-ink-muted">
            {bundle ? `${quantity} for ${bundle.total}` : quantity > 1 && `${quantity} × `}
            {!bundle && <Price cents={product.price} />}
            {!product.family && <span className="max-md:hidden"> · {product.size}</span>}
          </span>
        </p>
        <AddToCartButton inStock className="min-h-12! px-2! max-md:max-w-36 max-md:flex-1 md:min-w-40" />
        <BuyNowButton inStock className="min-h-12! px-2! max-md:flex-1 md:min-w-40" />
      </BuyForm>
    </section>
  );
}

/** Whether the whole element is in view; true until the browser has measured it. */
function useInView(target: RefObject<HTMLElement | null>): boolean {
  const [isInView, setInView] = useState(true);
  useEffect(() => {
    if (!target.current) return;
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false), {
      threshold: 1,
    });
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [target]);
  return isInView;
}
