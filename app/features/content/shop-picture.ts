import manifest from "../../../assets/images/manifest.json";
import type { ProductImage } from "../../../domain/catalog/product.ts";
import { imageVariants } from "../../../domain/catalog/product-image.ts";

/**
 * One of the pictures in `assets/images`, by the name of its file; they are part of the code, unlike the uploaded pictures of
 * products.
 */
export function shopPicture(file: keyof typeof manifest, alt: string): ProductImage {
  return imageVariants(manifest, file, alt);
}
