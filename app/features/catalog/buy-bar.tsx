import { type RefObject, useEffect, useState } from "react";
import type { Product } from "../../../domain/catalog/product.ts";
import { Picture } from "../../ui/picture.tsx";
import { Price } from "../../ui/price.tsx";
import { AddToCartButton, BuyForm, BuyNowButton } from "./buy-form.tsx";
import type { Choice } from "./product-terms.ts";

/**
 * Both buttons at the bottom of the screen while the page's own are out of view. Browsers that support it show and hide
 * the bar by CSS alone, from the first paint on (see app.css).
 */
export function BuyBar({
  product,
  choices,
  quantity,
  buttons,
}: {
  product: Product;
  choices: Choice[];
  quantity: number;
  buttons: RefObject<HTMLElement | null>;
}) {
  const isHidden = useInView(buttons);
  const [image] = product.images;
  const bundle = quantity > 1 ? choices.find((choice) => choice.quantity === quantity) : undefined;
  return (
    <section
      data-buy-bar
      aria-label={`Buy ${product.name}`}
      className={`buy-bar fixed inset-x-0 bottom-0 z-(--z-buybar) bg-paper pt-2.5 pb-[calc(.625rem+env(safe-area-inset-bottom))] shadow-bar outline-1 outline-transparent transition-[translate,visibility] duration-(--dur-3) ease-out ${
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
        {product.inStock && (
          <AddToCartButton inStock className="min-h-12! px-2! max-md:max-w-36 max-md:flex-1 md:min-w-40" />
        )}
        <BuyNowButton inStock={product.inStock} className="min-h-12! px-2! max-md:flex-1 md:min-w-40" />
      </BuyForm>
    </section>
  );
}

/** True until the browser has measured. */
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
