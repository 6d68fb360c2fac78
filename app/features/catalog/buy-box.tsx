import type { Ref } from "react";
import type { Product } from "../../../domain/catalog/product.ts";
import { Button } from "../../ui/button.tsx";
import { Quantity } from "../../ui/quantity.tsx";
import { useBuy } from "./use-buy.ts";

const lineMax = 99;

/** Quantity and the two buttons. `buttons` lets the buy bar know when Buy Now is in sight. */
export function BuyBox({
  product,
  quantity,
  onQuantity,
  buttons,
}: {
  product: Product;
  quantity: number;
  onQuantity: (quantity: number) => void;
  buttons: Ref<HTMLDivElement>;
}) {
  const { addToCart, buyNow } = useBuy(product);
  const most = Math.min(lineMax, Math.max(1, product.stock ?? lineMax));
  return (
    <div className="grid gap-2.5">
      <div className="grid grid-cols-[auto_1fr] gap-2.5">
        <Quantity value={quantity} max={most} onChange={onQuantity} disabled={!product.inStock} />
        <Button
          variant="secondary"
          className="px-3!"
          disabled={!product.inStock}
          onClick={() => addToCart(quantity)}
        >
          {product.inStock ? "Add to Cart" : "Sold out"}
        </Button>
      </div>
      {quantity === product.stock && product.inStock && (
        <p className="text-caption text-ink-muted">That is all we have in stock.</p>
      )}
      <div ref={buttons} className="buy-buttons">
        <Button block disabled={!product.inStock} onClick={() => buyNow(quantity)}>
          {product.inStock ? "Buy Now" : "Sold out"}
        </Button>
      </div>
    </div>
  );
}
