import type { Ref } from "react";
import { bundleChoices } from "../../../domain/catalog/bundles.ts";
import type { Product } from "../../../domain/catalog/product.ts";
import { Button } from "../../ui/button.tsx";
import { Quantity } from "../../ui/quantity.tsx";
import { AlertForm } from "./alert-form.tsx";
import { BundlePicker } from "./bundle-picker.tsx";
import { AddToCartButton, BuyForm, BuyNowButton } from "./buy-form.tsx";

const lineMax = 99;

/** Quantity and the two buttons. `buttons` lets the buy bar know when Buy Now is in sight. */
export function BuyBox({
  product,
  unit,
  quantity,
  onQuantity,
  buttons,
}: {
  product: Product;
  /** What one of it is called. */
  unit: string;
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
        <AlertForm product={product} />
      </div>
    );
  }
  const choices = bundleChoices(product.price, product.bundles);
  const isAll = quantity === product.stock;
  const addButton = <AddToCartButton inStock className="px-3!" />;
  const buyNowButton = <BuyNowButton inStock block className="px-3!" />;
  const lastUnits = isAll && <p className="text-caption text-ink-muted">That is all we have in stock.</p>;
  // Whoever wants another number finds it in the cart.
  if (choices.length > 0) {
    return (
      <BuyForm product={product} className="grid gap-3">
        <BundlePicker choices={choices} unit={unit} quantity={quantity} most={most} onQuantity={onQuantity} />
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
