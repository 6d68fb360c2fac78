import { type ComponentProps, useEffect, useRef, useState } from "react";
import { preload } from "react-dom";
import mark from "../../assets/brand/mark.svg";
import type { ProductImage } from "../../domain/catalog/product.ts";

/** Fallback if no other picture can be shown. */
const shopMark = { url: mark, width: 64, height: 64 };

/**
 * A picture in AVIF, WebP or JPEG. `sizes` is its width in the layout. `priority` is for the page's main picture, which is
 * loaded first. If the picture fails to load, `fallback` (the product's first image) or the shop's mark is shown instead.
 */
export function Picture({
  image,
  sizes,
  priority = false,
  fallback,
  className = "",
  alt = image.alt,
  ...rest
}: Omit<ComponentProps<"img">, "src" | "srcSet" | "width" | "height"> & {
  image: ProductImage;
  sizes: string;
  priority?: boolean;
  fallback?: ProductImage | undefined;
}) {
  const [failedUrls, setFailedUrls] = useState<readonly string[]>([]);
  const img = useRef<HTMLImageElement>(null);
  const source =
    [image, fallback].find((candidate) => candidate && !failedUrls.includes(candidate.url)) ?? shopMark;
  const fail = () => setFailedUrls((urls) => [...urls, source.url]);

  // An image in the server-rendered HTML may have failed before React attached its listeners.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each picture
  useEffect(() => {
    if (img.current?.complete && img.current.naturalWidth === 0) fail();
  }, [image.url]);

  if (priority) {
    // Adds a preload link to the head; React adds none for images inside a picture element.
    preload(image.url, {
      as: "image",
      type: "image/avif",
      imageSrcSet: image.srcset.avif,
      imageSizes: sizes,
      fetchPriority: "high",
    });
  }
  return (
    // Sources are hidden, because in a grid each would take a cell.
    <picture className="contents [&>source]:hidden">
      {source === image && (
        <>
          <source type="image/avif" srcSet={image.srcset.avif} sizes={sizes} />
          <source type="image/webp" srcSet={image.srcset.webp} sizes={sizes} />
        </>
      )}
      <img
        ref={img}
        src={source.url}
        width={source.width}
        height={source.height}
        alt={alt}
        loading={priority ? "eager" : "lazy"}
        fetchPriority={priority ? "high" : "auto"}
        decoding={priority ? "sync" : "async"}
        className={`bg-cream ${className} ${source === shopMark ? "object-none!" : ""}`}
        onError={fail}
        {...rest}
      />
    </picture>
  );
}
