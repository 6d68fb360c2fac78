import manifest from "../../../assets/images/manifest.json";
import type { ProductImage } from "../../../domain/catalog/product.ts";
import { imageVariants } from "../../../domain/catalog/product-image.ts";

/** One of the shop's own pictures, for pages whose pictures are not the catalogue's. `file`: a name in `assets/images`. */
export function shopPicture(file: keyof typeof manifest, alt: string): ProductImage {
  return imageVariants(manifest, file, alt);
}
