import { randomUUID } from "node:crypto";
import { access, open, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Sharp } from "sharp";
import {
  imagePath,
  imageWidths,
  type Master,
  mainJpegWidth,
  type PictureFormat,
  singleWidth,
} from "../../../domain/catalog/product-image.ts";

const encoders: Record<PictureFormat, (image: Sharp) => Sharp> = {
  // A low effort keeps the first start short: 2 takes twice as long without smaller files, and the default saves
  // little.
  avif: (image) => image.avif({ quality: 55, effort: 1 }),
  webp: (image) => image.webp({ quality: 78 }),
  jpeg: (image) => image.jpeg({ quality: 80, mozjpeg: true }),
};

/** Part of the file names of built pictures. Increment it when a change of an encoder's settings changes how pictures look. */
export const encodersVersion = 1;

/** The sizes of a master: AVIF and WebP in every width, JPEG in two. */
export function pictureSizes(masterWidth: number): { width: number; formats: PictureFormat[] }[] {
  const jpegWidth = mainJpegWidth(masterWidth);
  return imageWidths(masterWidth).map((width) => ({
    width,
    formats: width === singleWidth || width === jpegWidth ? ["avif", "webp", "jpeg"] : ["avif", "webp"],
  }));
}

export function encodeSize(
  source: Sharp,
  { width, format }: { width: number; format: PictureFormat },
): Sharp {
  return encoders[format](source.resize({ width, withoutEnlargement: true }));
}

/** Writes one size of a master into `folder` unless it exists. Returns whether it was written. */
export async function makeSize(
  source: Sharp,
  { file, hash }: Pick<Master, "file" | "hash">,
  { width, format, folder }: { width: number; format: PictureFormat; folder: string },
): Promise<boolean> {
  const target = path.join(folder, path.basename(imagePath(file, hash, width, format)));
  if (await exists(target)) return false;
  await writeAtomically(target, await encodeSize(source, { width, format }).toBuffer());
  return true;
}

/** Writes a temporary file, syncs it to disk and renames it, so that a crash leaves no partial file under `target`. */
export async function writeAtomically(target: string, bytes: Buffer): Promise<void> {
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    await writeFile(partial, bytes);
    await syncToDisk(partial);
    await rename(partial, target);
    await syncToDisk(path.dirname(target));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

async function syncToDisk(file: string): Promise<void> {
  const handle = await open(file, "r");
  await handle.sync().finally(() => handle.close());
}
