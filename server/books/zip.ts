import { crc32 } from "node:zlib";

/**
 * A streamed ZIP archive with one file in memory at a time. Files are stored uncompressed, since PDFs are compressed; names
 * are UTF-8. At most 65,535 files and 4 GB.
 */
export async function* zipOf(
  files: AsyncIterable<{ name: string; bytes: Uint8Array; at: Date }>,
): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, bytes, at } of files) {
    const encoded = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0); // Version needed: 2.0.
    shared.writeUInt16LE(0x0800, 2); // The name is UTF-8.
    shared.writeUInt16LE(0, 4); // Stored.
    shared.writeUInt16LE((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1), 6);
    shared.writeUInt16LE(
      ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
      8,
    );
    shared.writeUInt32LE(crc32(bytes), 10);
    shared.writeUInt32LE(bytes.length, 14);
    shared.writeUInt32LE(bytes.length, 18);
    shared.writeUInt16LE(encoded.length, 22);
    yield Buffer.concat([signature(0x04034b50), shared, encoded]);
    yield bytes;
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), shared, place, encoded]));
    offset += 30 + encoded.length + bytes.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  yield Buffer.concat([list, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
