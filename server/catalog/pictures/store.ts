import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
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
import { type CheckedPicture, openDecoder, PicturesBusy, refusalIfKilled, type Size } from "./decoder.ts";
import { pictureSizes, writeAtomically } from "./files.ts";
import { findOriginal, markDamaged, readOriginal, withPublicOriginal } from "./originals.ts";

/**
 * Uploaded pictures. Originals stay in the database and are never served. Each server encodes their sizes on request and
 * caches them in its DATA_DIR, which may be emptied at any time.
 */
export type PictureStore = {
  /** Checks that an uploaded file is a readable picture of an accepted format. */
  check(bytes: Buffer): Promise<CheckedPicture>;
  /** Re-encodes a checked picture for storage: rotated, no larger than pages need, without metadata. */
  copy(
    bytes: Buffer,
    dimensions: { width: number; height: number },
  ): Promise<{ ok: true; bytes: Buffer; width: number; height: number } | { ok: false; reason: string }>;
  /** A WebP preview of a picture that is not public yet, cached in memory. Null if it is missing or damaged. */
  preview(file: string): Promise<Buffer | null>;
  /** Encodes the sizes of a picture that are missing on this server. Throws if a retry may succeed. */
  makeSizes(file: string): Promise<{ ok: true } | { ok: false; reason: string }>;
  /**
   * One size by its file name, encoded if missing; concurrent callers share the work. Null if there is no such picture or size,
   * or its original is damaged. Throws PicturesBusy on a timeout.
   */
  size(name: string): Promise<Buffer | null>;
  /** Deletes this server's sizes of deleted pictures, and incomplete files of killed processes. */
  deleteOrphanSizes(): Promise<void>;
};

