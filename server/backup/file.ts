import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import * as v from "valibot";
import { StartProblem } from "../platform/process/start-problem.ts";
import {
  createOpener,
  createSealer,
  deriveKey,
  type KeyRecipe,
  keyRecipeSchema,
  newRecipe,
  tagBytes,
} from "./seal.ts";

/**
 * Format of a backup file: magic bytes, length and JSON of the header, length-prefixed frames of compressed (and encrypted)
 * content, a length of 0, and the SHA-256 of everything before.
 */
const magic = Buffer.from("PALMIRA\u0001", "latin1");
const maxHeaderBytes = 1_000_000;
const frameBytes = 256 * 1024;
const maxFrameBytes = frameBytes + tagBytes;
const hashBytes = 32;
const zstdLevel = 3;

const headerSchema = v.object({
  format: v.literal(1),
  /** When its snapshot was taken. */
  createdAt: v.string(),
  shopVersion: v.string(),
  postgresVersion: v.string(),
  /** Size of the database on disk, an estimate for a restored one. */
  databaseBytes: v.number(),
  /** Names of the applied migrations, oldest first. */
  migrations: v.pipe(v.array(v.string()), v.minLength(1)),
  tables: v.array(v.string()),
  encryption: v.nullable(keyRecipeSchema),
});

/** The unencrypted part of the file. */
export type BackupHeader = v.InferOutput<typeof headerSchema>;

/** `sha256`: of the file without its last 32 bytes, which contain it. */
type WrittenFile = { path: string; bytes: number; sha256: string };

/**
 * Writes a file with mode 600 atomically: to a temporary name, synced to disk and renamed, replacing an existing one.
 */
export async function writeBackupFile(
  path: string,
  {
    header,
    content,
    passphrase,
    signal,
  }: {
    header: Omit<BackupHeader, "format" | "encryption">;
    content: AsyncIterable<Buffer>;
    /** Null if the file is not encrypted. */
    passphrase: string | null;
    signal?: AbortSignal | undefined;
  },
): Promise<WrittenFile> {
  const encryption = passphrase === null ? null : newRecipe();
  const headerPart = encodeHeaderPart({ format: 1, ...header, encryption });
  const seal =
    passphrase && encryption
      ? createSealer(await deriveKey(passphrase, encryption), hashHeaderPart(headerPart))
      : null;
  const hash = createHash("sha256");
  const unfinishedPath = `${path}.part`;
  let bytes = 0;
  await rm(unfinishedPath, { force: true });
  try {
    await pipeline(
      content,
      createZstdCompress({
        params: { [constants.ZSTD_c_compressionLevel]: zstdLevel, [constants.ZSTD_c_checksumFlag]: 1 },
      }),
      async function* (compressed: AsyncIterable<Buffer>) {
        yield headerPart;
        for await (const [frame, isLast] of splitIntoFrames(compressed)) {
          const payload = seal ? seal(frame, isLast) : frame;
          yield Buffer.concat([uint32(payload.length), payload]);
        }
        yield uint32(0);
      },
      async function* (parts: AsyncIterable<Buffer>) {
        for await (const part of parts) {
          hash.update(part);
          bytes += part.length;
          yield part;
        }
        bytes += hashBytes;
        yield hash.copy().digest();
      },
      createWriteStream(unfinishedPath, { flags: "wx", mode: 0o600, flush: true }),
      { signal },
    );
    await rename(unfinishedPath, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(unfinishedPath, { force: true });
    throw error;
  }
  return { path, bytes, sha256: hash.digest("hex") };
}

/** A verified file; `content` can be read repeatedly. */
export type BackupFile = {
  path: string;
  bytes: number;
  header: BackupHeader;
  /** The decrypted and decompressed content, verified again. Throws StartProblem for a wrong passphrase. */
  content(passphrase: string | null): AsyncIterable<Buffer>;
};

/** Verifies a whole file and reads its header. Throws StartProblem if it is not a backup, or was truncated or altered. */
export async function openBackupFile(path: string): Promise<BackupFile> {
  const handle = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    throw new StartProblem(
      error.code === "ENOENT" ? `There is no file ${path}.` : `${path} cannot be read: ${error.message}`,
    );
  });
  const damagedFile = () =>
    new StartProblem(
      `${path} is damaged: it was cut off or altered since it was written. Nothing was changed.`,
    );
  let headerPart: Buffer;
  let size: number;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new StartProblem(`${path} is not a backup of this shop.`);
    size = stats.size;
    const start = Buffer.alloc(magic.length + 4);
    await handle.read(start, 0, start.length, 0);
    if (!start.subarray(0, magic.length).equals(magic))
      throw new StartProblem(`${path} is not a backup of this shop.`);
    const length = start.readUInt32BE(magic.length);
    if (length > maxHeaderBytes || size < start.length + length + 4 + hashBytes) throw damagedFile();
    headerPart = Buffer.alloc(start.length + length);
    await handle.read(headerPart, 0, headerPart.length, 0);
    const hash = createHash("sha256");
    for await (const part of createReadStream(path, { end: size - hashBytes - 1, highWaterMark: frameBytes }))
      hash.update(part);
    const expectedHash = Buffer.alloc(hashBytes);
    await handle.read(expectedHash, 0, hashBytes, size - hashBytes);
    if (!hash.digest().equals(expectedHash)) throw damagedFile();
  } finally {
    await handle.close();
  }
  const header = readHeader(path, headerPart);
  return {
    path,
    bytes: size,
    header,
    content: (passphrase) => readContent({ path, size, headerPart, header, passphrase, damagedFile }),
  };
}

