import { createHash, createHmac, hkdfSync } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { buffer } from "node:stream/consumers";
import * as v from "valibot";
import { StartProblem } from "../../platform/process/start-problem.ts";
import {
  createOpener,
  createSealer,
  deriveKey,
  type KeyRecipe,
  keyRecipeSchema,
  newRecipe,
} from "../seal.ts";
import type { Bucket, StoredObject } from "./bucket.ts";

/**
 * A file is uploaded in encrypted pieces, one object each: `backups/palmira-….backup.00001-of-00003`. A file is complete when
 * the bucket's list has all its pieces; an interrupted upload continues with the next piece. Pieces are small, because encrypting
 * one blocks the shop's process for 10 ms.
 */
export const pieceBytes = 2 * 1024 ** 2;

const magic = Buffer.from("PALMIRA-P\u0001", "latin1");
const saltBytes = 32;

/** Keys of one destination, derived from the passphrase. */
export type Vault = { recipe: KeyRecipe; key: Buffer };

const markerSchema = v.object({
  format: v.literal(1),
  shopId: v.string(),
  recipe: keyRecipeSchema,
  /** Detects a wrong passphrase before anything is downloaded. */
  check: v.string(),
});
export type Marker = v.InferOutput<typeof markerSchema>;

/** The object that names the folder's shop and the parameters of its key. */
export const markerKey = "palmira.json";

export async function readMarker(bucket: Bucket, signal?: AbortSignal): Promise<Marker | null> {
  const content = await bucket.get(markerKey, signal);
  if (content === null) return null;
  try {
    return v.parse(markerSchema, JSON.parse(content.toString("utf8")));
  } catch {
    throw new StartProblem(`${markerKey} in the bucket is not this program’s, or of a newer version of it.`);
  }
}

/** Marks the folder as the shop's. `recipe`: that of existing pieces, if the folder has lost its marker. */
export async function makeMarker(
  bucket: Bucket,
  { shopId, passphrase, recipe = newRecipe() }: { shopId: string; passphrase: string; recipe?: KeyRecipe },
): Promise<Marker> {
  const check = keyCheck(await deriveSealKey(passphrase, recipe));
  const marker: Marker = { format: 1, shopId, recipe, check };
  await bucket.put(markerKey, Buffer.from(JSON.stringify(marker)));
  // Read again, because another server may have written one at the same moment; the last one counts.
  return (await readMarker(bucket)) ?? marker;
}

/** Null if the folder was encrypted with another passphrase. */
export async function openVault({ recipe, check }: Marker, passphrase: string): Promise<Vault | null> {
  const key = await deriveSealKey(passphrase, recipe);
  return keyCheck(key) === check ? { recipe, key } : null;
}

/** The keys of a folder without a marker, by the parameters in one of its pieces; null if it has no pieces. */
export async function openUnmarked(bucket: Bucket, passphrase: string): Promise<Vault | null> {
  const [file] = storedFiles(await bucket.list("")).values();
  const [piece] = file?.pieces ?? [];
  if (!file || piece === undefined) return null;
  const objectKey = pieceObjectKey(file.name, piece, file.pieceCount);
  const sealed = (await bucket.get(objectKey)) ?? Buffer.alloc(0);
  const recipe = v.safeParse(keyRecipeSchema, recipeIn(sealed));
  if (!recipe.success) throw new StartProblem(`${objectKey} in the bucket is not a piece of a backup.`);
  const vault = { recipe: recipe.output, key: await deriveSealKey(passphrase, recipe.output) };
  openPiece(vault, objectKey, sealed);
  return vault;
}

function recipeIn(sealed: Buffer): unknown {
  try {
    const start = magic.length + 1;
    return JSON.parse(sealed.subarray(start, start + (sealed[magic.length] ?? 0)).toString("utf8"));
  } catch {
    return null;
  }
}

let lastKey: { inputHash: string; key: Promise<Buffer> } | null = null;

/** Caches the last key, because deriving it takes a quarter of a second. */
function deriveSealKey(passphrase: string, recipe: KeyRecipe): Promise<Buffer> {
  const inputHash = createHash("sha256")
    .update(JSON.stringify([passphrase, recipe]))
    .digest("hex");
  if (lastKey?.inputHash !== inputHash) lastKey = { inputHash, key: deriveKey(passphrase, recipe) };
  return lastKey.key;
}

