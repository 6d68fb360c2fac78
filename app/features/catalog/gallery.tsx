import { useState } from "react";
import mark from "../../../assets/brand/mark.svg";
import type { Product } from "../../../domain/catalog/product.ts";
import { Picture } from "../../ui/picture.tsx";

const mainSizes = "(min-width: 80rem) 37rem, (min-width: 64rem) 47vw, (min-width: 48rem) 47vw, 100vw";
const thumbSizes = "(min-width: 64rem) 84px, 25vw";

/** One large picture and a thumbnail for each. */
export function Gallery({ images }: { images: Product["images"] }) {
  const [chosen, setChosen] = useState(0);
  const first = images[0];
  const main = images[chosen] ?? first;
  if (!main) {
    return (
      <div className="grid aspect-square place-items-center bg-cream md:aspect-4/5">
        <img src={mark} width={64} height={64} alt="" />
      </div>
    );
  }
  return (
    <div className="lg:grid lg:grid-cols-[84px_1fr] lg:items-start lg:gap-3">
      <div className="relative aspect-square overflow-hidden bg-cream md:aspect-4/5 lg:order-2 lg:max-h-[max(36rem,calc(100svh-8rem))] lg:w-full">
        <Picture
          key={main.url}
          image={main}
          fallback={first}
          sizes={mainSizes}
          priority={chosen === 0}
          className="size-full object-cover"
        />
      </div>
      {images.length > 1 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
        <div
          role="group"
          aria-label="Product images"
          className="grid grid-cols-5 gap-2 px-(--gutter) pt-2 md:px-0 lg:grid-cols-1 lg:gap-3 lg:pt-0"
        >
          {images.map((image, index) => (
            <button
              key={image.url}
              type="button"
              aria-label={`Show image ${index + 1} of ${images.length}`}
              aria-current={index === chosen ? "true" : undefined}
              onClick={() => setChosen(index)}
              className="relative aspect-square overflow-hidden rounded-xs bg-cream aria-[current]:after:absolute aria-[current]:after:inset-0 aria-[current]:after:rounded-xs aria-[current]:after:inset-ring-2 aria-[current]:after:inset-ring-forest-800 aria-[current]:after:outline-2 aria-[current]:after:-outline-offset-2 aria-[current]:after:outline-transparent"
            >
              <Picture
                image={image}
                fallback={first}
                alt=""
                sizes={thumbSizes}
                fetchPriority="low"
                className="size-full object-cover"
              />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
