import { readFileSync } from "node:fs";
import { join } from "node:path";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { customType } from "drizzle-orm/pg-core";
import { withInertLinks } from "../http/inert-links.ts";

// The first byte of a packed text is its format. Migration 0012 stored the older texts unpacked.
const unpackedFormat = 0;
const dictionaryFormat = 1;
/** The fastest level; higher ones save only a tenth more. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

/**
 * A sample e-mail with the frame and styles that all e-mails share. Never change it: texts packed with it could no longer be
 * read. If templates change until packing saves little, add another dictionary with another format byte.
 */
let dictionary: Buffer | null = null;
function readDictionary(): Buffer {
  dictionary ??= readFileSync(join(import.meta.dirname, "email-dictionary-1.txt"));
  return dictionary;
}

/** Packs HTML to about a twelfth of its size, and removes the secret tokens of its links. */
export function packHtml(html: string): Buffer {
  const packed = zstdCompressSync(withInertLinks(html), { params, dictionary: readDictionary() });
  return Buffer.concat([Buffer.of(dictionaryFormat), packed]);
}

export function unpackHtml(packed: Buffer): string {
  const [format] = packed;
  const content = packed.subarray(1);
  if (format === unpackedFormat) return withInertLinks(content.toString());
  if (format !== dictionaryFormat) throw new Error(`a text is packed in an unknown way: ${format}`);
  return zstdDecompressSync(content, { dictionary: readDictionary() }).toString();
}

/**
 * HTML of e-mails, most of which is the same in all of them. PostgreSQL's own compression is slower and only reduces it to a
 * third, also in the write-ahead log.
 */
export const packedHtml = customType<{ data: string; driverData: Buffer }>({
  dataType: () => "bytea",
  toDriver: packHtml,
  fromDriver: unpackHtml,
});