const keyCheck = (key: Buffer) => createHmac("sha256", key).update("off-site check").digest("base64");

/** A piece's key depends on its content, name and position: no two pieces share a key, and an upload can be repeated. */
function pieceKey({ key }: Vault, objectKey: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, objectKey, 32));
}

export function sealPiece(vault: Vault, objectKey: string, piece: Buffer): Buffer {
  const digest = createHash("sha256").update(piece).digest();
  const salt = createHmac("sha256", vault.key).update(digest).digest();
  const recipe = Buffer.from(JSON.stringify(vault.recipe));
  const header = Buffer.concat([magic, Buffer.of(recipe.length), recipe, salt]);
  return Buffer.concat([header, createSealer(pieceKey(vault, objectKey, salt), header)(piece, true)]);
}

/** Decrypts a piece. Throws StartProblem if it is not the one that was uploaded under this name. */
function openPiece(vault: Vault, objectKey: string, sealed: Buffer): Buffer {
  const recipeEnd = magic.length + 1 + (sealed[magic.length] ?? 0);
  const header = sealed.subarray(0, recipeEnd + saltBytes);
  try {
    if (!header.subarray(0, magic.length).equals(magic)) throw new Error("it is no piece");
    const key = pieceKey(vault, objectKey, header.subarray(recipeEnd));
    return createOpener(key, header)(sealed.subarray(header.length), true);
  } catch {
    throw new StartProblem(`${objectKey} in the bucket is damaged or was exchanged.`);
  }
}

/** A file in the bucket, with the numbers of its uploaded pieces. */
export type StoredFile = { name: string; pieceCount: number; pieces: Set<number>; bytes: number };

export const isComplete = ({ pieces, pieceCount }: StoredFile) => pieces.size === pieceCount;
const fiveDigits = (value: number) => String(value).padStart(5, "0");
export const pieceObjectKey = (name: string, piece: number, pieceCount: number) =>
  `${name}.${fiveDigits(piece)}-of-${fiveDigits(pieceCount)}`;

export function storedFiles(objects: readonly StoredObject[]): Map<string, StoredFile> {
  const files = new Map<string, StoredFile>();
  for (const { key, bytes } of objects) {
    const [, name = "", piece = "", pieceCount = ""] = /^([\w./-]+)\.(\d{5})-of-(\d{5})$/.exec(key) ?? [];
    if (name === "" || name.includes("..")) continue;
    addPiece(files, { name, pieceCount: Number(pieceCount) }, { piece: Number(piece), bytes });
  }
  return files;
}

export function addPiece(
  files: Map<string, StoredFile>,
  { name, pieceCount }: { name: string; pieceCount: number },
  { piece, bytes }: { piece: number; bytes: number },
): void {
  const file = files.get(name) ?? { name, pieceCount, pieces: new Set(), bytes: 0 };
  file.pieces.add(piece);
  file.bytes += bytes;
  files.set(name, file);
}

/** Reads piece number `piece` (from 1) of a local file; null if there is no such file. */
export async function readPiece(path: string, piece: number): Promise<Buffer | null> {
  const start = (piece - 1) * pieceBytes;
  try {
    return await buffer(createReadStream(path, { start, end: start + pieceBytes - 1 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Downloads a whole file; it gets the name `path` when it is complete. Throws StartProblem or BucketProblem. */
export async function downloadFile(
  bucket: Bucket,
  vault: Vault,
  { name, pieceCount }: Pick<StoredFile, "name" | "pieceCount">,
  path: string,
  { signal, onPiece = () => {} }: { signal?: AbortSignal; onPiece?: (bytes: number) => void } = {},
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinishedPath = `${path}.part`;
  const file = await open(unfinishedPath, "w", 0o600);
  try {
    for (let piece = 1; piece <= pieceCount; piece += 1) {
      const key = pieceObjectKey(name, piece, pieceCount);
      const sealed = await bucket.get(key, signal);
      if (sealed === null) throw new StartProblem(`${key} is missing in the bucket.`);
      await file.writeFile(openPiece(vault, key, sealed));
      onPiece(sealed.length);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinishedPath, path);
}