/** How long a request waits for a size (ms); the work continues after that. */
const requestTimeoutMs = 20_000;
const maxCopyWidth = Math.max(...pictureWidths);
const previewWidth = 1080;
const maxPreviews = 40;
/** Number of sizes kept in memory, about 20 MB, while they cannot be written to disk. */
const maxUnwritten = 100;
const sizeName = /^(u-[0-9a-f]{16})-(\d{3,4})\.([0-9a-f]{8})\.(avif|webp|jpg)$/;
const batchSize = 1_000;
/** Age at which an incomplete file is deleted; writing a size takes far less time. */
const partialLifetimeMs = 60 * 60 * 1000;

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
  const unwritten = new Map<string, Buffer>();
  const pending = new Map<string, Promise<Buffer | null>>();

  /** Runs `work` once for all callers that want the same picture at the same time. */
  function runShared(key: string, work: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const result = pending.get(key) ?? work().finally(() => pending.delete(key));
    pending.set(key, result);
    return result;
  }

  const readCached = async (name: string) => {
    const bytes = await readFile(join(images, name)).catch(() => null);
    return bytes !== null && bytes.length > 0 ? bytes : (unwritten.get(name) ?? null);
  };

  /** Writes a size to disk, or keeps it in memory if that fails, until newer sizes replace it. */
  async function cacheSize(name: string, bytes: Buffer): Promise<void> {
    try {
      await mkdir(images, { recursive: true });
      await writeAtomically(join(images, name), bytes);
    } catch (err) {
      log.warn({ err, name }, "a size of a picture cannot be stored in DATA_DIR");
      unwritten.set(name, bytes);
      const [oldest] = unwritten.keys();
      if (oldest !== undefined && unwritten.size > maxUnwritten) unwritten.delete(oldest);
    }
  }

  /** Call it within `runQueued`: it holds an original in memory. Null if there is no original. */
  async function encodeAndCache(file: string, sizes: Size[]) {
    const original = await readOriginal(db, file);
    if (original === null) return null;
    const result = await decoder.encode(original, sizes);
    if (result.ok)
      for (const { bytes, ...size } of result.sizes) await cacheSize(sizeFileName(file, size), bytes);
    return result;
  }

  async function encodeMissing(name: string, file: string, size: Size): Promise<Buffer | null> {
    const original = await findOriginal(db, file);
    if (
      original === null ||
      original.isPrivate ||
      original.problem !== null ||
      !isPictureSize(original.width, size)
    )
      return null;
    return decoder.runQueued(async () => {
      // The job may have made the size while this request waited in the queue.
      const cached = await readCached(name);
      if (cached) return cached;
      const result = await encodeAndCache(file, [size]);
      if (result?.ok) return result.sizes[0]?.bytes ?? null;
      if (result) {
        log.error({ file, reason: result.reason }, "the original of a picture cannot be read");
        await markDamaged(db, file, result.reason);
      }
      return null;
    });
  }

  return {
    check: (bytes) => decoder.check(bytes),
    async copy(bytes, dimensions) {
      const width = Math.min(dimensions.width, maxCopyWidth);
      const result = await decoder
        .runQueued(() => decoder.encode(bytes, [{ width, format: "jpeg" }]))
        .catch(refusalIfKilled);
      if (!result.ok) return result;
      const [size] = result.sizes;
      if (!size) throw new Error("a picture was not copied");
      return {
        ok: true,
        bytes: size.bytes,
        width,
        height: Math.max(1, Math.round((dimensions.height * width) / dimensions.width)),
      };
    },
    async preview(file) {
      const cached = previews.get(file);
      if (cached) return cached;
      return runShared(file, async () => {
        const result = await decoder.runQueued(async () => {
          const original = await readOriginal(db, file);
          return original && decoder.encode(original, [{ width: previewWidth, format: "webp" }]);
        });
        const bytes = result?.ok ? (result.sizes[0]?.bytes ?? null) : null;
        if (bytes) previews.set(file, bytes);
        // A map iterates in insertion order, so this deletes the oldest previews.
        for (const old of previews.keys()) if (previews.size > maxPreviews) previews.delete(old);
        return bytes;
      });
    },
    async makeSizes(file) {
      const original = await findOriginal(db, file);
      if (original === null) throw new Error(`the original of ${file} is not in the database`);
      return decoder.runQueued(async () => {
        const cached = new Set(await readdir(images).catch(() => []));
        const missingSizes = pictureSizes(original.width)
          .flatMap(({ width, formats }) => formats.map((format) => ({ width, format })))
          .filter((size) => !cached.has(sizeFileName(file, size)));
        const result = missingSizes.length > 0 ? await encodeAndCache(file, missingSizes) : null;
        return result?.ok === false ? result : { ok: true };
      });
    },
    async size(name) {
      const [, stem, width, hash, extension] = sizeName.exec(name) ?? [];
      const file = `${stem}.jpg`;
      if (stem === undefined || uploadedHash(file) !== hash) return null;
      const cached = await readCached(name);
      if (cached) return cached;
      const format: PictureFormat = extension === "avif" || extension === "webp" ? extension : "jpeg";
      const bytes = runShared(name, () => encodeMissing(name, file, { width: Number(width), format }));
      // A caller that times out does not cancel the shared work.
      bytes.catch(() => {});
      return Promise.race([
        bytes,
        wait(requestTimeoutMs, null, { ref: false }).then(() => {
          throw new PicturesBusy(`${name} was not made in time`);
        }),
      ]);
    },
    async deleteOrphanSizes() {
      unwritten.clear();
      const files = await readdir(images).catch(() => []);
      const names = files.filter((name) => sizeName.test(name));
      const masterFile = (name: string) => `${name.slice(0, name.indexOf("-", 2))}.jpg`;
      for (const batch of inBatches([...new Set(names.map(masterFile))])) {
        const existingFiles = await withPublicOriginal(db, batch);
        const deletedFiles = new Set(batch.filter((file) => !existingFiles.has(file)));
        for (const name of names) {
          if (deletedFiles.has(masterFile(name))) await rm(join(images, name), { force: true });
        }
      }
      for (const name of files.filter((file) => file.endsWith(".partial"))) {
        const { mtimeMs = Date.now() } = (await stat(join(images, name)).catch(() => null)) ?? {};
        if (Date.now() - mtimeMs > partialLifetimeMs) await rm(join(images, name), { force: true });
      }
    },
  };
}

function sizeFileName(file: string, { width, format }: Size): string {
  return imagePath(file, uploadedHash(file) ?? "", width, format).replace("/images/", "");
}

function isPictureSize(masterWidth: number, { width, format }: Size): boolean {
  return pictureSizes(masterWidth).some((size) => size.width === width && size.formats.includes(format));
}

function inBatches<T>(values: T[]): T[][] {
  return Array.from({ length: Math.ceil(values.length / batchSize) }, (_, batch) =>
    values.slice(batch * batchSize, (batch + 1) * batchSize),
  );
}
