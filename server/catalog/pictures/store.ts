import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Logger } from "pino";
import {
  imagePath,
  type PictureFormat,
  pictureWidths,
  uploadedHash,
} from "../../../domain/catalog/product-image.ts";
import type { Database } from "../../platform/database/database.ts";
import { type CheckedPicture, openDecoder, PicturesBusy, type Size } from "./decoder.ts";
import { sizesOf, writeWhole } from "./files.ts";
import { findOriginal, markDamaged, readOriginal, withPublicOriginal } from "./originals.ts";

/**
 * Uploaded pictures. Originals are in the database, and nobody is served them; their sizes are made on the server that is
 * asked for one, and kept in its DATA_DIR, which may be emptied at any time.
 */
export type PictureStore = {
  /** Whether an uploaded file is a picture that can be kept. */
  check(bytes: Buffer): Promise<CheckedPicture>;
  /** A copy of a checked picture for keeping in its place: upright, no larger than pages need it, without metadata. */
  copy(
    bytes: Buffer,
    sides: { width: number; height: number },
  ): Promise<{ ok: true; bytes: Buffer; width: number; height: number } | { ok: false; reason: string }>;
  /** A WebP of a picture that nobody else may see yet. Null: it is not there, or damaged. Kept in memory for a while. */
  preview(file: string): Promise<Buffer | null>;
  /** Makes what is missing here of all sizes of a picture. Throws where that may be tried again. */
  makeSizes(file: string): Promise<{ ok: true } | { ok: false; reason: string }>;
  /**
   * One size by the name in its address, made if it has to be, once for all who ask. Null: there is no such picture or
   * size, or its original is damaged. Throws PicturesBusy if it would take too long.
   */
  size(name: string): Promise<Buffer | null>;
  /** Deletes here what was made of pictures that are gone. */
  tidy(): Promise<void>;
};

/** How long somebody who asks for a size waits; it is made all the same. */
const patienceMs = 20_000;
const copyWidthMax = Math.max(...pictureWidths);
const previewWidth = 1080;
const previewsMax = 40;
const sizeName = /^(u-[0-9a-f]{16})-(\d{3,4})\.([0-9a-f]{8})\.(avif|webp|jpg)$/;
const batch = 1_000;

/** `folder`: absolute path of DATA_DIR. */
export function openPictureStore({
  folder,
  db,
  log,
}: {
  folder: string;
  db: Database;
  log: Logger;
}): PictureStore {
  const images = join(folder, "images");
  const decoder = openDecoder();
  const previews = new Map<string, Buffer>();
  const underway = new Map<string, Promise<Buffer | null>>();

  const readKept = async (name: string) => {
    const bytes = await readFile(join(images, name)).catch(() => null);
    return bytes !== null && bytes.length > 0 ? bytes : null;
  };

  /** A size that cannot be kept is made again for the next who asks. */
  async function keep(name: string, bytes: Buffer): Promise<void> {
    try {
      await mkdir(images, { recursive: true });
      await writeWhole(join(images, name), bytes);
    } catch (err) {
      log.warn({ err, name }, "a size of a picture cannot be kept in DATA_DIR");
    }
  }

  /** Call it in turn: it holds an original in memory. Null: there is none. */
  async function make(file: string, sizes: Size[]) {
    const original = await readOriginal(db, file);
    if (original === null) return null;
    const made = await decoder.make(original, sizes);
    if (made.ok) for (const { bytes, ...size } of made.sizes) await keep(nameOf(file, size), bytes);
    return made;
  }

  async function makeOne(name: string, file: string, size: Size): Promise<Buffer | null> {
    const original = await findOriginal(db, file);
    if (original === null || original.isHeld || original.problem !== null || !isSizeOf(original.width, size))
      return null;
    return decoder.inTurn(async () => {
      // The job may have made it meanwhile.
      const kept = await readKept(name);
      if (kept) return kept;
      const made = await make(file, [size]);
      if (made?.ok) return made.sizes[0]?.bytes ?? null;
      if (made) {
        log.error({ file, reason: made.reason }, "the original of a picture cannot be read");
        await markDamaged(db, file, made.reason);
      }
      return null;
    });
  }

  return {
    check: (bytes) => decoder.check(bytes),
    async copy(bytes, sides) {
      const width = Math.min(sides.width, copyWidthMax);
      const made = await decoder.inTurn(() => decoder.make(bytes, [{ width, format: "jpeg" }]));
      if (!made.ok) return made;
      const [size] = made.sizes;
      if (!size) throw new Error("a picture was not copied");
      return {
        ok: true,
        bytes: size.bytes,
        width,
        height: Math.max(1, Math.round((sides.height * width) / sides.width)),
      };
    },
    async preview(file) {
      const kept = previews.get(file);
      if (kept) return kept;
      const original = await readOriginal(db, file);
      if (original === null) return null;
      const made = await decoder.inTurn(() =>
        decoder.make(original, [{ width: previewWidth, format: "webp" }]),
      );
      const bytes = made.ok ? (made.sizes[0]?.bytes ?? null) : null;
      if (bytes) previews.set(file, bytes);
      // The oldest go first.
      for (const old of previews.keys()) if (previews.size > previewsMax) previews.delete(old);
      return bytes;
    },
    async makeSizes(file) {
      const original = await findOriginal(db, file);
      if (original === null) throw new Error(`the original of ${file} is not in the database`);
      return decoder.inTurn(async () => {
        const kept = new Set(await readdir(images).catch(() => []));
        const missing = sizesOf(original.width)
          .flatMap(({ width, formats }) => formats.map((format) => ({ width, format })))
          .filter((size) => !kept.has(nameOf(file, size)));
        const made = missing.length > 0 ? await make(file, missing) : null;
        return made?.ok === false ? made : { ok: true };
      });
    },
    async size(name) {
      const [, stem, width, hash, extension] = sizeName.exec(name) ?? [];
      const file = `${stem}.jpg`;
      if (stem === undefined || uploadedHash(file) !== hash) return null;
      const kept = await readKept(name);
      if (kept) return kept;
      const format: PictureFormat = extension === "avif" || extension === "webp" ? extension : "jpeg";
      const making =
        underway.get(name) ??
        makeOne(name, file, { width: Number(width), format }).finally(() => underway.delete(name));
      underway.set(name, making);
      // Whoever stops waiting leaves it to the others.
      making.catch(() => {});
      return Promise.race([
        making,
        wait(patienceMs, null, { ref: false }).then(() => {
          throw new PicturesBusy(`${name} was not made in time`);
        }),
      ]);
    },
    async tidy() {
      const names = (await readdir(images).catch(() => [])).filter((name) => sizeName.test(name));
      const fileOf = (name: string) => `${name.slice(0, name.indexOf("-", 2))}.jpg`;
      for (const part of inParts([...new Set(names.map(fileOf))])) {
        const there = await withPublicOriginal(db, part);
        const deletedFiles = new Set(part.filter((file) => !there.has(file)));
        for (const name of names) {
          if (deletedFiles.has(fileOf(name))) await rm(join(images, name), { force: true });
        }
      }
    },
  };
}

function nameOf(file: string, { width, format }: Size): string {
  return imagePath(file, uploadedHash(file) ?? "", width, format).replace("/images/", "");
}

function isSizeOf(masterWidth: number, { width, format }: Size): boolean {
  return sizesOf(masterWidth).some((size) => size.width === width && size.formats.includes(format));
}

function inParts<T>(all: T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / batch) }, (_, part) =>
    all.slice(part * batch, (part + 1) * batch),
  );
}
