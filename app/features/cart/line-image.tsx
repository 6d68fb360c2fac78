import Package from "lucide-react/icons/package";
import { useState } from "react";
import type { ProductImage } from "../../../domain/catalog/product.ts";
import { Icon } from "../../ui/icon.tsx";
import { Picture } from "../../ui/picture.tsx";

/** A product's small picture beside its name, hence without alternative text; an icon where it is missing or fails. */
export function LineImage({
  image,
  sizes,
  className,
}: {
  image: ProductImage | undefined;
  sizes: string;
  className: string;
}) {
  const [hasFailed, setFailed] = useState(false);
  return image && !hasFailed ? (
    <Picture
      image={image}
      alt=""
      sizes={sizes}
      className={`object-cover ${className}`}
      onError={() => setFailed(true)}
    />
  ) : (
    <span className={`grid place-items-center bg-cream text-copper-700 ${className}`}>
      <Icon glyph={Package} size="large" />
    </span>
  );
}
