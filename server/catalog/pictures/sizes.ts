import manifest from "../../../assets/images/manifest.json" with { type: "json" };
import type { ProductImage } from "../../../domain/catalog/product.ts";
import {
  imageVariants,
  smallestPicture,
  uploadedHash,
  variantsOf,
} from "../../../domain/catalog/product-image.ts";

/** A picture as the catalogue stores it. Width and height are those of an uploaded one. */
export type StoredPicture = { file: string; alt: string; width: number | null; height: number | null };

/** The sizes that were made of a stored picture, by the build or after its upload; reads nothing at request time. */
export function pictureSizes({ file, alt, width, height }: StoredPicture): ProductImage {
  const hash = uploadedHash(file);
  if (hash === null || width === null || height === null) return imageVariants(manifest, file, alt);
  return variantsOf({ file, hash, width, height }, alt);
}

/** A stored picture for e-mails. */
export function mailPicture(file: string): string {
  return smallestPicture(manifest, file, "jpeg");
}

/** The smallest size of a stored picture, for lines of carts and orders. */
export function thumbnailOf(file: string): string {
  return smallestPicture(manifest, file);
}
