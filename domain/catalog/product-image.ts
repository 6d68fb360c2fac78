import type { ProductImage } from "./product-picture.ts";

/** Widths generated for every picture, in pixels; a master is never enlarged. */
export const pictureWidths = [192, 480, 768, 1080, 1600, 2000];

/** The width used where a picture has only one: in e-mails, which display it half as wide, and in lines of carts and orders. */
export const singleWidth = 480;

/** File name of a master -> its data. `hash` changes with the picture or its encoding. */
export type PictureManifest = Record<string, { width: number; height: number; hash: string }>;

export type PictureFormat = "avif" | "webp" | "jpeg";

/** Replaces a missing picture. */
export const defaultPicture = "product-front.jpg";

/**
 * URLs and size of a picture. A file missing in the manifest is replaced by the default picture, so that no page fails;
 * a manifest without the default picture is an error.
 */
export function imageVariants(manifest: PictureManifest, file: string, alt: string): ProductImage {
  const name = file in manifest ? file : defaultPicture;
  const master = manifest[name];
  if (!master) throw new Error(`The picture manifest has no ${defaultPicture}`);
  return toProductImage({ file: name, ...master }, alt);
}

export type Master = { file: string; width: number; height: number; hash: string };

/** URLs and size of one master's pictures. */
export function toProductImage({ file, ...master }: Master, alt: string): ProductImage {
  const width = mainJpegWidth(master.width);
  const srcset = (format: PictureFormat) =>
    imageWidths(master.width)
      .map((w) => `${imagePath(file, master.hash, w, format)} ${w}w`)
      .join(", ");
  return {
    url: imagePath(file, master.hash, width, "jpeg"),
    alt,
    width,
    height: Math.round((master.height * width) / master.width),
    srcset: { avif: srcset("avif"), webp: srcset("webp") },
  };
}

/** JPEG is generated in this width, for programs that support no other format, and in `singleWidth`, for e-mails. */
export function mainJpegWidth(masterWidth: number): number {
  return imageWidths(masterWidth).findLast((width) => width <= 1080) ?? masterWidth;
}

/**
 * Part of an uploaded file's name that takes the hash's place in its URLs. Null for masters delivered with the
 * program.
 */
export function uploadedHash(file: string): string | null {
  return /^u-([0-9a-f]{8})[0-9a-f]{8}\.jpg$/.exec(file)?.[1] ?? null;
}

/** Whether the picture is a drawing delivered with the program, which the owner's photograph should replace. */
export function isDrawn(file: string): boolean {
  return uploadedHash(file) === null;
}

/** Widths generated for a master: all smaller ones, and its own if it is smaller than the largest. */
export function imageWidths(masterWidth: number): number[] {
  const smaller = pictureWidths.filter((width) => width <= masterWidth);
  const largest = Math.max(...pictureWidths);
  return masterWidth < largest && !smaller.includes(masterWidth) ? [...smaller, masterWidth] : smaller;
}

/** `/images/hero-480.1a2b3c4d.avif`: named by content, so caches may keep it forever. */
export function imagePath(file: string, hash: string, width: number, format: PictureFormat): string {
  return `/images/${file.replace(/\.\w+$/, "")}-${width}.${hash}.${format === "jpeg" ? "jpg" : format}`;
}

/** URL of the picture in `singleWidth`, or less for a smaller master: WebP for browsers, JPEG for mail programs. */
export function singlePicture(
  manifest: PictureManifest,
  file: string,
  format: "webp" | "jpeg" = "webp",
): string {
  const hash = uploadedHash(file);
  // Every uploaded picture is at least `singleWidth` wide.
  if (hash !== null) return imagePath(file, hash, singleWidth, format);
  const name = file in manifest ? file : defaultPicture;
  const master = manifest[name];
  if (!master) throw new Error(`The picture manifest has no ${defaultPicture}`);
  return imagePath(name, master.hash, Math.min(singleWidth, master.width), format);
}
