import { Readable } from "node:stream";
import { promisify } from "node:util";
import { constants, crc32, deflateRaw } from "node:zlib";

/** `bytes`: a whole file, or a stream of its parts. `at`: the file's time in the archive, in UTC. */
export type ZipFile = { name: string; at: Date; bytes: Uint8Array | AsyncIterable<Uint8Array> };

const deflate = promisify<Uint8Array, object, Buffer>(deflateRaw);
/** The empty block that ends a Deflate stream. */
const lastBlock = Buffer.from([3, 0]);
const max16 = 0xffff;
const max32 = 0xffffffff;

/** The archive as a stream. If its reader disconnects, the iteration of `files` ends. */
export function zipStream(files: AsyncIterable<ZipFile>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(zipFiles(files))) as ReadableStream<Uint8Array>;
}

/**
 * Streams a ZIP archive of any number of files, each below 4 GB, with one part in memory at a time. Whole files (PDFs, which
 * are already compressed) are stored uncompressed; streamed files are compressed part by part. Names are UTF-8.
 */
export async function* zipFiles(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, bytes, at } of files) {
    const encodedName = Buffer.from(name);
    const isWhole = bytes instanceof Uint8Array;
    const header = Buffer.alloc(26);
    header.writeUInt16LE(45, 0); // Version needed: 4.5, for large archives.
    header.writeUInt16LE(isWhole ? 0x0800 : 0x0808, 2); // The name is UTF-8; the sizes of a streamed file follow its content.
    header.writeUInt16LE(isWhole ? 0 : 8, 4); // Stored or compressed.
    header.writeUInt16LE((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1), 6);
    header.writeUInt16LE(
      ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
      8,
    );
    header.writeUInt16LE(encodedName.length, 22);
    const writeSizes = ({ crc, compressedSize, size }: Sizes) => {
      header.writeUInt32LE(crc, 10);
      header.writeUInt32LE(compressedSize, 14);
      header.writeUInt32LE(size, 18);
    };
    let sizes: Sizes = isWhole
      ? { crc: crc32(bytes), compressedSize: bytes.length, size: bytes.length }
      : { crc: 0, compressedSize: 0, size: 0 };
    writeSizes(sizes);
    yield Buffer.concat([signature(0x04034b50), header, encodedName]);
    if (isWhole) yield bytes;
    else {
      sizes = yield* compressParts(bytes);
      writeSizes(sizes);
      yield Buffer.concat([signature(0x08074b50), header.subarray(10, 22)]);
    }
    directory.push(directoryEntry(header, encodedName, offset));
    offset += 30 + encodedName.length + sizes.compressedSize + (isWhole ? 0 : 16);
  }
  const centralDirectory = Buffer.concat(directory);
  yield centralDirectory;
  yield endRecord({ count: directory.length, length: centralDirectory.length, offset });
}

/** The checksum of a file, and its length with and without compression. */
type Sizes = { crc: number; compressedSize: number; size: number };

/** Compresses each part separately, up to a whole byte, so that the parts form one Deflate stream. */
async function* compressParts(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, Sizes> {
  const sizes: Sizes = { crc: 0, compressedSize: lastBlock.length, size: 0 };
  for await (const part of parts) {
    const compressedPart = await deflate(part, { finishFlush: constants.Z_SYNC_FLUSH });
    sizes.crc = crc32(part, sizes.crc);
    sizes.size += part.length;
    sizes.compressedSize += compressedPart.length;
    if (sizes.size > max32) throw new Error("a file of the archive is larger than 4 GB");
    yield compressedPart;
  }
  yield lastBlock;
  return sizes;
}

/** A file's entry in the directory; from 4 GB on, its offset is in an extra field (ZIP64). */
function directoryEntry(header: Buffer, name: Buffer, offset: number): Buffer {
  const needsZip64 = offset >= max32;
  const extra = Buffer.alloc(needsZip64 ? 12 : 0);
  if (needsZip64) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(offset), 4);
  }
  const commonFields = Buffer.from(header);
  commonFields.writeUInt16LE(extra.length, 24);
  const location = Buffer.alloc(14);
  location.writeUInt32LE(needsZip64 ? max32 : offset, 10);
  return Buffer.concat([signature(0x02014b50), Buffer.from([45, 0]), commonFields, location, name, extra]);
}

/** The record that ends the archive, preceded by one with larger fields (ZIP64) if they are needed. */
function endRecord({ count, length, offset }: Record<"count" | "length" | "offset", number>): Buffer {
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Math.min(count, max16), 4);
  end.writeUInt16LE(Math.min(count, max16), 6);
  end.writeUInt32LE(length, 8);
  end.writeUInt32LE(Math.min(offset, max32), 12);
  const plainRecord = Buffer.concat([signature(0x06054b50), end]);
  if (count < max16 && offset < max32) return plainRecord;
  const zip64Record = Buffer.alloc(52);
  zip64Record.writeBigUInt64LE(44n, 0); // Length of the rest of this record.
  zip64Record.writeUInt16LE(45, 8);
  zip64Record.writeUInt16LE(45, 10);
  zip64Record.writeBigUInt64LE(BigInt(count), 20);
  zip64Record.writeBigUInt64LE(BigInt(count), 28);
  zip64Record.writeBigUInt64LE(BigInt(length), 36);
  zip64Record.writeBigUInt64LE(BigInt(offset), 44);
  const locator = Buffer.alloc(16);
  locator.writeBigUInt64LE(BigInt(offset + length), 4);
  locator.writeUInt32LE(1, 12);
  return Buffer.concat([signature(0x06064b50), zip64Record, signature(0x07064b50), locator, plainRecord]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
