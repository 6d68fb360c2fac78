import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp, { type Sharp } from "sharp";
import { imagePath, type PictureFormat, type PictureManifest, widthsOf } from "../domain/product-image.ts";

/**
 * Makes the sizes of every master in `assets/images` under `build/images` and keeps `assets/images/manifest.json`,
 * which pages and catalogue read, in step. What is made already is left alone.
 */
const root = path.join(import.meta.dirname, "..");
const mastersDir = path.join(root, "assets/images");
const outDir = path.join(root, "build/images");
const manifestFile = path.join(mastersDir, "manifest.json");

const encoders: Record<PictureFormat, (image: Sharp) => Sharp> = {
  // A low effort keeps the first start short; the default makes little smaller files.
  avif: (image) => image.avif({ quality: 55, effort: 2 }),
  webp: (image) => image.webp({ quality: 78 }),
  jpeg: (image) => image.jpeg({ quality: 80, mozjpeg: true }),
};

/** Raise it when an encoder above changes: the files then get new names. */
const encodersVersion = 1;

const manifest: PictureManifest = {};
for (const file of (await readdir(mastersDir)).filter((name) => name.endsWith(".jpg")).sort()) {
  const bytes = await readFile(path.join(mastersDir, file));
  const { width, height } = await sharp(bytes).metadata();
  const hash = createHash("sha256").update(`${encodersVersion}:`).update(bytes).digest("hex").slice(0, 8);
  manifest[file] = { width, height, hash };
}

await mkdir(outDir, { recursive: true });
const startedAt = performance.now();
let made = 0;
for (const [file, { width: masterWidth, hash }] of Object.entries(manifest)) {
  const widths = widthsOf(masterWidth);
  const jpegWidth = widths.findLast((width) => width <= 1080) ?? masterWidth;
  for (const width of widths) {
    // JPEG is only the one file for browsers that know neither of the others.
    const formats: PictureFormat[] = width === jpegWidth ? ["avif", "webp", "jpeg"] : ["avif", "webp"];
    await Promise.all(formats.map((format) => make(file, hash, width, format)));
  }
}
await writeIfChanged(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
if (made > 0) console.log(`Made ${made} images in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);

async function make(file: string, hash: string, width: number, format: PictureFormat): Promise<void> {
  const target = path.join(outDir, path.basename(imagePath(file, hash, width, format)));
  if (await exists(target)) return;
  // Written aside and renamed: a build that is cut short leaves no half picture behind.
  const partial = `${target}.${process.pid}.partial`;
  const image = sharp(path.join(mastersDir, file)).resize({ width, withoutEnlargement: true });
  await encoders[format](image).toFile(partial);
  await rename(partial, target);
  made += 1;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

async function writeIfChanged(file: string, text: string): Promise<void> {
  const before = await readFile(file, "utf8").catch(() => null);
  if (before !== text) await writeFile(file, text);
}
