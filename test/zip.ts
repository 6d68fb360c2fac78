import { crc32, inflateRawSync } from "node:zlib";

/** The files of a ZIP archive by name, found by its directory; checks their sizes and sums. */
export function unzip(archive: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let [count, place] = [bytes.readUInt16LE(end + 10), bytes.readUInt32LE(end + 16)];
  if (count === 0xffff) {
    const large = Number(bytes.readBigUInt64LE(end - 12));
    count = Number(bytes.readBigUInt64LE(large + 32));
    place = Number(bytes.readBigUInt64LE(large + 48));
  }
  const files = new Map<string, Buffer>();
  for (let left = count; left > 0; left -= 1) {
    const at = bytes.readUInt32LE(place + 42);
    const nameLength = bytes.readUInt16LE(place + 28);
    const name = bytes.toString("utf8", place + 46, place + 46 + nameLength);
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    const packed = bytes.subarray(start, start + bytes.readUInt32LE(place + 20));
    const content = bytes.readUInt16LE(place + 10) === 0 ? packed : inflateRawSync(packed);
    if (
      crc32(content) !== bytes.readUInt32LE(place + 16) ||
      content.length !== bytes.readUInt32LE(place + 24)
    )
      throw new Error(`${name} is damaged`);
    files.set(name, content);
    place += 46 + nameLength + bytes.readUInt16LE(place + 30) + bytes.readUInt16LE(place + 32);
  }
  return files;
}
