import { type RefObject, useEffect, useState } from "react";
import type { Product } from "../../../domain/catalog/product.ts";
import { Button } from "../../ui/button.tsx";
import { Price } from "../../ui/price.tsx";
import { useBuy } from "./use-buy.ts";

/** On phones, price and Buy Now at the bottom for as long as the page's own Buy Now is out of sight. */
export function BuyBar({
  product,
  buyNowRef,
}: {
  product: Product;
  buyNowRef: RefObject<HTMLElement | null>;
}) {
  const { buyNow } = useBuy(product);
  const isCovered = useInSight(buyNowRef);
  return (
    <section
      data-buy-bar
      aria-label={`Buy ${product.name}`}
      className={`fixed inset-x-0 bottom-0 z-(--z-buybar) grid grid-cols-[1fr_auto] items-center gap-4 bg-paper px-(--gutter) pt-2.5 pb-[calc(.625rem+env(safe-area-inset-bottom))] shadow-bar outline-1 outline-transparent transition-[translate,visibility] duration-(--dur-3) ease-out md:hidden ${
        isCovered ? "invisible translate-y-[110%] focus-within:visible focus-within:translate-y-0" : ""
      }`}
    >
      <p className="min-w-0 leading-[1.3]">
        <b className="block truncate text-ui font-medium">{product.name}</b>
        {/* One line: what does not fit beside the price wraps out of sight. */}
        <span className="flex h-[1.3em] flex-wrap gap-x-1 overflow-hidden text-small leading-[1.3] text-ink-muted">
          <Price cents={product.price} /> <span>· {product.size}</span>
        </span>
      </p>
      <Button className="min-h-12! min-w-38 px-4!" disabled={!product.inStock} onClick={() => buyNow(1)}>
        {product.inStock ? "Buy Now" : "Sold out"}
      </Button>
    </section>
  );
}

function useInSight(target: RefObject<HTMLElement | null>): boolean {
  const [inSight, setInSight] = useState(false);
  useEffect(() => {
    if (!target.current) return;
    const observer = new IntersectionObserver(([entry]) => setInSight(entry?.isIntersecting ?? false));
    observer.observe(target.current);
    return () => observer.disconnect();
  }, [target]);
  return inSight;
}
