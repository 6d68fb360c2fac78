import manifest from "../../../assets/images/manifest.json";
import type { ProductImage } from "../../../domain/catalog/product.ts";
import { imageVariants } from "../../../domain/catalog/product-image.ts";

/**
 * One of the pictures that the shop's code includes, as opposed to uploaded pictures of products. `file`: a name in
 * `assets/images`.
 */
export function shopPicture(file: keyof typeof manifest, alt: string): ProductImage {
  return imageVariants(manifest, file, alt);
}