function readHeader(path: string, headerPart: Buffer): BackupHeader {
  const json: unknown = JSON.parse(headerPart.subarray(magic.length + 4).toString("utf8"));
  const parsed = v.safeParse(headerSchema, json);
  if (parsed.success) return parsed.output;
  throw new StartProblem(`${path} was made by a newer version of the shop: restore it with that version.`);
}

async function* readContent(file: {
  path: string;
  size: number;
  headerPart: Buffer;
  header: BackupHeader;
  passphrase: string | null;
  damagedFile(): StartProblem;
}): AsyncGenerator<Buffer> {
  const { path, size, headerPart, header, passphrase, damagedFile } = file;
  const decrypt = await payloadOpener(path, header.encryption, passphrase, headerPart);
  const hash = createHash("sha256").update(headerPart);
  const source = createReadStream(path, {
    start: headerPart.length,
    end: size - 1,
    highWaterMark: frameBytes,
  });
  const decompress = createZstdDecompress();
  const pipelineEnd = pipeline(
    source,
    async function* (parts: AsyncIterable<Buffer>) {
      for await (const frame of readFrames(parts, hash, damagedFile))
        yield decrypt(frame.payload, frame.isLast);
    },
    decompress,
  );
  // The loop below throws the same error.
  pipelineEnd.catch(() => null);
  try {
    for await (const part of decompress) yield part;
    await pipelineEnd;
  } catch (error) {
    if (error instanceof StartProblem) throw error;
    const reason = await pipelineEnd.then(
      () => error,
      (cause: unknown) => cause,
    );
    if (reason instanceof StartProblem) throw reason;
    // An error of zlib: the content is corrupt.
    if (reason instanceof Error && "errno" in reason && !("syscall" in reason)) throw damagedFile();
    throw reason;
  } finally {
    source.destroy();
  }
}

async function payloadOpener(
  path: string,
  encryption: KeyRecipe | null,
  passphrase: string | null,
  headerPart: Buffer,
): Promise<(payload: Buffer, isLast: boolean) => Buffer> {
  if (encryption === null) return (payload) => payload;
  if (passphrase === null) {
    throw new StartProblem(`${path} is encrypted: set BACKUP_PASSPHRASE to the passphrase it was made with.`);
  }
  const unseal = createOpener(await deriveKey(passphrase, encryption), hashHeaderPart(headerPart));
  return (payload, isLast) => {
    try {
      return unseal(payload, isLast);
    } catch {
      throw new StartProblem(`The passphrase is not the one ${path} was made with. Nothing was changed.`);
    }
  };
}

async function* splitIntoFrames(compressed: AsyncIterable<Buffer>): AsyncGenerator<[Buffer, boolean]> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const part of compressed) {
    pending.push(part);
    pendingBytes += part.length;
    if (pendingBytes <= frameBytes) continue;
    const bytes = Buffer.concat(pending);
    let from = 0;
    // The last frame is held back, because it is marked as the last.
    for (; bytes.length - from > frameBytes; from += frameBytes) {
      yield [bytes.subarray(from, from + frameBytes), false];
    }
    pending = [bytes.subarray(from)];
    pendingBytes = bytes.length - from;
  }
  yield [Buffer.concat(pending), true];
}

/** Reads the frames after the header, and checks the hash at the end. */
async function* readFrames(
  parts: AsyncIterable<Buffer>,
  hash: Hash,
  damagedFile: () => StartProblem,
): AsyncGenerator<{ payload: Buffer; isLast: boolean }> {
  let buffered: Buffer = Buffer.alloc(0);
  let pending: Buffer | null = null;
  let isEndReached = false;
  for await (const part of parts) {
    buffered = buffered.length === 0 ? part : Buffer.concat([buffered, part]);
    while (!isEndReached && buffered.length >= 4) {
      const length = buffered.readUInt32BE(0);
      if (length > maxFrameBytes) throw damagedFile();
      if (buffered.length < 4 + length) break;
      hash.update(buffered.subarray(0, 4 + length));
      const payload = buffered.subarray(4, 4 + length);
      buffered = buffered.subarray(4 + length);
      if (pending) yield { payload: pending, isLast: length === 0 };
      isEndReached = length === 0;
      pending = isEndReached ? null : payload;
    }
  }
  if (!isEndReached || !hash.digest().equals(buffered)) throw damagedFile();
}

function encodeHeaderPart(header: BackupHeader): Buffer {
  const json = Buffer.from(JSON.stringify(header));
  return Buffer.concat([magic, uint32(json.length), json]);
}

/** Context that binds encrypted frames to their header. */
function hashHeaderPart(headerPart: Buffer): Buffer {
  return createHash("sha256").update(headerPart).digest();
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

/** Syncs a folder, which makes a rename durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
