import type { ProductImage } from "./product-picture.ts";

/** Widths made of every picture, in pixels; a master is never enlarged. */
export const pictureWidths = [480, 768, 1080, 1600, 2000];

/** What is known of each master, by file name. `hash` changes with the picture or the way it is encoded. */
export type PictureManifest = Record<string, { width: number; height: number; hash: string }>;

export type PictureFormat = "avif" | "webp" | "jpeg";

/** Shown in place of a picture that is not there. */
export const defaultPicture = "product-front.jpg";

/**
 * The addresses and size of a picture. A file that the manifest does not know gets the default picture, so that a page
 * never fails for want of one; a manifest without that is broken.
 */
export function imageVariants(manifest: PictureManifest, file: string, alt: string): ProductImage {
  const name = file in manifest ? file : defaultPicture;
  const master = manifest[name];
  if (!master) throw new Error(`The picture manifest has no ${defaultPicture}`);
  return variantsOf({ file: name, ...master }, alt);
}

/** A master and what is known of it. */
export type Master = { file: string; width: number; height: number; hash: string };

/** The addresses and size of one master's pictures. */
export function variantsOf({ file, ...master }: Master, alt: string): ProductImage {
  const width = jpegWidthOf(master.width);
  const srcset = (format: PictureFormat) =>
    widthsOf(master.width)
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

/** JPEG is made in this width, for what reads neither of the other formats, and in the smallest, for e-mails. */
export function jpegWidthOf(masterWidth: number): number {
  return widthsOf(masterWidth).findLast((width) => width <= 1080) ?? masterWidth;
}

/**
 * What stands for the hash in the addresses of an uploaded picture: part of the name it got for itself. Null for one of
 * the shop's own masters.
 */
export function uploadedHash(file: string): string | null {
  return /^u-([0-9a-f]{8})[0-9a-f]{8}\.jpg$/.exec(file)?.[1] ?? null;
}

/** Whether the shop came with this picture: a drawing, which the owner's photograph should replace. */
export function isDrawn(file: string): boolean {
  return uploadedHash(file) === null;
}

/** The widths made of a master of this width: all smaller ones, and its own if it is smaller than the largest. */
export function widthsOf(masterWidth: number): number[] {
  const smaller = pictureWidths.filter((width) => width <= masterWidth);
  const largest = Math.max(...pictureWidths);
  return masterWidth < largest && !smaller.includes(masterWidth) ? [...smaller, masterWidth] : smaller;
}

/** `/images/hero-480.1a2b3c4d.avif`: named by content, so it may be kept for ever. */
export function imagePath(file: string, hash: string, width: number, format: PictureFormat): string {
  return `/images/${file.replace(/\.\w+$/, "")}-${width}.${hash}.${format === "jpeg" ? "jpg" : format}`;
}

/**
 * The address of the smallest picture made, for where one address has to do: WebP, which every browser in use reads, or
 * JPEG, which every mail program shows. It is twice as wide as e-mails show it.
 */
export function smallestPicture(
  manifest: PictureManifest,
  file: string,
  format: "webp" | "jpeg" = "webp",
): string {
  const uploaded = uploadedHash(file);
  // No uploaded picture is narrower.
  if (uploaded !== null) return imagePath(file, uploaded, Math.min(...pictureWidths), format);
  const name = file in manifest ? file : defaultPicture;
  const master = manifest[name];
  if (!master) throw new Error(`The picture manifest has no ${defaultPicture}`);
  return imagePath(name, master.hash, Math.min(...widthsOf(master.width)), format);
}
