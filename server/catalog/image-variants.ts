import manifest from "../../assets/images/manifest.json" with { type: "json" };
import type { ProductImage } from "../../domain/product.ts";
import { imageVariants, smallestPicture } from "../../domain/product-image.ts";

/** A stored picture's file name as the sizes that `scripts/build-images.ts` makes of it; reads nothing at request time. */
export function pictureSizes(file: string, alt: string): ProductImage {
  return imageVariants(manifest, file, alt);
}

/** The smallest size of a stored picture, for lines of carts and orders. */
export function thumbnailOf(file: string): string {
  return smallestPicture(manifest, file);
}
