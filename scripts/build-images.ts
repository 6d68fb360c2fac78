import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import type { PictureManifest } from "../domain/catalog/product-image.ts";
import { encodersVersion, makeSize, pictureSizes } from "../server/catalog/pictures/files.ts";

// Generates all sizes of the master pictures in `assets/images` into `build/images`, and updates
// `assets/images/manifest.json`, which pages and catalog read. Existing sizes are kept.

const root = path.join(import.meta.dirname, "..");
const mastersDir = path.join(root, "assets/images");
const outDir = path.join(root, "build/images");
const manifestFile = path.join(mastersDir, "manifest.json");

const manifest: PictureManifest = {};
for (const file of (await readdir(mastersDir)).filter((name) => name.endsWith(".jpg")).sort()) {
  const bytes = await readFile(path.join(mastersDir, file));
  const { width, height } = await sharp(bytes).metadata();
  const hash = createHash("sha256").update(`${encodersVersion}:`).update(bytes).digest("hex").slice(0, 8);
  manifest[file] = { width, height, hash };
}

await mkdir(outDir, { recursive: true });
const startedAt = performance.now();
let createdCount = 0;
for (const [file, { width: masterWidth, hash }] of Object.entries(manifest)) {
  for (const { width, formats } of pictureSizes(masterWidth)) {
    const results = await Promise.all(
      formats.map((format) =>
        makeSize(sharp(path.join(mastersDir, file)), { file, hash }, { width, format, folder: outDir }),
      ),
    );
    createdCount += results.filter((isNew) => isNew).length;
  }
}
await writeIfChanged(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
if (createdCount > 0)
  console.log(`Made ${createdCount} images in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);

async function writeIfChanged(file: string, text: string): Promise<void> {
  const current = await readFile(file, "utf8").catch(() => null);
  if (current !== text) await writeFile(file, text);
}
