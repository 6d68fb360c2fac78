import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";

// Archives in the format of POSIX (ustar), so that `tar` can unpack a base backup, too.

const blockBytes = 512;
const maxNameBytes = 100;

/** Header of a file, or of a folder if the name ends with a slash. */
export function tarHeader(name: string, size: number, at: Date): Buffer {
  if (Buffer.byteLength(name) > maxNameBytes) throw new Error(`${name} is too long a name for the archive`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(name.endsWith("/") ? 0o700 : 0o600, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(Math.floor(at.getTime() / 1000), 11), 136);
  header.write(" ".repeat(8), 148);
  header.write(name.endsWith("/") ? "5" : "0", 156);
  header.write("ustar\0" + "00", 257);
  header.write(`${headerChecksum(header).toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** Padding after a file's content. */
export const tarPadding = (size: number) => Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
export const tarEnd = Buffer.alloc(2 * blockBytes);

/** Unpacks into an existing folder. Throws if the archive is damaged or truncated. */
export async function unpackTar(chunks: AsyncIterable<Buffer>, folder: string): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);

  /** The next bytes: at least one, at most `bytes`. */
  async function readBytes(bytes: number): Promise<Buffer> {
    while (buffered.length === 0) {
      const { done, value } = await iterator.next();
      if (done) throw new Error("the archive ends early");
      buffered = value;
    }
    const part = buffered.subarray(0, bytes);
    buffered = buffered.subarray(part.length);
    return part;
  }
  async function readExactly(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let remaining = bytes; remaining > 0; remaining -= parts.at(-1)?.length ?? 0)
      parts.push(await readBytes(remaining));
    return Buffer.concat(parts);
  }

  for (;;) {
    const header = await readExactly(blockBytes);
    if (header.every((byte) => byte === 0)) break;
    const { name, size } = readHeader(header);
    const path = join(folder, name);
    if (name.endsWith("/")) {
      await mkdir(path, { recursive: true, mode: 0o700 });
      continue;
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, "wx", 0o600);
    try {
      for (let remaining = size; remaining > 0; ) {
        const part = await readBytes(remaining);
        await file.writeFile(part);
        remaining -= part.length;
      }
    } finally {
      await file.close();
    }
    await readExactly(tarPadding(size).length);
  }
  // Reads to the end, so that the checksum of the whole input can be compared.
  while (!(await iterator.next()).done);
}

function readHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => header.toString("latin1", from, to).replace(/[\0 ].*$/s, "");
  const sum = Number.parseInt(text(148, 156), 8);
  const name = header.toString("utf8", 0, maxNameBytes).replace(/\0.*$/s, "");
  header.fill(" ", 148, 156);
  if (sum !== headerChecksum(header) || name.startsWith("/") || name.split("/").includes("..")) {
    throw new Error("the archive is damaged");
  }
  return { name, size: Number.parseInt(text(124, 136), 8) };
}

function headerChecksum(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}
