import manifest from "../../../assets/images/manifest.json" with { type: "json" };
import type { ProductImage } from "../../../domain/catalog/product.ts";
import {
  imageVariants,
  singlePicture,
  toProductImage,
  uploadedHash,
} from "../../../domain/catalog/product-image.ts";

/** A picture as stored in the catalog; width and height are set for an uploaded one. */
export type StoredPicture = { file: string; alt: string; width: number | null; height: number | null };

/** The sizes of a stored picture, made by the build or after its upload. Does no input or output. */
export function pictureSizes({ file, alt, width, height }: StoredPicture): ProductImage {
  const hash = uploadedHash(file);
  if (hash === null || width === null || height === null) return imageVariants(manifest, file, alt);
  return toProductImage({ file, hash, width, height }, alt);
}

export function mailPicture(file: string): string {
  return singlePicture(manifest, file, "jpeg");
}

/** A small size of a stored picture, for lines of carts and orders. */
export function thumbnailUrl(file: string): string {
  return singlePicture(manifest, file);
}
