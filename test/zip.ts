import { crc32, inflateRawSync } from "node:zlib";

/** The files of a ZIP archive by name, found by its directory; checks their sizes and checksums. */
export function unzip(archive: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let [count, entryOffset] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)];
  if (count === 0xffff) {
    const large = Number(bytes.readBigUInt64LE(end - 12));
    count = Number(bytes.readBigUInt64LE(large + 32));
    entryOffset = Number(bytes.readBigUInt64LE(large + 48));
  }
  const files = new Map<string, Buffer>();
  for (let left = count; left > 0; left -= 1) {
    const fileOffset = bytes.readUInt32LE(entryOffset + 42);
    const nameLength = bytes.readUInt16LE(entryOffset + 28);
    const name = bytes.toString("utf8", entryOffset + 46, entryOffset + 46 + nameLength);
    const start = fileOffset + 30 + bytes.readUInt16LE(fileOffset + 26) + bytes.readUInt16LE(fileOffset + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(entryOffset + 20));
    const content = bytes.readUInt16LE(entryOffset + 10) === 0 ? packed : inflateRawSync(packed);
    if (
      crc32(content) !== bytes.readUInt32LE(entryOffset + 16) ||
      content.length !== bytes.readUInt32LE(entryOffset + 24)
    )
      throw new Error(`${name} is damaged`);
    files.set(name, content);
    entryOffset +=
      46 + nameLength + bytes.readUInt16LE(entryOffset + 30) + bytes.readUInt16LE(entryOffset + 32);
  }
  return files;
}
