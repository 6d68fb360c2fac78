import { lazy, type Ref, Suspense } from "react";
import type { Product } from "../../../domain/catalog/product.ts";
import { Button } from "../../ui/button.tsx";
import { Quantity } from "../../ui/quantity.tsx";
import { AddToCartButton, BuyForm, BuyNowButton } from "./buy-form.tsx";
import type { Choice } from "./product-terms.ts";

const lineMax = 99;
// Only pages of sold-out products need it; the server renders it there.
const AlertForm = lazy(() => import("./alert-form.tsx").then((module) => ({ default: module.AlertForm })));

/** Quantity and the two buttons. The buy bar watches whether the element of `buttons` is in view. */
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
  const most = Math.min(lineMax, Math.max(1, product.stock ?? lineMax));
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
        <BundlePicker choices={choices} quantity={quantity} most={most} onQuantity={onQuantity} />
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
        <Quantity name="quantity" value={quantity} max={most} onChange={onQuantity} />
        {addButton}
      </div>
      {stockNote}
      <div ref={buttons} className="buy-buttons">
        {buyNowButton}
      </div>
    </BuyForm>
  );
}

/** One unit or a bundle, as radio buttons of the field `quantity`. At most `most` units can be bought now. */
function BundlePicker({
  choices,
  quantity,
  most,
  onQuantity,
}: {
  choices: Choice[];
  quantity: number;
  most: number;
  onQuantity: (quantity: number) => void;
}) {
  const columns = choices.length === 4 ? 2 : Math.min(3, choices.length);
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Quantity</legend>
      <div className="grid gap-2" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {choices.map((choice) => (
          <label
            key={choice.quantity}
            className="relative grid cursor-pointer content-start justify-items-center gap-0.5 rounded-sm border border-line-strong bg-surface px-1 pt-4 pb-3 text-center text-ui leading-snug has-checked:border-forest-800 has-checked:bg-cream-soft has-checked:inset-ring has-checked:inset-ring-forest-800 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-disabled:cursor-not-allowed has-disabled:text-disabled-ink"
          >
            <input
              type="radio"
              name="quantity"
              value={choice.quantity}
              checked={choice.quantity === quantity}
              disabled={choice.quantity > most}
              onChange={() => onQuantity(choice.quantity)}
              className="absolute inset-0 size-full cursor-[inherit] appearance-none outline-none"
            />
            {choice.isBest && choice.quantity <= most && (
              <span className="absolute -top-2.5 rounded-full bg-forest-800 px-2 text-caption font-medium whitespace-nowrap text-paper">
                Best value
              </span>
            )}
            <span className="font-medium">{choice.name}</span>
            <span className="lining-nums tabular-nums">{choice.total}</span>
            <Note choice={choice} most={most} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Note({ choice: { quantity, each, saving }, most }: { choice: Choice; most: number }) {
  if (quantity > most) return <span className="text-caption">Only {most} left</span>;
  if (quantity === 1) return null;
  return (
    <>
      <span className="text-caption text-ink-muted tabular-nums">{each}</span>
      <span className="text-caption font-medium text-success tabular-nums">{saving}</span>
    </>
  );
}
