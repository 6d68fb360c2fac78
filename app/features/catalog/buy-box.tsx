import { lazy, type Ref, Suspense } from "react";
import type { Product } from "../../../domain/catalog/product.ts";
import { Button } from "../../ui/button.tsx";
import { Quantity } from "../../ui/quantity.tsx";
import { BundlePicker } from "./bundle-picker.tsx";
import { AddToCartButton, BuyForm, BuyNowButton } from "./buy-form.tsx";
import type { Choice } from "./product-terms.ts";

const lineMax = 99;
// The server writes it into the page of what is sold out; for all others it would be a weight.
const AlertForm = lazy(() => import("./alert-form.tsx").then((module) => ({ default: module.AlertForm })));

/** Quantity and the two buttons. `buttons` lets the buy bar know when Buy Now is in sight. */
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
  const isAll = quantity === product.stock;
  const addButton = <AddToCartButton inStock className="px-3!" />;
  const buyNowButton = <BuyNowButton inStock block className="px-3!" />;
  const lastUnits = isAll && <p className="text-caption text-ink-muted">That’s all we have in stock.</p>;
  // Whoever wants another number finds it in the cart.
  if (choices.length > 0) {
    return (
      <BuyForm product={product} className="grid gap-3">
        <BundlePicker choices={choices} quantity={quantity} most={most} onQuantity={onQuantity} />
        {lastUnits}
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
      {lastUnits}
      <div ref={buttons} className="buy-buttons">
        {buyNowButton}
      </div>
    </BuyForm>
  );
}
